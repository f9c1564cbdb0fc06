"""Several policies as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from agent_judge.coordination.asking import AnyPolicy, AskedPolicy, Evaluating
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.policies.jury import spending_of
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentError
from agent_judge.judgment import Judgment, Status
from agent_judge.jury.counting import AllMustPass
from agent_judge.jury.keys import seat_keys
from agent_judge.jury.population import Population
from agent_judge.jury.rules import strategy_name
from agent_judge.jury.stage import total_spending
from agent_judge.jury.sum_up import sum_up
from agent_judge.jury.verdict import Decision as Settled
from agent_judge.jury.verdict import Seat, Spending, Verdict
from agent_judge.protocol import Cost
from agent_judge.scores import NumericalScore

_ALL: Final = AllMustPass()


class _Several(Evaluating):
    """Policies that are all asked again on every attempt, the cheap ones first.

    Args:
        policies: What decides; those of one cost class are asked in this order. One that declares
            no cost comes after those that run commands, and before those that ask a model.

    Raises:
        ArgumentError: No policy.
        ArgumentTypeError: One that is none.
    """

    __slots__ = ("_asked",)

    def __init__(self, *policies: AnyPolicy) -> None:
        if not policies:
            raise ArgumentError(f"{type(self).__name__} needs at least one policy")
        asked = [AskedPolicy(policy) for policy in policies]
        self._asked = sorted(asked, key=lambda policy: _class_of(policy.cost))

    @property
    def cost(self) -> Cost | None:
        """The cost class of the dearest; `None` where that is not known."""
        return max((policy.cost for policy in self._asked), key=_class_of)

    def _found(self, verdicts: Sequence[JudgeVerdict]) -> Verdict:
        """What the policies that were asked found, as a jury all of which have to pass."""
        asked = self._asked[: len(verdicts)]
        seats = tuple(_seats(asked, verdicts))
        spent = [
            _spending(policy, verdict) for policy, verdict in zip(asked, verdicts, strict=True)
        ]
        return Verdict(
            sum_up(_ALL, Population(seats)),
            seats,
            Settled("", strategy_name(_ALL), computed=True),
            cost=total_spending(spent, sum(part.elapsed for part in spent)),
            name=type(self).__name__,
        )

    @property
    def fingerprint(self) -> str:
        """What they decide by, in their order."""
        return "\n".join([type(self).__name__, *(policy.criteria for policy in self._asked)])


class FirstOf(_Several):
    """The first policy that does not approve decides; the others are then not asked.

    Example:
        >>> from agent_judge.judges.text import ContainsJudge, LengthJudge
        >>> policy = FirstOf(LengthJudge(maximum=5), ContainsJudge("42"))
        >>> policy.evaluate("agent-1", "it is 42", JudgeContext.first(3)).is_approved
        False
    """

    __slots__ = ()

    async def evaluate_in(
        self, run: Run, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict:
        """Ask one after the other."""
        verdicts: list[JudgeVerdict] = []
        for policy in self._asked:
            verdicts.append(await policy.ask(run, agent_id, output, context))
            if not verdicts[-1].is_approved:
                return verdicts[-1].with_finding(self._found(verdicts))
        lowest = min(verdicts, key=lambda verdict: verdict.score)
        return lowest.with_finding(self._found(verdicts))


class AllOf(_Several):
    """Every policy is asked, all have to approve, and all that they suggest is fed back.

    One REJECT rejects. The score is the lowest, and the reasons of all that do not approve are
    told.

    Example:
        >>> from agent_judge.judges.text import ContainsJudge, LengthJudge
        >>> policy = AllOf(LengthJudge(maximum=5), ContainsJudge("42"))
        >>> len(policy.evaluate("agent-1", "too long", JudgeContext.first(3)).suggestions)
        2
    """

    __slots__ = ()

    async def evaluate_in(
        self, run: Run, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict:
        """Ask all of them."""
        verdicts = [await policy.ask(run, agent_id, output, context) for policy in self._asked]
        refused = [verdict for verdict in verdicts if not verdict.is_approved]
        lowest = min(verdicts, key=lambda verdict: verdict.score)
        finding = self._found(verdicts)
        if not refused:
            return lowest.with_finding(finding)
        rejected = any(verdict.decision is Decision.REJECT for verdict in refused)
        suggestions = dict.fromkeys(said for verdict in refused for said in verdict.suggestions)
        return JudgeVerdict(
            Decision.REJECT if rejected else Decision.RETRY,
            "; ".join(dict.fromkeys(verdict.reason for verdict in refused)),
            lowest.score,
            tuple(suggestions),
            all(verdict.synthetic for verdict in refused),
            finding,
        )


def _class_of(cost: Cost | None) -> float:
    return Cost.COMMAND + 0.5 if cost is None else cost


def _seats(asked: Sequence[AskedPolicy], verdicts: Sequence[JudgeVerdict]) -> Iterator[Seat]:
    """What each policy found; one without a finding of judges found what it decided."""
    keys = seat_keys([policy.metadata for policy in asked], dedupe=True)
    for position, ((key, source), verdict) in enumerate(zip(keys, verdicts, strict=True)):
        finding = verdict.finding
        whole = finding if isinstance(finding, Verdict) else None
        judgment = _judgment(verdict) if whole is None else whole.judgment
        yield Seat(key, position, judgment, 1.0, source, conditional=True, verdict=whole)


def _judgment(verdict: JudgeVerdict) -> Judgment:
    if isinstance(verdict.finding, Judgment):
        return verdict.finding
    reason = verdict.reason or verdict.decision.value
    if verdict.synthetic:
        return Judgment.abstaining(f"made up: {reason}")
    status = Status.PASS if verdict.is_approved else Status.FAIL
    return Judgment(status, reason, NumericalScore(verdict.score))


def _spending(policy: AskedPolicy, verdict: JudgeVerdict) -> Spending:
    """What a verdict cost; a policy that asks a model and does not say is counted as such."""
    finding = verdict.finding
    spent = Spending(judges=1) if finding is None else spending_of(finding)
    silent = policy.cost is Cost.MODEL and spent.usage is None and not spent.unreported
    return replace(spent, unreported=1) if silent else spent
