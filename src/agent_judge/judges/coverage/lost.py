"""Files that were measured before, are still there, and are not measured any more."""

from __future__ import annotations

from agent_judge.context import JudgmentContext
from agent_judge.judges.coverage.record import CoverageReport
from agent_judge.judges.reports.names import workspace_names
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Location


def lost_files(
    context: JudgmentContext, before: CoverageReport, now: CoverageReport
) -> list[Check]:
    """A failed check for each file whose coverage is not known any more.

    To leave a file with poor coverage out of the report raises the percentage, and says nothing
    of the tests. A file that was deleted is not lost.

    Raises:
        WorkspaceError: The workspace cannot be looked through.
    """
    missing = [file for file in before.files if file.path not in {file.path for file in now.files}]
    if not missing or not now.files:
        return []
    names = workspace_names(context)
    measured = {names.find(file.path, now.sources) for file in now.files}
    found = {file.path: names.find(file.path, before.sources) for file in missing}
    lost = {path for path in found.values() if path is not None} - measured
    return [
        Check(
            shown(path),
            False,
            "was measured before, is still there, and is not in the report",
            location=Location(shown(path)),
        )
        for path in sorted(lost)
    ]
