"""The tests in a file of a language that tree-sitter parses (extra `compare`)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from agent_judge.judges.diff.kept.languages import GRAMMARS
from agent_judge.judges.diff.kept.statements import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node

_ENTRIES: Final = {"typescript": "language_typescript", "tsx": "language_tsx"}


def read_tree(content: bytes, language: str) -> SourceFile:
    """The functions of a file.

    Raises:
        SyntaxError: It is not in that language.
    """
    root = parse(content, language)
    if root.has_error:
        fault = SyntaxError("the syntax is wrong")
        fault.lineno = _first_fault(root).start_point[0] + 1
        raise fault
    reader = _reader(language)
    reader.read(root)
    return SourceFile(tuple(reader.functions.values()), tuple(reader.markers))


def parse(content: bytes, language: str) -> Node:
    """The root of the syntax tree of a file."""
    bindings: Any = import_module("tree_sitter")
    grammar: Any = import_module(GRAMMARS[language])
    entry = getattr(grammar, _ENTRIES.get(language, "language"))
    root: Node = bindings.Parser(bindings.Language(entry())).parse(content).root_node
    return root


def _reader(language: str) -> Any:
    match language:
        case "java":
            from agent_judge.judges.diff.kept.java import JavaReader

            return JavaReader()
        case "go":
            from agent_judge.judges.diff.kept.go import GoReader

            return GoReader()
        case "rust":
            from agent_judge.judges.diff.kept.rust import RustReader

            return RustReader()
        case _:
            from agent_judge.judges.diff.kept.javascript import JavaScriptReader

            return JavaScriptReader()


def _first_fault(node: Node) -> Node:
    """The first place that could not be parsed."""
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error), None)
        if inner is None:
            return node
        node = inner
    return node
