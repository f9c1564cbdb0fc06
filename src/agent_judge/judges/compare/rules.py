"""Normalisations: differences that are ignored, each by its name, and can be switched off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.compare.node import Node, rewrite

Rules: TypeAlias = Literal["default", "strict"] | Sequence[str]
"""Which normalisations apply: the usual ones, none, or those that are named."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One normalisation.

    Attributes:
        name: What judgments and configurations call it.
        says: Which difference is ignored, and what is taken for granted by that.
        apply: Brings two trees, changed in place, into the form in which the difference is none;
            whether it changed anything.
        usual: Whether it applies unless a judge is told otherwise.
    """

    name: str
    says: str
    apply: Callable[[Node, Node], bool]
    usual: bool = True


def each_node(visit: Callable[[Node], bool]) -> Callable[[Node, Node], bool]:
    """A normalisation that looks at one node of one tree at a time."""

    def apply(reference: Node, candidate: Node) -> bool:
        changed = rewrite(reference, visit)
        return rewrite(candidate, visit) or changed

    return apply


def each_tree(visit: Callable[[Node], bool]) -> Callable[[Node, Node], bool]:
    """A normalisation that looks at the whole of one tree."""

    def apply(reference: Node, candidate: Node) -> bool:
        changed = visit(reference)
        return visit(candidate) or changed

    return apply


def check_rules(rules: object, known: Sequence[Rule]) -> Rules:
    """Refuse what is neither a word for a set of rules nor a list of their names.

    Returns:
        The rules, a list as a tuple.

    Raises:
        ArgumentTypeError: It is neither a string nor a list of strings.
        ArgumentError: A word or name that is not known.
    """
    if isinstance(rules, str) and rules in ("default", "strict"):
        return "strict" if rules == "strict" else "default"
    names = ", ".join(rule.name for rule in known) or "none"
    if isinstance(rules, str):
        raise ArgumentError(
            f"rules must be 'default', 'strict' or a list of names, not {rules!r}; known: {names}"
        )
    if not isinstance(rules, list | tuple):
        raise ArgumentTypeError(f"rules must be a word or a list of names, not {rules!r}")
    chosen: list[str] = []
    for name in rules:  # pyright: ignore[reportUnknownVariableType] - each is checked here
        if name not in {rule.name for rule in known}:
            raise ArgumentError(f"rules names {name!r}, which there is not; known: {names}")
        chosen.append(str(name))  # pyright: ignore[reportUnknownArgumentType]
    return tuple(chosen)


def choose(rules: Rules, known: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that apply, in the order in which they do."""
    if rules == "strict":
        return ()
    if rules == "default":
        return tuple(rule for rule in known if rule.usual)
    return tuple(rule for rule in known if rule.name in rules)
