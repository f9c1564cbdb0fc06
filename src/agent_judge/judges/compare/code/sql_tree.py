"""SQL as a syntax tree, by sqlglot."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from agent_judge.extras import load
from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import (
    NotComparedError,
    SyntaxFaultError,
    too_deep,
    too_many_nodes,
)
from agent_judge.judges.compare.node import NODE_LIMIT, Node
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from types import ModuleType

_TEXTS: Final = (
    "IDENTIFIER", "STRING", "NUMBER", "NATIONAL_STRING", "RAW_STRING", "HEREDOC_STRING",
    "UNICODE_STRING", "BIT_STRING", "HEX_STRING", "BYTE_STRING", "PARAMETER", "PLACEHOLDER",
)  # fmt: skip
"""Kinds of tokens that are compared by their text."""


def load_sqlglot() -> ModuleType:
    """The parser of SQL."""
    return load("sqlglot", extra="compare", needed_by="comparing SQL")


def parse_sql(document: Document, dialect: str | None) -> Build:
    """Parse statements of SQL.

    Raises:
        SyntaxFaultError: They are none of this dialect.
        NotComparedError: They are not in UTF-8, or nest deeper than the parser goes.
    """
    sqlglot = load_sqlglot()
    try:
        text = document.data.decode("utf-8-sig")
    except ValueError as fault:
        raise NotComparedError(f"it is not in UTF-8: {fault}", ReasonCode.UNREADABLE_FILE) from None
    try:
        statements: list[Any] = sqlglot.parse(text, dialect=dialect)
        tokens: list[Any] = sqlglot.tokenize(text, dialect=dialect)
    except sqlglot.errors.ParseError as fault:
        raise SyntaxFaultError(_first_line(fault), _line(fault)) from None
    except sqlglot.errors.SqlglotError as fault:
        raise SyntaxFaultError(_first_line(fault)) from None
    except RecursionError:
        raise too_deep() from None
    _check_brackets(tokens)
    offsets = None if text.isascii() else text
    return lambda: _build([found for found in statements if found is not None], tokens, offsets)


def _check_brackets(tokens: list[Any]) -> None:
    """Refuse a bracket that is not closed, which the parser forgives in some places."""
    depth = 0
    for token in tokens:
        depth += (token.token_type.name == "L_PAREN") - (token.token_type.name == "R_PAREN")
        if depth < 0:
            raise SyntaxFaultError("a bracket is closed that is not open", token.line)
    if depth:
        raise SyntaxFaultError("a bracket is not closed")


def _first_line(fault: Exception) -> str:
    return str(fault).partition("\n")[0]


def _line(fault: Any) -> int | None:
    line = fault.errors[0].get("line") if fault.errors else None
    return line if isinstance(line, int) else None


def _build(statements: list[Any], tokens: list[Any], text: str | None) -> Node:
    root = Node("statements", line=1)
    made = [root]
    pending: list[tuple[Any, Node]] = []
    for statement in statements:
        root.children.append(_node(statement, "statement", made, pending))
    while pending:
        expression, node = pending.pop()
        for name, value in expression.args.items():
            if name.startswith("_") or value is None or value is False:
                continue
            items: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType] - sqlglot does not say
            for item in items:
                node.children.append(_node(item, name, made, pending))
    made += _add_tokens(root, tokens)
    _place(made, text)
    return root


def _add_tokens(root: Node, tokens: list[Any]) -> list[Node]:
    """Add the tokens: the parser forgives some that are missing, or that are doubled.

    Keywords are compared by what they are, and semicolons by the statements that they part. Names
    are folded here; in the tree they are not.
    """
    around = Node("tokens", line=1)
    for token in tokens:
        kind = token.token_type.name
        if kind != "SEMICOLON":
            said = token.text if kind in _TEXTS else token.text.lower() * (kind == "VAR")
            node = Node(kind, said, line=token.line, start=token.start, end=token.end + 1)
            around.children.append(node)
    root.children.append(around)
    return [around, *around.children]


def _node(item: Any, role: str, made: list[Node], pending: list[tuple[Any, Node]]) -> Node:
    if len(made) > NODE_LIMIT:
        raise too_many_nodes(NODE_LIMIT)
    if not hasattr(item, "args"):
        node = Node("value", _said(item), role)
    else:
        meta = item.meta
        node = Node(type(item).__name__, role=role, line=meta.get("line", 0))
        node.start, node.end = meta.get("start", -1), meta.get("end", -2) + 1
        pending.append((item, node))
    made.append(node)
    return node


def _said(value: object) -> str | tuple[str, ...]:
    if isinstance(value, Enum):
        return ("enum", value.name)
    return value if isinstance(value, str) else (type(value).__name__, str(value))


def _place(made: list[Node], text: str | None) -> None:
    """Place nodes where their parts are: only names have places of their own."""
    for node in reversed(made):
        placed = [child for child in node.children if child.start >= 0]
        if node.start < 0 and placed:
            node.start = min(child.start for child in placed)
            node.end = max(child.end for child in placed)
        lines = [child.line for child in node.children if child.line]
        node.line = node.line or min(lines, default=0)
    for node in made:
        for child in node.children:
            child.line = child.line or node.line
    if text is not None:
        _count_bytes(made, text)


def _count_bytes(made: list[Node], text: str) -> None:
    """Turn places in characters into places in bytes."""
    places = [0]
    for character in text:
        places.append(places[-1] + len(character.encode()))
    for node in made:
        if 0 <= node.start <= node.end < len(places):
            node.start, node.end = places[node.start], places[node.end]
        else:
            node.start = node.end = -1
