"""Several policies as one."""

from __future__ import annotations

from typing import Any

from agent_judge.coordination.asking import AnyPolicy, AskedPolicy, Evaluating
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentError
from agent_judge.protocol import Cost


class _Several(Evaluating):
    """Policies that are all asked again on every attempt, those that ask a model last.

    Args:
        policies: What decides; otherwise they are asked in this order.

    Raises:
        ArgumentError: No policy.
        ArgumentTypeError: One that is none.
    """

    __slots__ = ("_asked",)

    def __init__(self, *policies: AnyPolicy) -> None:
        if not policies:
            raise ArgumentError(f"{type(self).__name__} needs at least one policy")
        asked = [AskedPolicy(policy) for policy in policies]
        self._asked = sorted(asked, key=lambda policy: policy.cost is Cost.MODEL)

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
            verdict = await policy.ask(run, agent_id, output, context)
            if not verdict.is_approved:
                return verdict
            verdicts.append(verdict)
        return min(verdicts, key=lambda verdict: verdict.score)


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
        worst = min(refused or verdicts, key=lambda verdict: verdict.score)
        if not refused:
            return worst
        rejected = any(verdict.decision is Decision.REJECT for verdict in refused)
        suggestions = dict.fromkeys(said for verdict in refused for said in verdict.suggestions)
        return JudgeVerdict(
            Decision.REJECT if rejected else Decision.RETRY,
            "; ".join(dict.fromkeys(verdict.reason for verdict in refused)),
            min(verdict.score for verdict in verdicts),
            tuple(suggestions),
            all(verdict.synthetic for verdict in refused),
            worst.finding,
        )
