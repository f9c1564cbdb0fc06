"""Whether Python source says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.judges.compare.code.python_rules import PYTHON_RULES
from agent_judge.judges.compare.code.python_shortcut import common_statements
from agent_judge.judges.compare.code.python_source import parse_python
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.languages import Language
from agent_judge.protocol import JudgeMetadata

PYTHON: Final = Language(
    "Python",
    parse_python,
    PYTHON_RULES,
    (
        "white space, line breaks and redundant parentheses",
        "comments, those for type checkers and linters included",
        "how strings and numbers are written, where the value is the same",
    ),
    shorten=common_statements,
)


@dataclass(frozen=True, slots=True)
class PythonSemanticJudge(DocumentJudge):
    """Whether Python source has the same syntax tree as a reference.

    Both are parsed by the interpreter that runs. Docstrings are data: what they say counts, their
    indentation does not (rule `docstring_indentation`).

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

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="x = f(1, 2)", expected="x = f( 1, 3 )  # three")
        >>> evaluate(PythonSemanticJudge(), run).reasoning
        "the output: 1 difference; body.value.args[1]: is '2' on line 1, the reference has '3' ..."
    """

    language: ClassVar[Language] = PYTHON
    metadata: ClassVar[JudgeMetadata] = comparing("PythonSemanticJudge", "python_semantic")
