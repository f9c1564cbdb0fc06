"""The annotated sources that gcov writes, one or several after each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_judge.judges.coverage.record import Counts
from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

BEGINS: Final = re.compile(r"\s*-:\s*0:Source:")
"""What an annotated source begins with."""

_LINE: Final = re.compile(
    r"\s*(?P<count>-|#####|=====|\d+(?:\.\d+)?[kMGTPEZY]?\*?):\s*(?P<number>\d{1,9}):(?P<text>.*)"
)
_WAY: Final = re.compile(r"branch\s+\d+ (?:taken (?P<taken>\d+)%?|never executed)")


def read_gcov(report: ReportFile, tally: Tally) -> None:
    """Read annotated sources; the branches of a line stand below it.

    Raises:
        FormatError: A line is not annotated.
    """
    file: FileTally | None = None
    number, ways = 0, Counts(0, 0)
    for line in report.lines():
        annotated = _LINE.fullmatch(line)
        if annotated is None:
            way = _WAY.match(line)
            if way:
                ways = ways.plus(Counts(int(int(way["taken"] or 0) > 0), 1))
            continue
        if file is not None:
            file.branch(number, *ways)
        number, ways = int(annotated["number"]), Counts(0, 0)
        if number:
            file = _annotated(file, annotated, number)
        elif annotated["text"].startswith("Source:"):
            file = tally.file(annotated["text"].removeprefix("Source:"))
    if file is not None:
        file.branch(number, *ways)


def _annotated(file: FileTally | None, line: re.Match[str], number: int) -> FileTally:
    if file is None:
        raise FormatError(f"line {number} stands there before its source is named")
    count = line["count"]
    if count != "-":
        file.line(number, ran=count[0] not in "#=" and count.strip("*") != "0")
    return file
