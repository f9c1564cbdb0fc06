"""What a jury says: the judgment, every seat behind it, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NoReturn

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import fits_json
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.protocol import check_name
from agent_judge.usage import Usage


class KeySource(Enum):
    """Where the key of a seat comes from: a person, the judge's code, or its place."""

    EXPLICIT = "explicit"
    DERIVED = "derived"
    POSITIONAL = "positional"


@dataclass(frozen=True, slots=True)
class Seat:
    """A judge's place in a jury, with what the judge found.

    Args:
        key: What the seat is called; unique in its jury.
        position: Its place in the configuration, from 0.
        judgment: What its judge found; a judge that failed to judge is an ERROR here, one that
            was not asked any more an ABSTAIN with the code SKIPPED.
        weight: What it counts under a weighted strategy.
        key_source: Where the key comes from.
        conditional: Whether its judge declared beforehand when it does not apply.
        verdict: The whole verdict, where the judge is itself a jury.
    """

    key: str
    position: int
    judgment: Judgment
    weight: float = 1.0
    key_source: KeySource = KeySource.EXPLICIT
    conditional: bool = False
    verdict: Verdict | None = None

    def __post_init__(self) -> None:
        check_name(self.key, "seat key")
        if type(self.judgment) is not Judgment:
            raise ArgumentTypeError(f"seat {self.key!r} needs a Judgment, not {self.judgment!r}")
        if type(self.weight) is not float or not 0.0 <= self.weight < _INFINITY:
            check_weight(self.weight, self.key)

    @property
    def elapsed(self) -> float | None:
        """Seconds the judge took."""
        return self.judgment.elapsed

    @property
    def usage(self) -> Usage | None:
        """What judging consumed."""
        return self.judgment.usage

    @property
    def skipped(self) -> bool:
        """Whether the judge was not asked any more, or not to the end."""
        return self.judgment.code is ReasonCode.SKIPPED


@dataclass(frozen=True, slots=True)
class Spending:
    """What a verdict cost.

    Attributes:
        judges: Judges that were asked.
        saved: Judges that were not asked, or not to the end, because the matter was decided.
        usage: What the judges reported to have consumed, added up; `None` where none did.
        unreported: Judges that ask a model and did not report what they consumed.
        elapsed: Seconds from begin to end.
    """

    judges: int = 0
    saved: int = 0
    usage: Usage | None = None
    unreported: int = 0
    elapsed: float = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """What settled a verdict.

    Attributes:
        stage: Path of the stage that did, `""` for this one itself.
        rule: The strategy or gate, for example `"majority"` or `"reject_on_any_fail"`.
        computed: Whether the judgment is the strategy's result; else the rule laid it down.
    """

    stage: str
    rule: str
    computed: bool


@dataclass(frozen=True, slots=True)
class StageFailure:
    """A stage that crashed: a code and the exception's type; its message goes to the log only."""

    code: ReasonCode
    exception: str


