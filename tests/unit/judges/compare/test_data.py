from __future__ import annotations

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges import JsonSemanticJudge, TomlSemanticJudge, YamlSemanticJudge
from agent_judge.judges.compare.document_judge import DocumentJudge
from agent_judge.judgment import Judgment, ReasonCode


def judge(
    kind: type[DocumentJudge], reference: object, candidate: object, **options: object
) -> Judgment:
    """Compare two documents."""
    context = JudgmentContext(output=candidate, expected=reference)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return kind(**options)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ('{"a": 1, "b": 2}', '{"b":2,"a":1}'),
        ("1", "1.0"),
        ("1", "10e-1"),
        ("0", "-0.0"),
        ("1e400", "10e399"),
        ('"\\u00e9"', '"é"'),
        ('"\\/"', '"/"'),
        ("[ ]", "[]"),
        ('\ufeff{"a": null}', '{"a":null}'),
        ('{"a": {}}', '{"a": { } }'),
    ],
)
def test_json_is_compared_as_data(reference: str, candidate: str) -> None:
    """Key order and notation mean nothing, numbers are equal by value. (contract: judges:D5)"""
    assert judge(JsonSemanticJudge, reference, candidate).passed


@pytest.mark.parametrize(
    ("reference", "candidate", "path"),
    [
        ("[1, 2]", "[2, 1]", "/0"),
        ("true", "1", "(the whole)"),
        ("null", "0", "(the whole)"),
        ('"1"', "1", "(the whole)"),
        ('{"a": null}', "{}", "/a"),
        ("{}", '{"a": null}', "/a"),
        ("{}", "[]", "(the whole)"),
        ("9007199254740993", "9007199254740992", "(the whole)"),
        ("0.1", "0.10000000000000001", "(the whole)"),
        ('{"a": [{"b": 1}]}', '{"a": [{"b": 2}]}', "/a/0/b"),
        ('{"a/b": {"~": 1}}', '{"a/b": {"~": 2}}', "/a~1b/~0"),
        ("[1, 2, 3]", "[1, 3]", "/1"),
        ('{"a": 1, "a": 2}', '{"a": 2}', "/a"),
        ('{"a": 1, "a": 2}', '{"a": 2, "a": 1}', "/a"),
    ],
)
def test_json_that_is_other_data_fails(reference: str, candidate: str, path: str) -> None:
    """With the JSON Pointer of the first difference. (contract: judges:D5)"""
    judgment = judge(JsonSemanticJudge, reference, candidate)

    assert judgment.status is Status.FAIL
    assert judgment.checks[0].name == path


def test_an_array_in_another_order_is_equal_when_told_so() -> None:
    """As a bag of elements, nested ones too. (contract: judges:D5)"""
    reference, candidate = '{"a": [1, [2, 3]]}', '{"a": [[3, 2], 1]}'

    judgment = judge(JsonSemanticJudge, reference, candidate, arrays="unordered")

    assert judgment.passed
    assert "the order of the elements of arrays" in judgment.metadata["not_compared"]  # type: ignore[operator]
    assert not judge(JsonSemanticJudge, "[1, 1, 2]", "[1, 2, 2]", arrays="unordered").passed
    assert not judge(JsonSemanticJudge, reference, candidate).passed


