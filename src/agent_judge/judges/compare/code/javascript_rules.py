"""Normalisations of JavaScript and TypeScript."""

from __future__ import annotations

import re
from typing import Final

from agent_judge.judges.compare.code.code_rules import (
    Kept,
    braces,
    drop,
    gather,
    parentheses,
    text_of,
    trailing_commas,
    unordered,
)
from agent_judge.judges.compare.code.javascript_strings import javascript_string
from agent_judge.judges.compare.code.numerals import javascript_number, number_notation
from agent_judge.judges.compare.node import Node, top_down
from agent_judge.judges.compare.rules import Rule, each_node

_STATEMENTS: Final = (
    "expression_statement", "variable_declaration", "lexical_declaration", "return_statement",
    "throw_statement", "break_statement", "continue_statement", "debugger_statement",
    "do_statement", "import_statement", "export_statement", "type_alias_declaration",
    "ambient_declaration", "function_signature", "abstract_method_signature", "import_alias",
)  # fmt: skip
_BODIES: Final = ("program", "statement_block", "class_body")
_MEMBER_TYPES: Final = ("interface_body", "object_type")
_CHAINED: Final = ("member_expression", "subscript_expression", "call_expression",
                   "non_null_expression")  # fmt: skip
_PARENTHESES: Final = "parenthesized_expression"
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_GOVERNED: Final = (
    ("if_statement", "consequence"),
    ("else_clause", ""),
    ("while_statement", "body"),
    ("do_statement", "body"),
    ("for_statement", "body"),
    ("for_in_statement", "body"),
)
_LISTS: Final = (
    "arguments", "array", "array_pattern", "object", "object_pattern", "formal_parameters",
    "named_imports", "export_clause", "type_parameters", "type_arguments", "tuple_type",
    "enum_body",
)  # fmt: skip


def _semicolons(node: Node) -> bool:
    """Drop the semicolons that end statements and members; the parser has found where they end."""
    children = node.children
    if node.kind in _STATEMENTS and children and children[-1].kind == ";":
        del children[-1]
        return True
    if node.kind in _BODIES:
        return _drop_separators(node, (";", "empty_statement"))
    return node.kind in _MEMBER_TYPES and _drop_separators(node, (";", ","))


def _drop_separators(node: Node, kinds: tuple[str, ...]) -> bool:
    before = len(node.children)
    node.children = [child for child in node.children if child.kind not in kinds]
    return len(node.children) < before


def _quote_style(around: Node) -> bool:
    """Compare strings by their value, whatever quotes they are in."""
    changed = False
    for child in around.children:
        if child.kind != "string" or child.value is not None:
            continue
        content = "".join(str(part.value) for part in child.children[1:-1])
        exact = around.kind in ("jsx_attribute", "expression_statement")
        value = content if exact else javascript_string(content)
        if value is not None:
            child.value, child.children = ("string", value), []
            changed = True
    return changed


def _property_quotes(node: Node) -> bool:
    """Write `{"a": 1}` as `{a: 1}`."""
    key = node.child("key")
    if node.kind != "pair" or key is None or key.kind != "string":
        return False
    name = key.value[1] if isinstance(key.value, tuple) else text_of(key)[1:-1]
    if not _IDENTIFIER.fullmatch(name):
        return False
    key.kind, key.value, key.children = "property_identifier", name, []
    node.name = name
    return True


def _arrow_parentheses(node: Node) -> bool:
    """Write `(x) => y` as `x => y`."""
    parameters = node.child("parameters")
    if node.kind != "arrow_function" or parameters is None or len(parameters.children) != 3:
        return False
    name = parameters.children[1]
    if name.kind == "required_parameter" and len(name.children) == 1:
        name = name.children[0]
    if name.kind != "identifier":
        return False
    parameters.become(name)
    parameters.role = "parameter"
    return True


def _keeps_parentheses(root: Node) -> Kept:
    """Say where parentheses mean something: they end an optional chain, or make no directive."""
    chains = _optional_chains(root)

    def kept(around: Node, node: Node) -> bool:
        if around.kind == "expression_statement":
            return len(node.children) > 1 and node.children[1].kind == "string"
        if around.kind == "assignment_expression" and node.role == "left":
            return True
        return around.kind in _CHAINED and id(node) in chains

    return kept


def _optional_chains(root: Node) -> set[int]:
    """Nodes, by their identity, that begin with `a?.b`."""
    chains: set[int] = set()
    for node in reversed(list(top_down(root))):
        first = next((part for part in node.children if part.kind not in ("(", "new")), None)
        within = first is not None and id(first) in chains
        if node.has("optional_chain") or (within and node.kind in (*_CHAINED, _PARENTHESES)):
            chains.add(id(node))
    return chains


def _import_order(node: Node) -> bool:
    """Make one unordered node of adjacent imports, each of which imports names."""
    return gather(node, _imports_names, _together)


def _imports_names(node: Node) -> bool:
    return node.kind == "import_statement" and bool(
        node.of_kind("import_clause", "import_require_clause")
    )


def _together(run: list[Node]) -> Node:
    for statement in run:
        for names in top_down(statement):
            if names.kind == "named_imports":
                names.free = True
                drop(names, lambda _, part: part.kind == ",")
    return unordered("imports", run, run)


JAVASCRIPT_RULES: Final = (
    Rule(
        "semicolons",
        "semicolons at the end of statements and members: where these end is parsed",
        each_node(_semicolons),
    ),
    Rule(
        "quote_style",
        "the quotes and escapes of strings, by their value; directives by their text",
        each_node(_quote_style),
    ),
    Rule(
        "property_quotes", 'quotes of keys that are names: `{"a": 1}`', each_node(_property_quotes)
    ),
    trailing_commas(_LISTS),
    parentheses(_keeps_parentheses),
    Rule("arrow_parentheses", "`(x) => y` for `x => y`", each_node(_arrow_parentheses)),
    braces(_GOVERNED, "statement_block", ("else", "function_declaration")),
    number_notation(
        ("number",), javascript_number, "how numbers are written, by their value as doubles"
    ),
    Rule(
        "import_order",
        "the order of adjacent imports of names, and of the names in them: "
        "evaluating one module is taken to have no effect on another",
        each_node(_import_order),
    ),
)
