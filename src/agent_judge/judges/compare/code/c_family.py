"""Whether C or C++ source says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.judges.compare.code.c_tree import blank_directive_comments, shape_c
from agent_judge.judges.compare.code.code_rules import (
    braces,
    gather,
    parentheses,
    trailing_commas,
    unordered,
)
from agent_judge.judges.compare.code.grammars import Grammar
from agent_judge.judges.compare.code.numerals import c_number, number_notation
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.node import Node
from agent_judge.judges.compare.rules import Rule, each_node
from agent_judge.protocol import JudgeMetadata

_GOVERNED: Final = (
    ("if_statement", "consequence"),
    ("else_clause", ""),
    ("while_statement", "body"),
    ("do_statement", "body"),
    ("for_statement", "body"),
    ("for_range_loop", "body"),
)


def _include_order(node: Node) -> bool:
    """Make one unordered node of each run of adjacent `#include`."""
    return gather(node, _includes, lambda run: unordered("includes", run, run))


def _includes(node: Node) -> bool:
    return node.kind == "preproc_include"


def _kept_in_c(around: Node, node: Node) -> bool:
    """Whether a macro may see the parentheses: around an argument, or the name that is called."""
    return around.kind == "argument_list" or (
        around.kind == "call_expression" and node.role == "function"
    )


def _kept_in_cpp(around: Node, node: Node) -> bool:
    """Whether they may also decide a type: in `decltype((x))`, `return (x)`, `&(A::b)`."""
    decides = ("decltype", "return_statement", "pointer_expression", "co_return_statement")
    return around.kind in decides or _kept_in_c(around, node)


def _language(name: str, package: str, rule: Rule) -> Language:
    return Language(
        name,
        Grammar(package, shape=shape_c, prepare=blank_directive_comments).parse,
        (
            Rule(
                "import_order",
                "the order of adjacent `#include`: no header is taken to change what another means",
                each_node(_include_order),
            ),
            trailing_commas(("enumerator_list", "initializer_list")),
            rule,
            braces(_GOVERNED, "compound_statement", ("else", "declaration")),
            number_notation(
                ("number_literal",),
                c_number,
                "how numbers are written: integers that are an `int` of 32 bits, and doubles",
            ),
        ),
        (
            "white space and line breaks",
            "comments",
            "macros: directives are compared as they stand, and never expanded",
            "included files",
        ),
        packages=("tree_sitter", package),
    )


C: Final = _language(
    "C",
    "tree_sitter_c",
    parentheses(lambda _: _kept_in_c, says="redundant parentheses, but those that a macro may see"),
)

CPP: Final = _language(
    "C++",
    "tree_sitter_cpp",
    parentheses(
        lambda _: _kept_in_cpp,
        says="redundant parentheses, but those that a macro may see or that may decide a type",
    ),
)


@dataclass(frozen=True, slots=True)
class CSemanticJudge(DocumentJudge):
    """Whether C source has the same syntax tree as a reference (extra `compare`).

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
        >>> run = JudgmentContext(output="int x = 16;", expected="int x = 0x10; /* bytes */")
        >>> evaluate(CSemanticJudge(), run).metadata["equal_under"]
        ('number_notation',)
    """

    language: ClassVar[Language] = C
    metadata: ClassVar[JudgeMetadata] = comparing("CSemanticJudge", "c_semantic")


@dataclass(frozen=True, slots=True)
class CppSemanticJudge(DocumentJudge):
    """Whether C++ source has the same syntax tree as a reference (extra `compare`).

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
        >>> run = JudgmentContext(output="int f() { return 2; }", expected="int f() { return 1; }")
        >>> evaluate(CppSemanticJudge(), run).checks[0].name
        'f.body.return_statement.number_literal'
    """

    language: ClassVar[Language] = CPP
    metadata: ClassVar[JudgeMetadata] = comparing("CppSemanticJudge", "cpp_semantic")
