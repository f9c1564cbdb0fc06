"""What a static analysis found, whichever tool made it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Severity(IntEnum):
    """How much a finding matters to the tool, in the three levels of SARIF."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """What it is called in options and messages."""
        return self.name.lower()


SEVERITIES: Final = tuple(severity.word for severity in Severity)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that an analysis points at.

    Attributes:
        rule: The rule's name in the tool; `""` where it has none.
        message: What the tool says.
        severity: How much it matters.
        path: The file, as the report names it; `""` where it is about no file.
        line: The line, counted from 1.
        column: The column, counted from 1.
        context: The code it is about, where the report quotes it.
    """

    rule: str
    message: str
    severity: Severity
    path: str = ""
    line: int | None = None
    column: int | None = None
    context: str = ""


@dataclass(frozen=True, slots=True)
class FindingsReport:
    """What a report of an analysis says.

    Attributes:
        format: The format it is written in, for example `"sarif"`.
        tool: What made it, where it says so.
        findings: What was found, in its order.
        analysed: How many files were analysed; `None` where it does not say.
        problems: Why the analysis was not complete, as far as it says so.
        suppressed: Findings that the code or the tool declares to be accepted; they do not count.
    """

    format: str
    tool: str = ""
    findings: tuple[Finding, ...] = ()
    analysed: int | None = None
    problems: tuple[str, ...] = ()
    suppressed: int = 0
