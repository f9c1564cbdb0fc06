"""One kind of tree for all that is compared: source code, data and documents.

A parser's own tree is turned into nodes; rules rewrite them; two trees are equal when their nodes
are. Nothing here recurses: what is compared may nest as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

NODE_LIMIT: Final = 2_000_000
"""Nodes that one tree may have; at about 200 bytes each."""

Value: TypeAlias = "str | tuple[str, ...] | None"
"""What a node says of itself. Only texts: `1`, `1.0` and `True` would be one key of a `dict`."""


@dataclass(slots=True, eq=False)
class Node:
    """A part of what is compared.

    Attributes:
        kind: What it is, in the words of the parser.
        value: What it says by itself, for example the name of an identifier.
        role: Its role in the node around it, for example `"condition"`.
        name: What people call it, for example that of a function or the key of a member.
        children: Its parts.
        free: Whether the order of the children means nothing.
        start: Where it begins in the source, in bytes; -1 where that is not known.
        end: Where it ends.
        line: Its line, counted from 1; 0 where that is not known.
        number: Given by `Identities`.
    """

    kind: str
    value: Value = None
    role: str = ""
    name: str = ""
    children: list[Node] = field(default_factory=list["Node"])
    free: bool = False
    start: int = -1
    end: int = -1
    line: int = 0
    number: int = -1

    def become(self, other: Node) -> None:
        """Take on all that another node is, but the role in what is around."""
        self.kind, self.value, self.name = other.kind, other.value, other.name
        self.children, self.free = other.children, other.free
        self.start, self.end, self.line = other.start, other.end, other.line

    def copy(self) -> Node:
        """The same node over again, with the same parts, and without a number."""
        return replace(self, children=list(self.children), number=-1)

    def child(self, role: str) -> Node | None:
        """The first part that has a role."""
        return next((child for child in self.children if child.role == role), None)

    def of_kind(self, *kinds: str) -> list[Node]:
        """The parts that are of one of these kinds."""
        return [child for child in self.children if child.kind in kinds]

    def has(self, token: str) -> bool:
        """Whether a token is among the parts; a token is of the kind that its text is."""
        return any(child.kind == token for child in self.children)


def top_down(root: Node) -> Iterator[Node]:
    """Every node, each before its parts, in the order of the source."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.children))


def rewrite(root: Node, visit: Callable[[Node], bool]) -> bool:
    """Let a function change every node in place, parts first; whether it changed any."""
    changed = [visit(node) for node in reversed(list(top_down(root)))]
    return any(changed)


class Identities:
    """Numbers for nodes: two have the same number exactly if they are equal.

    Every different node, as its kind, value, role and the numbers of its parts, is kept once, so
    that comparing costs one look-up a node however deep the trees are. Where the order of the
    parts means nothing, their numbers are sorted.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], int] = {}

    def number(self, root: Node) -> int:
        """Give a number to a node and all its parts, some of which it may have several times."""
        known = self._known
        pending = [root]
        while pending:
            node = pending[-1]
            inner = [child for child in node.children if child.number < 0]
            if node.number < 0 and inner:
                pending.extend(inner)
                continue
            pending.pop()
            numbers = [child.number for child in node.children]
            if node.free:
                numbers.sort()
            node.number = known.setdefault((node.kind, node.value, node.role, *numbers), len(known))
        return root.number
