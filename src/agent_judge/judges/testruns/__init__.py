"""Judges of test runs: `TestsPassJudge` runs them, `TestReportJudge` reads what a run left."""

from __future__ import annotations

from agent_judge.judges.testruns.report_judge import TestReportJudge
from agent_judge.judges.testruns.tests_pass import TestsPassJudge

__all__ = ["TestReportJudge", "TestsPassJudge"]
