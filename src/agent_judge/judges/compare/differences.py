"""Where two trees differ: the first differences, each with its path and both sides."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from agent_judge.judges.compare.node import Node

SHOWN: Final = 20
"""Differences that a judgment shows."""

Path: TypeAlias = "tuple[Path, Node, Node] | None"
"""The way to a node: that to the node around it, that node, and the node itself."""

Pairs: TypeAlias = list[tuple[Node, Node]]

Key: TypeAlias = Callable[[Node], "tuple[object, ...] | None"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the candidate is not as the reference.

    Attributes:
        path: The way to it, a step for each node.
        reference: What the reference has there, if anything.
        candidate: What the candidate has there, if anything.
        around: The node of the candidate that it is in, for its line where there is nothing.
        reordered: Whether both have the same parts in another order.
    """

    path: tuple[str, ...]
    reference: Node | None
    candidate: Node | None
    around: Node
    reordered: bool = False


def find_differences(reference: Node, candidate: Node, limit: int = SHOWN) -> list[Difference]:
    """The first differences between two trees that were numbered together.

    Args:
        reference: What should be.
        candidate: What is.
        limit: How many are looked for.
    """
    return list(islice(_differences(reference, candidate), limit))


def _differences(reference: Node, candidate: Node) -> Iterator[Difference]:
    pending: list[tuple[Node, Node, Path]] = [(reference, candidate, None)]
    seen: set[tuple[int, int]] = set()
    while pending:
        left, right, path = pending.pop()
        pair = (id(left), id(right))
        if left.number == right.number or pair in seen:
            continue
        seen.add(pair)
        leaves = not (left.children or right.children)
        if leaves or (left.kind, left.value) != (right.kind, right.value):
            yield Difference(_steps(path), left, right, right)
            continue
        pairs, missing, extra = _align(left, right)
        yield from (Difference(_steps((path, left, node)), node, None, right) for node in missing)
        yield from (Difference(_steps((path, right, node)), None, node, right) for node in extra)
        unequal = [(old, new) for old, new in pairs if old.number != new.number]
        if not (unequal or missing or extra):
            yield Difference(_steps(path), left, right, right, reordered=True)
        pending.extend((old, new, (path, left, old)) for old, new in reversed(unequal))


def _align(left: Node, right: Node) -> tuple[Pairs, list[Node], list[Node]]:
    """Which parts belong together, and which have no counterpart."""
    if left.free or right.free:
        pairs, old, new = _match(left.children, right.children, lambda node: (node.number,))
    else:
        pairs, old, new = _trim(left.children, right.children)
    named, old, new = _match(old, new, lambda node: (node.kind, node.role, node.name))
    known, old, new = _match(old, new, lambda node: (node.role, node.name) if node.name else None)
    kinds, old, new = _match(old, new, lambda node: _nameless(node, node.kind, node.role))
    roles, old, new = _match(old, new, lambda node: _nameless(node, node.role))
    pairs += named + known + kinds + roles
    if len(old) == len(new) == 1 and not (old[0].name and new[0].name):
        return [*pairs, (old[0], new[0])], [], []
    return pairs, old, new


def _nameless(node: Node, *key: str) -> tuple[str, ...] | None:
    """A key by which only nodes without a name pair: others are known by theirs."""
    return key if not node.name and any(key) else None


def _trim(left: Sequence[Node], right: Sequence[Node]) -> tuple[Pairs, list[Node], list[Node]]:
    """Pair what is equal at the beginning and at the end."""
    shorter = min(len(left), len(right))
    start = 0
    while start < shorter and left[start].number == right[start].number:
        start += 1
    end = 0
    while end < shorter - start and left[-1 - end].number == right[-1 - end].number:
        end += 1
    return [], list(left[start : len(left) - end]), list(right[start : len(right) - end])


def _match(
    left: Sequence[Node], right: Sequence[Node], key: Key
) -> tuple[Pairs, list[Node], list[Node]]:
    """Pair what has the same key, in order; nothing pairs under the key `None`."""
    waiting: defaultdict[object, deque[int]] = defaultdict(deque)
    for index, node in enumerate(right):
        waiting[key(node)].append(index)
    pairs: Pairs = []
    alone: list[Node] = []
    taken: set[int] = set()
    for node in left:
        wanted = key(node)
        if wanted is not None and waiting[wanted]:
            taken.add(waiting[wanted][0])
            pairs.append((node, right[waiting[wanted].popleft()]))
        else:
            alone.append(node)
    return pairs, alone, [node for index, node in enumerate(right) if index not in taken]


def _steps(path: Path) -> tuple[str, ...]:
    steps: list[str] = []
    while path is not None:
        path, around, node = path
        steps.append(_step(around, node))
    return tuple(reversed(steps))


def _step(around: Node, node: Node) -> str:
    """What one step of a path is called: by its name, else by its role or kind and its place."""
    if node.name:
        return node.name
    if around.kind.startswith("array"):
        return str(next((i for i, child in enumerate(around.children) if child is node), 0))
    label = node.role or node.kind
    alike = [child for child in around.children if (child.role or child.kind) == label]
    if len(alike) < 2:
        return label
    place = next((index for index, child in enumerate(alike) if child is node), 0)
    return f"{label}[{place}]"
