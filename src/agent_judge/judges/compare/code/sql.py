"""Whether SQL says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final

from agent_judge.errors import ArgumentError
from agent_judge.judges.compare.code.sql_tree import load_sqlglot, parse_sql
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.node import Node, rewrite, top_down
from agent_judge.judges.compare.rules import Rule, each_node, each_tree
from agent_judge.protocol import JudgeMetadata

_ENDS: Final = (
    "VAR", "IDENTIFIER", "NUMBER", "STRING", "NULL", "TRUE", "FALSE", "END", "STAR", "R_PAREN",
    "R_BRACKET",
)  # fmt: skip
"""Tokens that an expression or a table may end with."""

_NAMED: Final = ("Identifier", "Anonymous", "AnonymousAggFunc")


def _parentheses(root: Node) -> bool:
    """Drop parentheses around expressions, and as many tokens; others still count."""
    dropped = sum(node.kind == "Paren" for node in top_down(root))
    rewrite(root, _unwrap)
    for tokens in root.of_kind("tokens"):
        brackets = tokens.of_kind("L_PAREN")
        left = [token for token in tokens.children if token.kind not in ("L_PAREN", "R_PAREN")]
        tokens.children = [*left, Node("brackets", str(len(brackets) - dropped))]
    return bool(dropped)


def _unwrap(node: Node) -> bool:
    inner = node.child("this")
    if node.kind != "Paren" or inner is None:
        return False
    node.become(inner)
    return True


def _optional_words(node: Node) -> bool:
    """Drop AS before an alias, ASC, INNER, and OUTER after LEFT, RIGHT and FULL."""
    if node.kind not in ("Join", "tokens"):
        return False
    length = len(node.children)
    if node.kind == "tokens":
        outside = Node("outside")
        befores = [outside, *node.children[:-1]]
        afters = [*node.children[1:], outside]
        around = zip(befores, node.children, afters, strict=True)
        node.children = [found[1] for found in list(around) if not _is_optional(*found)]
    else:
        word = "OUTER" if node.child("side") is not None else "INNER"
        node.children = [
            child for child in node.children if child.role != "kind" or child.value != word
        ]
    return len(node.children) < length


def _is_optional(before: Node, token: Node, after: Node) -> bool:
    """Whether a token may be left out between the others, and is not where it cannot stand."""
    match token.kind:
        case "ALIAS":
            return before.kind in _ENDS and after.kind in ("VAR", "IDENTIFIER")
        case "ASC":
            return before.kind in _ENDS
        case "INNER":
            return after.kind == "JOIN"
        case "OUTER":
            return before.kind in ("LEFT", "RIGHT", "FULL") and after.kind == "JOIN"
        case _:
            return False


def _identifier_case(node: Node) -> bool:
    """Fold names that are not in quotes."""
    name = node.child("this")
    if node.kind not in _NAMED or name is None or not isinstance(name.value, str):
        return False
    if node.child("quoted") is not None or name.value == name.value.lower():
        return False
    name.value = name.value.lower()
    return True


_RULES: Final = (
    Rule(
        "parentheses",
        "redundant parentheses: the structure is compared, and what binds tighter stays so",
        each_tree(_parentheses),
    ),
    Rule(
        "optional_words",
        "the words AS before an alias, ASC, INNER, and OUTER after a side",
        each_node(_optional_words),
    ),
    Rule(
        "identifier_case",
        "the case of names that are not in quotes, as the standard has it (ISO 9075-2, 5.2); "
        "not where the dialect distinguishes it",
        each_node(_identifier_case),
    ),
)

_NOT_COMPARED: Final = (
    "white space, line breaks and the case of keywords",
    "comments, but not hints",
    "the order in which a database without ORDER BY gives rows",
)

SQL: Final = Language(
    "SQL", partial(parse_sql, dialect=None), _RULES, _NOT_COMPARED, packages=("sqlglot",)
)


@dataclass(frozen=True, slots=True)
class SqlSemanticJudge(DocumentJudge):
    """Whether SQL has the same syntax tree as a reference (extra `compare`).

    The tokens are compared as well: the parser forgives some that are missing or doubled. A
    statement that it only knows by its first word is compared as text.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, the text that the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.
        dialect: Of which database it is, in the words of sqlglot, for example `"postgres"`;
            unless given, what most of them share.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown rule or dialect, a bad limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The parser is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="SELECT A FROM t", expected="select a from t;")
        >>> evaluate(SqlSemanticJudge(), run).metadata["equal_under"]
        ('identifier_case',)
    """

    dialect: str | None = None

    language: ClassVar[Language] = SQL
    metadata: ClassVar[JudgeMetadata] = comparing("SqlSemanticJudge", "sql_semantic")

    def __post_init__(self) -> None:
        DocumentJudge.__post_init__(self)
        _distinguishes_case(self.dialect)

    def _language(self) -> Language:
        rules = self.language.rules
        if _distinguishes_case(self.dialect):
            rules = tuple(rule for rule in rules if rule.name != "identifier_case")
        return replace(SQL, parse=partial(parse_sql, dialect=self.dialect), rules=rules)


def _distinguishes_case(dialect: str | None) -> bool:
    """Whether names in other case are others in a dialect.

    Raises:
        ArgumentError: There is no such dialect.
    """
    if dialect is None:
        return False
    sqlglot = load_sqlglot()
    known = sorted(name for name in sqlglot.Dialect.classes if name)
    if dialect not in known:
        raise ArgumentError(f"dialect must be one of {', '.join(known)}, not {dialect!r}")
    strategy = sqlglot.Dialect.get_or_raise(dialect).normalization_strategy
    return bool(strategy.name == "CASE_SENSITIVE")
