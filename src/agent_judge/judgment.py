"""What a judge says: a status, why, an optional score, and the checks behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NoReturn

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, MAX_INTEGER, FrozenMap, Json, check_text, freeze_map
from agent_judge.scores import (
    BooleanScore,
    CategoricalScore,
    NumericalScore,
    Score,
    normalize,
    reaches,
)
from agent_judge.usage import Usage

EVIDENCE_KEY: Final = "agent_judge"
"""The metadata key under which the library itself records evidence; no caller may write it."""


HOLLOW: Final = "errors_alone"
"""The evidence of a FAIL against which nothing stands but errors that count as failures."""


class Status(Enum):
    """What a judge found.

    ABSTAIN: it applied and reached no finding. ERROR: it could not complete. NOT_APPLICABLE: a
    condition declared beforehand says that it has nothing to judge here.
    """

    PASS = "pass"
    FAIL = "fail"
    ABSTAIN = "abstain"
    ERROR = "error"
    NOT_APPLICABLE = "not_applicable"


class ReasonCode(Enum):
    """Why a judgment is not an ordinary finding: the closed set that machines read.

    An ERROR always carries one. A few rulings of the library carry one as well: `RUN_FAILED` on
    FAIL, `RUN_CANCELLED`, `QUORUM`, `NO_VOTES`, `SKIPPED` and `ORDER_FLIP` on ABSTAIN.
    """

    JUDGE_RAISED = "judge_raised"
    INVALID_JUDGMENT = "invalid_judgment"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    WORKERS_EXHAUSTED = "workers_exhausted"
    AGGREGATION_FAILED = "aggregation_failed"
    NOT_APPLICABLE_REFUSED = "not_applicable_refused"
    GATE_NOT_ESTABLISHED = "gate_not_established"
    STAGE_FAILED = "stage_failed"
    TOO_DEEP = "too_deep"
    INTERNAL = "internal"
    MISSING_EXTRA = "missing_extra"
    MISSING_INPUT = "missing_input"
    NO_WORKSPACE = "no_workspace"
    OUTSIDE_WORKSPACE = "outside_workspace"
    UNREADABLE_FILE = "unreadable_file"
    TOO_LARGE = "too_large"
    MALFORMED_EVIDENCE = "malformed_evidence"
    STALE_EVIDENCE = "stale_evidence"
    COMMAND_NOT_FOUND = "command_not_found"
    COMMAND_NOT_EXECUTABLE = "command_not_executable"
    COMMAND_KILLED = "command_killed"
    NO_BUILD_FOUND = "no_build_found"
    AMBIGUOUS_BUILD = "ambiguous_build"
    ISOLATION_UNAVAILABLE = "isolation_unavailable"
    MODEL_FAILED = "model_failed"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    UNREADABLE_REPLY = "unreadable_reply"
    PROTOCOL = "protocol"
    RUN_FAILED = "run_failed"
    RUN_CANCELLED = "run_cancelled"
    QUORUM = "quorum"
    NO_VOTES = "no_votes"
    SKIPPED = "skipped"
    ORDER_FLIP = "order_flip"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file of the workspace: POSIX path, line and column counted from 1.

    Raises:
        ArgumentError: A blank path, a line or column below 1, or a column without a line.
    """

    path: str
    line: int | None = None
    column: int | None = None

    def __post_init__(self) -> None:
        check_text(self.path, "location.path")
        if not self.path.strip():
            raise ArgumentError("location.path must not be blank")
        for name, number in (("line", self.line), ("column", self.column)):
            if number is not None and (type(number) is not int or not 1 <= number <= MAX_INTEGER):
                raise ArgumentError(f"location.{name} counts from 1, got {number!r}")
        if self.column is not None and self.line is None:
            raise ArgumentError("location.column needs a line")

    def __str__(self) -> str:
        numbers = (self.line, self.column)
        return ":".join([self.path, *(str(number) for number in numbers if number is not None)])


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, and whether it was as it should be.

    Args:
        name: What was looked at; names need not be unique.
        passed: Whether it was as it should be.
        message: What was found.
        examined: How many things were looked at to say so; a check that looked at nothing
            cannot pass.
        advisory: It informs and does not decide: a PASS may hold a failed advisory check.
        location: Where it was found.

    Raises:
        ArgumentError: A blank name, a negative `examined`, or a pass that examined nothing.
        ArgumentTypeError: A value of the wrong type.
    """

    name: str
    passed: bool
    message: str = ""
    examined: int = 1
    advisory: bool = False
    location: Location | None = None

    def __post_init__(self) -> None:
        if type(self.name) is not str or not self.name.isascii():
            check_text(self.name, "check.name")
        if type(self.message) is not str or not self.message.isascii():
            check_text(self.message, "check.message")
        if not self.name or self.name.isspace():
            raise ArgumentError("check.name must not be blank; say what was looked at")
        if type(self.passed) is not bool or type(self.advisory) is not bool:
            raise ArgumentTypeError(f"check {self.name!r}: passed and advisory are True or False")
        if type(self.examined) is not int or not 0 <= self.examined <= MAX_INTEGER:
            raise ArgumentError(
                f"check {self.name!r}: examined is a count from 0 up, not {self.examined!r}"
            )
        if self.passed and not self.examined:
            raise ArgumentError(
                f"check {self.name!r} passed with examined=0; nothing passes unexamined"
            )
        if self.location is not None and not isinstance(self.location, Location):
            raise ArgumentTypeError(f"check {self.name!r}: location must be a Location")

    def as_advisory(self) -> Check:
        """The same check, informing only."""
        if self.advisory:
            return self
        return Check(self.name, self.passed, self.message, self.examined, True, self.location)


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one judge found about one run.

    The factories (`passing`, `failing`, `abstaining`, `erring`, `not_applicable`, `scored`,
    `from_checks`) say it more readably than the constructor.

    Args:
        status: What was found.
        reasoning: Why; required unless PASS or FAIL.
        score: How good the run was; only on PASS or FAIL.
        label: A word for the finding, for example a category; not on ERROR.
        checks: What was looked at. A PASS holds no failed check that is not advisory, and not
            only checks that examined nothing.
        metadata: JSON-like facts; the key `"agent_judge"` belongs to the library (`evidence`).
        code: Machine-readable reason; required on ERROR.
        usage: What judging consumed, where a model was asked.
        elapsed: Seconds the judge took, set by the engine; it does not count when compared.

    Raises:
        ArgumentError: A combination that contradicts itself.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> Judgment.failing("no tests", checks=[Check("tests ran", False, examined=0)]).passed
        False
    """

    status: Status
    reasoning: str = ""
    score: Score | None = None
    label: str | None = None
    checks: tuple[Check, ...] = ()
    metadata: Mapping[str, Json] = EMPTY
    code: ReasonCode | None = None
    usage: Usage | None = None
    elapsed: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        status = self.status
        if type(status) is not Status:
            raise ArgumentTypeError(f"status must be a Status, not {status!r}")
        if type(self.reasoning) is not str or not self.reasoning.isascii():
            check_text(self.reasoning, "reasoning")
        if self.checks:
            _set(self, "checks", _check_tuple(self.checks, passing=status is Status.PASS))
        elif type(self.checks) is not tuple:
            _set(self, "checks", ())
        if self.metadata is not EMPTY:
            _set(self, "metadata", _caller_metadata(self.metadata))
        if status is not Status.PASS and status is not Status.FAIL:
            self._check_non_finding()
        self._check_optional()

    def _check_optional(self) -> None:
        if self.label is not None:
            self._check_label(self.label)
        if self.score is not None:
            self._check_score(self.score)
        if self.code is not None and type(self.code) is not ReasonCode:
            raise ArgumentTypeError(f"code must be a ReasonCode, not {self.code!r}")
        if self.usage is not None and type(self.usage) is not Usage:
            raise ArgumentTypeError(f"usage must be a Usage, not {self.usage!r}")
        if self.elapsed is not None:
            _check_elapsed(self.elapsed)

    def __bool__(self) -> NoReturn:
        raise TypeError("a Judgment is neither true nor false; ask for judgment.passed")

    @property
    def passed(self) -> bool:
        """Whether the status is PASS; everything else, ERROR and ABSTAIN too, is not."""
        return self.status is Status.PASS

    @property
    def effective_score(self) -> float | None:
        """The score in 0..1: the stored one, else 1.0 for PASS and 0.0 for FAIL, else none.

        A category without a declared number has no effective score.
        """
        if self.score is not None:
            return normalize(self.score)
        if self.status is Status.PASS:
            return 1.0
        return 0.0 if self.status is Status.FAIL else None

    @property
    def evidence(self) -> FrozenMap[Json]:
        """What the library itself recorded: how a vote was counted, which mark was applied."""
        recorded = self.metadata.get(EVIDENCE_KEY, EMPTY)
        return recorded if isinstance(recorded, FrozenMap) else EMPTY

    @property
    def failed_checks(self) -> tuple[Check, ...]:
        """The checks that failed and are not advisory."""
        return tuple(check for check in self.checks if not check.passed and not check.advisory)

    @classmethod
    def passing(
        cls,
        reasoning: str = "",
        *,
        score: Score | None = None,
        label: str | None = None,
        checks: Iterable[Check] = (),
        metadata: Mapping[str, Json] = EMPTY,
        usage: Usage | None = None,
    ) -> Judgment:
        """PASS: the run is as it should be."""
        return cls(Status.PASS, reasoning, score, label, _given(checks), metadata, usage=usage)

    @classmethod
    def failing(
        cls,
        reasoning: str = "",
        *,
        score: Score | None = None,
        label: str | None = None,
        checks: Iterable[Check] = (),
        metadata: Mapping[str, Json] = EMPTY,
        code: ReasonCode | None = None,
        usage: Usage | None = None,
    ) -> Judgment:
        """FAIL: the run is not as it should be."""
        return cls(Status.FAIL, reasoning, score, label, _given(checks), metadata, code, usage)

    @classmethod
    def abstaining(
        cls,
        reasoning: str,
        *,
        label: str | None = None,
        checks: Iterable[Check] = (),
        metadata: Mapping[str, Json] = EMPTY,
        code: ReasonCode | None = None,
        usage: Usage | None = None,
    ) -> Judgment:
        """ABSTAIN: the judge applied and reached no finding; the reasoning says why."""
        return cls(Status.ABSTAIN, reasoning, None, label, _given(checks), metadata, code, usage)

    @classmethod
    def erring(
        cls,
        reasoning: str,
        code: ReasonCode,
        *,
        checks: Iterable[Check] = (),
        metadata: Mapping[str, Json] = EMPTY,
        usage: Usage | None = None,
    ) -> Judgment:
        """ERROR: the judge could not complete, so nothing is known about the run."""
        return cls(Status.ERROR, reasoning, None, None, _given(checks), metadata, code, usage)

    @classmethod
    def not_applicable(cls, reasoning: str, *, metadata: Mapping[str, Json] = EMPTY) -> Judgment:
        """NOT_APPLICABLE: a condition declared beforehand says that there is nothing to judge."""
        return cls(Status.NOT_APPLICABLE, reasoning, metadata=metadata)

    @classmethod
    def scored(
        cls,
        value: float,
        *,
        threshold: float,
        low: float = 0.0,
        high: float = 1.0,
        reasoning: str = "",
        label: str | None = None,
        checks: Iterable[Check] = (),
        metadata: Mapping[str, Json] = EMPTY,
        usage: Usage | None = None,
    ) -> Judgment:
        """PASS when the normalised score reaches the threshold, else FAIL.

        Args:
            value: The raw score, between `low` and `high`; it is kept with its scale.
            threshold: The pass mark in 0..1; a score equal to it passes. It is recorded.
            low: Lower bound of the scale.
            high: Upper bound of the scale.
            reasoning: Why this score.
            label: A word for the finding.
            checks: What was looked at; failed ones are advisory when the mark was reached.
            metadata: JSON-like facts.
            usage: What judging consumed.
        """
        check_threshold(threshold)
        score = NumericalScore(value, low, high)
        reached = normalize(score)
        assert reached is not None
        passed = reaches(reached, threshold)
        kept = _advise_failed(_given(checks)) if passed else _given(checks)
        status = Status.PASS if passed else Status.FAIL
        judgment = cls(status, reasoning, score, label, kept, metadata, usage=usage)
        return with_evidence(judgment, FrozenMap({"threshold": threshold}))

    @classmethod
    def from_checks(
        cls,
        checks: Iterable[Check],
        reasoning: str = "",
        *,
        metadata: Mapping[str, Json] = EMPTY,
    ) -> Judgment:
        """PASS when every deciding check passed, FAIL when one failed.

        Checks that are advisory do not decide; with no deciding check at all nothing was
        examined, and the judgment is ABSTAIN.
        """
        kept = _given(checks)
        deciding = [check for check in kept if not check.advisory]
        failed = [check for check in deciding if not check.passed]
        if failed:
            return cls.failing(reasoning or _describe(failed), checks=kept, metadata=metadata)
        if not deciding:
            why = reasoning or "there was no check that decides: nothing was examined"
            return cls.abstaining(why, checks=kept, metadata=metadata)
        passed = reasoning or f"all {len(deciding)} checks passed"
        return cls.passing(passed, checks=kept, metadata=metadata)

    def _check_label(self, label: str) -> None:
        check_text(label, "label")
        if not label.strip():
            raise ArgumentError("label must not be blank; leave it out")
        if self.status is Status.ERROR:
            raise ArgumentError(f"an ERROR carries no label, got {label!r}")

    def _check_score(self, score: Score) -> None:
        if not isinstance(score, BooleanScore | NumericalScore | CategoricalScore):
            raise ArgumentTypeError(f"score must be a Score, not {score!r}")
        if self.status is not Status.PASS and self.status is not Status.FAIL:
            raise ArgumentError(f"{self.status.name} carries no score, got {score!r}")
        if isinstance(score, BooleanScore) and score.value is not (self.status is Status.PASS):
            raise ArgumentError(f"{self.status.name} contradicts {score!r}")

    def _check_non_finding(self) -> None:
        if not self.reasoning or self.reasoning.isspace():
            raise ArgumentError(f"{self.status.name} needs a reasoning that says why")
        if self.status is Status.ERROR and self.code is None:
            raise ArgumentError("ERROR needs a ReasonCode as code")


