from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from agent_judge import (
    MISSING,
    Average,
    BooleanScore,
    CascadedJury,
    CategoricalScore,
    Check,
    ErrorPolicy,
    ExecutionStatus,
    Judgment,
    JudgmentContext,
    Jury,
    Location,
    Majority,
    MetaJury,
    NumericalScore,
    ReasonCode,
    Seat,
    Source,
    Tier,
    TierPolicy,
    ToolCall,
    Usage,
    Verdict,
    WeightedAverage,
    from_dict,
    to_dict,
)
from agent_judge.errors import (
    ArgumentError,
    ArgumentTypeError,
    UnsupportedVersionError,
    WireError,
)
from agent_judge.testing import abstaining, erring, failing, passing

CHECK = Check("title", False, "none", 1, True, Location("a.md", 3, 4))
JUDGMENT = Judgment(
    reasoning="wörds",
    status=Judgment.passing().status,
    score=NumericalScore(82, 0, 100),
    label="good",
    checks=(CHECK, Check("body", True)),
    metadata={"z": [1, {"y": True}], "a": 0.5},
    usage=Usage(input_tokens=3, cost=0.1),
    elapsed=0.25,
)
CONTEXT = JudgmentContext(
    goal="Fix it",
    output={"answer": None, "parts": [1, 2.5, "x"]},
    workspace=Path("work/space"),
    status=ExecutionStatus.TRUNCATED,
    started_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    elapsed=1.5,
    error="ValueError: no",
    expected=None,
    baseline={"coverage": 50},
    sources=(Source("text", id="1", score=0.5),),
    tool_calls=(ToolCall("f", {"a": None}, result=None), ToolCall("g", error="no")),
    usage=Usage(total_tokens=5),
    model="m",
    finish_reason="stop",
    metadata={"k": 1},
)


def verdicts() -> Iterator[Verdict]:
    """Verdicts of every kind of jury, on runs that went well and that did not."""
    rejected = [Tier("a/b", [passing(), erring("no")]), final(failing("f"))]
    accepted = [Tier("quick", [passing()], TierPolicy.ACCEPT_ON_ALL_PASS), final(failing())]
    cascade = CascadedJury(rejected)
    meta = MetaJury(
        {"x": cascade, "y": Jury([passing(), failing(), abstaining("a")], Average())},
        WeightedAverage(on_error=ErrorPolicy.IGNORE),
        weights={"y": 2},
    )
    juries: list[Jury | CascadedJury | MetaJury] = [
        cascade,
        CascadedJury(accepted),
        meta,
        Jury([meta, passing()]),
        custom(),
    ]
    for jury in juries:
        for status in (ExecutionStatus.SUCCESS, ExecutionStatus.FAILED):
            yield jury.vote(JudgmentContext(output="4", status=status))


def final(judge: Any) -> Tier:
    """A last tier of one judge."""
    return Tier("final", [judge], TierPolicy.FINAL_TIER)


def custom() -> Jury:
    """A jury whose strategy is nobody's but the user's."""
    return Jury([passing(), failing()], lambda population: population.seats[1].judgment)


