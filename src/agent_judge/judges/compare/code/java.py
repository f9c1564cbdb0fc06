"""Whether Java source says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.judges.compare.code.code_rules import braces, parentheses
from agent_judge.judges.compare.code.grammars import Grammar
from agent_judge.judges.compare.code.java_imports import import_order, wildcard_imports
from agent_judge.judges.compare.code.java_lambdas import method_references
from agent_judge.judges.compare.code.java_members import (
    annotation_shorthand,
    member_order,
    override_annotation,
    this_qualifier,
)
from agent_judge.judges.compare.code.java_tree import shape_java
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.rules import Rule, each_node, each_tree
from agent_judge.protocol import JudgeMetadata

_GOVERNED: Final = (
    ("if_statement", "consequence"),
    ("if_statement", "alternative"),
    ("while_statement", "body"),
    ("do_statement", "body"),
    ("for_statement", "body"),
    ("enhanced_for_statement", "body"),
)

_RULES: Final = (
    Rule("import_order", "the order of imports, and doubled ones", each_tree(import_order)),
    Rule(
        "wildcard_imports",
        "imports of single classes for `*`: no other package is taken to have such a class",
        wildcard_imports,
    ),
    parentheses(),
    braces(_GOVERNED, "block"),
    Rule(
        "override_annotation",
        "`@Override`, which the compiler checks and nothing else reads",
        each_node(override_annotation),
    ),
    Rule(
        "annotation_shorthand",
        "`@A(value = x)` and `@A({x})` for `@A(x)`",
        each_node(annotation_shorthand),
    ),
    Rule(
        "method_references",
        "`T::m` for a lambda that calls `m` and nothing else; "
        "names with capitals are taken for those of types",
        each_node(method_references),
    ),
    Rule(
        "this_qualifier",
        "`this.` before a member that no local variable hides",
        each_tree(this_qualifier),
    ),
    Rule(
        "member_order",
        "the order of methods, constructors and nested types; reflection may see it",
        each_node(member_order),
    ),
)

JAVA: Final = Language(
    "Java",
    Grammar(
        "tree_sitter_java",
        comments=("line_comment", "block_comment"),
        atoms=("string_literal", "character_literal"),
        shape=shape_java,
    ).parse,
    _RULES,
    (
        "white space and line breaks",
        "comments, Javadoc included",
        "how literals are written, where the value is the same",
        "the order of modifiers, and whether variables are declared together",
        "types: names are compared as they stand",
    ),
    packages=("tree_sitter", "tree_sitter_java"),
)


@dataclass(frozen=True, slots=True)
class JavaSemanticJudge(DocumentJudge):
    """Whether Java source has the same syntax tree as a reference (extra `compare`).

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
        >>> run = JudgmentContext(
        ...     output="class A { boolean f(int x) { return (x > 1); } }",
        ...     expected="class A { boolean f(int x) { return x > 1; } }",
        ... )
        >>> evaluate(JavaSemanticJudge(), run).reasoning
        'the output is as the reference, under the rules parentheses'
        >>> evaluate(JavaSemanticJudge(rules="strict"), run).passed
        False
    """

    language: ClassVar[Language] = JAVA
    metadata: ClassVar[JudgeMetadata] = comparing("JavaSemanticJudge", "java_semantic")
