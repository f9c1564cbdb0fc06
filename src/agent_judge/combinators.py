"""Judges made of judges, by logic: `all_of`, `any_of`, `negate`, `with_timeout`; and `named`.

A definite finding beats an abstention, an error never becomes a finding, and what the judges
inside looked at is kept: a check that disagrees with the outcome stays, marked advisory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_seconds
from agent_judge.engine.ask import Asked
from agent_judge.engine.doors import aenter
from agent_judge.engine.run import Run
from agent_judge.engine.together import ask_all
from agent_judge.errors import ArgumentError
from agent_judge.frozen import FrozenMap, Json
from agent_judge.judgment import (
    HOLLOW,
    Check,
    Judgment,
    ReasonCode,
    Status,
    is_hollow,
    with_evidence,
)
from agent_judge.protocol import Judge, JudgeMetadata, named
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore, Score
from agent_judge.usage import Usage

__all__ = ["all_of", "any_of", "named", "negate", "with_timeout"]


def all_of(*judges: Judge) -> Judge:
    """A judge that passes when all of these do.

    They are asked in order. The first FAIL decides and the rest are not asked; else an ERROR
    gives ERROR, an ABSTAIN gives ABSTAIN, and NOT_APPLICABLE is left out.

    Raises:
        ArgumentError: No judges.

    Example:
        >>> from agent_judge import Judgment, JudgmentContext, evaluate
        >>> both = all_of(lambda c: Judgment.passing(), lambda c: Judgment.failing("no"))
        >>> evaluate(both, JudgmentContext()).status.name
        'FAIL'
    """
    return InOrder("all_of", _asked("all_of", judges), Status.FAIL, Status.PASS)


def any_of(*judges: Judge) -> Judge:
    """A judge that passes when one of these does.

    They are asked in order. The first PASS decides and the rest are not asked; else an ERROR
    gives ERROR, an ABSTAIN gives ABSTAIN, and NOT_APPLICABLE is left out.

    Raises:
        ArgumentError: No judges.
    """
    return InOrder("any_of", _asked("any_of", judges), Status.PASS, Status.FAIL)


def negate(judge: Judge) -> Judge:
    """A judge that passes when this one fails, and fails when it passes.

    A failure that examined nothing, or that is made of errors alone, is no ground to pass: its
    negation is ABSTAIN. That the run itself failed stays a FAIL.
    """
    return Negation(Asked(judge))


def with_timeout(judge: Judge, seconds: float) -> Judge:
    """The same judge with a deadline of its own, after which it is ERROR `timeout`.

    Raises:
        ArgumentError: A number of seconds that is not positive and finite.
    """
    check_seconds(seconds, "seconds")
    return Deadline(Asked(judge), seconds)


@dataclass(frozen=True, slots=True)
class InOrder:
    """Asks judges in order until one gives the deciding status.

    Attributes:
        decides: The status that decides at once.
        otherwise: The status when every judge gave it (those not applicable aside).
    """

    name: str
    children: tuple[Asked, ...]
    decides: Status
    otherwise: Status

    @property
    def spec(self) -> Mapping[str, Json]:
        """What it is, as configuration writes it beside the judges inside."""
        return FrozenMap({"type": self.name})

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of the judges together."""
        return _joint_metadata(self.name, self.children)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Judge one run."""
        run = Run()
        return await aenter(run, self.judge_in(run, context))

    async def judge_in(self, run: Run, context: JudgmentContext) -> Judgment:
        """Ask the judges within a run."""
        found: list[tuple[str, Judgment]] = []
        for child in self.children:
            judgment = await _ask_one(run, child, context)
            found.append((child.name, judgment))
            if judgment.status is self.decides:
                break
        return _combine(self.name, _outcome(found, self.decides, self.otherwise), found)


@dataclass(frozen=True, slots=True)
class Negation:
    """Turns PASS and FAIL round."""

    child: Asked

    @property
    def spec(self) -> Mapping[str, Json]:
        """What it is, as configuration writes it beside the judge inside."""
        return FrozenMap({"type": "negate"})

    @property
    def children(self) -> tuple[Asked, ...]:
        """The judge inside."""
        return (self.child,)

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of the judge inside, under the name of the negation."""
        return _joint_metadata("negate", self.children)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Judge one run."""
        run = Run()
        return await aenter(run, self.judge_in(run, context))

    async def judge_in(self, run: Run, context: JudgmentContext) -> Judgment:
        """Ask the judge within a run."""
        return _negated(self.child.name, await _ask_one(run, self.child, context))


@dataclass(frozen=True, slots=True)
class Deadline:
    """Gives a judge a deadline of its own."""

    child: Asked
    seconds: float

    @property
    def spec(self) -> Mapping[str, Json]:
        """What it is, as configuration writes it beside the judge inside."""
        return FrozenMap({"type": "with_timeout", "seconds": self.seconds})

    @property
    def children(self) -> tuple[Asked, ...]:
        """The judge inside."""
        return (self.child,)

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of the judge inside."""
        return self.child.metadata

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Judge one run."""
        run = Run()
        return await aenter(run, self.judge_in(run, context))

    async def judge_in(self, run: Run, context: JudgmentContext) -> Judgment:
        """Ask the judge within a run."""
        (turn,) = await ask_all(run, (self.child,), context, timeout=self.seconds)
        assert turn.judgment is not None
        return turn.judgment


Combinator: TypeAlias = InOrder | Negation | Deadline
"""A judge that one of these functions made of others."""


async def _ask_one(run: Run, child: Asked, context: JudgmentContext) -> Judgment:
    (turn,) = await ask_all(run, (child,), context)
    assert turn.judgment is not None
    return turn.judgment


def _asked(name: str, judges: Sequence[Judge]) -> tuple[Asked, ...]:
    if not judges:
        raise ArgumentError(f"{name}() needs at least one judge; nothing passes unexamined")
    return tuple(Asked(judge) for judge in judges)


def _joint_metadata(name: str, children: Sequence[Asked]) -> JudgeMetadata:
    known = [child.metadata for child in children]
    costs = [metadata.cost for metadata in known]
    return JudgeMetadata(
        name=name,
        cost=None if None in costs else max(cost for cost in costs if cost is not None),
        type=name,
        needs=tuple(dict.fromkeys(need for metadata in known for need in metadata.needs)),
        version="+".join(metadata.version for metadata in known),
        conditional=all(metadata.conditional for metadata in known),
    )


def _outcome(found: Iterable[tuple[str, Judgment]], decides: Status, otherwise: Status) -> Status:
    statuses = {judgment.status for _, judgment in found}
    for status in (decides, Status.ERROR, Status.ABSTAIN, otherwise):
        if status in statuses:
            return status
    return Status.NOT_APPLICABLE


def _combine(name: str, outcome: Status, found: Sequence[tuple[str, Judgment]]) -> Judgment:
    reasons = [
        f"{child} {judgment.status.value}"
        + (f": {judgment.reasoning}" if judgment.reasoning else "")
        for child, judgment in found
    ]
    usages = [judgment.usage for _, judgment in found if judgment.usage is not None]
    combined = Judgment(
        outcome,
        f"{name}: {'; '.join(reasons)}",
        checks=tuple(
            agreeing(check, outcome)
            for child, judgment in found
            for check in checks_of(child, judgment)
        ),
        code=_first_error(found) if outcome is Status.ERROR else None,
        usage=Usage.total(usages) if usages else None,
    )
    evidence: dict[str, Json] = {"children": [_summary(*child) for child in found]}
    against = [judgment for _, judgment in found if judgment.status is Status.FAIL]
    if outcome is Status.FAIL and all(map(is_hollow, against)):
        evidence[HOLLOW] = True
    return with_evidence(combined, evidence)


def checks_of(child: str, judgment: Judgment) -> tuple[Check, ...]:
    """A child's checks under its name; a finding without any counts as one."""
    if judgment.checks:
        return tuple(
            Check(
                f"{child}: {check.name}",
                check.passed,
                check.message,
                check.examined,
                check.advisory,
                check.location,
            )
            for check in judgment.checks
        )
    if judgment.status is Status.PASS or judgment.status is Status.FAIL:
        return (Check(child, judgment.passed, judgment.reasoning),)
    return ()


