"""The judge of what static analyses find, and the readers of their formats."""

from __future__ import annotations

from agent_judge.judges.findings.new_findings import FindingsJudge

__all__ = ["FindingsJudge"]
