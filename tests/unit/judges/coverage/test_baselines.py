from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import Judge, Judgment, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import CoverageImprovementJudge, CoveragePreservationJudge
from agent_judge.judges.coverage.measuring import exact, percent_text
from agent_judge.judgment import ReasonCode
from unit.judges.coverage.reports import run_in, tracefile


def preserved(workspace: Path, percent: int, before: object, **options: Any) -> Judgment:
    """Whether a coverage is preserved, given the baseline of the context."""
    judge = CoveragePreservationJudge("lcov.info", **options)
    fields = {} if before is None else {"baseline": before}
    return evaluate(judge, run_in(workspace, tracefile(percent, 100), **fields))


def improved(workspace: Path, percent: int, before: object, **options: Any) -> Judgment:
    """How far a coverage is improved, of a full mark of 50 points."""
    judge = CoverageImprovementJudge("lcov.info", full_mark=50, **options)
    return evaluate(judge, run_in(workspace, tracefile(percent, 100), baseline=before))


@pytest.mark.parametrize(
    ("percent", "status"),
    [(79, Status.PASS), (78, Status.PASS), (77, Status.FAIL), (81, Status.PASS)],
)
def test_a_drop_is_held_against_the_allowed_points(
    tmp_path: Path, percent: int, status: Status
) -> None:
    """Smaller passes, equal passes, larger fails. (contract: judges:O1)"""
    assert preserved(tmp_path, percent, 80, max_drop=2).status is status


@pytest.mark.parametrize("max_drop", [0.1, 0.3, 0.7])
def test_a_drop_of_just_as_many_points_passes(tmp_path: Path, max_drop: float) -> None:
    """Though binary fractions have it a little larger. (contract: judges:O1)"""
    baseline = round(80 + max_drop, 1)

    assert preserved(tmp_path, 80, baseline, max_drop=max_drop).passed
    assert not preserved(tmp_path, 80, round(baseline + 0.1, 1), max_drop=max_drop).passed


@pytest.mark.parametrize(
    "baseline",
    [None, "80 %", True, [80], {}, {"coverage": "much"}, {"coverage": {"branches": 80}}, 101, -1],
)
def test_without_a_baseline_nothing_is_compared(tmp_path: Path, baseline: object) -> None:
    """ABSTAIN, or ERROR where one is required. (contract: judges:O2)"""
    judgment = preserved(tmp_path, 80, baseline)
    required = preserved(tmp_path, 80, baseline, required=True)
    improvement = improved(tmp_path, 80, baseline, required=True)

    assert judgment.status is Status.ABSTAIN
    assert required.status is improvement.status is Status.ERROR
    assert required.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize("baseline", [80, {"coverage": 80}, {"coverage": {"lines": 80.0}}])
def test_the_context_may_have_the_baseline(tmp_path: Path, baseline: object) -> None:
    """As a number, at `coverage`, or there by metric; where it comes from is recorded."""
    judgment = preserved(tmp_path, 70, baseline)

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == (
        "70 % of lines ran (70 of 100), 10 points less than before (80 %); 0 points are allowed"
    )
    assert judgment.metadata["baseline"] == {"percent": 80.0, "from": "context"}


def test_a_report_may_be_the_baseline(tmp_path: Path) -> None:
    """It is read as any report, and its hash is recorded."""
    before = tmp_path / "before.info"
    before.write_text(tracefile(1, 3))
    workspace = tmp_path / "workspace"
    workspace.mkdir()

    judgment = preserved(workspace, 33, None, baseline=before)

    assert judgment.status is Status.FAIL
    recorded: Any = judgment.metadata["baseline"]
    assert recorded["from"] == "report"
    assert (recorded["covered"], recorded["total"]) == (1, 3)
    assert len(recorded["sha256"]) == 64


@pytest.mark.parametrize("content", [None, "", "SF:a.c\nend_of_record\n"])
def test_a_baseline_that_cannot_be_read_is_an_error(tmp_path: Path, content: str | None) -> None:
    """Missing, malformed, without counters: as for the report itself. (contract: judges:O3)"""
    before = tmp_path / "before.info"
    if content is not None:
        before.write_text(content)

    assert preserved(tmp_path, 50, None, baseline=str(before)).status is Status.ERROR


def test_a_number_is_a_baseline(tmp_path: Path) -> None:
    """It comes before the context's."""
    judgment = preserved(tmp_path, 70, 90, baseline=70)

    assert judgment.passed
    assert judgment.metadata["baseline"] == {"percent": 70.0, "from": "argument"}


