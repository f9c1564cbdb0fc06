from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agent_judge.context import (
    MISSING,
    ExecutionStatus,
    JudgmentContext,
    Source,
    ToolCall,
)
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.usage import Usage

FULL = JudgmentContext(
    goal="Fix the bug",
    output={"answer": [1, None, "é"]},
    workspace=Path("work"),
    status=ExecutionStatus.TRUNCATED,
    started_at=datetime(2026, 1, 2, tzinfo=UTC),
    elapsed=1.5,
    error="LengthError: too long",
    expected=None,
    baseline=[1, 2],
    sources=(Source("text", "1", "Title", "https://example.org", 0.5, {"page": 3}),),
    tool_calls=(ToolCall("search", {"q": None}, result=[1], error="late", id="7"),),
    usage=Usage(calls=2),
    model="small",
    finish_reason="length",
    metadata={"b": 1, "a": [{"c": 2}]},
)


def test_no_output_is_not_an_output() -> None:
    """`MISSING` says that there was none; nothing else does. (contract: core:R22a)"""
    context = JudgmentContext()

    assert (context.output, context.expected, context.baseline) == (MISSING, MISSING, MISSING)
    assert repr(MISSING) == "MISSING"


@pytest.mark.parametrize("output", [None, "", 0, False, [], {}])
def test_an_empty_output_is_an_output(output: Any) -> None:
    """Empty is not missing, and `None` is a value. (contract: core:R22a)"""
    context = JudgmentContext(output=output, expected=output, baseline=output)

    assert context.output is not MISSING
    assert context.output == context.expected == context.baseline
    assert type(context.output) in (type(output), tuple) or context.output == {}


@pytest.mark.parametrize("field", ["output", "expected", "baseline"])
@pytest.mark.parametrize("value", [object(), {"a": {1, 2}}, b"bytes", ValueError("x")])
def test_an_output_is_validated_as_metadata_is(field: str, value: Any) -> None:
    """What JSON cannot carry is refused with its path. (contract: core:R22a)"""
    with pytest.raises(ArgumentTypeError, match=f"^{field}"):
        JudgmentContext(**{field: value})


def test_an_output_holds_no_number_that_json_lacks() -> None:
    """NaN deep inside is found and named. (contract: core:R22a)"""
    with pytest.raises(ArgumentError, match=r"^output\.scores\[1\] is nan"):
        JudgmentContext(output={"scores": [1.0, math.nan]})


def test_a_context_does_not_follow_what_the_caller_changes() -> None:
    """Outputs, arguments and metadata are copied and frozen. (contract: core:R18, core:R22a)"""
    given: dict[str, Any] = {"list": [1]}
    context = JudgmentContext(
        output=given,
        metadata=given,
        tool_calls=[ToolCall("t", given, result=given)],  # type: ignore[arg-type]
        sources=[Source("s", metadata=given)],  # type: ignore[arg-type]
    )
    before = hash(context)
    given["list"].append(2)

    frozen = {"list": (1,)}
    assert context.output == context.metadata == frozen
    assert context.tool_calls[0].arguments == context.tool_calls[0].result == frozen
    assert context.sources[0].metadata == frozen
    assert hash(context) == before