_new = object.__new__
_set = object.__setattr__


def with_evidence(judgment: Judgment, evidence: Mapping[str, Json]) -> Judgment:
    """The same judgment with what the library recorded added to its evidence.

    For the library alone: this is the one way past the reserved metadata key. A `FrozenMap` is
    taken as it is.
    """
    recorded = evidence if isinstance(evidence, FrozenMap) else freeze_map(evidence, "evidence")
    if judgment.metadata:
        recorded = FrozenMap({**judgment.evidence, **recorded})
    return replace_evidence(judgment, recorded)


def replace_evidence(judgment: Judgment, evidence: FrozenMap[Json]) -> Judgment:
    """The same judgment with this as its whole evidence; for the library alone, too."""
    return _with(judgment, metadata=FrozenMap({**judgment.metadata, EVIDENCE_KEY: evidence}))


def retold(
    judgment: Judgment, evidence: FrozenMap[Json], checks: tuple[Check, ...], usage: Usage
) -> Judgment:
    """The same judgment with other evidence, checks and usage; for the library alone, too."""
    told = replace_evidence(judgment, evidence)
    _set(told, "checks", _check_tuple(checks, passing=judgment.status is Status.PASS))
    _set(told, "usage", usage)
    return told


def is_hollow(judgment: Judgment) -> bool:
    """Whether a FAIL is made of errors alone, however many votes and judges lie between."""
    return judgment.evidence.get(HOLLOW) is True


