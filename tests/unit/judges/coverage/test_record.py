from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError
from agent_judge.judges.coverage import tally
from agent_judge.judges.coverage.record import Counts, FileCoverage, Lines, check_metric
from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError

NUMBERS = st.sets(st.integers(0, 100_000), max_size=50)


@given(NUMBERS, NUMBERS)
def test_lines_are_kept_in_order_and_once(covered: set[int], missed: set[int]) -> None:
    """A line that ran somewhere ran, however often it is mentioned."""
    lines = Lines.of(covered, missed)

    assert lines.covered == tuple(sorted(covered))
    assert lines.missed == tuple(sorted(missed - covered))
    assert lines.counts == Counts(len(covered), len(covered | missed))


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=60))
def test_a_tally_does_not_mind_the_order(mentions: list[tuple[int, bool]]) -> None:
    """Mentioned in whatever order, the lines are the same."""
    file = FileTally("a.py")
    for number, ran in mentions:
        file.line(number, ran=ran)

    covered = [number for number, ran in mentions if ran]
    assert file.record().lines == Lines.of(covered, [number for number, _ in mentions])


def test_a_record_is_a_value() -> None:
    """It can be compared, copied and pickled."""
    file = FileCoverage("a.py", Lines.of([1], [2]), {1: Counts(1, 2)})

    assert copy.deepcopy(file) == pickle.loads(pickle.dumps(file)) == file


def test_a_percentage_is_exact() -> None:
    """A third is a third; of nothing there is no share."""
    assert Counts(1, 3).percent == Fraction(100, 3)
    assert Counts(0, 0).percent is None


def test_bounds_of_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """More files, or lines of a file, than any project has are refused."""
    monkeypatch.setattr(tally, "MAX_FILES", 2)
    monkeypatch.setattr(tally, "MAX_LINES", 2)
    report = Tally()
    for name in ("a", "b", "b"):
        report.file(name)
    file = FileTally("a")
    file.lines([1, 2, 3], ran=True)

    with pytest.raises(FormatError, match="more than 2 files"):
        report.file("c")
    with pytest.raises(FormatError, match="more than 2 lines"):
        file.record()


def test_an_unknown_metric_is_refused() -> None:
    """The message lists those that are known."""
    with pytest.raises(ArgumentError, match="lines, branches, lines_and_branches, statements"):
        check_metric("functions")
