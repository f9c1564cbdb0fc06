"""What of a test matters to whether its assertions run, the same for every language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

Block: TypeAlias = "tuple[Statement, ...]"


class Rank(IntEnum):
    """How much an assertion says of what it looks at."""

    EXISTS = 0
    COMPARES = 1
    EQUALS = 2
    EQUALS_ALL = 3


@dataclass(frozen=True, slots=True)
class Assertion:
    """A statement that fails the test unless something holds.

    Attributes:
        line: Where it is.
        text: It, with blanks made even and tolerances taken out.
        subject: What it looks at.
        rank: How much it says of that.
        tolerances: How far apart two numbers may be for it, by the name of the tolerance.
        always: Whether it holds whatever happens.
    """

    line: int
    text: str
    subject: str = ""
    rank: Rank = Rank.EQUALS
    tolerances: Mapping[str, float] = field(default_factory=dict[str, float])
    always: bool = False


@dataclass(frozen=True, slots=True)
class Failing:
    """A statement that fails the test when it is reached; under a condition, an assertion.

    Attributes:
        line: Where it is.
        text: It.
        leaves: Whether nothing of its block runs after it.
    """

    line: int
    text: str
    leaves: bool = True


@dataclass(frozen=True, slots=True)
class Skipping:
    """A statement that ends the test without a verdict when it is reached."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """A statement after which nothing of its block runs.

    Attributes:
        line: Where it is.
        text: It.
        far: Whether it leaves the whole test, not only a loop.
    """

    line: int
    text: str
    far: bool = True


@dataclass(frozen=True, slots=True)
class Branching:
    """A choice between blocks.

    Attributes:
        line: Where it begins.
        text: The condition.
        arms: The blocks.
        taken: The index of the arm that always runs; beyond the last one where none ever does;
            `None` where that depends.
        complete: Whether one of them runs in any case.
    """

    line: int
    text: str
    arms: tuple[Block, ...]
    taken: int | None = None
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Looping:
    """A block that runs any number of times, or never."""

    line: int
    text: str
    body: Block
    never: bool = False


@dataclass(frozen=True, slots=True)
class Attempting:
    """A block whose failure other blocks handle.

    Attributes:
        line: Where it begins.
        text: What handles it.
        body: What is attempted.
        handlers: What runs when it fails.
        last: What runs in any case.
        swallows: Whether a failed assertion in it is forgotten.
    """

    line: int
    text: str
    body: Block
    handlers: tuple[Block, ...] = ()
    last: Block = ()
    swallows: bool = False


@dataclass(frozen=True, slots=True)
class Calling:
    """A call of a function by its name, which may be one of the file."""

    line: int
    name: str


Statement: TypeAlias = (
    Assertion | Failing | Skipping | Leaving | Branching | Looping | Attempting | Calling
)


@dataclass(frozen=True, slots=True)
class Marker:
    """What keeps a test from being run: an annotation, or a statement that is reached."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a file of tests.

    Attributes:
        name: Its name, with those of what it is in.
        line: Where it begins.
        body: Its statements.
        shape: A hash of its code, without its name.
        markers: What keeps it from being run.
        cases: How many times it is run with other parameters; `None` where that is not known.
        is_test: Whether it is run as a test.
        reachable_by: What a call names it by.
    """

    name: str
    line: int
    body: Block
    shape: str
    markers: tuple[Marker, ...] = ()
    cases: int | None = 1
    is_test: bool = True
    reachable_by: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The functions of a file, and what keeps all its tests from being run."""

    functions: tuple[Function, ...]
    markers: tuple[Marker, ...] = ()
