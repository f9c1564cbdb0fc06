"""Collecting what a report of an analysis says, within bounds."""

from __future__ import annotations

from typing import Any, Final

from agent_judge.judges.findings.record import Finding, FindingsReport, Severity
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.names import posix_name

MAX_FINDINGS: Final = 200_000
"""Findings in one report."""

MAX_FILES: Final = 1_000_000
"""Files that a report says were analysed, by their names."""

MAX_PROBLEMS: Final = 20
"""Problems that are kept; more of them tell no more."""

MESSAGE: Final = 2_000
"""Characters of a message."""

NAME: Final = 4_096
"""Characters of a path or a rule."""

MAX_LINE: Final = 2**31


class Gathering:
    """What was read of a report so far."""

    def __init__(self) -> None:
        self.tool = ""
        self.suppressed = 0
        self._findings: list[Finding] = []
        self._analysed: set[str] | None = None
        self._count: int | None = None
        self._problems: list[str] = []

    def finding(
        self,
        *,
        rule: object,
        message: object,
        severity: Severity,
        path: object = "",
        line: object = None,
        column: object = None,
        context: object = "",
    ) -> None:
        """Note a finding; numbers that count from 1 and do not are left out.

        Raises:
            FormatError: There are too many.
        """
        if len(self._findings) >= MAX_FINDINGS:
            raise FormatError(f"it has more than {MAX_FINDINGS} findings")
        known_line = _counted(line)
        self._findings.append(
            Finding(
                text(rule)[:NAME],
                text(message).strip()[:MESSAGE],
                severity,
                posix_name(text(path)[:NAME]),
                known_line,
                None if known_line is None else _counted(column),
                text(context).strip()[:MESSAGE],
            )
        )

    def analysed_file(self, path: str) -> None:
        """Note that a file was analysed, whether or not something was found in it."""
        self.analysed_files()
        assert self._analysed is not None
        if len(self._analysed) >= MAX_FILES:
            raise FormatError(f"it names more than {MAX_FILES} files")
        self._analysed.add(path[:NAME])

    def analysed_files(self) -> None:
        """Note that the report names each file that was analysed, if any was."""
        if self._analysed is None:
            self._analysed = set()

    def analysed_count(self, count: int) -> None:
        """Note how many files were analysed, or how many more."""
        if not 0 <= count < MAX_LINE:
            raise FormatError(f"{count} is no number of files")
        self._count = count + (self._count or 0)

    def problem(self, why: object) -> None:
        """Note why the analysis was not complete."""
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(text(why).strip()[:MESSAGE] or "for a reason it does not give")

    def report(self, format_: str) -> FindingsReport:
        """All that was read."""
        counted = self._count if self._analysed is None else len(self._analysed)
        return FindingsReport(
            format_,
            self.tool[:NAME],
            tuple(self._findings),
            counted,
            tuple(self._problems),
            self.suppressed,
        )


def text(value: Any) -> str:
    """A text of a report; anything else is none."""
    return value if isinstance(value, str) else ""


def _counted(value: object) -> int | None:
    """A number that counts from 1, as reports write it."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        value = int(value)
    return value if type(value) is int and 1 <= value <= MAX_LINE else None
