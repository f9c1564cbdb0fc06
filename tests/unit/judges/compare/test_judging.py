from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from agent_judge import Cost, JudgmentContext, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import (
    CppSemanticJudge,
    CSemanticJudge,
    GoSemanticJudge,
    IniSemanticJudge,
    JavaScriptSemanticJudge,
    JavaSemanticJudge,
    JsonSemanticJudge,
    ManifestJudge,
    MavenSemanticJudge,
    PythonSemanticJudge,
    RustSemanticJudge,
    SqlSemanticJudge,
    TomlSemanticJudge,
    TypeScriptSemanticJudge,
    XmlSemanticJudge,
    YamlSemanticJudge,
)
from agent_judge.judges.compare.document_judge import DocumentJudge
from agent_judge.judgment import ReasonCode

BROKEN: list[tuple[type[DocumentJudge], str, str]] = [
    (PythonSemanticJudge, "x = 1", "x = ("),
    (PythonSemanticJudge, "x = 1", "x = 1\0"),
    (JavaSemanticJudge, "class A {}", "class A {"),
    (JavaScriptSemanticJudge, "f()", "f("),
    (TypeScriptSemanticJudge, "let a: A", "let a: = 1"),
    (GoSemanticJudge, "package p\n", "package p\nfunc f() {"),
    (RustSemanticJudge, "fn f() {}", "fn f() { 1 + }"),
    (CSemanticJudge, "int x;", "int f( {"),
    (CppSemanticJudge, "int x;", "class A {"),
    (SqlSemanticJudge, "select 1", "select from where"),
    (SqlSemanticJudge, "select 1", "select 'a"),
    (JsonSemanticJudge, "{}", "{"),
    (JsonSemanticJudge, "[]", "[NaN]"),
    (YamlSemanticJudge, "a: 1", "a: [1"),
    (TomlSemanticJudge, "a = 1", "a = "),
    (IniSemanticJudge, "[a]", "[a]\n= 1"),
    (XmlSemanticJudge, "<a/>", "<a>"),
    (MavenSemanticJudge, "<project/>", "<project"),
]


@pytest.mark.parametrize(("judge", "right", "wrong"), BROKEN)
def test_a_candidate_that_does_not_parse_fails(
    judge: type[DocumentJudge], right: str, wrong: str
) -> None:
    """With the line where the parser stopped, if it says one. (contract: judges:D3)"""
    judgment = judge()(JudgmentContext(output=wrong, expected=right))

    assert judgment.status is Status.FAIL
    assert "does not parse as" in judgment.reasoning


@pytest.mark.parametrize(("judge", "right", "wrong"), BROKEN)
def test_a_reference_that_does_not_parse_is_an_error(
    judge: type[DocumentJudge], right: str, wrong: str
) -> None:
    """Even where the candidate is the same text. (contract: judges:D3)"""
    for candidate in (right, wrong):
        judgment = judge()(JudgmentContext(output=candidate, expected=wrong))

        assert judgment.status is Status.ERROR
        assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize("judge", list(dict.fromkeys(known for known, _, _ in BROKEN)))
def test_every_comparison_says_what_it_did_not_compare(judge: type[DocumentJudge]) -> None:
    """Whatever comes out of it. (contract: judges:D11)"""
    right, wrong = next((right, wrong) for known, right, wrong in BROKEN if known is judge)

    for candidate in (right, wrong):
        judgment = judge()(JudgmentContext(output=candidate, expected=right))

        assert judgment.metadata["not_compared"]
        assert judgment.metadata["compared_as"]
        assert "rules" in judgment.metadata


