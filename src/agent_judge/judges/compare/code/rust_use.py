"""The `use` declarations of Rust, as the names that they bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_judge.judges.compare.code.code_rules import gather, text_of, unordered
from agent_judge.judges.compare.faults import NotComparedError
from agent_judge.judges.compare.node import Node
from agent_judge.judgment import ReasonCode

_LONGEST: Final = 20_000_000
"""Characters of all paths together, when each is written out."""


def use_order(node: Node) -> bool:
    """Make one unordered node of adjacent `use` declarations, one part for each name."""
    return gather(node, _uses, _together)


def _uses(node: Node) -> bool:
    return node.kind == "use_declaration"


def _together(run: list[Node]) -> Node:
    names: dict[tuple[str, str], Node] = {}
    length = 0
    for declaration in run:
        before = "".join(text_of(part) for part in declaration.children if part.role != "argument")
        argument = declaration.child("argument")
        for path in _paths(argument) if argument is not None else ():
            length += len(path)
            if length > _LONGEST:
                raise NotComparedError("its use trees are too long", ReasonCode.TOO_LARGE)
            place = Node("use", (before, path), name=path, line=declaration.line)
            place.start, place.end = declaration.start, declaration.end
            names.setdefault((before, path), place)
    return unordered("uses", list(names.values()), run)


def _paths(argument: Node) -> Iterator[str]:
    """Every path that a use tree stands for."""
    pending: list[tuple[str, Node]] = [("", argument)]
    while pending:
        before, tree = pending.pop()
        if tree.kind == "use_list":
            inner = [part for part in tree.children if part.kind not in ("{", "}", ",")]
            pending.extend((before, part) for part in inner)
        elif tree.kind == "scoped_use_list":
            path, names = tree.child("path"), tree.child("list")
            if names is not None:
                start = "" if path is None else text_of(path)
                pending.append((f"{before}{start}::", names))
        else:
            yield f"{before}{_spaced(tree)}"


def _spaced(tree: Node) -> str:
    """The path as text; `self` at its end is the module before it."""
    alias = tree.child("alias")
    if tree.kind != "use_as_clause" or alias is None:
        return text_of(tree)
    path = tree.child("path")
    return f"{text_of(path) if path is not None else ''} as {text_of(alias)}"
