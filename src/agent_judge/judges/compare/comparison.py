"""Comparing two parsed documents: equal, equal under named rules, or different."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from agent_judge.judges.compare.differences import Difference, find_differences
from agent_judge.judges.compare.node import Identities, Node, top_down
from agent_judge.judges.compare.rules import Rule

Build: TypeAlias = Callable[[], Node]
"""Makes a new tree of what was parsed, each time it is called: rules change trees in place."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two documents compare.

    Attributes:
        differences: The first differences that no rule takes away; none where they are equal.
        equal_under: The rules without any of which they would differ.
    """

    differences: tuple[Difference, ...] = ()
    equal_under: tuple[str, ...] = ()

    @property
    def equal(self) -> bool:
        """Whether there is no difference."""
        return not self.differences


Shorten: TypeAlias = Callable[[Build, Build], tuple[Build, Build] | None]
"""Leaves out of two documents what no rule needs to see; nothing is left where they are equal."""


def compare(
    reference: Build, candidate: Build, rules: Sequence[Rule], shorten: Shorten | None = None
) -> Comparison:
    """Compare two documents, and say which of the rules made them equal."""
    shortened = None if shorten is None else shorten(reference, candidate)
    if shorten is not None and shortened is None:
        return Comparison()
    reference, candidate = shortened or (reference, candidate)
    left, right = reference(), candidate()
    if shorten is None or not rules:
        if _equal(left, right):
            return Comparison()
        if not rules:
            return Comparison(tuple(find_differences(left, right)))
        _forget(left)
        _forget(right)
    used = _apply(rules, left, right)
    if not _equal(left, right):
        return Comparison(tuple(find_differences(left, right)))
    return Comparison(equal_under=_needed(reference, candidate, used))


def _equal(left: Node, right: Node) -> bool:
    identities = Identities()
    return identities.number(left) == identities.number(right)


def _forget(root: Node) -> None:
    """Take the numbers away that the nodes had before they are changed."""
    for node in top_down(root):
        node.number = -1


def _apply(rules: Sequence[Rule], left: Node, right: Node) -> list[Rule]:
    """Apply rules to both trees; those that changed something."""
    return [rule for rule in rules if rule.apply(left, right)]


def _needed(reference: Build, candidate: Build, used: Sequence[Rule]) -> tuple[str, ...]:
    """The names of rules under which both are equal, none of which can be left out."""
    needed = list(used)
    for rule in used:
        fewer = [other for other in needed if other is not rule]
        left, right = reference(), candidate()
        _apply(fewer, left, right)
        if _equal(left, right):
            needed = fewer
    return tuple(rule.name for rule in needed)
