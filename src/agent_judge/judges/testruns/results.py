"""What a report says of each test, whichever tool wrote it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from agent_judge.judges.showing import shown

MESSAGE_LIMIT: Final = 2_000
"""Characters that are kept of what a test says of its end."""


NAME_LIMIT: Final = 1_000
"""Characters that are kept of a name that many tests share: of their file, or of the test above."""


class Outcome(Enum):
    """How a test ended.

    FAILED: what it asserts is not so. ERRORED: it could not be carried through. EXPECTED_FAILURE:
    it failed, as its author said it would (xfail, TODO). UNEXPECTED_PASS: it passed, although its
    author said it would fail.
    """

    PASSED = "passed"
    FAILED = "failed"
    ERRORED = "errored"
    SKIPPED = "skipped"
    EXPECTED_FAILURE = "expected failure"
    UNEXPECTED_PASS = "unexpected pass"

    @property
    def is_bad(self) -> bool:
        """Whether it says that something is not as it should be."""
        return self in _BAD

    @property
    def is_executed(self) -> bool:
        """Whether the test ran at all."""
        return self is not Outcome.SKIPPED


_BAD: Final = frozenset({Outcome.FAILED, Outcome.ERRORED})


class CaseResult(NamedTuple):
    """One test, as a report tells of it.

    A tuple, since a report may tell of a million.

    Attributes:
        name: What the test is called, parameters included.
        outcome: How it ended.
        class_name: The class, module, package or group that it is in.
        file: Its file, as the report has it: relative, absolute, or a URL.
        line: The line where it failed, or where it begins, counted from 1.
        message: What it says of its end.
        duration: Seconds.
        flaky: It failed at first, and passed when it was tried again.
    """

    name: str
    outcome: Outcome
    class_name: str = ""
    file: str | None = None
    line: int | None = None
    message: str = ""
    duration: float | None = None
    flaky: bool = False

    @property
    def id(self) -> str:
        """Where it is and what it is called, joined as pytest does: `tests/test_a.py::test_b`."""
        return f"{self.class_name}::{self.name}" if self.class_name else self.name


class Counts(NamedTuple):
    """How many tests there were, and how they ended, as a report itself sums them up.

    What it does not say is `None`.
    """

    tests: int | None = None
    failures: int | None = None
    errors: int | None = None
    skipped: int | None = None

    @property
    def bad(self) -> int:
        """Tests that failed, for whichever reason."""
        return (self.failures or 0) + (self.errors or 0)

    def plus(self, other: Counts) -> Counts:
        """Both together; what one of them does not say counts as nothing."""
        pairs = zip(self, other, strict=True)
        return Counts(*(_sum(mine, others) for mine, others in pairs))


def _sum(mine: int | None, other: int | None) -> int | None:
    return None if mine is None and other is None else (mine or 0) + (other or 0)


class Faults:
    """What a report says went wrong outside of any test: a few of them, and how many."""

    LIMIT: Final = 50

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[str] = []

    def add(self, fault: str) -> None:
        """Take one in."""
        self.count += 1
        if len(self.kept) < self.LIMIT:
            self.kept.append(clipped(fault))

    def take(self, others: Faults) -> None:
        """Take in what another report says."""
        self.extend(others.kept)
        self.count += others.count - len(others.kept)

    def extend(self, faults: Iterable[str]) -> None:
        """Take several in."""
        for fault in faults:
            self.add(fault)


def clipped(text: str) -> str:
    """A text of a report, stripped, without what cannot be shown, and not longer than is kept."""
    text = text.strip()
    if len(text) > MESSAGE_LIMIT:
        text = text[: MESSAGE_LIMIT - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(shown(line) if line else "" for line in text.splitlines())


def seconds(text: str | None) -> float | None:
    """A duration as reports write it; `None` for what is none.

    Of a comma and a point, the last one begins the fraction: thousands may be grouped.
    """
    if not text or len(text) > _WIDTH:
        return None
    decimal = "," if text.rfind(",") > text.rfind(".") else "."
    grouping = "." if decimal == "," else ","
    try:
        value = float(text.replace(grouping, "").replace(decimal, "."))
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def whole(text: str | None) -> int | None:
    """A count or a line as reports write it; `None` for what is none."""
    if text is None or len(text) > _WIDTH:
        return None
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() else None


_WIDTH: Final = 15
"""Characters of a number; longer ones are none that a test took or counted."""
