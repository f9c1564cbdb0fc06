"""Normalisations of the members of Java's types, and of how they are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_judge.judges.compare.node import Node, top_down

_BODIES: Final = ("class_body", "interface_body", "enum_body_declarations", "annotation_type_body")
_UNORDERED: Final = (
    "method_declaration", "constructor_declaration", "compact_constructor_declaration",
    "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
    "annotation_type_declaration",
)  # fmt: skip
_MEMBERS: Final = (
    "method_declaration", "constructor_declaration", "compact_constructor_declaration",
    "static_initializer", "field_declaration", "constant_declaration", "block",
)  # fmt: skip
_LOCALS: Final = (
    "formal_parameter", "catch_formal_parameter", "enhanced_for_statement", "resource",
    "type_pattern", "record_pattern_component", "instanceof_expression", "variable_declarator",
)  # fmt: skip


def member_order(node: Node) -> bool:
    """Put methods, constructors and types after the fields, whose order stays, unordered."""
    if node.kind not in _BODIES:
        return False
    members = node.of_kind(*_UNORDERED)
    if not members:
        return False
    others = [child for child in node.children if child.kind not in _UNORDERED]
    together = Node("members", children=members, free=True, line=node.line)
    node.children = [*others[:-1], together, *others[-1:]]
    return True


def override_annotation(node: Node) -> bool:
    """Drop `@Override`, and modifiers that are none any more."""
    changed = False
    for modifiers in node.of_kind("modifiers"):
        kept = [child for child in modifiers.children if not _is_override(child)]
        changed = changed or len(kept) < len(modifiers.children)
        modifiers.children = kept
    node.children = [
        child for child in node.children if child.kind != "modifiers" or child.children
    ]
    return changed


def _is_override(node: Node) -> bool:
    return node.kind == "marker_annotation" and node.name == "Override"


def annotation_shorthand(node: Node) -> bool:
    """Write `@A(value = x)` as `@A(x)`, and `@A({x})` as `@A(x)` (JLS 9.7)."""
    changed = False
    if node.kind == "annotation_argument_list":
        pairs = node.of_kind("element_value_pair")
        if len(pairs) == 1 and pairs[0].name == "value":
            _replace_by(pairs[0], pairs[0].child("value"))
            changed = True
    if node.kind in ("annotation_argument_list", "element_value_pair"):
        for values in node.of_kind("element_value_array_initializer"):
            if len(values.children) == 3:
                _replace_by(values, values.children[1])
                changed = True
    return changed


def _replace_by(node: Node, inner: Node | None) -> None:
    if inner is not None:
        node.become(inner)


def this_qualifier(root: Node) -> bool:
    """Drop `this.` where no local variable has the name that follows it."""
    return True in [_unqualify(member, _locals(member)) for member in _members(root)]


def _members(root: Node) -> Iterator[Node]:
    """The members of all types that are in no member themselves; so each part is seen once."""
    pending = [root]
    while pending:
        node = pending.pop()
        for child in node.children:
            if node.kind in _BODIES and child.kind in _MEMBERS:
                yield child
            else:
                pending.append(child)


def _locals(member: Node) -> set[str]:
    """Every name that may stand for a local variable somewhere in a member."""
    names: set[str] = set()
    for node in top_down(member):
        if node.kind in _LOCALS and node is not member:
            names.update(child.value for child in node.children if _names_local(child))  # type: ignore[misc]  # pyright: ignore[reportArgumentType] - identifiers have texts
        elif node.kind == "inferred_parameters":
            names.update(str(child.value) for child in node.of_kind("identifier"))
    return names


def _names_local(node: Node) -> bool:
    return node.kind == "identifier" and isinstance(node.value, str)


def _unqualify(member: Node, local: set[str]) -> bool:
    changed = False
    for node in top_down(member):
        changed = _unqualify_access(node, local) or _unqualify_call(node) or changed
    return changed


def _unqualify_access(node: Node, local: set[str]) -> bool:
    owner, field = node.child("object"), node.child("field")
    if node.kind != "field_access" or owner is None or field is None or owner.kind != "this":
        return False
    if len(node.children) != 3 or field.value in local:
        return False
    node.become(field)
    return True


def _unqualify_call(node: Node) -> bool:
    owner = node.child("object")
    if node.kind != "method_invocation" or owner is None or owner.kind != "this":
        return False
    if node.child("type_arguments") is not None:
        return False
    node.children = [child for child in node.children if child is not owner and child.kind != "."]
    return True