def test_values_that_are_no_text_are_compared_as_their_json() -> None:
    """An output may be a JSON value already."""
    assert judge(JsonSemanticJudge, {"a": [1, None]}, '{"a": [1.0, null]}').passed


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", '{"a"}', '{"a":}', '{"a":1,}', "[1,]", "[,1]", "1 2", "01", "+1", ".5", "'a'",
     '"a', '"\t"', '"\\x"', "nul", "NaN", "[1}", "{1:2}", "// c\n1", "]", '{"a" 1}', ","],
)  # fmt: skip
def test_what_is_no_json_is_refused(text: str) -> None:
    """By RFC 8259, strictly."""
    judgment = judge(JsonSemanticJudge, "1", text)

    assert judgment.status is Status.FAIL
    assert "does not parse as JSON" in judgment.reasoning


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("a: {b: [1, 2]}", "a:\n  b:\n  - 1\n  - 2\n"),
        ("a: 1", "# c\na: 1.0 # d\n"),
        ("a: yes", "a: true"),
        ("a:", "a: ~"),
        ("a: 'x'", 'a: "x"'),
        ("d: &d {k: 1, l: 2}\ne: {<<: *d, l: 3}", "d: {k: 1, l: 2}\ne: {k: 1, l: 3}"),
        ("d: &d {k: 1}\nf: &f {k: 2}\ne: {<<: [*d, *f]}", "d: {k: 1}\nf: {k: 2}\ne: {k: 1}"),
        ("a: &x [1]\nb: *x", "a: [1]\nb: [1]"),
        ("a: !!str 1", "a: '1'"),
        ("a: !!binary YQ==", "a: !!binary |\n  YQ=="),
        ("? [a, b]\n: 1", "{[a, b]: 1}"),
        ("a: 0x10", "a: 16"),
        ("a: !x {b: 1, c: 2}", "a: !x {c: 2, b: 1}"),
        ("--- 1\n--- 2", "1\n---\n2\n"),
        ("a: 1_000", "a: 1000"),
        ("%FOO bar\n--- a", "a"),
    ],
)
def test_yaml_is_compared_as_data(reference: str, candidate: str) -> None:
    """Styles, anchors and merge keys are what they stand for. (contract: judges:D5)"""
    judgment = judge(YamlSemanticJudge, reference, candidate)

    assert judgment.passed, judgment.reasoning


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("[1, 2]", "[2, 1]"),
        ("a: 1.10", "a: '1.10'"),
        ("a: >\n  b\n  c\n", "a: |\n  b\n  c\n"),
        ("a: ''", "a:"),
        ("a: 1\n---\na: 1", "a: 1"),
        ("a: 1\na: 2", "a: 1"),
        ("a: 2001-12-14", "a: '2001-12-14'"),
        ("a: 22:22", "a: '22:22'"),
        ("a: {b: 1, c: 2}", "a: {b: 1}\nc: 2"),
        ("a: !x 1", "a: !y 1"),
        ("a: true", "a: 1"),
        ("1: a", "'1': a"),
        ("true: a", "'true': a"),
        ("d: &d {k: 1}\ne: {<<: *d}", "d: {k: 1}\ne: {k: 2}"),
        ("a: .nan", "a: .inf"),
    ],
)
def test_yaml_that_is_other_data_fails(reference: str, candidate: str) -> None:
    """Types by YAML 1.1, as most tools read it. (contract: judges:D5)"""
    assert judge(YamlSemanticJudge, reference, candidate).status is Status.FAIL


def test_the_line_of_a_value_is_given() -> None:
    """In every format that has lines."""
    for kind, text in (
        (JsonSemanticJudge, '{\n"a": {\n"b": %s}}'),
        (YamlSemanticJudge, "\na:\n  b: %s"),
        (TomlSemanticJudge, '\n[a]\nb = %s\nc = """\n\n"""\nd = [\n1,\n2]'),
    ):
        judgment = judge(kind, text % 1, text % 2)

        assert judgment.checks[0].name == "/a/b"
        assert "on line 3" in judgment.checks[0].message


def test_the_lines_of_toml_are_those_of_its_keys() -> None:
    """Below texts and arrays of several lines, in tables and arrays of tables."""
    reference = 'a = """\n[x]\n"""\nb = [\n"]",\n1]\n[[c]]\nd.e = 1\n[c.f]\n"g h" = 1\n'

    judgment = judge(TomlSemanticJudge, reference, reference.replace("= 1", "= 2"))

    assert [(check.name, check.message.split()[4].rstrip(",")) for check in judgment.checks] == [
        ("/c/0/d/e", "8"),
        ("/c/0/f/g h", "10"),
    ]


def test_an_alias_of_what_holds_it_is_refused() -> None:
    """Data that hold themselves have no end."""
    assert judge(YamlSemanticJudge, "a", "&x [*x]").code is ReasonCode.REFUSED
