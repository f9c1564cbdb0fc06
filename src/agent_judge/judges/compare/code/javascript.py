"""Whether JavaScript or TypeScript says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from agent_judge.judges.compare.code.grammars import Grammar, name_nodes
from agent_judge.judges.compare.code.javascript_rules import JAVASCRIPT_RULES
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.node import Node
from agent_judge.judges.text.reading import check_choice
from agent_judge.protocol import JudgeMetadata


def _shape(root: Node) -> None:
    name_nodes(root, ("name", "key", "property"))


_NOT_COMPARED: Final = (
    "white space and line breaks, but where they end a statement",
    "comments, those for compilers, bundlers and linters included",
)

JAVASCRIPT: Final = Language(
    "JavaScript",
    Grammar("tree_sitter_javascript", comments=("comment", "html_comment"), shape=_shape).parse,
    JAVASCRIPT_RULES,
    _NOT_COMPARED,
    packages=("tree_sitter", "tree_sitter_javascript"),
)


def _typescript(name: str, function: str) -> Language:
    return Language(
        name,
        Grammar(
            "tree_sitter_typescript",
            function,
            comments=("comment", "html_comment"),
            shape=_shape,
        ).parse,
        JAVASCRIPT_RULES,
        (*_NOT_COMPARED, "types: they are compared as they stand, and never worked out"),
        packages=("tree_sitter", "tree_sitter_typescript"),
    )


TYPESCRIPT: Final = _typescript("TypeScript", "language_typescript")
TSX: Final = _typescript("TSX", "language_tsx")


@dataclass(frozen=True, slots=True)
class JavaScriptSemanticJudge(DocumentJudge):
    """Whether JavaScript, or JSX, has the same syntax tree as a reference (extra `compare`).

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
        >>> run = JudgmentContext(output="f('a')", expected='f("a");')
        >>> evaluate(JavaScriptSemanticJudge(), run).reasoning
        'the output is as the reference, under the rules semicolons, quote_style'
    """

    language: ClassVar[Language] = JAVASCRIPT
    metadata: ClassVar[JudgeMetadata] = comparing("JavaScriptSemanticJudge", "javascript_semantic")


@dataclass(frozen=True, slots=True)
class TypeScriptSemanticJudge(DocumentJudge):
    """Whether TypeScript, or TSX, has the same syntax tree as a reference (extra `compare`).

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, the text that the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.
        dialect: Whether it is `"ts"` or `"tsx"`, which read `<T>x` differently; `"auto"` goes by
            the end of the path.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown rule or dialect, a bad limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The parser is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="let a: string", expected="let a: number")
        >>> evaluate(TypeScriptSemanticJudge(), run).passed
        False
    """

    dialect: Literal["auto", "ts", "tsx"] = "auto"

    language: ClassVar[Language] = TYPESCRIPT
    metadata: ClassVar[JudgeMetadata] = comparing("TypeScriptSemanticJudge", "typescript_semantic")

    def __post_init__(self) -> None:
        DocumentJudge.__post_init__(self)
        check_choice(self.dialect, ("auto", "ts", "tsx"), "dialect")

    def _language(self) -> Language:
        by_path = self.dialect == "auto" and (self.path or "").endswith(".tsx")
        return TSX if self.dialect == "tsx" or by_path else TYPESCRIPT
