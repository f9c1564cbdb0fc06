"""Reports of tests, one module a format."""

from __future__ import annotations

from agent_judge.judges.testruns.formats.registry import FORMATS, report_in
from agent_judge.judges.testruns.formats.report import Report, Take

__all__ = ["FORMATS", "Report", "Take", "report_in"]