RECORDS = [
    BooleanScore(True),
    NumericalScore(0.5),
    CategoricalScore("good", ("good", "poor"), {"good": 1.0}),
    CHECK,
    Location("a.py"),
    JUDGMENT,
    Judgment.scored(0.7, threshold=0.7),
    Judgment.erring("no", ReasonCode.TIMEOUT),
    CONTEXT,
    JudgmentContext(),
    JudgmentContext(output=None),
    Usage(),
    Source("s"),
    ToolCall("t"),
    Seat("key", 0, JUDGMENT, 2.0),
    *verdicts(),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_what_is_stored_comes_back_equal(record: Any) -> None:
    """Reading gives an equal value with an equal hash. (contract: core:R22)"""
    stored = json.loads(json.dumps(to_dict(record)))

    read = from_dict(type(record), stored)

    assert read == record
    assert hash(read) == hash(record)
    assert to_dict(read) == to_dict(record)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_pickling_and_copying_give_the_same_value(record: Any) -> None:
    """Every record survives pickle and deepcopy. (contract: core:R22)"""
    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == record


def test_the_order_of_metadata_is_kept() -> None:
    """What was written first comes first. (contract: core:R22)"""
    read = from_dict(Judgment, to_dict(JUDGMENT))

    assert list(read.metadata) == ["z", "a"]
    assert list(to_dict(JUDGMENT)["metadata"]) == ["z", "a"]


def test_a_pass_without_a_score_has_no_empty_keys() -> None:
    """No null keys, a fixed order, and no names of Python classes. (contract: core:R20)"""
    stored = to_dict(Judgment.passing())

    assert list(stored) == ["format", "kind", "status", "reasoning", "checks", "metadata"]
    assert None not in stored.values()
    assert "Judgment" not in json.dumps(stored)


def test_an_output_of_none_is_not_a_missing_output() -> None:
    """None is a value, MISSING is none. (contract: core:R22a)"""
    with_none = to_dict(JudgmentContext(output=None))
    without = to_dict(JudgmentContext())

    assert with_none["output"] is None
    assert "output" not in without
    assert from_dict(JudgmentContext, with_none).output is None
    assert from_dict(JudgmentContext, without).output is MISSING


@pytest.mark.parametrize("status", ["PASS", "Pass", "passed", "", None, 1])
def test_a_status_in_another_spelling_is_refused(status: Any) -> None:
    """Statuses are read in their one spelling. (contract: core:R21)"""
    with pytest.raises(WireError, match=r"judgment\.status"):
        from_dict(Judgment, {**to_dict(JUDGMENT), "status": status})


def stored_verdict() -> dict[str, Any]:
    """A verdict of three seats, as stored."""
    jury = Jury([passing(), failing("no"), passing()], Majority())
    stored: dict[str, Any] = json.loads(json.dumps(to_dict(jury.vote(JudgmentContext()))))
    return stored


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every key of every object in the data."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*path, key)
            yield from paths(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from paths(value, (*path, index))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """What is at a path."""
    for step in path:
        data = data[step]
    return data


OPTIONAL = {"elapsed", "label", "score", "code", "usage", "location"}


REQUIRED = [
    path
    for path in paths(stored_verdict())
    if path[-1] not in OPTIONAL and "metadata" not in path[:-1]
]


@pytest.mark.parametrize("path", REQUIRED, ids=str)
def test_a_field_that_is_lacking_is_refused(path: tuple[Any, ...]) -> None:
    """No field but an optional one may be gone. (contract: edges:S4)"""
    data = stored_verdict()
    del at(data, path[:-1])[path[-1]]

    with pytest.raises(WireError) as refusal:
        from_dict(Verdict, data)

    assert str(path[-1]) in str(refusal.value)


@pytest.mark.parametrize("path", [(), ("seats", 1), ("seats", 1, "judgment"), ("cost",)], ids=str)
def test_an_unknown_field_is_refused_with_its_path(path: tuple[Any, ...]) -> None:
    """What nobody knows is not passed over. (contract: edges:S4)"""
    data = stored_verdict()
    at(data, path)["resoning"] = "x"

    with pytest.raises(WireError, match="resoning: unknown"):
        from_dict(Verdict, data)


def change(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The data with one value changed."""
    at(data, path[:-1])[path[-1]] = value
    return data


def test_an_unknown_version_is_refused_by_its_name() -> None:
    """A form of another version is not guessed at. (contract: edges:S5)"""
    with pytest.raises(UnsupportedVersionError, match="version 7 cannot be read"):
        from_dict(Judgment, {**to_dict(JUDGMENT), "format": 7})


@pytest.mark.parametrize("version", [None, "1", 1.0, True])
def test_a_version_that_is_none_is_refused(version: Any) -> None:
    """The version is a whole number. (contract: edges:S5)"""
    with pytest.raises(WireError, match=r"judgment\.format"):
        from_dict(Judgment, {**to_dict(JUDGMENT), "format": version})


def test_an_older_version_is_read_by_its_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    """A known older form is brought up to date first. (contract: edges:S5)"""
    from agent_judge import wire

    def rename(data: dict[str, Any]) -> dict[str, Any]:
        data["reasoning"] = data.pop("why")
        return data

    monkeypatch.setattr(wire, "_MIGRATIONS", {0: rename})
    old = {**to_dict(JUDGMENT), "format": 0}
    old["why"] = old.pop("reasoning")

    assert from_dict(Judgment, old) == JUDGMENT


def test_another_kind_is_refused() -> None:
    """A judgment is not read as a verdict."""
    with pytest.raises(WireError, match="expected 'verdict', found 'judgment'"):
        from_dict(Verdict, to_dict(JUDGMENT))


@pytest.mark.parametrize("thing", [{}, "text", object(), Judgment])
def test_what_is_no_record_is_refused(thing: Any) -> None:
    """The message lists what can be stored."""
    with pytest.raises(ArgumentTypeError, match="known are"):
        to_dict(thing)


@pytest.mark.parametrize(
    "metadata",
    [{"a": float("nan")}, {"a": None}, {"a": 2**60}, {"a": "\ud800"}, {"\ud800": 1}],
)
def test_hostile_values_are_refused(metadata: Any) -> None:
    """What a record would not take when built, it does not take when read."""
    with pytest.raises(WireError, match=r"judgment\.metadata"):
        from_dict(Judgment, {**to_dict(JUDGMENT), "metadata": metadata})


def test_deep_nesting_is_refused() -> None:
    """Depth exhausts nothing."""
    deep: Any = {}
    for _ in range(5000):
        deep = {"a": deep}

    with pytest.raises(WireError):
        from_dict(Judgment, {**to_dict(JUDGMENT), "metadata": deep})


def test_deeply_nested_verdicts_are_refused() -> None:
    """A chain of verdicts that never ends is refused, not followed."""
    data = stored_verdict()
    inner = {
        key: value for key, value in data.items() if key not in ("format", "kind", "verifiable")
    }
    for _ in range(3000):
        inner = {**inner, "seats": [{**inner["seats"][0], "verdict": inner}]}

    with pytest.raises(WireError):
        from_dict(Verdict, {**data, **inner})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("cost", "elapsed"), float("nan")),
        (("cost", "elapsed"), float("inf")),
        (("cost", "elapsed"), 10**400),
        (("cost", "judges"), -1),
        (("cost", "saved"), True),
        (("name",), "\ud800"),
        (("decided_by", "rule"), "\udfff"),
        (("decided_by", "computed"), 1),
        (("seats", 1, "weight"), float("-inf")),
        (("seats", 1, "weight"), -1),
        (("seats", 1, "position"), 2**53),
        (("seats", 1, "judgment", "elapsed"), float("nan")),
        (("seats", 1, "judgment", "reasoning"), "\ud800"),
        (("judgment", "status"), 10**5000),
        (("judgment", "metadata"), False),
        (("seats", 0, "judgment", "metadata"), []),
    ],
    ids=lambda case: f"{case!s:.40}" if not isinstance(case, int) else "",
)
def test_what_no_record_would_hold_is_refused_with_its_path(path: Any, value: Any) -> None:
    """NaN, endless integers, lone surrogates, negative counts. (contract: edges:S4)"""
    data = change(stored_verdict(), path, value)
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)

    with pytest.raises(WireError) as refusal:
        from_dict(Verdict, data)

    assert str(refusal.value).startswith(f"verdict{steps}: ")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (NumericalScore, {"value": 0, "low": 0, "high": 10**400}),
        (NumericalScore, {"value": 2, "low": 0, "high": 1}),
        (CategoricalScore, {"value": "a", "categories": ["b"], "numbers": {}}),
        (CategoricalScore, {"value": "a", "categories": ["a"], "numbers": 1}),
        (BooleanScore, {"value": 1}),
        (ToolCall, {"name": "f", "arguments": ["a"]}),
        (Location, {"path": "a", "line": 0}),
        (Usage, {"calls": -1}),
        (Source, {"text": "t", "metadata": {}, "score": float("nan")}),
        (ToolCall, {"name": " ", "arguments": {}}),
    ],
)
def test_a_record_that_its_own_rules_refuse_is_refused(kind: Any, fields: Any) -> None:
    """What cannot be built cannot be read either. (contract: edges:S4)"""
    name = to_dict(EXAMPLES[kind])["kind"]

    with pytest.raises(WireError, match=f"^{name}"):
        from_dict(kind, {"format": 1, "kind": name, **fields})


EXAMPLES: dict[type, Any] = {type(record): record for record in RECORDS}


def test_scores_are_told_apart_by_their_kind() -> None:
    """A score is tagged alike by itself and in a judgment. (contract: core:R20)"""
    alone = to_dict(NumericalScore(82, 0, 100))

    assert alone == {"format": 1, "kind": "numerical", "value": 82, "low": 0, "high": 100}
    assert to_dict(JUDGMENT)["score"] == {"kind": "numerical", "value": 82, "low": 0, "high": 100}
    with pytest.raises(WireError, match=r"boolean\.kind: expected 'boolean', found 'numerical'"):
        from_dict(BooleanScore, alone)


def test_every_record_of_a_verdict_is_stored_by_itself_too() -> None:
    """Decisions, stages and failures round-trip alone. (contract: core:R22)"""
    verdict = CascadedJury([Tier("a", Crashing()), final(passing())]).vote(JudgmentContext())
    crashed = verdict.attempts[0]

    for record in (verdict.decided_by, crashed, crashed.failure, verdict.cost):
        assert from_dict(type(record), json.loads(json.dumps(to_dict(record)))) == record


class Crashing:
    """A stage that gives no verdict."""

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Crash."""
        raise ValueError("secret")


def test_a_moment_in_an_hour_that_a_zone_repeats_comes_back_equal() -> None:
    """In autumn, half past two is there twice. (contract: core:R22)"""
    twice = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)
    context = JudgmentContext(started_at=twice)

    read = from_dict(JudgmentContext, to_dict(context))

    assert read == context
    assert read.started_at is not None
    assert read.started_at.isoformat() == "2026-10-25T02:30:00+01:00"


@pytest.mark.parametrize("moment", ["2026-01-02T03:04:05", "yesterday", "", 5])
def test_a_moment_without_a_zone_is_refused(moment: Any) -> None:
    """It would be another moment elsewhere. (contract: edges:S4)"""
    with pytest.raises(WireError, match="context"):
        from_dict(JudgmentContext, {**to_dict(CONTEXT), "started_at": moment})


def test_a_folder_whose_name_is_no_text_is_not_stored() -> None:
    """JSON could not carry its bytes."""
    with pytest.raises(ArgumentError, match="workspace"):
        to_dict(JudgmentContext(workspace=Path("a\udcff")))


def test_what_json_calls_a_key_never_reaches_a_terminal_as_it_is() -> None:
    """Escapes in an unknown key are shown, not acted on. (contract: edges:S4)"""
    with pytest.raises(WireError) as refusal:
        from_dict(Usage, {**to_dict(Usage()), "\x1b[2Jcalls": 1})

    assert str(refusal.value).isprintable()


@given(strategies.records)
def test_any_record_comes_back_equal(record: Any) -> None:
    """Equal value and hash, order kept, through JSON text. (contract: core:R22)"""
    stored = to_dict(record)

    read = from_dict(type(record), json.loads(json.dumps(stored)))

    assert read == record
    assert hash(read) == hash(record)
    assert json.dumps(to_dict(read)) == json.dumps(stored)


@settings(max_examples=500)
@given(strategies.records, st.data())
def test_no_change_of_stored_data_crashes_the_reader(record: Any, data: st.DataObject) -> None:
    """Whatever was changed is read, or refused with a WireError. (contract: edges:S4)"""
    stored = to_dict(record)
    path = data.draw(st.sampled_from(list(paths(stored))))

    with suppress(WireError):
        from_dict(type(record), change(stored, path, data.draw(strategies.hostile_values)))


@given(strategies.hostile_values, st.sampled_from(list(EXAMPLES)))
def test_whatever_is_no_stored_record_is_refused(value: Any, kind: type) -> None:
    """Any JSON value but a stored record of that kind. (contract: edges:S4)"""
    with pytest.raises(WireError):
        from_dict(kind, value)
