"""What a run of tests comes to: how its command ended, what was seen, what its reports say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from agent_judge.frozen import Json
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.process.judging import judge_end
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.demands import Demands
from agent_judge.judges.testruns.locating import Locator
from agent_judge.judges.testruns.observed import LeftOut, Record
from agent_judge.judges.testruns.results import CaseResult, Outcome
from agent_judge.judges.testruns.running import Ran, TestRun
from agent_judge.judges.testruns.summing import Summary
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judgment import Check, Judgment, ReasonCode, Status

_ENDS_BY_ITSELF: Final = range(126)
"""Exit codes that say something of the tests; 126 and 127 say that a program could not be run."""

_SHOWN: Final = 5
"""Tests that a message names."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run is judged by.

    Attributes:
        workspace: Where the work is.
        folder: The folder that the tests ran in.
        demands: What is demanded of them.
        baseline: How many tests ran before the work.
        touched: What the work touched of that which decides about it.
        allows_left_out: Whether tests may be left out by the project itself.
    """

    workspace: Path
    folder: str
    demands: Demands
    baseline: int | None
    touched: Sequence[Check]
    allows_left_out: bool


def judge_run(run: TestRun, ran: Ran, setting: Setting) -> Judgment:
    """PASS or FAIL by the tests; ERROR where they did not run to an end that says something.

    Raises:
        WorkspaceError: A report cannot be read, or there is none that is of this run.
    """
    end = judge_end(ran.completed, _ENDS_BY_ITSELF)
    if end.status is Status.ERROR:
        return _erring(end, ran)
    tally = Tally(setting.demands.wanted())
    if ran.record is not None:
        _take_record(ran.record, ran, tally)
    else:
        _take_reports(run, ran, tally)
    checks = [
        *_ending(ran, tally, setting),
        *(_seen(ran.record, setting) if ran.record is not None else ()),
        *setting.touched,
        *ran.notes,
    ]
    with open_workspace(setting.workspace) as workspace:
        summary = Summary(
            tally,
            setting.demands,
            setting.baseline,
            Locator(workspace, setting.folder),
            checks,
            _facts(run, ran, end),
        )
        return summary.judgment(run.runner.name)


def _erring(end: Judgment, ran: Ran) -> Judgment:
    """The ERROR of a command that did not end by itself, and the tests that ran meanwhile."""
    running = list(ran.record.open) if ran.record is not None else []
    if not running:
        return end
    assert end.code is not None
    during = ", ".join(shown(name) for name in running[:_SHOWN])
    why = f"{end.reasoning}, during {during}"
    return Judgment.erring(why, end.code, metadata=end.metadata)


def _take_record(record: Record, ran: Ran, tally: Tally) -> None:
    """Count what was told of the tests.

    Raises:
        WorkspaceError: No test could be run, or a part of the record is missing.
    """
    if record.unusable:
        raise WorkspaceError(
            f"{shown(record.unusable)}; install it there, or name another interpreter with python=",
            ReasonCode.COMMAND_NOT_FOUND,
        )
    if not record.tool:
        words = ran.completed.stderr.strip().splitlines()
        raise WorkspaceError(
            f"the interpreter ended before the tests began: {shown(words[-1]) if words else ''}",
            ReasonCode.COMMAND_NOT_EXECUTABLE,
        )
    if record.missing:
        raise WorkspaceError(
            "a part of what was told of the tests is missing", ReasonCode.MALFORMED_EVIDENCE
        )
    for result in record.results:
        tally.add(result)
    for name in record.open:
        tally.add(CaseResult(name, Outcome.ERRORED, message="it began, and did not end"))


def _take_reports(run: TestRun, ran: Ran, tally: Tally) -> None:
    """Count what the reports say.

    Raises:
        WorkspaceError: There is none of this run, or one cannot be read.
    """
    collected = ran.collected
    if not collected.reports:
        if collected.stale:
            raise WorkspaceError(
                f"the run wrote no report: {shown(collected.stale[0])} was there before it",
                ReasonCode.STALE_EVIDENCE,
            )
        _refuse_silence(run, ran)
    for name, content in collected.reports.items():
        tally.read(ReportFile.of(content, shown(name), len(content) + 1), run.reports.format)


def _refuse_silence(run: TestRun, ran: Ran) -> NoReturn:
    end = judge_end(ran.completed, (0,))
    raise WorkspaceError(
        f"{run.runner.name} wrote no report; {end.reasoning}", ReasonCode.MISSING_INPUT
    )


def _ending(ran: Ran, tally: Tally, setting: Setting) -> Iterator[Check]:
    """Whether the exit code, and what was told, agree on how it ended."""
    code = ran.completed.exit_code
    said_bad = bool(tally.failed or tally.faults.count)
    explained = setting.demands.has_lists and said_bad
    message = f"{code}, and the report holds {tally.failed} failures"
    yield Check("exit code", code == 0 or explained, message)
    record = ran.record
    if record is not None:
        message = "the run was told of to its end"
        if record.exit is None:
            message = f"the run broke off, and ended with {code}"
        elif record.exit != code:
            message = f"the tests ended with {record.exit}, and the program with {code}"
        elif record.told != len(record.results):
            message = f"{len(record.results)} results were told, and {record.told} counted"
        is_whole = record.exit == code and record.told == len(record.results)
        yield Check("end of the run", is_whole, message)
    if ran.collected.stale:
        message = f"{len(ran.collected.stale)} reports were there before and were not read"
        yield Check("old reports", False, message, advisory=True)


def _seen(record: Record, setting: Setting) -> Iterator[Check]:
    """What was seen beside the tests."""
    for what in record.tampered:
        yield Check("tampered with", False, shown(what))
    advisory = setting.allows_left_out or setting.demands.has_lists
    for left_out in record.left_out:
        yield Check(
            f"tests {left_out.how}", False, _named(left_out), left_out.count, advisory=advisory
        )


def _named(left_out: LeftOut) -> str:
    named = ", ".join(shown(name) for name in left_out.ids[:_SHOWN])
    more = left_out.count - min(_SHOWN, len(left_out.ids))
    told = f"{named} and {more} more" if more > 0 else named
    return f"{told}; with left_out='report' this is only told of"


def _facts(run: TestRun, ran: Ran, end: Judgment) -> dict[str, Json]:
    facts: dict[str, Json] = {
        **end.metadata,
        "ran": True,
        "runner": run.runner.name,
        "watched": ran.record is not None,
    }
    if ran.record is not None:
        facts["tool"] = ran.record.tool
    else:
        facts["reports"] = [shown(name) for name in list(ran.collected.reports)[:20]]
    if ran.restored:
        facts["put_back"] = [shown(path) for path in ran.restored[:20]]
        facts["files_put_back"] = len(ran.restored)
    return facts
