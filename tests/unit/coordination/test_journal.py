"""A run that is written down can be gone on with."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Check, Judgment, Jury, Usage
from agent_judge.coordination import (
    Feedback,
    Journal,
    JournalError,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    LLMJudgePolicy,
    Produced,
    StopReason,
    ThresholdJudgePolicy,
)
from agent_judge.errors import ArgumentError
from agent_judge.testing import ScriptedModel, always

CALLS: list[int] = []


def count(_: str, feedback: Feedback) -> Any:
    """An executor that makes odd things, fails once, and remembers its calls."""
    CALLS.append(feedback.attempt)
    if feedback.attempt == 2:
        raise ValueError("broken\u2028pipe")
    return Produced({"number": feedback.attempt, "told": [*feedback]}, Usage(cost=0.1))


def third(_: str, output: Any, context: JudgeContext) -> JudgeVerdict:
    """Approve the fourth attempt."""
    if context.iteration == 4:
        return JudgeVerdict.approve("done", 0.9)
    finding = Judgment.from_checks([Check("c", False, f"{output!r}")])
    return JudgeVerdict.retry("more", 0.1 * context.iteration, ["go on"]).with_finding(finding)


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


def coordinator(folder: Path, policy: Any = third, **options: Any) -> JudgeCoordinator[Any]:
    """A coordinator with a journal."""
    given: dict[str, Any] = {"max_retries": 5, "journal": Journal(folder), **options}
    return JudgeCoordinator[Any](policy=policy, executor=count, **given)


def cut(folder: Path, lines: int, rest: bytes = b"") -> None:
    """Leave only the first lines of the journal, as a kill would, and a piece of the next."""
    place = folder / "run.jsonl"
    whole = place.read_bytes().split(b"\n")
    place.write_bytes(b"\n".join(whole[:lines]) + b"\n" + rest)


def test_a_run_is_written_down(tmp_path: Path) -> None:
    """A line for its begin, each attempt and its end."""
    result = coordinator(tmp_path).execute("a", run_id="run")

    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().split("\n")[:-1]]
    assert [line["kind"] for line in lines] == ["begin", *["attempt"] * 4, "end"]
    assert lines[-1]["reason"] == "approved"
    assert result.run_id == "run"


@pytest.mark.parametrize("lines", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("rest", [b"", b'{"kind":"attempt","ela'])
def test_a_run_that_was_killed_goes_on(tmp_path: Path, lines: int, rest: bytes) -> None:
    """With the same result, and without making again what was decided about."""
    whole = coordinator(tmp_path).execute("a", run_id="run")
    CALLS.clear()
    cut(tmp_path, lines, rest)

    again = coordinator(tmp_path).resume("run")

    assert again == whole
    assert [attempt.made for attempt in again.attempts] == [one.made for one in whole.attempts]
    assert [*CALLS] == [*range(lines, 5)]
    assert "broken" in str(again.attempts[1].error)
    assert Journal(tmp_path).read("run").ended


def test_the_async_door_resumes(tmp_path: Path) -> None:
    """It writes in a thread."""
    asyncio.run(coordinator(tmp_path).aexecute("a", run_id="run"))
    cut(tmp_path, 3)

    assert asyncio.run(coordinator(tmp_path).aresume("run")).is_approved


def test_an_error_is_written_down_and_can_be_gone_on_from(tmp_path: Path) -> None:
    """The judge that failed is asked again."""
    down = [True]

    def policy(agent_id: str, output: Any, context: JudgeContext) -> JudgeVerdict:
        if context.iteration == 3 and down[0]:
            raise OSError("no model")
        return third(agent_id, output, context)

    with pytest.raises(OSError, match="no model"):
        coordinator(tmp_path, policy).execute("a", run_id="run")
    last = (tmp_path / "run.jsonl").read_text().split("\n")[-2]
    assert json.loads(last)["reason"] == "policy_failed"

    down[0] = False
    assert coordinator(tmp_path, policy).resume("run").is_approved


def test_the_time_of_a_killed_run_counts(tmp_path: Path) -> None:
    """A limit is one of the whole run."""
    now = [0.0]
    options: dict[str, Any] = {"timeout": 30, "clock": lambda: now[0]}

    def slow(_: str, feedback: Feedback) -> int:
        now[0] += 20
        return feedback.attempt

    policy = ThresholdJudgePolicy(1, int, lambda _: 0.5)
    first = JudgeCoordinator[int](
        policy=policy, executor=slow, journal=Journal(tmp_path), **options
    )
    first.execute("a", run_id="run")
    cut(tmp_path, 3)
    now[0] = 1000.0

    result = first.resume("run")

    assert (result.iterations, result.stop_reason) == (2, StopReason.TIMED_OUT)


@pytest.mark.parametrize("options", [{"max_retries": 6}, {"confirm": "2of3"}])
def test_other_criteria_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    """A run does not change its mind half way."""
    coordinator(tmp_path).execute("a", run_id="run")

    with pytest.raises(JournalError, match="other criteria"):
        coordinator(tmp_path, **options).resume("run")
    with pytest.raises(JournalError, match="other criteria"):
        coordinator(tmp_path, lambda _, __, ___: JudgeVerdict.approve("", 1)).resume("run")
    assert coordinator(tmp_path).resume("run").is_approved


def test_what_policies_decide_by_shows() -> None:
    """Other criteria, marks, models and judges have other fingerprints."""

    def of(policy: Any) -> str:
        made: Any = JudgeCoordinator[Any](policy=policy, executor=count)
        text: str = made._plan.acceptance.criteria
        return text

    model = ScriptedModel(["x"])
    prints = {
        of(LLMJudgePolicy(model, "a")),
        of(LLMJudgePolicy(model, "b")),
        of(ThresholdJudgePolicy(0.5, int, float)),
        of(ThresholdJudgePolicy(0.6, int, float)),
        of(always(Judgment.passing())),
        of(always(Judgment.failing("no"))),
        of(Jury([always(Judgment.passing())])),
        of(Jury([always(Judgment.passing())] * 2)),
        of(third),
    }

    assert len(prints) == 9
    assert of(third) == of(third)


def test_a_run_of_that_name_is_not_overwritten(tmp_path: Path) -> None:
    """Nor is there a run that was never begun."""
    coordinator(tmp_path).execute("a", run_id="run")

    with pytest.raises(JournalError, match="already"):
        coordinator(tmp_path).execute("a", run_id="run")
    with pytest.raises(JournalError, match="cannot be opened"):
        coordinator(tmp_path).resume("other")
    with pytest.raises(JournalError, match="no run"):
        Journal(tmp_path).read("other")


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 101, None])
def test_names_of_runs_are_names_of_files(tmp_path: Path, name: Any) -> None:
    """Nothing leaves the folder."""
    with pytest.raises(ArgumentError):
        coordinator(tmp_path).resume(name)


def test_two_processes_do_not_work_on_one_run(tmp_path: Path) -> None:
    """The second is refused while the first is at it."""
    journal = Journal(tmp_path)
    opened = journal.begin("run")
    opened.began("a", "", 3, None)

    with pytest.raises(JournalError, match="another process"):
        journal.resume("run")
    opened.close()
    journal.resume("run").close()


@pytest.mark.parametrize(
    "line",
    [
        b"not JSON",
        b"[]",
        b'{"kind":"attempt"}',
        b'{"kind":"other","elapsed":1}',
        b'{"kind":"attempt","elapsed":1,"attempt":{"number":1}}',
        b'{"kind":"attempt","elapsed":"x","attempt":{}}',
    ],
)
def test_a_journal_that_was_changed_is_refused(tmp_path: Path, line: bytes) -> None:
    """It says where the fault is."""
    coordinator(tmp_path).execute("a", run_id="run")
    cut(tmp_path, 2, line + b"\n")

    with pytest.raises(JournalError, match="run 'run'"):
        coordinator(tmp_path).resume("run")


def test_attempts_come_in_order(tmp_path: Path) -> None:
    """None is missing."""
    coordinator(tmp_path).execute("a", run_id="run")
    place = tmp_path / "run.jsonl"
    lines = place.read_bytes().split(b"\n")
    place.write_bytes(b"\n".join([lines[0], *lines[2:]]))

    with pytest.raises(JournalError, match="order"):
        coordinator(tmp_path).resume("run")
    place.write_bytes(b'{"format":2,"kind":"begin"}\n')
    with pytest.raises(JournalError, match="format 1"):
        coordinator(tmp_path).resume("run")
    place.write_bytes(b"")
    with pytest.raises(JournalError, match="begin anew"):
        coordinator(tmp_path).resume("run")


def test_outputs_that_are_no_json_need_a_codec(tmp_path: Path) -> None:
    """Both ways."""

    def work(_: str, __: Feedback) -> complex:
        return 1 + 2j

    def run(journal: Journal, run_id: str) -> Any:
        return JudgeCoordinator[complex](
            policy=lambda _, __, ___: JudgeVerdict.approve("ok", 1), executor=work, journal=journal
        ).execute("a", run_id=run_id)

    with pytest.raises(JournalError, match="encode="):
        run(Journal(tmp_path), "one")
    with pytest.raises(JournalError, match="encode="):
        run(Journal(tmp_path, encode=lambda _: object(), decode=lambda _: 0), "two")
    coded = Journal(tmp_path, encode=str, decode=complex)
    run(coded, "three")
    assert coded.read("three").attempts[0].output == 1 + 2j
    with pytest.raises(ArgumentError, match="belong together"):
        Journal(tmp_path, encode=str)


def test_without_a_journal_there_is_nothing_to_resume() -> None:
    """Nor to name."""
    without = JudgeCoordinator[Any](policy=third, executor=count)

    with pytest.raises(ArgumentError, match="no journal"):
        without.resume("run")
    with pytest.raises(ArgumentError, match="no journal"):
        without.execute("a", run_id="run")


def test_candidates_are_written_down(tmp_path: Path) -> None:
    """All that ended."""
    given: dict[str, Any] = {"candidates": 2, "choose": "best", "max_retries": 1}
    policy = ThresholdJudgePolicy(1, dict, lambda _: 0.5)
    result = coordinator(tmp_path, policy, **given).execute("a", run_id="run")

    recorded = Journal(tmp_path).read("run")

    assert recorded.attempts == result.attempts
    assert len(recorded.attempts[0].candidates) == 2
