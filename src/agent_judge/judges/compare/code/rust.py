"""Whether Rust source says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.judges.compare.code.code_rules import parentheses, trailing_commas
from agent_judge.judges.compare.code.grammars import Grammar, name_nodes
from agent_judge.judges.compare.code.numerals import number_notation, rust_number
from agent_judge.judges.compare.code.rust_use import use_order
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.node import Node, rewrite
from agent_judge.judges.compare.rules import Rule, each_node
from agent_judge.protocol import JudgeMetadata

_LISTS: Final = (
    "arguments", "parameters", "array_expression", "tuple_expression", "tuple_pattern",
    "tuple_type", "tuple_struct_pattern", "struct_pattern", "slice_pattern",
    "field_declaration_list", "ordered_field_declaration_list", "field_initializer_list",
    "enum_variant_list", "type_arguments", "type_parameters", "closure_parameters",
    "where_clause", "match_arm",
)  # fmt: skip
_TUPLES: Final = ("tuple_expression", "tuple_pattern", "tuple_type")


def _shape(root: Node) -> None:
    name_nodes(root)
    rewrite(root, _attach_attributes)


def _attach_attributes(node: Node) -> bool:
    """Make attributes a part of what they stand before, so that they go where it goes."""
    if not any(child.kind == "attribute_item" for child in node.children):
        return False
    children: list[Node] = []
    attributes: list[Node] = []
    for child in node.children:
        if child.kind == "attribute_item":
            attributes.append(child)
            continue
        if attributes:
            child.children = [*attributes, *child.children]
            if len(child.children) == len(attributes):
                child.children.append(Node(child.kind, child.value))
                child.value = None
            attributes = []
        children.append(child)
    node.children = [*children, *attributes]
    return True


def _parentheses_kept(around: Node, node: Node) -> bool:
    """Whether `(a.b)(c)` calls what is in the field: `a.b(c)` calls a method."""
    called = around.kind == "call_expression" and node.role == "function"
    return called and bool(node.of_kind("field_expression"))


RUST: Final = Language(
    "Rust",
    Grammar("tree_sitter_rust", comments=("line_comment", "block_comment"), shape=_shape).parse,
    (
        Rule(
            "import_order",
            "the order and grouping of adjacent `use` declarations, and doubled ones",
            each_node(use_order),
        ),
        trailing_commas(_LISTS, single=_TUPLES),
        parentheses(lambda _: _parentheses_kept),
        number_notation(
            ("integer_literal", "float_literal"), rust_number, "how numbers are written"
        ),
    ),
    (
        "white space and line breaks",
        "comments, documentation included",
        "macros: what they are given is compared token by token, and never expanded",
    ),
    packages=("tree_sitter", "tree_sitter_rust"),
)


@dataclass(frozen=True, slots=True)
class RustSemanticJudge(DocumentJudge):
    r"""Whether Rust source has the same syntax tree as a reference (extra `compare`).

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
        >>> run = JudgmentContext(output="use b;\nuse a;\n", expected="use a;\nuse b;\n")
        >>> evaluate(RustSemanticJudge(), run).metadata["equal_under"]
        ('import_order',)
    """

    language: ClassVar[Language] = RUST
    metadata: ClassVar[JudgeMetadata] = comparing("RustSemanticJudge", "rust_semantic")
