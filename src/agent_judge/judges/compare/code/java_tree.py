"""Java as its specification means it: what is written in two ways is one tree."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.compare.code.code_rules import drop, drop_trailing_comma
from agent_judge.judges.compare.code.grammars import name_nodes
from agent_judge.judges.compare.code.java_literals import java_character, java_number, java_string
from agent_judge.judges.compare.node import Node, rewrite, top_down

ANNOTATIONS: Final = ("marker_annotation", "annotation")

_BODIES: Final = ("program", "class_body", "interface_body", "enum_body_declarations",
                  "annotation_type_body")  # fmt: skip
_LISTS: Final = ("array_initializer", "enum_body", "element_value_array_initializer")
_DECLARATIONS: Final = ("field_declaration", "local_variable_declaration", "constant_declaration")
_COPIES: Final = 100_000
"""Nodes that may come twice when declarations are split, so that types cannot multiply."""

_NUMBERS: Final = (
    "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal",
    "binary_integer_literal", "decimal_floating_point_literal", "hex_floating_point_literal",
)  # fmt: skip


def shape_java(root: Node) -> None:
    """Bring a tree of the grammar into the form that does not depend on how it is written."""
    name_nodes(root)
    drop(root, _empty_declaration)
    rewrite(root, _shape)


def _empty_declaration(around: Node, node: Node) -> bool:
    if node.kind == ";":
        return around.kind in _BODIES
    return node.kind == "enum_body_declarations" and all(part.kind == ";" for part in node.children)


def _shape(node: Node) -> bool:
    if node.kind in _NUMBERS:
        assert isinstance(node.value, str)
        node.value, node.kind = java_number(node.value), "number"
    elif node.kind == "string_literal" and isinstance(node.value, str):
        node.value = java_string(node.value)
    elif node.kind == "character_literal" and isinstance(node.value, str):
        node.value = java_character(node.value)
    elif node.kind == "binary_expression":
        _fold(node)
    elif node.kind == "modifiers":
        _sort_modifiers(node)
    elif node.kind in _LISTS:
        drop_trailing_comma(node)
    elif node.kind == "lambda_expression":
        _parenthesise_parameter(node)
    elif node.kind == "annotation":
        _drop_empty_arguments(node)
    elif node.kind == "formal_parameter":
        _move_dimensions(node, node)
    _split_declarations(node)
    return True


def _fold(node: Node) -> None:
    """Join string literals: `"a" + "b"` is the constant `"ab"` (JLS 15.29)."""
    left, right = node.child("left"), node.child("right")
    if left is None or right is None or not node.has("+"):
        return
    if left.kind == right.kind == "string_literal":
        assert isinstance(left.value, tuple)
        assert isinstance(right.value, tuple)
        node.kind, node.value = "string_literal", ("String", left.value[1] + right.value[1])
        node.children = []


def _sort_modifiers(node: Node) -> None:
    """Annotations keep their order; that of keywords means nothing."""
    annotations = node.of_kind(*ANNOTATIONS)
    words = [child for child in node.children if child.kind not in ANNOTATIONS]
    node.children = [*annotations, *sorted(words, key=lambda word: word.kind)]


def _parenthesise_parameter(node: Node) -> None:
    """Write `x -> y` as `(x) -> y`."""
    parameter = node.child("parameters")
    if parameter is not None and parameter.kind == "identifier":
        name = parameter.copy()
        name.role = ""
        parameter.kind, parameter.value = "inferred_parameters", None
        parameter.children = [Node("(", "("), name, Node(")", ")")]


def _drop_empty_arguments(node: Node) -> None:
    """Write `@A()` as `@A`."""
    arguments = node.child("arguments")
    if arguments is not None and len(arguments.children) == 2:
        node.kind = "marker_annotation"
        node.children.remove(arguments)


def _split_declarations(node: Node) -> None:
    """Write `int a, b[];` as `int a; int[] b;`."""
    if not any(child.kind in _DECLARATIONS for child in node.children):
        return
    if node.kind == "for_statement":
        return
    budget = _COPIES
    children: list[Node] = []
    for child in node.children:
        if child.kind not in _DECLARATIONS:
            children.append(child)
            continue
        budget -= _copies(child)
        children += _single_declarations(child) if budget >= 0 else [child]
    node.children = children


def _copies(declaration: Node) -> int:
    """How many nodes come twice when each variable is declared by itself."""
    variables = sum(child.role == "declarator" for child in declaration.children)
    if variables < 2:
        return 0
    shared = [child for child in declaration.children if child.role != "declarator"]
    return variables * sum(1 for child in shared for _ in top_down(child))


def _single_declarations(declaration: Node) -> list[Node]:
    declarators = [child for child in declaration.children if child.role == "declarator"]
    singles: list[Node] = []
    for declarator in declarators:
        single = declaration if len(declarators) == 1 else _with_one(declaration, declarator)
        _move_dimensions(single, declarator)
        singles.append(single)
    return singles


def _with_one(declaration: Node, declarator: Node) -> Node:
    """A declaration of one of its variables; the type belongs to each of them."""
    others = [child for child in declaration.children if child.role != "declarator"]
    single = Node(declaration.kind, role=declaration.role, line=declarator.line)
    single.start, single.end = declarator.start, declarator.end
    kept = [child.copy() for child in others if child.kind not in (",", ";")]
    single.children = [*kept, declarator, Node(";", ";")]
    return single


def _move_dimensions(declaration: Node, declarator: Node) -> None:
    """Write `int a[]` as `int[] a`."""
    brackets = declarator.child("dimensions")
    kind = declaration.child("type")
    if brackets is None or kind is None:
        return
    declarator.children.remove(brackets)
    if kind.kind == "array_type":
        kind.children[-1].children.extend(brackets.children)
        return
    element = kind.copy()
    element.role = "element"
    kind.kind, kind.value, kind.children = "array_type", None, [element, brackets]
