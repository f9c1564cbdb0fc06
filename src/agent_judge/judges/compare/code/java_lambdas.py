"""Normalisations of Java's lambdas that do no more than call one method."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.compare.code.code_rules import text_of
from agent_judge.judges.compare.node import Node

_DECLARATIONS: Final = ("field_declaration", "local_variable_declaration", "constant_declaration")


def method_references(node: Node) -> bool:
    """Write `x -> T.m(x)` as `T::m`, `() -> new T()` as `T::new`, `x -> m(x)` as `this::m`.

    Where `T::m` and the call both compile, they are the same method: were there two that fit, the
    reference would be ambiguous (JLS 15.13.1). `x -> x.m()` becomes `T::m` only where the variable
    that it is assigned to is declared with `T` as its first type argument.
    """
    if node.kind in _DECLARATIONS:
        return _of_declared_type(node)
    if node.kind != "lambda_expression":
        return False
    parameters, body = _parameters(node), node.child("body")
    if parameters is None or body is None:
        return False
    if body.kind == "object_creation_expression":
        return _creation(node, body, parameters)
    return body.kind == "method_invocation" and _call(node, body, parameters)


def _parameters(function: Node) -> list[str] | None:
    """The names of parameters whose types are inferred."""
    parameters = function.child("parameters")
    if parameters is None or parameters.kind not in ("inferred_parameters", "formal_parameters"):
        return None
    if parameters.of_kind("formal_parameter", "spread_parameter"):
        return None
    return [str(child.value) for child in parameters.of_kind("identifier")]


def _arguments(call: Node) -> list[str] | None:
    """The names that a call is given, if it is given nothing else."""
    arguments = call.child("arguments")
    if arguments is None:
        return None
    given = [child for child in arguments.children if child.kind not in ("(", ")", ",")]
    return [str(child.value) for child in given] if _all_names(given) else None


def _all_names(nodes: list[Node]) -> bool:
    return all(node.kind == "identifier" for node in nodes)


def _call(function: Node, call: Node, parameters: list[str]) -> bool:
    owner, name = call.child("object"), call.child("name")
    owner = Node("this", "this") if owner is None else owner
    if name is None or _arguments(call) != parameters:
        return False
    if not (owner.kind == "this" or _is_type(owner)) or call.child("type_arguments") is not None:
        return False
    _refer(function, owner, name)
    return True


def _creation(function: Node, creation: Node, parameters: list[str]) -> bool:
    kind = creation.child("type")
    if kind is None or _arguments(creation) != parameters or creation.has("class_body"):
        return False
    raw = kind.of_kind("type_identifier", "scoped_type_identifier")
    if kind.kind == "generic_type" and text_of(kind).endswith("<>") and raw:
        kind = raw[0]
    if kind.kind != "type_identifier":
        return False
    _refer(function, Node("identifier", kind.value), Node("new", "new"))
    return True


def _is_type(owner: Node) -> bool:
    """Whether a name is that of a type, as Java's conventions have it: `Type`, not `TYPE`."""
    name = owner.child("field") if owner.kind == "field_access" else owner
    if name is None or name.kind != "identifier" or not isinstance(name.value, str):
        return False
    return name.value[:1].isupper() and not (len(name.value) > 1 and name.value.isupper())


def _refer(function: Node, owner: Node, name: Node) -> None:
    """Make a method reference of a lambda."""
    owner, name = owner.copy(), name.copy()
    owner.role = name.role = ""
    function.kind, function.children = "method_reference", [owner, Node("::", "::"), name]


def _of_declared_type(declaration: Node) -> bool:
    kind = declaration.child("type")
    arguments = kind.of_kind("type_arguments") if kind is not None else []
    first = arguments[0].children[1] if arguments and len(arguments[0].children) > 2 else None
    declarator = declaration.child("declarator")
    function = declarator.child("value") if declarator is not None else None
    if first is None or function is None or first.kind != "type_identifier":
        return False
    parameters, call = _parameters(function), function.child("body")
    if function.kind != "lambda_expression" or not parameters or call is None:
        return False
    owner, name = call.child("object"), call.child("name")
    if call.kind != "method_invocation" or owner is None or name is None:
        return False
    if owner.value != parameters[0] or _arguments(call) != parameters[1:]:
        return False
    _refer(function, Node("identifier", first.value), name)
    return True
