"""Judges of test runs: `TestsPassJudge` runs them, `TestReportJudge` reads what a run left."""

from __future__ import annotations

from agent_judge.judges.testruns.report_judge import TestReportJudge

__all__ = ["TestReportJudge"]
