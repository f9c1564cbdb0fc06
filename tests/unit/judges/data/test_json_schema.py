from __future__ import annotations

import sys
from typing import Any

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError, MissingExtraError
from agent_judge.judges.data import JsonSchemaJudge
from agent_judge.judgment import Judgment

DRAFTS = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
]


def judged(schema: Any, output: Any, **options: Any) -> Judgment:
    """What is found of an output."""
    return evaluate(JsonSchemaJudge(schema, **options), JudgmentContext(output=output))


def test_a_text_is_no_integer() -> None:
    """Whatever it looks like. (contract: cases:B7)"""
    judgment = judged({"properties": {"a": {"type": "integer"}}}, '{"a": "1"}')

    assert judgment.status is Status.FAIL
    assert [(check.name, check.message) for check in judgment.checks] == [
        ("/a", "'1' is not of type 'integer'")
    ]


def test_each_violation_is_a_check() -> None:
    """With its place; a missing key is a fault of the object around it."""
    schema = {
        "required": ["x"],
        "properties": {"a/b": {"items": {"minimum": 0}}},
        "additionalProperties": False,
    }

    judgment = judged(schema, {"a/b": [1, -1, -2]})

    assert sorted(check.name for check in judgment.failed_checks) == [
        "(the whole)",
        "/a~1b/1",
        "/a~1b/2",
    ]


def test_violations_are_counted_up_to_a_hundred() -> None:
    """A hostile output does not fill the report."""
    judgment = judged({"items": {"type": "string"}}, list(range(1000)))

    assert len(judgment.checks) == 100


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_schema_chooses_its_draft(draft: str) -> None:
    """`exclusiveMinimum` was a boolean once."""
    bound = {"minimum": 5, "exclusiveMinimum": True} if "04" in draft else {"exclusiveMinimum": 5}
    schema = {"$schema": draft, **bound}

    assert judged(schema, 6).passed
    assert not judged(schema, 5).passed


def test_without_a_draft_it_is_the_latest() -> None:
    """`prefixItems` is new in 2020-12."""
    assert not judged({"prefixItems": [{"type": "string"}]}, [1]).passed


@pytest.mark.parametrize(("schema", "passes"), [(True, True), (False, False), ({}, True)])
def test_a_schema_may_allow_anything_or_nothing(schema: Any, passes: bool) -> None:
    """As drafts since 6 have it."""
    assert judged(schema, {"a": 1}).passed is passes


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "int"},
        {"required": "a"},
        {"pattern": "("},
        {"properties": {"a": {"minimum": "5"}}},
        {"$schema": "https://example.com/mine"},
        {"$schema": 5},
    ],
)
def test_what_is_no_schema_is_refused(schema: Any) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError, match="schema"):
        JsonSchemaJudge(schema)


@pytest.mark.parametrize("schema", ["{}", 5, None, [{}]])
def test_a_schema_is_an_object(schema: Any) -> None:
    """Or a boolean."""
    with pytest.raises(ArgumentTypeError, match="schema must be an object or a boolean"):
        JsonSchemaJudge(schema)


@pytest.mark.parametrize(
    "reference",
    ["https://example.com/schema.json", "file:///etc/passwd", "other.json", "#/$defs/absent", "#x"],
)
def test_a_reference_that_leads_elsewhere_is_refused(reference: str) -> None:
    """Nothing is ever fetched."""
    with pytest.raises(ArgumentError, match="nothing is fetched"):
        JsonSchemaJudge({"anyOf": [{"items": {"$ref": reference}}]})


def test_references_within_the_schema_are_followed() -> None:
    """By pointer, by anchor, by identifier, and to the published drafts."""
    schema = {
        "$id": "https://example.com/root",
        "$defs": {
            "a": {"type": "string"},
            "b": {"$anchor": "here", "type": "integer"},
            "c": {"$id": "inner", "type": "boolean"},
        },
        "properties": {
            "a": {"$ref": "#/$defs/a"},
            "b": {"$ref": "#here"},
            "c": {"$ref": "inner"},
            "d": {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        },
    }

    assert judged(schema, {"a": "x", "b": 1, "c": True, "d": {"type": "null"}}).passed
    assert len(judged(schema, {"a": 1, "b": "x", "c": 1, "d": {"type": "x"}}).checks) == 4


def test_what_only_looks_like_a_reference_is_none() -> None:
    """A key of that name may be data."""
    schema = {"properties": {"$ref": {"type": "string"}}, "enum": [{"$ref": "https://x.example"}]}

    assert judged(schema, {"$ref": "https://x.example"}).passed


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a|aa)+$"},
        {"propertyNames": {"pattern": "^(a|aa)+$"}},
        {"patternProperties": {"^(a|aa)+$": False}},
        {"additionalProperties": False, "patternProperties": {"^(a|aa)+$": True}},
    ],
)
def test_endless_backtracking_ends_at_the_deadline(schema: Any) -> None:
    """Wherever a schema has patterns. (contract: judges:F9)"""
    hostile = "a" * 100 + "!"
    output = f'"{hostile}"' if "pattern" in schema else {hostile: 1}

    judgment = judged(schema, output, timeout=0.5)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.TIMEOUT


def test_a_schema_that_refers_to_itself_without_end_is_an_error() -> None:
    """It says nothing about the output."""
    judgment = judged({"$ref": "#"}, 1)

    assert judgment.status is Status.ERROR


def test_formats_inform_unless_they_are_required() -> None:
    """As drafts since 2019-09 have it."""
    schema = {"format": "date"}

    assert judged(schema, '"tomorrow"').passed
    assert not judged(schema, '"tomorrow"', formats="require").passed
    assert judged(schema, '"2024-02-29"', formats="require").passed


def test_a_format_that_cannot_be_checked_is_refused_where_it_is_required() -> None:
    """It would pass unexamined."""
    schema = {"properties": {"a": {"format": "sworn"}}}

    assert judged(schema, {"a": "x"}).passed
    with pytest.raises(ArgumentError, match="the format 'sworn', which cannot be checked here"):
        JsonSchemaJudge(schema, formats="require")


@pytest.mark.parametrize("options", [{"formats": "check"}, {"timeout": 0}, {"fence": "x"}])
def test_options_that_mean_nothing_are_refused(options: Any) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError):
        JsonSchemaJudge({}, **options)


def test_what_is_wrong_is_shown_cut_and_escaped() -> None:
    """The output may hold anything."""
    judgment = judged({"type": "string"}, ["\x1b[2J", "x" * 5000])

    assert "\x1b" not in judgment.checks[0].message
    assert len(judgment.checks[0].message) < 400


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the judge is built, for the schema cannot be checked."""
    monkeypatch.setitem(sys.modules, "jsonschema.validators", None)

    with pytest.raises(MissingExtraError, match=r"agent-judge\[data\]"):
        JsonSchemaJudge({})