@pytest.mark.parametrize("record", [JudgmentContext(), FULL, *FULL.sources, *FULL.tool_calls])
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda record: pickle.loads(pickle.dumps(record))]
)
def test_a_copy_of_a_record_is_equal_in_all(
    copied: Callable[[object], object], record: object
) -> None:
    """Value, hash and order survive pickle and copy, and `MISSING` stays itself.

    (contract: core:R22, core:R22a)
    """
    again = copied(record)

    assert again == record
    assert hash(again) == hash(record)
    assert repr(again) == repr(record)
    assert copied(MISSING) is MISSING


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"goal": None}, "goal must be a string"),
        ({"status": "success"}, "status must be an ExecutionStatus"),
        ({"workspace": 3}, "workspace must be a path"),
        ({"started_at": "2026-01-02"}, "started_at must be a datetime"),
        ({"elapsed": "1"}, "elapsed must be a number of seconds"),
        ({"elapsed": True}, "elapsed must be a number of seconds"),
        ({"sources": ["text"]}, r"sources\[0\] is not a Source"),
        ({"tool_calls": [ToolCall("a"), None]}, r"tool_calls\[1\] is not a ToolCall"),
        ({"usage": {"calls": 1}}, "usage must be a Usage"),
        ({"model": 4}, r"context\.model must be a string"),
        ({"error": ValueError("x")}, r"context\.error must be a string"),
        ({"metadata": None}, "metadata must be a mapping"),
        ({"metadata": {"a": None}}, r"metadata\.a is None"),
    ],
)
def test_a_context_of_wrong_types_is_refused(fields: dict[str, Any], message: str) -> None:
    """Each field has its own type, and the message names it."""
    with pytest.raises(ArgumentTypeError, match=message):
        JudgmentContext(**fields)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"goal": "\ud800"}, "goal holds a lone surrogate"),
        ({"finish_reason": "\ud800"}, "finish_reason holds a lone surrogate"),
        ({"started_at": datetime(2026, 1, 2)}, "needs a time zone"),  # noqa: DTZ001
        ({"elapsed": -1}, "finite and not negative"),
        ({"elapsed": math.nan}, "finite and not negative"),
        ({"elapsed": math.inf}, "finite and not negative"),
    ],
)
def test_a_context_of_wrong_values_is_refused(fields: dict[str, Any], message: str) -> None:
    """A moment has a zone, a duration is finite, and text can be written."""
    with pytest.raises(ArgumentError, match=message):
        JudgmentContext(**fields)


def test_a_workspace_is_a_path() -> None:
    """A string is taken as one."""
    assert JudgmentContext(workspace="work").workspace == Path("work")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "  "])
def test_a_tool_call_names_its_tool(name: str) -> None:
    """A blank name is refused."""
    with pytest.raises(ArgumentError, match=r"tool_call\.name must not be blank"):
        ToolCall(name)


def test_a_tool_that_returned_nothing_is_told_from_one_that_was_not_recorded() -> None:
    """`None` is a result. (contract: core:R22a)"""
    assert ToolCall("a").result is MISSING
    assert ToolCall("a", result=None).result is None


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: ToolCall(1), r"tool_call\.name must be a string"),  # type: ignore[arg-type]
        (lambda: ToolCall("a", error=1), r"tool_call\.error must be a string"),  # type: ignore[arg-type]
        (lambda: ToolCall("a", [1]), r"tool_call\.arguments must be a mapping"),  # type: ignore[arg-type]
        (lambda: ToolCall("a", {"x": {1}}), r"tool_call\.arguments\.x is of type set"),  # type: ignore[dict-item]
        (lambda: Source(None), r"source\.text must be a string"),  # type: ignore[arg-type]
        (lambda: Source("a", uri=1), r"source\.uri must be a string"),  # type: ignore[arg-type]
        (lambda: Source("a", score="high"), r"source\.score must be a number"),  # type: ignore[arg-type]
        (lambda: Source("a", score=True), r"source\.score must be a number"),
        (lambda: Source("a", metadata={"a": None}), r"source\.metadata\.a is None"),
    ],
)
def test_evidence_of_wrong_types_is_refused(build: Callable[[], object], message: str) -> None:
    """Tool calls and sources are checked as the context is."""
    with pytest.raises(ArgumentTypeError, match=message):
        build()


def test_the_score_of_a_source_is_on_the_scale_of_its_retriever() -> None:
    """Any finite number; NaN is none."""
    assert Source("a", score=-17.5).score == -17.5

    with pytest.raises(ArgumentError, match=r"source\.score is nan"):
        Source("a", score=math.nan)
