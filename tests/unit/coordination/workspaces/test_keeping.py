"""A workspace during a loop."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.coordination import (
    Attempt,
    CoordinationResult,
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    Produced,
    SnapshotError,
)
from agent_judge.coordination.attempts import best_of
from agent_judge.coordination.workspaces import DirectoryKeeper, Keeping, Snapshot
from agent_judge.coordination.workspaces.keeping import begin_from, end_with
from agent_judge.errors import ArgumentError, ArgumentTypeError


def by_length(_: str, output: str, __: JudgeContext) -> JudgeVerdict:
    """The longer, the better; nothing is good enough."""
    return JudgeVerdict.retry("not yet", len(output) / 100)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with one file."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "log").write_text("0")
    return folder


def appending(root: Path, *texts: str) -> Any:
    """An executor that appends to a file, and returns what it found and wrote."""
    left = [*texts]

    def work(_: str, __: Feedback) -> str:
        log = root / "log"
        log.write_text(log.read_text() + left.pop(0))
        return log.read_text()

    return work


def run(root: Path, keeping: Keeping, *texts: str) -> CoordinationResult[str]:
    """A loop of as many attempts as there are texts."""
    with DirectoryKeeper(root) as keeper:
        coordinator = JudgeCoordinator[str](
            policy=by_length,
            executor=appending(root, *texts),
            max_retries=len(texts),
            workspace=keeper,
            keeping=keeping,
        )
        return coordinator.execute("a")


def outputs(result: CoordinationResult[str]) -> list[str | None]:
    """What each attempt made."""
    return [attempt.output for attempt in result.attempts]


def test_attempts_go_on_where_the_last_one_ended(root: Path) -> None:
    """Unless something else is said."""
    assert outputs(run(root, Keeping.KEEP, "a", "b")) == ["0a", "0ab"]


def test_a_failed_attempt_is_undone(root: Path) -> None:
    """The next one begins with what was there before the loop."""
    assert outputs(run(root, Keeping.RESET_ON_FAIL, "aa", "b", "c")) == ["0aa", "0b", "0c"]


def test_a_stalled_attempt_is_undone(root: Path) -> None:
    """The next one begins with the best one so far."""

    def shrinking(_: str, feedback: Feedback) -> str:
        log = root / "log"
        found = log.read_text()
        log.write_text("x" if feedback.attempt == 2 else f"{found}{feedback.attempt}")
        return log.read_text()

    with DirectoryKeeper(root) as keeper:
        coordinator = JudgeCoordinator[str](
            policy=by_length, executor=shrinking, workspace=keeper, keeping=Keeping.RESET_ON_STALL
        )
        result = coordinator.execute("a")

    assert outputs(result) == ["01", "x", "013"]


def test_the_best_attempt_is_left_at_the_end(root: Path) -> None:
    """With its files, whatever came after."""
    result = run(root, Keeping.RESET_ON_FAIL, "long one", "b")

    assert result.output == (root / "log").read_text() == "0long one"


def test_what_judges_write_is_not_left(root: Path) -> None:
    """What the agent left is."""

    def judge(_: str, output: str, __: JudgeContext) -> JudgeVerdict:
        (root / "cache").write_text("x")
        return JudgeVerdict.approve("ok", 1)

    with DirectoryKeeper(root) as keeper:
        JudgeCoordinator[str](
            policy=judge, executor=appending(root, "a"), workspace=keeper
        ).execute("a")

    assert not (root / "cache").exists()
    assert (root / "log").read_text() == "0a"


def test_the_snapshots_are_on_the_attempts(root: Path) -> None:
    """Also through the async door, where they are taken in threads."""

    async def main() -> CoordinationResult[str]:
        with DirectoryKeeper(root) as keeper:
            coordinator = JudgeCoordinator[str](
                policy=by_length, executor=appending(root, "a", "b", "c"), workspace=keeper
            )
            return await coordinator.aexecute("a")

    kept = [attempt.snapshot for attempt in asyncio.run(main()).attempts]

    assert len(set(kept)) == 3
    assert None not in kept


def test_a_state_that_cannot_be_kept_stops_the_loop(root: Path) -> None:
    """Before anything is reset or judged."""

    class Full(DirectoryKeeper):
        def snapshot(self, label: str) -> Snapshot:
            """Fail after the first."""
            if label != "before":
                raise SnapshotError("disk full")
            return super().snapshot(label)

    with Full(root) as keeper:
        coordinator = JudgeCoordinator[str](
            policy=by_length,
            executor=appending(root, "a"),
            workspace=keeper,
            keeping=Keeping.RESET_ON_FAIL,
        )
        with pytest.raises(SnapshotError):
            coordinator.execute("a")

    assert (root / "log").read_text() == "0a"


def test_candidates_do_not_share_a_workspace(root: Path) -> None:
    """They would disturb each other."""
    options: dict[str, Any] = {"policy": by_length, "executor": appending(root, "a")}
    wrong: Any = "keep"
    with DirectoryKeeper(root) as keeper:
        with pytest.raises(ArgumentError, match="candidates"):
            JudgeCoordinator[str](**options, workspace=keeper, candidates=2)
        with pytest.raises(ArgumentTypeError, match="keeping"):
            JudgeCoordinator[str](**options, workspace=keeper, keeping=wrong)


TRIES = st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.booleans()), max_size=6)


def made(tries: list[tuple[float, bool, bool]]) -> list[Attempt[int]]:
    """Attempts with snapshots named by their numbers."""
    return [
        Attempt(
            number,
            JudgeVerdict.retry("no", score) if real else JudgeVerdict.retry("no", 0).as_synthetic(),
            made=Produced(number) if has_output else None,
            snapshot=str(number),
        )
        for number, (score, real, has_output) in enumerate(tries, 1)
    ]


@given(TRIES, st.sampled_from(Keeping))
def test_where_attempts_begin_and_loops_end(
    tries: list[tuple[float, bool, bool]], keeping: Keeping
) -> None:
    """Always at a state that is there, and never behind the best one."""
    attempts = made(tries)
    best = best_of(attempts)
    start, end = begin_from(keeping, "0", attempts), end_with(keeping, "0", attempts)

    assert start in (None, "0", *(attempt.snapshot for attempt in attempts))
    if best is not None:
        assert end == best.snapshot
    match keeping:
        case _ if not attempts:
            assert start is None
        case Keeping.KEEP:
            assert start == attempts[-1].snapshot
        case Keeping.RESET_ON_FAIL:
            assert start == "0"
        case Keeping.RESET_ON_STALL:
            assert start == ("0" if best is None else best.snapshot)
