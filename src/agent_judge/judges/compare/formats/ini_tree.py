"""INI files and Java properties as data, with the line of each key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import NotComparedError, SyntaxFaultError
from agent_judge.judges.compare.formats.values import Counter, Keys
from agent_judge.judges.compare.node import Node
from agent_judge.judgment import ReasonCode

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_SECTION: Final = re.compile(r"\[(?P<name>.+)\]")
_KEY: Final = re.compile(r"(?P<key>(?:\\.|[^\\=:\s])*)[ \t\f]*(?:[=:][ \t\f]*)?", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CHARACTERS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def parse_ini_tree(document: Document) -> Build:
    """Read an INI file, by the rules of Python's `configparser`, keys in the case they have.

    Sections in brackets, `key = value` or `key: value`, keys without a value, whole-line comments
    that begin with `#` or `;`, and values that go on in indented lines. Keys before the first
    section are those of no section.

    Raises:
        SyntaxFaultError: A line is none of these.
        NotComparedError: It is not in UTF-8.
    """
    text = _text(document, "utf-8-sig")
    _ini_node(text)
    return lambda: _ini_node(text)


def _ini_node(text: str) -> Node:
    root = Node("object", free=True, line=1)
    counter, sections = Counter(), {"": (root, Keys())}
    names, section = Keys(), ""
    option: Node | None = None
    indent = 0
    for line, content in enumerate(_LINE_END.split(text), start=1):
        stripped = content.strip()
        if not stripped or stripped[0] in "#;":
            continue
        counter.count()
        deep = len(content) - len(content.lstrip())
        header = _SECTION.fullmatch(stripped)
        if option is not None and deep > indent:
            option.value = f"{option.value or ''}\n{stripped}"
        elif header is not None:
            section, option, indent = header["name"], None, deep
            if section not in sections:
                node = names.name(Node("object", free=True, line=line), section, "section")
                root.children.append(node)
                sections[section] = (node, Keys())
        else:
            option, indent = _option(stripped, line), deep
            around, keys = sections[section]
            around.children.append(keys.name(option, option.name))
    return root


def _option(text: str, line: int) -> Node:
    ends = [place for place in (text.find("="), text.find(":")) if place >= 0]
    key = text[: min(ends)].rstrip() if ends else text
    if not key:
        raise SyntaxFaultError("a key is missing", line)
    if not ends:
        return Node("null", name=key, line=line)
    return Node("string", text[min(ends) + 1 :].strip(), name=key, line=line)


def parse_properties_tree(document: Document) -> Build:
    """Read Java properties, as `java.util.Properties` does: of a key said twice the last counts.

    Raises:
        NotComparedError: It is not in UTF-8.
    """
    text = _text(document, "utf-8")
    return lambda: _properties_node(text)


def _properties_node(text: str) -> Node:
    counter = Counter()
    said: dict[str, Node] = {}
    for line, content in _logical_lines(text):
        counter.count()
        match = _KEY.match(content)
        assert match is not None
        key, value = _unescaped(match["key"]), _unescaped(content[match.end() :])
        said[key] = Keys().name(Node("string", value, line=line), key)
    return Node("object", children=list(said.values()), free=True, line=1)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with those that continue them, comments and blank ones left out."""
    parts: list[str] = []
    first = 1
    for line, content in enumerate(_LINE_END.split(text), start=1):
        stripped = content.lstrip(" \t\f")
        if not parts:
            first = line
            if not stripped or stripped[0] in "#!":
                continue
        backslashes = len(stripped) - len(stripped.rstrip("\\"))
        if backslashes % 2:
            parts.append(stripped[:-1])
            continue
        yield first, "".join([*parts, stripped])
        parts = []
    if parts:
        yield first, "".join(parts)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _CHARACTERS.get(code, code)


def _text(document: Document, encoding: str) -> str:
    try:
        return document.data.decode(encoding)
    except ValueError as fault:
        raise NotComparedError(f"it is not in UTF-8: {fault}", ReasonCode.UNREADABLE_FILE) from None
