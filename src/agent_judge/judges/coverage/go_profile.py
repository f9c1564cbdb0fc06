"""Cover profiles of Go, as `go test -coverprofile` writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_judge.judges.coverage.tally import Tally
from agent_judge.judges.reports.faults import FormatError, whole_number

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

BEGINS: Final = "mode:"
"""What a profile begins with."""

MAX_BLOCKS: Final = 1_000_000
"""Blocks of a profile."""

_MODE: Final = re.compile(r"mode:\s*(set|count|atomic)\s*")
_BLOCK: Final = re.compile(
    r"(?P<path>.+):(?P<span>(?P<first>\d{1,9})\.\d{1,9},(?P<last>\d{1,9})\.\d{1,9}) "
    r"(?P<statements>\d{1,9}) (?P<count>\d+)\s*"
)


class _Block(NamedTuple):
    """Statements that run together, or not at all."""

    path: str
    first: int
    last: int
    statements: int
    ran: bool


def read_go_profile(report: ReportFile, tally: Tally) -> None:
    """Read a profile: blocks of statements, each with whether it ran.

    A block may stand there several times, for example once a test binary; it ran when one of them
    says so. A line ran when a block that covers it did, as an `if` that ran does whose body did
    not.

    Raises:
        FormatError: A line is no block.
    """
    blocks: dict[tuple[str, str], _Block] = {}
    for number, line in enumerate(report.lines(), 1):
        if _MODE.fullmatch(line) or not line.strip():
            continue
        found = _BLOCK.fullmatch(line)
        if found is None:
            raise FormatError(f"line {number} is no block of a cover profile: {line[:80]!r}")
        block = _block(found)
        place = (block.path, found["span"])
        if block.ran or place not in blocks:
            blocks[place] = block
        if len(blocks) > MAX_BLOCKS:
            raise FormatError(f"it has more than {MAX_BLOCKS} blocks")
    for block in blocks.values():
        file = tally.file(block.path)
        tally.span(file, block.first, block.last, ran=block.ran)
        file.count("statements", block.statements if block.ran else 0, block.statements)


def _block(found: re.Match[str]) -> _Block:
    ran = whole_number(found["count"], "the count of a block") > 0
    first, last, statements = (int(found[name]) for name in ("first", "last", "statements"))
    return _Block(found["path"], first, last, statements, ran)