class StageEffect(Enum):
    """What a stage did to the verdict.

    CONTINUED: the next one was asked. DECIDED: it settled the matter. NOT_EXERCISED: a gate let
    the run through without having been fully tried, because a judge abstained.
    NOT_ESTABLISHED: a gate could not be tried, because a judge errored. COUNTED: its judgment
    was one vote of a meta jury. SKIPPED: it was not asked.
    """

    CONTINUED = "continued"
    DECIDED = "decided"
    NOT_EXERCISED = "not_exercised"
    NOT_ESTABLISHED = "not_established"
    COUNTED = "counted"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class StageAttempt:
    """What became of one stage of a cascade or one member of a meta jury.

    Exactly one of `verdict`, `failure` and `skipped` is there.

    Args:
        name: The stage.
        effect: What it did to the verdict.
        verdict: What it found.
        failure: How it crashed.
        skipped: Why it was not asked.
        rule: The gate it was under, in a cascade.
        note: More about the effect, for example which judges errored.
        weight: What it counts in a meta jury under a weighted strategy.
    """

    name: str
    effect: StageEffect
    verdict: Verdict | None = None
    failure: StageFailure | None = None
    skipped: str | None = None
    rule: str | None = None
    note: str = ""
    weight: float = 1.0

    def __post_init__(self) -> None:
        check_name(self.name, "stage name")
        outcomes = (self.verdict, self.failure, self.skipped)
        if sum(outcome is not None for outcome in outcomes) != 1:
            raise ArgumentError(
                f"stage {self.name!r} needs exactly one of verdict, failure and skipped"
            )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a jury found about one run.

    Not to be confused with `coordination.JudgeVerdict`, which says what the judging loop does
    next.

    Attributes:
        judgment: The finding.
        seats: One for every configured judge, in configuration order. A cascade or meta jury
            has none of its own: its stages keep theirs in `attempts`.
        decided_by: What settled it.
        attempts: One for every stage of a cascade or member of a meta jury, in order.
        cost: What it cost.
        name: What the jury is called.
    """

    judgment: Judgment
    seats: tuple[Seat, ...]
    decided_by: Decision
    attempts: tuple[StageAttempt, ...] = ()
    cost: Spending = Spending()
    name: str = "Jury"

    def __bool__(self) -> NoReturn:
        raise TypeError("a Verdict is neither true nor false; ask for verdict.passed")

    @property
    def status(self) -> Status:
        """The judgment's status."""
        return self.judgment.status

    @property
    def passed(self) -> bool:
        """Whether the status is PASS."""
        return self.judgment.passed

    @property
    def reasoning(self) -> str:
        """The judgment's reasoning."""
        return self.judgment.reasoning

    @property
    def score(self) -> float | None:
        """The judgment's effective score, in 0..1."""
        return self.judgment.effective_score

    def seat(self, key: str) -> Seat:
        """The seat of that key.

        Raises:
            KeyError: There is none; the message lists the keys.
        """
        for seat in self.seats:
            if seat.key == key:
                return seat
        raise KeyError(f"no seat {key!r}; there are {[seat.key for seat in self.seats]}")

    def stages(self) -> Iterator[tuple[str, StageAttempt]]:
        """Every stage below this verdict with its path, parents first.

        Paths are JSON pointers (RFC 6901) of stage names; nested juries count under their key.
        """
        yield from _stages(self, "")

    def all_seats(self) -> Iterator[tuple[str, Seat]]:
        """Every seat, also of stages and nested juries, with the path of the verdict it is in."""
        yield from (("", seat) for seat in self.seats)
        for path, attempt in self.stages():
            if attempt.verdict is not None:
                yield from ((path, seat) for seat in attempt.verdict.seats)


def member_seats(attempts: Iterable[StageAttempt]) -> tuple[Seat, ...]:
    """The members of a meta jury that did not crash, as the seats that its strategy counts."""
    return tuple(
        Seat(attempt.name, index, attempt.verdict.judgment, attempt.weight, conditional=True)
        for index, attempt in enumerate(attempts)
        if attempt.verdict is not None
    )


def _stages(verdict: Verdict, path: str) -> Iterator[tuple[str, StageAttempt]]:
    for attempt in (*verdict.attempts, *_nested(verdict.seats)):
        below = f"{path}/{pointer_token(attempt.name)}"
        yield below, attempt
        if attempt.verdict is not None:
            yield from _stages(attempt.verdict, below)


def _nested(seats: Iterable[Seat]) -> Iterator[StageAttempt]:
    for seat in seats:
        if seat.verdict is not None:
            yield StageAttempt(seat.key, StageEffect.COUNTED, verdict=seat.verdict)


def pointer_token(name: str) -> str:
    """A name as a part of a JSON pointer (RFC 6901, section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


_INFINITY: Final = float("inf")


def check_weight(weight: object, key: str) -> None:
    """Refuse a weight that is not a finite number from 0 up.

    Raises:
        ArgumentTypeError: It is not a number.
        ArgumentError: It is negative, NaN or infinite.
    """
    if type(weight) not in (int, float):
        raise ArgumentTypeError(f"the weight of {key!r} must be a number, not {weight!r}")
    if not (fits_json(weight) and weight >= 0):  # type: ignore[arg-type, operator]
        raise ArgumentError(f"the weight of {key!r} must be finite and not negative, got {weight}")