def with_elapsed(judgment: Judgment, elapsed: float) -> Judgment:
    """The same judgment with the seconds it took."""
    return _with(judgment, elapsed=elapsed)


def check_threshold(threshold: object, name: str = "threshold") -> None:
    """Refuse a pass mark that is not a number in 0..1.

    Raises:
        ArgumentTypeError: It is not a number.
        ArgumentError: It is outside 0..1 or NaN.
    """
    if type(threshold) not in (int, float):
        raise ArgumentTypeError(f"{name} must be a number in 0..1, not {threshold!r}")
    if not 0 <= threshold <= 1:  # type: ignore[operator]
        raise ArgumentError(f"{name} must lie in 0..1, got {threshold}")


def _with(
    judgment: Judgment, metadata: FrozenMap[Json] | None = None, elapsed: float | None = None
) -> Judgment:
    """A copy with trusted changes; nothing is checked again, which keeps the engine fast."""
    copied = _new(Judgment)
    _set(copied, "status", judgment.status)
    _set(copied, "reasoning", judgment.reasoning)
    _set(copied, "score", judgment.score)
    _set(copied, "label", judgment.label)
    _set(copied, "checks", judgment.checks)
    _set(copied, "metadata", judgment.metadata if metadata is None else metadata)
    _set(copied, "code", judgment.code)
    _set(copied, "usage", judgment.usage)
    _set(copied, "elapsed", judgment.elapsed if elapsed is None else elapsed)
    return copied


