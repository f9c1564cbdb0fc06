"""Whether Go source says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.judges.compare.code.code_rules import (
    drop,
    parentheses,
    trailing_commas,
    unordered,
)
from agent_judge.judges.compare.code.grammars import Grammar, name_nodes
from agent_judge.judges.compare.code.numerals import go_number, number_notation
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.node import Node
from agent_judge.judges.compare.rules import Rule, each_tree
from agent_judge.protocol import JudgeMetadata

_HEADERS: Final = ("for_clause", "if_statement", "expression_switch_statement",
                   "type_switch_statement")  # fmt: skip
_LISTS: Final = ("argument_list", "parameter_list", "literal_value", "type_arguments",
                 "type_parameter_list")  # fmt: skip


def _shape(root: Node) -> None:
    """Drop the semicolons and line ends that end statements: where these end is parsed."""
    name_nodes(root)
    drop(root, _ends_statement)


def _end_last_line(data: bytes) -> bytes:
    """End the last line, which ends a statement: the grammar wants to see that."""
    return data if data.endswith(b"\n") else data + b"\n"


def _ends_statement(around: Node, node: Node) -> bool:
    return node.kind == "\n" or (node.kind == ";" and around.kind not in _HEADERS)


def _import_order(root: Node) -> bool:
    """Make one unordered node of all imports."""
    declarations = root.of_kind("import_declaration")
    if not declarations:
        return False
    specs: list[Node] = []
    for declaration in declarations:
        for part in declaration.children:
            if part.kind in ("import_spec", "import_spec_list"):
                specs += part.of_kind("import_spec") or [part]
    imports = unordered("imports", [s for s in specs if s.kind == "import_spec"], declarations)
    place = root.children.index(declarations[0])
    others = [child for child in root.children if child.kind != "import_declaration"]
    root.children = [*others[:place], imports, *others[place:]]
    return True


GO: Final = Language(
    "Go",
    Grammar("tree_sitter_go", shape=_shape, prepare=_end_last_line).parse,
    (
        Rule(
            "import_order",
            "the order and grouping of imports: packages are initialised by what they need",
            each_tree(_import_order),
        ),
        trailing_commas(_LISTS),
        parentheses(),
        number_notation(
            ("int_literal", "float_literal"), go_number, "how numbers are written, by their value"
        ),
    ),
    (
        "white space, line breaks and the semicolons that stand for them",
        "comments, `//go:` directives and build constraints included",
    ),
    packages=("tree_sitter", "tree_sitter_go"),
)


@dataclass(frozen=True, slots=True)
class GoSemanticJudge(DocumentJudge):
    r"""Whether Go source has the same syntax tree as a reference (extra `compare`).

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, the text that the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown rule, or a bad limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The parser is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="package p\nvar x = (1)", expected="package p\nvar x = 1")
        >>> evaluate(GoSemanticJudge(), run).passed
        True
    """

    language: ClassVar[Language] = GO
    metadata: ClassVar[JudgeMetadata] = comparing("GoSemanticJudge", "go_semantic")
