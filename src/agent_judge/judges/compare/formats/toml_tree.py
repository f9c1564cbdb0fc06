"""TOML as data, with the line of each key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final, Self

from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import NotComparedError, SyntaxFaultError, too_deep
from agent_judge.judges.compare.formats.values import Counter, Keys, number
from agent_judge.judges.compare.node import Node
from agent_judge.judgment import ReasonCode

Lines = dict[tuple[str, ...], int]
"""The line on which each key is first said, by the keys that lead to it."""

_LINE: Final = re.compile(r"\(at line (\d+)")
_PIECE: Final = re.compile(
    r'(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<comment>#[^\n]*)|(?P<sign>[][{}=.,])|(?P<line>\n)|(?P<word>[^\s\"'#\]\[{}=.,]+)",
    re.DOTALL,
)


def parse_toml_tree(document: Document) -> Build:
    """Read TOML.

    Raises:
        SyntaxFaultError: It is none.
        NotComparedError: It is not in UTF-8, or nests too deep.
    """
    try:
        text = document.data.decode("utf-8-sig")
    except ValueError as fault:
        raise NotComparedError(f"it is not in UTF-8: {fault}", ReasonCode.UNREADABLE_FILE) from None
    return toml_build(read_toml(text), text)


def read_toml(text: str) -> dict[str, Any]:
    """The data of a TOML text.

    Raises:
        SyntaxFaultError: It is none.
        NotComparedError: It nests too deep.
    """
    try:
        return tomllib.loads(text, parse_float=_Float)
    except tomllib.TOMLDecodeError as fault:
        match = _LINE.search(str(fault))
        raise SyntaxFaultError(str(fault), int(match[1]) if match else None) from None
    except ValueError as fault:
        raise SyntaxFaultError(str(fault)) from None
    except RecursionError:
        raise too_deep() from None


class _Float(float):
    """A float that knows how it was written, so that it is compared exactly."""

    text: str

    def __new__(cls, text: str) -> Self:
        made = super().__new__(cls, text)
        made.text = text.replace("_", "")
        return made


def toml_build(data: dict[str, Any], text: str) -> Build:
    """What builds the tree of data that were read."""
    lines = toml_lines(text)
    return lambda: data_node(data, lines)


def data_node(data: object, lines: Lines) -> Node:
    """The node of a value, with the lines of its keys."""
    counter = Counter()
    root = _node(data, 1)
    pending: list[tuple[object, Node, tuple[str, ...]]] = [(data, root, ())]
    while pending:
        value, node, place = pending.pop()
        counter.count()
        keys = Keys()
        for key, item in _items(value):
            inner = (*place, key) if isinstance(value, dict) else place
            child = _node(item, lines.get(inner, node.line))
            if isinstance(value, dict):
                keys.name(child, key)
            node.children.append(child)
            pending.append((item, child, inner))
    return root


def _items(value: Any) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        yield from value.items()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    elif isinstance(value, list):
        yield from (("", item) for item in value)  # pyright: ignore[reportUnknownVariableType]


def _node(value: object, line: int) -> Node:
    match value:
        case dict():
            return Node("object", free=True, line=line)
        case list():
            return Node("array", line=line)
        case bool():
            return Node(str(value).lower(), line=line)
        case str():
            return Node("string", value, line=line)
        case _Float():
            return Node("number", number(value.text.lstrip("+")), line=line)
        case int() | float():
            return Node("number", number(str(value)), line=line)
        case None:
            return Node("null", line=line)
        case _:
            return Node(type(value).__name__, str(value), line=line)


def toml_lines(text: str) -> Lines:
    """The line on which each key is first said; elements of arrays are those of their key."""
    lines: Lines = {}
    table: tuple[str, ...] = ()
    for number_, pieces in _statements(text):
        words = [piece for piece in pieces if piece != "."]
        if words and words[0] == "[":
            table = tuple(_key(word) for word in words if word not in ("[", "]"))
            _note(lines, table, number_)
        elif "=" in words:
            keys = tuple(_key(word) for word in words[: words.index("=")])
            _note(lines, (*table, *keys), number_)
    return lines


def _note(lines: Lines, keys: tuple[str, ...], line: int) -> None:
    for depth in range(1, min(len(keys), 100) + 1):
        lines.setdefault(keys[:depth], line)


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """The statements of a text, each with its line and its pieces up to the first `=`."""
    line, first, depth = 1, 1, 0
    pieces: list[str] = []
    for match in _PIECE.finditer(text):
        piece = match[0]
        if match.lastgroup == "line" and depth == 0:
            yield first, pieces
            pieces, first = [], line + 1
        elif match.lastgroup in ("string", "sign", "word"):
            if not pieces:
                first = line
            if "=" in pieces:
                depth += (piece in ("[", "{")) - (piece in ("]", "}"))
            else:
                pieces.append(piece)
        line += piece.count("\n")
    yield first, pieces


def _key(word: str) -> str:
    """A key as it is meant, from how it is written."""
    if word[:1] not in "\"'":
        return word
    try:
        return next(iter(tomllib.loads(f"{word} = 0")))
    except tomllib.TOMLDecodeError:
        return word