def agreeing(check: Check, outcome: Status) -> Check:
    """The check, marked advisory where it disagrees with the outcome or there is no finding."""
    if outcome is Status.FAIL or (outcome is Status.PASS and check.passed):
        return check
    return check.as_advisory()


def _first_error(found: Iterable[tuple[str, Judgment]]) -> ReasonCode | None:
    return next(judgment.code for _, judgment in found if judgment.status is Status.ERROR)


def _summary(child: str, judgment: Judgment) -> dict[str, str]:
    code = {} if judgment.code is None else {"code": judgment.code.value}
    return {"name": child, "status": judgment.status.value, **code}


def _negated(child: str, judgment: Judgment) -> Judgment:
    status = judgment.status
    reasoning = f"negation of {child} ({status.value}): {judgment.reasoning}"
    if status is not Status.PASS and status is not Status.FAIL:
        return Judgment(
            status, reasoning, checks=judgment.checks, code=judgment.code, usage=judgment.usage
        )
    if judgment.code is ReasonCode.RUN_FAILED:
        return judgment
    if is_hollow(judgment):
        return Judgment.abstaining(
            f"{reasoning}; nothing but errors stood against it, which is no ground to pass",
            usage=judgment.usage,
        )
    if judgment.checks and not any(check.examined for check in judgment.checks):
        return Judgment.abstaining(
            f"{reasoning}; it examined nothing, which is no ground to pass",
            checks=tuple(check.as_advisory() for check in judgment.checks),
            usage=judgment.usage,
        )
    turned = Status.FAIL if status is Status.PASS else Status.PASS
    return Judgment(
        turned,
        reasoning,
        _inverted(judgment.score),
        checks=tuple(_disagreeing(check, turned) for check in judgment.checks),
        usage=judgment.usage,
    )


def _disagreeing(check: Check, turned: Status) -> Check:
    return check if check.passed is (turned is Status.PASS) else check.as_advisory()


def _inverted(score: Score | None) -> Score | None:
    match score:
        case BooleanScore(value):
            return BooleanScore(not value)
        case NumericalScore(value, low, high):
            return NumericalScore(min(high, max(low, low + high - value)), low, high)
        case CategoricalScore() | None:
            return None