def _given(checks: Iterable[Check]) -> tuple[Check, ...]:
    return checks if isinstance(checks, tuple) else tuple(checks)


def _check_tuple(checks: Iterable[Any], *, passing: bool) -> tuple[Check, ...]:
    kept = tuple(checks)
    examined = 0
    for check in kept:
        if type(check) is not Check:
            raise ArgumentTypeError(f"checks holds {check!r}, which is not a Check")
        if passing and not check.passed and not check.advisory:
            raise ArgumentError(
                f"PASS holds the failed check {check.name!r}; fail, or mark it advisory"
            )
        examined += check.examined
    if passing and kept and not examined:
        raise ArgumentError("every check of this PASS has examined=0; nothing was examined")
    return kept


def _check_elapsed(elapsed: object) -> None:
    if type(elapsed) not in (int, float) or not 0 <= elapsed <= MAX_INTEGER:  # type: ignore[operator]
        raise ArgumentError(f"elapsed must be a finite number of seconds, not {elapsed!r}")


def _caller_metadata(metadata: Mapping[str, Json]) -> FrozenMap[Json]:
    frozen = freeze_map(metadata, "metadata")
    for key in frozen:
        if key == EVIDENCE_KEY or key.startswith(f"{EVIDENCE_KEY}."):
            raise ArgumentError(f"metadata key {key!r} is reserved for the library's evidence")
    return frozen


def _advise_failed(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    return tuple(check if check.passed else check.as_advisory() for check in checks)


def _describe(failed: Iterable[Check]) -> str:
    return "; ".join(
        f"{check.name}: {check.message}" if check.message else check.name for check in failed
    )