def test_the_reference_may_be_a_file_or_a_directory(tmp_path: Path) -> None:
    """In a directory the path of the candidate is looked up."""
    for name in ("work/src/a.py", "wanted/src/a.py", "one.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    context = JudgmentContext(workspace=tmp_path / "work")

    assert PythonSemanticJudge("src/a.py", tmp_path / "wanted")(context).passed
    assert PythonSemanticJudge("src/a.py", str(tmp_path / "one.py"))(context).passed


def test_without_a_reference_the_context_says_what_is_expected(tmp_path: Path) -> None:
    """And without a path the output is compared."""
    (tmp_path / "a.py").write_text("x = 1\n")
    context = JudgmentContext(workspace=tmp_path, output="x = 2", expected="x = 1")

    assert PythonSemanticJudge("a.py")(context).passed
    assert PythonSemanticJudge()(context).status is Status.FAIL


@pytest.mark.parametrize(
    ("options", "context", "status", "code"),
    [
        ({}, {"output": "x"}, Status.ABSTAIN, ReasonCode.MISSING_INPUT),
        ({}, {"expected": "x"}, Status.ABSTAIN, ReasonCode.MISSING_INPUT),
        ({}, {"output": {}, "expected": "x"}, Status.ERROR, ReasonCode.MALFORMED_EVIDENCE),
        ({"reference": "no/such"}, {"output": "x"}, Status.ERROR, ReasonCode.MISSING_INPUT),
        ({"reference": "."}, {"output": "x"}, Status.ERROR, ReasonCode.MISSING_INPUT),
        ({"path": "a.py"}, {"expected": "x"}, Status.ERROR, ReasonCode.NO_WORKSPACE),
        ({"size_limit": 1}, {"output": "x", "expected": "x1"}, Status.ERROR, ReasonCode.TOO_LARGE),
        ({"size_limit": 1}, {"output": "x1", "expected": "x"}, Status.ERROR, ReasonCode.TOO_LARGE),
    ],
)
def test_what_is_not_there_is_never_a_finding(
    options: dict[str, object], context: dict[str, object], status: Status, code: ReasonCode
) -> None:
    """Nothing to compare with is no pass, and no failure of the work."""
    judge = PythonSemanticJudge(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    judgment = judge(JudgmentContext(**context))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    assert judgment.status is status
    assert judgment.code is code


def test_a_large_reference_file_is_an_error(tmp_path: Path) -> None:
    """Its first part would say nothing."""
    (tmp_path / "a.py").write_text("x = 1")

    judgment = PythonSemanticJudge(reference=tmp_path / "a.py", size_limit=4)(
        JudgmentContext(output="x")
    )

    assert judgment.code is ReasonCode.TOO_LARGE


def test_an_absent_candidate_fails(tmp_path: Path) -> None:
    """The work was to write it."""
    judgment = PythonSemanticJudge("a.py")(JudgmentContext(workspace=tmp_path, expected="x = 1"))

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == "a.py: not there"


@pytest.mark.parametrize(
    "judge", [JavaSemanticJudge, SqlSemanticJudge, JsonSemanticJudge, IniSemanticJudge]
)
def test_bytes_that_are_not_in_utf_8_are_an_error(
    judge: type[DocumentJudge], tmp_path: Path
) -> None:
    """They are never replaced and compared."""
    (tmp_path / "a").write_bytes(b"\xff\xfe")

    judgment = judge("a")(
        JudgmentContext(workspace=tmp_path, expected="{}" if judge is JsonSemanticJudge else "")
    )

    assert judgment.code is ReasonCode.UNREADABLE_FILE


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"rules": "all"}, ArgumentError),
        ({"rules": ["no_such_rule"]}, ArgumentError),
        ({"rules": [1]}, ArgumentError),
        ({"rules": 1}, ArgumentTypeError),
        ({"path": "../a"}, ArgumentError),
        ({"path": "/a"}, ArgumentError),
        ({"reference": ""}, ArgumentError),
        ({"reference": 1}, ArgumentTypeError),
        ({"size_limit": 0}, ArgumentError),
        ({"dialect": "no_such_dialect"}, ArgumentError),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], error: type[Exception]) -> None:
    """Refused when the judge is built, naming what is known."""
    with pytest.raises(error):
        SqlSemanticJudge(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_dialect_decides_what_a_name_is() -> None:
    """Where case counts, folding it is no rule; where backticks quote, they do."""
    context = JudgmentContext(output="select `a` from T", expected="select `a` from t")

    assert SqlSemanticJudge(dialect="mysql")(context).status is Status.FAIL
    assert SqlSemanticJudge(dialect="spark")(context).passed


def test_tsx_is_known_by_the_path_or_the_dialect(tmp_path: Path) -> None:
    """`<T>x` is a cast in one and a tag in the other."""
    (tmp_path / "a.tsx").write_text("let x = <b>c</b>;")
    context = JudgmentContext(
        workspace=tmp_path, output="let x = <b>c</b>", expected="let x = <b>c</b>"
    )

    assert TypeScriptSemanticJudge("a.tsx")(context).passed
    assert TypeScriptSemanticJudge(dialect="tsx")(context).passed
    assert TypeScriptSemanticJudge()(context).status is Status.ERROR


def test_a_judge_can_be_pickled_and_costs_files() -> None:
    """So that it judges in another process, and in a thread of its own."""
    judge = pickle.loads(pickle.dumps(JavaSemanticJudge(rules=["parentheses"])))

    assert judge.metadata.cost is Cost.FILE
    assert judge.rules == ("parentheses",)
    assert evaluate(judge, JudgmentContext(output="class A {}", expected="class A { }")).passed


def test_only_the_first_differences_are_shown() -> None:
    """And the reasoning does not claim to count them all."""
    reference = "\n".join(["x = 1"] * 50)
    candidate = "\n".join(["x = 2"] * 50)

    judgment = PythonSemanticJudge()(JudgmentContext(output=candidate, expected=reference))

    assert len(judgment.checks) == 20
    assert "at least 20 differences" in judgment.reasoning


def test_what_a_message_quotes_cannot_reach_a_terminal() -> None:
    """Control characters and surrogates are escaped."""
    judgment = JsonSemanticJudge()(
        JudgmentContext(output='{"a\\u001b[31m": "\\ud800\\u001b"}', expected="{}")
    )

    assert judgment.status is Status.FAIL
    assert "\x1b" not in judgment.checks[0].name + judgment.checks[0].message


def test_a_manifest_needs_a_name_or_a_kind() -> None:
    """What it is cannot be guessed from the text."""
    with pytest.raises(ArgumentError, match="no manifest that is known by its name"):
        ManifestJudge()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("select a from t where b in (1, 2)", "select a from t where b in (1,, 2)"),
        ("select cast(a as int) from t", "select cast(a as int from t"),
        ("select case when a then 1 end from t", "select case when a 1 end from t"),
        ("select a as b from t", "select as a b from t"),
        ("select a + b from t", "select a ++ b from t"),
        ("insert into t (a) values (1)", "insert t (a) values (1)"),
        ("with x as (select 1) select * from x", "with x (select 1) select * from x"),
        ("create index i on t (a)", "create index i t (a)"),
    ],
)
def test_what_the_parser_of_sql_forgives_is_not_equal(right: str, wrong: str) -> None:
    """It makes the same tree of statements that no database takes. (contract: judges:D3)"""
    judgment = SqlSemanticJudge()(JudgmentContext(output=wrong, expected=right))

    assert judgment.status is Status.FAIL
