"""Reports of tests, one module a format."""

from __future__ import annotations

from agent_judge.judges.testruns.formats.registry import FORMATS, Report, report_reader

__all__ = ["FORMATS", "Report", "report_reader"]
