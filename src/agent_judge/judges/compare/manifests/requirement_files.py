"""Manifests that have a form of their own: `requirements.txt` and `go.mod`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import NotComparedError, SyntaxFaultError
from agent_judge.judges.compare.formats.values import Counter
from agent_judge.judges.compare.manifests.dependencies import requirement
from agent_judge.judges.compare.node import Node
from agent_judge.judgment import ReasonCode

_OPTION: Final = re.compile(r"\s(--[a-z-]+[= ]\S+)")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_GO_WORD: Final = re.compile(r'"(?:\\.|[^"\\])*"|`[^`]*`|//.*|[()]|=>|[^\s()"`]+')
_GO_DIRECTIVES: Final = (
    "module", "go", "toolchain", "godebug", "require", "exclude", "replace", "retract", "tool",
    "ignore",
)  # fmt: skip


def parse_requirements(document: Document) -> Build:
    """Read a `requirements.txt`: requirements without order, options in theirs.

    Raises:
        NotComparedError: It is not in UTF-8.
    """
    text = _text(document)
    return lambda: _requirements(text)


def _requirements(text: str) -> Node:
    counter = Counter()
    root = Node("requirements", line=1)
    wanted = Node("list", role="requirements", free=True, line=1)
    options = Node("list", role="options", line=1)
    for line, content in _logical_lines(text):
        counter.count()
        if content.startswith("-"):
            said = " ".join(content.replace("=", " ", 1).split())
            options.children.append(Node("option", said, line=line))
            continue
        found = requirement(_OPTION.sub("", f" {content}").strip(), line)
        hashes = sorted(" ".join(option.split()) for option in _OPTION.findall(f" {content}"))
        found.children = [Node("option", option, line=line) for option in hashes]
        wanted.children.append(found)
    root.children = [wanted, options]
    return root


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines without comments, with those that continue them."""
    parts: list[str] = []
    first = 1
    for line, content in enumerate(_LINE_END.split(text), start=1):
        first = first if parts else line
        if content.endswith("\\"):
            parts.append(content[:-1])
            continue
        whole = _without_comment("".join([*parts, content])).strip()
        parts = []
        if whole:
            yield first, whole
    if parts and "".join(parts).strip():
        yield first, "".join(parts).strip()


def _without_comment(text: str) -> str:
    """A line up to a `#` at its beginning or after white space."""
    place = text.find("#")
    while place > 0 and not text[place - 1].isspace():
        place = text.find("#", place + 1)
    return text if place < 0 else text[:place]


def parse_go_mod(document: Document) -> Build:
    """Read a `go.mod`: directives without order; `// indirect` counts, other comments do not.

    Raises:
        SyntaxFaultError: A line begins with no directive, or a block is not closed.
        NotComparedError: It is not in UTF-8.
    """
    text = _text(document)
    _go_mod(text)
    return lambda: _go_mod(text)


def _go_mod(text: str) -> Node:
    counter = Counter()
    root = Node("go.mod", free=True, line=1)
    block = ""
    for line, content in enumerate(_LINE_END.split(text), start=1):
        words = _GO_WORD.findall(content)
        comment = words.pop() if words and words[-1].startswith("//") else ""
        if not words:
            continue
        counter.count()
        if block and words == [")"]:
            block = ""
        elif block:
            root.children.append(_directive(block, words, comment, line))
        elif words[0] not in _GO_DIRECTIVES:
            raise SyntaxFaultError(f"{words[0]!r} is no directive", line)
        elif words[1:] == ["("]:
            block = words[0]
        elif words[1:] != ["(", ")"]:
            root.children.append(_directive(words[0], words[1:], comment, line))
    if block:
        raise SyntaxFaultError(f"the block of {block!r} is not closed")
    return root


def _directive(kind: str, words: list[str], comment: str, line: int) -> Node:
    said = [word[1:-1] if word[0] in '"`' else word for word in words]
    scope = ["indirect"] if re.match(r"//\s*indirect\b", comment) else []
    name = f"{kind} {said[0]}" if said else kind
    return Node(kind, (*said, *scope), name=name, line=line)


def _text(document: Document) -> str:
    try:
        return document.data.decode("utf-8-sig")
    except ValueError as fault:
        raise NotComparedError(f"it is not in UTF-8: {fault}", ReasonCode.UNREADABLE_FILE) from None
