"""A cascade: juries in tiers, the cheap ones first, each with a rule that may settle the matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Final, Literal, cast

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_context, check_timeout
from agent_judge.engine.ask import Asked
from agent_judge.engine.run import Run
from agent_judge.engine.together import ask_all
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode, with_elapsed, with_evidence
from agent_judge.jury.body import JudgingBody
from agent_judge.jury.gates import (
    Gate,
    Outcome,
    TierPolicy,
    apply_gate,
    check_gate,
    decided_judgment,
)
from agent_judge.jury.jury import Jury
from agent_judge.jury.stage import (
    MAX_DEPTH,
    MAX_STAGES,
    Stage,
    asked_stage,
    changed_options,
    check_depth,
    count_judges,
    depth_of,
    failure_of_stage,
    gate_status,
    joint_cost,
    total_spending,
)
from agent_judge.jury.verdict import (
    Decision,
    Spending,
    StageAttempt,
    StageEffect,
    StageFailure,
    Verdict,
    pointer_token,
)
from agent_judge.protocol import Judge, JudgeMetadata, check_name

if TYPE_CHECKING:
    from agent_judge.jury.description import JuryDescription


@dataclass(frozen=True, slots=True, init=False)
class Tier:
    """One stage of a cascade.

    Args:
        name: What the tier is called.
        jury: A jury, cascade or meta jury; a list of judges becomes a `Jury` with its defaults.
        policy: When the tier settles the cascade.
        on_error: Of a reject gate in which a judge errors: `"hold"` keeps later tiers from
            passing the run, `"waive"` lets them.

    Raises:
        ArgumentError: A name that cannot be one, an unknown policy or word.
        ArgumentTypeError: Something that gives no verdict.
    """

    name: str
    jury: Stage
    policy: Gate
    on_error: Literal["hold", "waive"]

    def __init__(
        self,
        name: str,
        jury: Stage | Sequence[Judge],
        policy: Gate | str = TierPolicy.REJECT_ON_ANY_FAIL,
        on_error: Literal["hold", "waive"] = "hold",
    ) -> None:
        check_name(name, "tier name")
        if on_error not in ("hold", "waive"):
            raise ArgumentError(f"on_error is 'hold' or 'waive', not {on_error!r}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "jury", _as_stage(jury, name))
        object.__setattr__(self, "policy", check_gate(policy))
        object.__setattr__(self, "on_error", on_error)


class CascadedJury(JudgingBody):
    """Juries in tiers, asked in order until one settles the matter.

    Args:
        tiers: The tiers; the last one, and only it, has the policy `FINAL_TIER`.
        name: What the cascade is called.
        timeout: Seconds for all tiers together.
        status_gate: Rule that a run which itself failed is FAIL, whatever the judges found.
        max_depth: How deep juries may nest.
        max_stages: How many tiers there may be.

    Raises:
        ArgumentError: No tiers, equal names, a final rule anywhere but at the end, too many
            tiers, nested too deep.
        ArgumentTypeError: Something that is not a `Tier`.

    Example:
        >>> from agent_judge import CascadedJury, Judgment, JudgmentContext, Tier, TierPolicy
        >>> cascade = CascadedJury([
        ...     Tier("format", [lambda c: Judgment.failing("no")], TierPolicy.REJECT_ON_ANY_FAIL),
        ...     Tier("content", [lambda c: Judgment.passing()], TierPolicy.FINAL_TIER),
        ... ])
        >>> cascade.vote(JudgmentContext(output="4")).decided_by.stage
        '/format'
    """

    __slots__ = (
        "_status_gate",
        "_timeout",
        "depth",
        "name",
        "seat_count",
        "tiers",
    )

    def __init__(
        self,
        tiers: Iterable[Tier],
        *,
        name: str = "CascadedJury",
        timeout: float | None = None,
        status_gate: bool = True,
        max_depth: int = MAX_DEPTH,
        max_stages: int = MAX_STAGES,
    ) -> None:
        self.tiers: Final = tuple(tiers)
        _check_tiers(self.tiers, max_stages)
        check_name(name, "cascade name")
        check_timeout(timeout)
        self.name: Final = name
        self._timeout = timeout
        self._status_gate = status_gate
        self._asked = tuple(asked_stage(tier.name, tier.jury) for tier in self.tiers)
        self._options = changed_options(
            timeout=(timeout, None),
            status_gate=(status_gate, True),
            max_depth=(max_depth, MAX_DEPTH),
            max_stages=(max_stages, MAX_STAGES),
        )
        self.depth: Final = 1 + depth_of(self._asked)
        check_depth(self.depth, max_depth, f"cascade {name!r}")
        self.seat_count: Final = sum(map(count_judges, self._asked))
        self._metadata = JudgeMetadata(
            name,
            joint_cost(self._asked),
            "cascade",
            explicit=name != "CascadedJury",
            conditional=True,
        )

    def describe(self) -> JuryDescription:
        """The tiers and their seats as they will be in every verdict."""
        from agent_judge.jury.description import (
            JuryDescription,
            StageDescription,
            describe_gate,
            describe_stage,
        )

        return JuryDescription(
            "cascade",
            self.name,
            options=self._options,
            stages=tuple(
                StageDescription(
                    tier.name,
                    describe_stage(tier.jury),
                    tier.policy.value,
                    describe_gate(tier.policy),
                    tier.on_error,
                )
                for tier in self.tiers
            ),
            own_class=self._own_class,
        )

    async def judge_in(self, run: Run, context: JudgmentContext) -> Verdict:
        """Judge within a run that others belong to as well."""
        check_context(context)
        course = _Course(self)
        for tier, asked in zip(self.tiers, self._asked, strict=True):
            if course.decision is None:
                await course.ask(run, tier, asked, context)
            else:
                course.skip(tier, asked)
        return course.verdict(context, status_gate=self._status_gate)

    @property
    def timeout(self) -> float | None:
        """Seconds for all tiers together."""
        return self._timeout


@dataclass(slots=True)
class _Course:
    """How far one run has come through a cascade."""

    cascade: CascadedJury
    started: float = field(default_factory=perf_counter)
    attempts: list[StageAttempt] = field(default_factory=list[StageAttempt])
    spent: list[Spending] = field(default_factory=list[Spending])
    not_established: list[str] = field(default_factory=list[str])
    not_exercised: list[str] = field(default_factory=list[str])
    judgment: Judgment | None = None
    decision: Decision | None = None

    async def ask(self, run: Run, tier: Tier, asked: Asked, context: JudgmentContext) -> None:
        """Ask a tier and let its rule say what that means."""
        remaining = self._remaining()
        if remaining is not None and remaining <= 0:
            self._crash(tier, StageFailure(ReasonCode.TIMEOUT, ""))
            return
        (turn,) = await ask_all(run, (asked,), context, timeout=remaining)
        if isinstance(turn.finding, Verdict):
            self.spent.append(turn.finding.cost)
            self._apply(tier, turn.finding)
        else:
            self._crash(tier, failure_of_stage(turn))

    def skip(self, tier: Tier, asked: Asked) -> None:
        """Note a tier that is not reached."""
        assert self.decision is not None
        decided_by = next(a.name for a in self.attempts if a.effect is StageEffect.DECIDED)
        why = f"tier {decided_by!r} decided by {self.decision.rule}"
        self.attempts.append(
            StageAttempt(tier.name, StageEffect.SKIPPED, skipped=why, rule=tier.policy.value)
        )
        self.spent.append(Spending(saved=count_judges(asked)))

    def verdict(self, context: JudgmentContext, *, status_gate: bool) -> Verdict:
        """The verdict on the run as a whole."""
        assert self.judgment is not None
        assert self.decision is not None
        judgment, decision = self._reserved(), self.decision
        if status_gate:
            judgment, decision = gate_status(context, judgment, decision)
        elapsed = perf_counter() - self.started
        spending = total_spending(self.spent, elapsed)
        return Verdict(
            with_elapsed(judgment, elapsed),
            (),
            decision,
            tuple(self.attempts),
            spending,
            self.cascade.name,
        )

    def _apply(self, tier: Tier, verdict: Verdict) -> None:
        try:
            outcome = apply_gate(tier.policy, verdict)
        except Exception as raised:  # noqa: BLE001 - a gate may hold a user's function
            self._crash(tier, StageFailure(ReasonCode.STAGE_FAILED, type(raised).__name__))
            return
        self._note(tier, outcome)
        self.attempts.append(
            StageAttempt(
                tier.name,
                outcome.effect,
                verdict=verdict,
                rule=tier.policy.value,
                note=outcome.note,
            )
        )
        if outcome.effect is StageEffect.DECIDED:
            self._decide(tier, outcome, verdict)

    def _note(self, tier: Tier, outcome: Outcome) -> None:
        if outcome.effect is StageEffect.NOT_ESTABLISHED and tier.on_error == "hold":
            self.not_established.append(tier.name)
        elif outcome.effect is StageEffect.NOT_EXERCISED:
            self.not_exercised.append(tier.name)

    def _decide(self, tier: Tier, outcome: Outcome, verdict: Verdict) -> None:
        path = f"/{pointer_token(tier.name)}"
        self.decision = Decision(path, tier.policy.value, computed=outcome.status is None)
        if outcome.status is None:
            self.judgment = verdict.judgment
        else:
            self.judgment = decided_judgment(
                outcome.status, tier.name, tier.policy.value, outcome.note, verdict
            )

    def _crash(self, tier: Tier, failure: StageFailure) -> None:
        rule = tier.policy
        gate = rule is TierPolicy.REJECT_ON_ANY_FAIL
        final = rule is TierPolicy.FINAL_TIER
        effect = StageEffect.NOT_ESTABLISHED if gate else StageEffect.CONTINUED
        if final:
            effect = StageEffect.DECIDED
            self.judgment = Judgment.erring(
                f"the final tier {tier.name!r} crashed ({failure.exception or failure.code.value})",
                ReasonCode.STAGE_FAILED,
            )
            self.decision = Decision(f"/{pointer_token(tier.name)}", rule.value, computed=False)
        self.attempts.append(StageAttempt(tier.name, effect, failure=failure, rule=rule.value))
        self._note(tier, Outcome(effect))

    def _reserved(self) -> Judgment:
        """The judgment that was decided, unless a gate that was not established forbids a pass."""
        assert self.judgment is not None
        assert self.decision is not None
        judgment = self.judgment
        if self.not_established and judgment.passed:
            judgment = Judgment.erring(
                f"tier {self.decision.stage[1:]!r} passed, but the gate of "
                f"{', '.join(self.not_established)} was not established: "
                "a judge errored or was not asked",
                ReasonCode.GATE_NOT_ESTABLISHED,
                usage=judgment.usage,
            )
            self.decision = Decision(self.decision.stage, "gate_not_established", computed=False)
        return with_evidence(
            judgment,
            {
                **judgment.evidence,
                "decided_by": self.decision.stage,
                "rule": self.decision.rule,
                "computed": self.decision.computed,
                "gates_not_established": self.not_established,
                "gates_not_exercised": self.not_exercised,
            },
        )

    def _remaining(self) -> float | None:
        if self.cascade.timeout is None:
            return None
        return self.cascade.timeout - (perf_counter() - self.started)


def _as_stage(jury: object, name: str) -> Stage:
    if isinstance(jury, Stage):
        return jury
    if isinstance(jury, Sequence) and not isinstance(jury, str):
        return Jury(cast("Sequence[Judge]", jury), name=name, status_gate=False)
    raise ArgumentTypeError(
        f"tier {name!r} needs a jury, a cascade or a list of judges, not {type(jury).__name__}"
    )


def _check_tiers(tiers: Sequence[Tier], max_stages: int) -> None:
    if not tiers:
        raise ArgumentError("a cascade needs at least one tier")
    for tier in tiers:
        if not isinstance(tier, Tier):
            raise ArgumentTypeError(f"a cascade is made of Tier(…), not {tier!r:.120}")
    if len(tiers) > max_stages:
        raise ArgumentError(f"{len(tiers)} tiers, and max_stages={max_stages} are allowed")
    names = [tier.name for tier in tiers]
    if len(set(names)) != len(names):
        raise ArgumentError(f"tier names repeat: {names}")
    for tier, following in pairwise(tiers):
        if tier.policy is TierPolicy.FINAL_TIER:
            raise ArgumentError(
                f"tier {tier.name!r} uses FINAL_TIER but is followed by {following.name!r}; "
                "only the last tier may be final"
            )
    if tiers[-1].policy is not TierPolicy.FINAL_TIER:
        raise ArgumentError(
            f"the last tier {tiers[-1].name!r} uses {tiers[-1].policy.value}; "
            "it must use FINAL_TIER, so that every run gets a verdict"
        )
