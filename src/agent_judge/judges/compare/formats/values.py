"""Data as nodes: objects without order, arrays, and scalars by type and value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import too_many_nodes
from agent_judge.judges.compare.languages import Parser
from agent_judge.judges.compare.node import NODE_LIMIT, Node

_NUMBER: Final = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,15}))?")


class Keys:
    """The roles of the members of one object: a key that occurs again has a role of its own.

    What a key that occurs twice means depends on who reads it, so that only objects with the same
    values under it, in the same order, are equal.
    """

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: dict[str, int] = {}

    def name(self, node: Node, key: str, kind: str = "") -> Node:
        """Make a node the member under a key."""
        told = f"{kind}.{key}"
        times = self._times[told] = self._times.get(told, 0) + 1
        node.role = told if times == 1 else f"{told} again {times}"
        node.name = key
        return node


class Counter:
    """Counts nodes, up to as many as are compared."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = NODE_LIMIT

    def count(self, nodes: int = 1) -> None:
        """Count some more.

        Raises:
            NotComparedError: There are too many.
        """
        self._left -= nodes
        if self._left < 0:
            raise too_many_nodes(NODE_LIMIT)


def number(text: str) -> str:
    """A decimal number, exactly and in one way: `1`, `1.0` and `10e-1` are the same."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text
    sign, whole, fraction, exponent = match.groups(default="")
    digits = (whole + fraction).lstrip("0")
    stripped = digits.rstrip("0")
    if not stripped:
        return "0"
    power = int(exponent or 0) - len(fraction) + len(digits) - len(stripped)
    return f"{'-' if sign == '-' else ''}{stripped}e{power}"


def with_free_arrays(parse: Parser) -> Parser:
    """The same parser, of whose arrays the order means nothing."""

    def parse_freely(document: Document) -> Build:
        build = parse(document)

        def build_freely() -> Node:
            root = build()
            for array in _arrays(root):
                array.free = True
            return root

        return build_freely

    return parse_freely


def _arrays(root: Node) -> Iterator[Node]:
    """Every array once, also where a part is used in several places."""
    pending = [root]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.kind == "array":
            yield node
        pending.extend(node.children)
