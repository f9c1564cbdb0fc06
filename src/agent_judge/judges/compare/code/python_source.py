"""Python source as a syntax tree, by the parser of the interpreter that runs."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from agent_judge.judges.compare.documents import Document, line_starts
from agent_judge.judges.compare.faults import SyntaxFaultError, too_deep, too_many_nodes
from agent_judge.judges.compare.node import NODE_LIMIT, Node, Value

_FILE: Final = "<judged source>"

_OPERATORS: Final = {
    "Add": "+", "Sub": "-", "Mult": "*", "MatMult": "@", "Div": "/", "Mod": "%", "Pow": "**",
    "LShift": "<<", "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "FloorDiv": "//",
    "And": "and", "Or": "or", "Invert": "~", "Not": "not", "UAdd": "+", "USub": "-", "Eq": "==",
    "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not",
    "In": "in", "NotIn": "not in",
}  # fmt: skip
"""What operators look like: their nodes have no place in the source."""

_SAID_ELSEWHERE: Final = ("ctx", "type_ignores")
_FIELDS: Final[dict[type[ast.AST], tuple[str, ...]]] = {}

_NAMING_FIELD: Final = {
    "FunctionDef": "name",
    "AsyncFunctionDef": "name",
    "ClassDef": "name",
    "arg": "arg",
    "keyword": "arg",
    "alias": "name",
}
"""The field that names a node of a kind, in paths."""


@dataclass(frozen=True, slots=True)
class PythonTree:
    """A module that was parsed; calling it makes a tree of nodes.

    Attributes:
        module: As the parser gave it.
        data: Its source.
        same: Statements, by their identity, that another module has as well, with a mark for
            each; they are not looked into.
    """

    module: ast.Module
    data: bytes
    same: Mapping[int, str] = field(default_factory=dict[int, str])

    def __call__(self) -> Node:
        """A new tree of nodes."""
        return _Builder(self.data, self.same).build(self.module)


def parse_python(document: Document) -> PythonTree:
    """Parse a module: the bytes of a file, in the encoding that it declares.

    Raises:
        SyntaxFaultError: It is no Python.
        NotComparedError: It nests deeper than the parser goes.
    """
    _ignore_warnings()
    try:
        return PythonTree(ast.parse(document.data, _FILE), document.data)
    except SyntaxError as fault:
        raise SyntaxFaultError(fault.msg or "invalid syntax", fault.lineno) from None
    except ValueError as fault:
        raise SyntaxFaultError(str(fault)) from None
    except (RecursionError, MemoryError):
        raise too_deep() from None


def _ignore_warnings() -> None:
    """Keep what the parser warns of in judged source to itself, in all threads alike.

    `catch_warnings` would change the filters of every other thread, and set them back too late.
    """
    ours = ("ignore", None, Warning, re.compile(re.escape(_FILE)), 0)
    if not warnings.filters or warnings.filters[0] != ours:
        warnings.filterwarnings("ignore", module=re.escape(_FILE))


class _Builder:
    """Makes nodes of the parser's tree."""

    def __init__(self, data: bytes, same: Mapping[int, str]) -> None:
        self._starts = line_starts(data)
        self._same = same
        self._count = 0

    def build(self, module: ast.Module) -> Node:
        root = Node("Module", line=1)
        pending: list[tuple[ast.AST, Node]] = [(module, root)]
        while pending:
            tree, node = pending.pop()
            for name, item in _parts(tree):
                child = self._node(item, name, node)
                node.children.append(child)
                if isinstance(item, ast.AST) and id(item) not in self._same:
                    pending.append((item, child))
        return root

    def _node(self, item: object, role: str, around: Node) -> Node:
        self._count += 1
        if self._count > NODE_LIMIT:
            raise too_many_nodes(NODE_LIMIT)
        if not isinstance(item, ast.AST):
            return Node("name" if isinstance(item, str) else "value", _text(item), role)
        if id(item) in self._same:
            return Node("same", self._same[id(item)], role, line=around.line)
        kind = type(item).__name__
        node = Node(kind, _OPERATORS.get(kind), role, line=around.line)
        if kind in _NAMING_FIELD:
            node.name = str(getattr(item, _NAMING_FIELD[kind]) or "")
        if kind == "Constant":
            node.value = constant(getattr(item, "value", None))
        if isinstance(item, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias):
            self._place(node, item)
        return node

    def _place(
        self, node: Node, item: ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias
    ) -> None:
        node.line = item.lineno
        if item.end_lineno is None or item.end_col_offset is None:
            return
        if item.end_lineno < len(self._starts):
            node.start = self._starts[item.lineno - 1] + item.col_offset
            node.end = self._starts[item.end_lineno - 1] + item.end_col_offset


def _parts(tree: ast.AST) -> Iterator[tuple[str, object]]:
    """The parts of a node; the value of a constant is said by its own node."""
    for name in fields_of(type(tree)):
        part = getattr(tree, name, None)
        if isinstance(part, list):
            for item in part:  # pyright: ignore[reportUnknownVariableType] - whatever it holds
                yield name, item
        elif part is not None and not (name == "value" and isinstance(tree, ast.Constant)):
            yield name, part


def fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that say what it means.

    Whether a name is stored to or loaded is known from where it stands.
    """
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(name for name in kind._fields if name not in _SAID_ELSEWHERE)
    return _FIELDS[kind]


def constant(value: Any) -> Value:
    """A constant with its type, so that `1`, `1.0` and `True` are three."""
    kind = type(value).__name__
    if isinstance(value, bytes):
        return (kind, value.decode("latin-1"))
    if type(value) is int:
        return (kind, hex(value))
    return (kind, value if isinstance(value, str) else repr(value))


def _text(value: object) -> Value:
    return value if isinstance(value, str) else constant(value)
