"""JSON as data, with the place of each value, read without recursion (RFC 8259)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document, line_of, line_starts
from agent_judge.judges.compare.faults import NotComparedError, SyntaxFaultError
from agent_judge.judges.compare.formats.values import Counter, Keys, number
from agent_judge.judges.compare.node import Node
from agent_judge.judgment import ReasonCode

_TOKEN: Final = re.compile(
    rb"[ \t\r\n]*(?:"
    rb'(?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")'
    rb"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    rb"|(?P<word>true|false|null)"
    rb"|(?P<sign>[][{}:,])"
    rb"|(?P<end>\Z)"
    rb")"
)


@dataclass(slots=True)
class _Open:
    """An object or array that is not closed yet."""

    node: Node
    keys: Keys = field(default_factory=Keys)
    key: str | None = None


def parse_json_tree(document: Document) -> Build:
    """Read JSON in UTF-8.

    Raises:
        SyntaxFaultError: It is none.
        NotComparedError: It is not in UTF-8.
    """
    data = document.data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
    except ValueError as fault:
        raise NotComparedError(f"it is not in UTF-8: {fault}", ReasonCode.UNREADABLE_FILE) from None
    _Reader(data).read()
    return lambda: _Reader(data).read()


class _Reader:
    """Reads one text, holding what is not closed yet on a stack of its own."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts = line_starts(data)
        self._counter = Counter()
        self._open: list[_Open] = []
        self._root: Node | None = None

    def read(self) -> Node:
        """The value that the text is."""
        expected = "value"
        for kind, text, start, end in self._tokens():
            if kind == "end":
                break
            expected = self._take(expected, kind, text, start, end)
        if self._root is None or expected != "nothing":
            raise self._fault(f"a {expected} is missing at the end", len(self._data))
        return self._root

    def _tokens(self) -> Iterator[tuple[str, str, int, int]]:
        place = 0
        while True:
            match = _TOKEN.match(self._data, place)
            if match is None or match.lastgroup is None:
                raise self._fault("no JSON value begins here", place)
            start, place = match.span(match.lastgroup)
            yield match.lastgroup, self._data[start:place].decode(), start, place
            if match.lastgroup == "end":
                return

    def _take(self, expected: str, kind: str, text: str, start: int, end: int) -> str:
        """Take a token in; what may stand after it."""
        sign = text if kind == "sign" else ""
        if expected in ("value", "value or ]") and sign in ("{", "["):
            return self._enter(sign, start)
        if expected in ("value", "value or ]") and not sign:
            self._put(_scalar(kind, text), start, end)
            return self._after()
        if expected in ("key", "key or }") and kind == "string":
            self._open[-1].key = json.loads(text)
            return ":"
        if sign and sign == expected == ":":
            return "value"
        if sign and sign in self._closing(expected):
            return self._leave(end)
        if sign == "," and expected == "comma or end":
            return "key" if self._open[-1].node.kind == "object" else "value"
        raise self._fault(f"expected {expected}, found {text[:20]!r}", start)

    def _closing(self, expected: str) -> str:
        """The bracket that may close what is open; none where something has to come first."""
        if expected == "comma or end":
            return "}" if self._open[-1].node.kind == "object" else "]"
        return expected[-1] if expected in ("value or ]", "key or }") else ""

    def _enter(self, sign: str, start: int) -> str:
        is_object = sign == "{"
        node = Node("object" if is_object else "array", free=is_object)
        self._put(node, start, start)
        self._open.append(_Open(node))
        return "key or }" if is_object else "value or ]"

    def _leave(self, end: int) -> str:
        self._open.pop().node.end = end
        return self._after()

    def _after(self) -> str:
        return "comma or end" if self._open else "nothing"

    def _put(self, node: Node, start: int, end: int) -> None:
        self._counter.count()
        node.start, node.end, node.line = start, end, line_of(self._starts, start)
        if not self._open:
            self._root = node
            return
        around = self._open[-1]
        if around.key is not None:
            around.keys.name(node, around.key)
            around.key = None
        around.node.children.append(node)

    def _fault(self, reason: str, place: int) -> SyntaxFaultError:
        return SyntaxFaultError(reason, line_of(self._starts, min(place, len(self._data) - 1)) or 1)


def _scalar(kind: str, text: str) -> Node:
    if kind == "string":
        return Node("string", json.loads(text))
    return Node("number", number(text)) if kind == "number" else Node(text)
