"""Normalisations that several languages share; each says which kinds of nodes it looks at."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from agent_judge.judges.compare.node import Node, rewrite
from agent_judge.judges.compare.rules import Rule, each_node, each_tree

OPENING = ("(", "[", "{", "<", "|")
CLOSING = (")", "]", "}", ">", "|")


Kept: TypeAlias = Callable[[Node, Node], bool]
"""Asked of a node and the parentheses in it, whether they mean something there."""


def parentheses(
    keeps: Callable[[Node], Kept] | None = None,
    *,
    says: str = "redundant parentheses: the structure is compared, and what binds tighter stays so",
) -> Rule:
    """The rule that parentheses in expressions mean nothing.

    Args:
        keeps: Looks at a tree, and gives what says which of its parentheses mean something.
        says: What the rule says.
    """

    def apply(root: Node) -> bool:
        kept = keeps(root) if keeps is not None else _never
        return rewrite(root, lambda around: _unwrap(around, kept))

    return Rule("parentheses", says, each_tree(apply))


def _never(_around: Node, _node: Node) -> bool:
    return False


def _unwrap(around: Node, kept: Kept) -> bool:
    changed = False
    for child in around.children:
        if child.kind == "parenthesized_expression" and not kept(around, child):
            inner = [part for part in child.children if part.kind not in ("(", ")")]
            if len(inner) == 1:
                child.become(inner[0])
                changed = True
    return changed


def trailing_commas(kinds: Collection[str], *, single: Collection[str] = ()) -> Rule:
    """The rule that a comma before the closing bracket means nothing.

    Args:
        kinds: The lists that may end so.
        single: Those of them in which the comma after a single element means something.
    """

    def visit(node: Node) -> bool:
        if node.kind not in kinds:
            return False
        return drop_trailing_comma(node, keep_single=node.kind in single)

    return Rule("trailing_commas", "a comma before a closing bracket", each_node(visit))


def drop_trailing_comma(node: Node, *, keep_single: bool = False) -> bool:
    """Take away the comma before the closing bracket, unless it stands for a hole before it."""
    children = node.children
    end = len(children) - 1 if children and children[-1].kind in CLOSING else len(children)
    if end < 2 or children[end - 1].kind != "," or children[end - 2].kind in (",", *OPENING):
        return False
    commas = sum(child.kind == "," for child in children)
    if keep_single and commas == 1:
        return False
    del children[end - 1]
    return True


def braces(roles: Collection[tuple[str, str]], block: str, bare: Collection[str] = ()) -> Rule:
    """The rule that a single statement may stand in braces or without.

    Args:
        roles: The kinds of statements, each with the role of what it governs.
        block: What a block is called.
        bare: Kinds that mean something else within a block.
    """

    def visit(node: Node) -> bool:
        changed = False
        for child in node.children:
            governed = (node.kind, child.role) in roles
            if governed and child.kind != block and child.kind not in bare:
                enclose(child, block)
                changed = True
        return changed

    return Rule("braces", "braces around a single statement", each_node(visit))


def enclose(statement: Node, block: str) -> None:
    """Put a statement into a block of its own."""
    inner = statement.copy()
    inner.role = ""
    statement.kind, statement.value, statement.name = block, None, ""
    statement.children = [Node("{", "{"), inner, Node("}", "}")]


def drop(root: Node, unwanted: Callable[[Node, Node], bool]) -> bool:
    """Take away parts; the function is asked of a node and each of its parts."""

    def visit(node: Node) -> bool:
        kept = [child for child in node.children if not unwanted(node, child)]
        changed = len(kept) < len(node.children)
        if changed:
            node.children = kept
        return changed

    return rewrite(root, visit)


def gather(node: Node, wanted: Callable[[Node], bool], join: Callable[[list[Node]], Node]) -> bool:
    """Make one node of each run of adjacent parts that are wanted."""
    if not any(map(wanted, node.children)):
        return False
    children: list[Node] = []
    run: list[Node] = []
    for child in [*node.children, None]:
        if child is not None and wanted(child):
            run.append(child)
            continue
        if run:
            children.append(join(run))
            run = []
        if child is not None:
            children.append(child)
    node.children = children
    return True


def unordered(kind: str, parts: list[Node], around: list[Node]) -> Node:
    """A node of parts whose order means nothing, in the place of a run of nodes."""
    first = around[0]
    return Node(
        kind,
        role=first.role,
        children=parts,
        free=True,
        start=first.start,
        end=around[-1].end,
        line=first.line,
    )


def text_of(node: Node) -> str:
    """The tokens of a node in one text, without what is between them."""
    texts: list[str] = []
    pending = [node]
    while pending:
        found = pending.pop()
        if isinstance(found.value, str):
            texts.append(found.value)
        pending.extend(reversed(found.children))
    return "".join(texts)
