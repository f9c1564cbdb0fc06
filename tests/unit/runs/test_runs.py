from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from agent_judge import MISSING, ExecutionStatus, runs
from agent_judge.errors import WireError
from agent_judge.runs import ALIASES, read_run, read_runs


@pytest.mark.parametrize("spelling", ["goal", *ALIASES["goal"]])
def test_a_goal_may_be_called_what_others_call_it(spelling: str) -> None:
    """Every usual spelling of the goal is read."""
    assert read_run({spelling: "Fix it"}).context.goal == "Fix it"


@pytest.mark.parametrize("name", ["output", "expected"])
def test_outputs_and_expectations_may_be_any_json(name: str) -> None:
    """Under each spelling, and of each type, an empty one too."""
    for spelling in (name, *ALIASES[name]):
        for value in ("x", "", 0, False, None):
            assert getattr(read_run({spelling: value}).context, name) == value
    assert getattr(read_run({}).context, name) is MISSING


@pytest.mark.parametrize("spelling", ["sources", *ALIASES["sources"]])
def test_sources_may_be_passages_or_objects(spelling: str) -> None:
    """A list of texts, or of objects with their text under a usual name."""
    given = ["one", {"text": "two", "id": "2"}, {"page_content": "three"}, {"content": "four"}]

    sources = read_run({spelling: given}).context.sources

    assert [source.text for source in sources] == ["one", "two", "three", "four"]
    assert sources[1].id == "2"


def test_the_rest_of_a_context_is_read_too() -> None:
    """Status, usage, times and the like, as they are stored."""
    run = read_run(
        {
            "id": 7,
            "tags": ["slow"],
            "status": "failed",
            "error": "E: x",
            "usage": {"input_tokens": 3},
            "started_at": "2026-01-02T03:04:05+00:00",
            "metadata": {"k": 1},
        }
    )

    assert (run.id, run.tags) == ("7", ("slow",))
    assert run.context.status is ExecutionStatus.FAILED
    assert run.context.usage is not None
    assert run.context.usage.input_tokens == 3


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"goal": "a", "task": "b"}, "'goal' once more"),
        ({"gaol": "a"}, "did you mean 'goal'"),
        ({"assert": []}, "unknown"),
        ({"goal": 3}, "goal: expected a string"),
        ({"status": "SUCCESS"}, "status: expected one of"),
        ({"question": "a", "prompt": "b"}, "^prompt: is 'question' once more"),
        ({"retrieval_context": ["a"], "context": ["b"]}, "^context: is 'retrieval_context' once"),
        ({3: "a"}, "^3: unknown"),
        ({"elapsed": float("nan")}, "^elapsed: expected a finite number"),
        ({"metadata": {"a": [10**400]}}, r"^metadata\.a\[0\] is an integer beyond"),
        ({"output": "\ud800"}, "^output holds a lone surrogate"),
        ({"tags": "slow"}, "^tags: expected a list"),
        ({"usage": {"tokens": 3}}, r"^usage\.tokens: unknown"),
        ({"sources": [3]}, r"sources\[0\]"),
        ({"id": " "}, "id: is blank"),
        ({"started_at": "2026-01-02"}, "time zone"),
        ([], "a run is a JSON object"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_path(data: Any, message: str) -> None:
    """A key in the wrong place is an error, not passed over. (contract: cases:F13)"""
    with pytest.raises(WireError, match=message):
        read_run(data)


def test_a_workspace_counts_from_the_file(tmp_path: Path) -> None:
    """A relative workspace lies beside the file that names it."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"workspace": "work"}))

    (run,) = read_runs(path)

    assert run.id == "a"
    assert run.context.workspace == tmp_path / "work"


def test_a_file_may_hold_many_runs(tmp_path: Path) -> None:
    """As a list, or one a line."""
    listed, lines = tmp_path / "list.json", tmp_path / "lines.jsonl"
    listed.write_text(json.dumps([{"goal": "1"}, {"goal": "2", "id": "b"}]))
    lines.write_text('{"goal": "1"}\n\n{"goal": "2"}\n')

    assert [run.id for run in read_runs(listed)] == ["list-1", "b"]
    assert [run.id for run in read_runs(lines)] == ["lines-1", "lines-3"]


def test_a_fault_names_the_file_and_the_line(tmp_path: Path) -> None:
    """Among many runs one finds the wrong one."""
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"goal": "1"}\n{"gaol": "2"}\n')

    with pytest.raises(WireError, match=r"lines\.jsonl:2: gaol"):
        list(read_runs(lines))


def test_an_unknown_key_is_shown_so_that_a_terminal_does_not_act_on_it() -> None:
    """The keys of a run are anybody's. (contract: cases:F13)"""
    with pytest.raises(WireError) as refusal:
        read_run({"\x1b[2Jgoal": "a"})

    assert str(refusal.value).isprintable()


@given(strategies.hostile_values)
def test_whatever_describes_no_run_is_refused(data: Any) -> None:
    """Any JSON is read or refused, and nothing else happens."""
    try:
        run = read_run(data)
    except WireError:
        return
    assert run == read_run({})


@given(st.sampled_from(list(ALIASES)), strategies.hostile_values)
def test_whatever_stands_under_a_key_is_read_or_refused(key: str, value: Any) -> None:
    """The message of a refusal begins with the key."""
    fault = fault_in({key: value})

    assert fault is None or fault.startswith((key, "run"))


def fault_in(data: dict[str, Any]) -> str | None:
    """Why a run is refused, if it is."""
    try:
        read_run(data)
    except WireError as refusal:
        return str(refusal)
    return None


def test_a_file_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not read to its end first."""
    monkeypatch.setattr(runs, "MAX_RUN_BYTES", 20)
    whole, lines = tmp_path / "a.json", tmp_path / "a.jsonl"
    whole.write_text(json.dumps({"goal": "x" * 50}))
    lines.write_text('{"goal": "1"}\n' + json.dumps({"goal": "x" * 50}))

    with pytest.raises(WireError, match=r"a\.json: is larger than 20 bytes"):
        list(read_runs(whole))
    with pytest.raises(WireError, match=r"a\.jsonl:2: is larger than 20 bytes"):
        list(read_runs(lines))
