"""Any judge, jury or cascade as a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, Final, TypeAlias

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.coordination.asking import Evaluating
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.errors import JudgeFailedError
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.engine.ask import Asked, Turn, ask
from agent_judge.engine.doors import anew
from agent_judge.engine.run import Run
from agent_judge.errors import AgentJudgeError, ArgumentError, ArgumentTypeError
from agent_judge.judgment import Check, Judgment, Status, retold
from agent_judge.jury.cascade import CascadedJury
from agent_judge.jury.stage import total_spending
from agent_judge.jury.verdict import Spending, Verdict, pointer_token
from agent_judge.protocol import Cost, Judge, JudgeMetadata

ContextMaker: TypeAlias = Callable[[str, Any, JudgeContext], JudgmentContext]
"""Makes what judges see of an attempt, from the agent's id, the output and the loop's context."""


class JuryPolicy(Evaluating):
    """Approves what a judge passes, and sends back what it fails, with what it found.

    PASS approves. FAIL is to be tried again, and is rejected on the last attempt; the suggestions
    are what the failed checks say, of the worst judge first. An ERROR is no verdict on the work:
    the judge is asked again, and then `JudgeFailedError` leaves the loop.

    The score is the judgment's own. A FAIL without one scores the share of the checks that
    passed, so that of several failed attempts the one that came nearest is kept.

    Args:
        jury: Any judge, jury, cascade or meta jury.
        context: What the judges see: a `JudgmentContext` into which each output is put, or a
            function of the agent's id, the output and the `JudgeContext` that makes one. Without
            it they see the output alone; an output that is itself a `JudgmentContext` is taken
            as it is.
        judge_retries: How often the judge is asked again after an ERROR.
        on_abstain: What becomes of an attempt that nobody judged: RETRY or REJECT.
        reject_at: Tiers of a cascade whose FAIL rejects at once.

    Raises:
        ArgumentError: `on_abstain` approves, a tier that the cascade does not have, or a negative
            number of retries.
        ArgumentTypeError: A judge that cannot be called, or a context that is none.

    Example:
        >>> from agent_judge.judges.text import ContainsJudge
        >>> policy = JuryPolicy(ContainsJudge("42"))
        >>> policy.evaluate("agent-1", "the answer is 42", JudgeContext.first(3)).is_approved
        True
    """

    __slots__ = ("_asked", "_context", "_on_abstain", "_reject_at", "_retries")

    def __init__(
        self,
        jury: Judge,
        context: JudgmentContext | ContextMaker | None = None,
        *,
        judge_retries: int = 1,
        on_abstain: Decision = Decision.RETRY,
        reject_at: Iterable[str] = (),
    ) -> None:
        if context is not None and not (isinstance(context, JudgmentContext) or callable(context)):
            raise ArgumentTypeError(
                f"context must be a JudgmentContext or a function that makes one, "
                f"not {context!r:.120}"
            )
        if on_abstain not in (Decision.RETRY, Decision.REJECT):
            raise ArgumentError(
                "on_abstain must be Decision.RETRY or Decision.REJECT: what nobody judged is not "
                f"approved, got {on_abstain!r}"
            )
        check_retries(judge_retries)
        self._asked: Final = Asked(jury)
        self._context = context
        self._retries = judge_retries
        self._on_abstain = on_abstain
        self._reject_at = _paths_of_tiers(jury, reject_at)

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of the judge."""
        return self._asked.metadata

    @property
    def cost(self) -> Cost | None:
        """The cost class of the judge."""
        return self.metadata.cost

    @property
    def fingerprint(self) -> str:
        """What it decides by: the jury as it describes itself, or the judge as it prints."""
        judge = self._asked.call
        describe = getattr(judge, "describe", None)
        if callable(describe):
            return repr(describe())
        metadata = self._asked.metadata
        options = repr(judge) if is_dataclass(judge) else getattr(judge, "__qualname__", "")
        return f"{metadata.name} {metadata.type} {metadata.version} {options}"

    async def evaluate_in(
        self, run: Run, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict:
        """Have the judges look at an output, and decide by what they found."""
        seen = self._seen(agent_id, output, context)
        found = [await self._find(run, seen)]
        while _judgment(found[-1]).status is Status.ERROR and len(found) <= self._retries:
            found.append(await self._find(run, seen))
        *erred, finding = found
        return self._decided(finding, context).with_finding(_with_cost_of(finding, erred))

    async def _find(self, run: Run, seen: JudgmentContext) -> Judgment | Verdict:
        """Ask the judge anew: what it found of an earlier attempt says nothing of this one."""

        async def found(own: Run) -> Judgment | Verdict:
            turn = Turn(own, self._asked, seen, alone=True)
            judgment = await ask(turn)
            return turn.finding if isinstance(turn.finding, Verdict) else judgment

        return await anew(run, found)

    def _seen(self, agent_id: str, output: object, context: JudgeContext) -> JudgmentContext:
        if callable(self._context) and not isinstance(self._context, JudgmentContext):
            made = self._context(agent_id, output, context)
            if not isinstance(made, JudgmentContext):
                raise ArgumentTypeError(
                    f"the function given as context must return a JudgmentContext, "
                    f"not {made!r:.120}"
                )
            return made
        if isinstance(output, JudgmentContext) and self._context is None:
            return output
        template = self._context or JudgmentContext()
        try:
            return replace(template, output=output, status=ExecutionStatus.SUCCESS)  # type: ignore[arg-type]
        except AgentJudgeError as fault:
            raise ArgumentTypeError(
                f"the judges cannot be shown the output: {fault}; give JuryPolicy a context= "
                "function that makes a JudgmentContext of it"
            ) from fault

    def _decided(self, finding: Judgment | Verdict, context: JudgeContext) -> JudgeVerdict:
        judgment = _judgment(finding)
        reason = judgment.reasoning or judgment.status.value
        match judgment.status:
            case Status.PASS:
                return JudgeVerdict.approve(reason, score_of(finding))
            case Status.FAIL:
                decision = self._after_fail(finding, context)
                return JudgeVerdict(decision, reason, score_of(finding), suggestions_of(finding))
            case Status.ERROR:
                raise JudgeFailedError(
                    f"judge {self._asked.name!r} could not judge: {reason}", judgment
                )
            case Status.ABSTAIN | Status.NOT_APPLICABLE:
                decision = Decision.REJECT if context.is_final_iteration else self._on_abstain
                return JudgeVerdict(decision, f"nobody judged it: {reason}", 0.0, synthetic=True)

    def _after_fail(self, finding: Judgment | Verdict, context: JudgeContext) -> Decision:
        decided = f"{finding.decided_by.stage}/" if isinstance(finding, Verdict) else ""
        at_once = decided.startswith(self._reject_at)
        return Decision.REJECT if at_once or context.is_final_iteration else Decision.RETRY


def _with_cost_of(
    finding: Judgment | Verdict, erred: Sequence[Judgment | Verdict]
) -> Judgment | Verdict:
    """A finding that also counts what was consumed before it, by answers that were ERRORs."""
    if not erred:
        return finding
    spent = [spending_of(one) for one in (*erred, finding)]
    total = total_spending(spent, sum(part.elapsed for part in spent))
    if isinstance(finding, Verdict):
        return replace(finding, cost=total)
    if total.usage is None:
        return finding
    return retold(finding, finding.evidence, finding.checks, total.usage)


def spending_of(finding: Judgment | Verdict) -> Spending:
    """What a finding cost."""
    if isinstance(finding, Verdict):
        return finding.cost
    return Spending(judges=1, usage=finding.usage, elapsed=finding.elapsed or 0.0)


def check_retries(retries: object) -> None:
    """Refuse what is no number of further questions.

    Raises:
        ArgumentError: It is not a whole number from 0 up.
    """
    if type(retries) is not int or retries < 0:
        raise ArgumentError(f"judge_retries must be a whole number from 0 up, got {retries!r}")


def score_of(finding: Judgment | Verdict) -> float:
    """The judgment's own score; a FAIL without one scores the share of its checks that passed."""
    judgment = _judgment(finding)
    if judgment.status is Status.PASS:
        score = judgment.effective_score
        return 1.0 if score is None else score
    if judgment.score is not None:
        return judgment.effective_score or 0.0
    checks = [*_deciding(finding)]
    passed = sum(check.passed for check in checks)
    return passed / len(checks) if passed < len(checks) else 0.0


def suggestions_of(finding: Judgment | Verdict) -> tuple[str, ...]:
    """What the failed checks say, each once, those of the worst judge first."""
    failed = sorted(_failed(finding), key=lambda judgment: judgment.effective_score or 0.0)
    return tuple(dict.fromkeys(said for judgment in failed for said in _said(judgment)))


def _said(judgment: Judgment) -> Iterator[str]:
    for check in judgment.failed_checks:
        place = f" ({check.location})" if check.location else ""
        yield f"{check.message or check.name}{place}"
    if not judgment.failed_checks and judgment.reasoning:
        yield judgment.reasoning


def _failed(finding: Judgment | Verdict) -> Iterator[Judgment]:
    """The judgments of those who failed the work, in the innermost seats."""
    if isinstance(finding, Judgment):
        if finding.status is Status.FAIL:
            yield finding
        return
    inner = [judgment for part in _inner(finding) for judgment in _failed(part)]
    yield from inner or _failed(finding.judgment)


def _deciding(finding: Judgment | Verdict) -> Iterator[Check]:
    """The deciding checks of all judges; one without any is itself a check."""
    if isinstance(finding, Verdict) and (inner := [*_inner(finding)]):
        for part in inner:
            yield from _deciding(part)
        return
    judgment = _judgment(finding)
    if judgment.status not in (Status.PASS, Status.FAIL):
        return
    checks = [check for check in judgment.checks if not check.advisory]
    yield from checks or (Check("judged", judgment.status is Status.PASS),)


def _inner(verdict: Verdict) -> Iterator[Judgment | Verdict]:
    """What the seats of a verdict found, or its stages."""
    for seat in verdict.seats:
        yield seat.verdict or seat.judgment
    for attempt in verdict.attempts:
        if attempt.verdict is not None:
            yield attempt.verdict


def _judgment(finding: Judgment | Verdict) -> Judgment:
    return finding if isinstance(finding, Judgment) else finding.judgment


def _paths_of_tiers(jury: Judge, reject_at: Iterable[str]) -> tuple[str, ...]:
    """Where in a verdict the tiers are that reject at once."""
    if isinstance(reject_at, str):
        raise ArgumentTypeError("reject_at must be a sequence of names of tiers, not one string")
    wanted = tuple(reject_at)
    if not wanted:
        return ()
    if not isinstance(jury, CascadedJury):
        raise ArgumentError("reject_at names tiers, and only a CascadedJury has them")
    known = [tier.name for tier in jury.tiers]
    for name in wanted:
        if name not in known:
            raise ArgumentError(f"reject_at names {name!r}; the tiers are {', '.join(known)}")
    return tuple(f"/{pointer_token(name)}/" for name in wanted)