@pytest.mark.parametrize("judge", ["preservation", "improvement"])
def test_a_file_that_is_left_out_of_the_report_is_a_failure(tmp_path: Path, judge: str) -> None:
    """What is not measured any more makes the percentage rise, and is found out."""
    for name in ("app.py", "src/hard.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    before = tmp_path / "before.info"
    before.write_text(
        tracefile(5, 10)
        + tracefile(0, 10, "/build/elsewhere/src/hard.py")
        + tracefile(0, 10, "deleted.py")
    )
    judges: dict[str, Judge] = {
        "preservation": CoveragePreservationJudge("lcov.info", baseline=before),
        "improvement": CoverageImprovementJudge("lcov.info", full_mark=50, baseline=before),
    }

    judgment = evaluate(judges[judge], run_in(tmp_path, tracefile(9, 10)))

    assert judgment.status is Status.FAIL
    assert [str(check.location) for check in judgment.failed_checks if check.location] == [
        "src/hard.py"
    ]
    assert judgment.effective_score == 0


def test_a_file_that_is_called_otherwise_is_not_lost(tmp_path: Path) -> None:
    """An absolute path of another machine and a relative one mean the same file."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").touch()
    before = tmp_path / "before.info"
    before.write_text(tracefile(5, 10, "/build/elsewhere/src/app.py"))

    judge = CoveragePreservationJudge("lcov.info", baseline=before)

    assert evaluate(judge, run_in(tmp_path, tracefile(9, 10, "src/app.py"))).passed


def test_an_improvement_is_scored_by_the_full_mark(tmp_path: Path) -> None:
    """30 points of 50 are .6. (contract: judges:O4)"""
    judgment = improved(tmp_path, 50, 20)

    assert judgment.passed
    assert judgment.effective_score == pytest.approx(0.6)


def test_more_than_the_full_mark_is_1(tmp_path: Path) -> None:
    """The score does not rise further."""
    assert improved(tmp_path, 90, 20).effective_score == 1


@pytest.mark.parametrize("percent", [20, 10])
def test_no_improvement_fails_with_0(tmp_path: Path, percent: int) -> None:
    """The same coverage, and less. (contract: judges:O5)"""
    judgment = improved(tmp_path, percent, 20)

    assert judgment.status is Status.FAIL
    assert judgment.effective_score == 0


def test_an_improvement_below_the_minimum_fails(tmp_path: Path) -> None:
    """The score says how far it came, below the minimum's own. (contract: judges:O6)"""
    judgment = improved(tmp_path, 25, 20, minimum=10)

    assert judgment.status is Status.FAIL
    assert judgment.effective_score == pytest.approx(5 / 50)
    assert judgment.reasoning == (
        "25 % of lines ran (25 of 100), 5 points more than before (20 %); "
        "at least 10 points are wanted"
    )
    assert improved(tmp_path, 30, 20, minimum=10).passed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"full_mark": 0}, "full_mark is 0"),
        ({"full_mark": 10, "minimum": 11}, "is above full_mark"),
        ({"full_mark": 10, "baseline": 0.5}, "write 50"),
        ({"full_mark": 10, "baseline": ""}, "cannot be a path"),
        ({"full_mark": 10, "minimum": -1}, "must lie in"),
    ],
)
def test_an_improvement_that_cannot_be_meant_is_refused(
    options: dict[str, Any], message: str
) -> None:
    """Before anything runs."""
    with pytest.raises(ArgumentError, match=message):
        CoverageImprovementJudge("lcov.info", **options)


def test_a_preservation_that_cannot_be_meant_is_refused() -> None:
    """A negative drop is a rise, which is another judge's."""
    with pytest.raises(ArgumentError, match="max_drop"):
        CoveragePreservationJudge("lcov.info", max_drop=-1)
    with pytest.raises(ArgumentTypeError):
        CoveragePreservationJudge("lcov.info", baseline=[80])  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError):
        CoveragePreservationJudge("lcov.info", required=1)  # type: ignore[arg-type]


@given(st.integers(0, 1000), st.integers(1, 1000))
def test_a_percentage_is_never_shown_better_than_it_is(covered: int, more: int) -> None:
    """It is cut, so that 100 % is all of it."""
    percent = Fraction(100 * covered, covered + more)

    shown = Fraction(percent_text(percent).removesuffix(" %"))

    assert shown <= percent < shown + Fraction(1, 100)


def test_a_number_means_what_is_written() -> None:
    """A tenth is a tenth."""
    assert exact(0.1) == Fraction(1, 10)
