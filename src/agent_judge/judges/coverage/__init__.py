"""Judges of how much of the code ran, by the reports of ten formats; and of Java's class files."""

from __future__ import annotations

from agent_judge.judges.coverage.class_version import ClassVersionJudge
from agent_judge.judges.coverage.diff_coverage import DiffCoverageJudge
from agent_judge.judges.coverage.improvement import CoverageImprovementJudge
from agent_judge.judges.coverage.minimum import CoverageJudge
from agent_judge.judges.coverage.preservation import CoveragePreservationJudge

__all__ = [
    "ClassVersionJudge",
    "CoverageImprovementJudge",
    "CoverageJudge",
    "CoveragePreservationJudge",
    "DiffCoverageJudge",
]
