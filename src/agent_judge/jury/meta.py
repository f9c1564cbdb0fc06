"""A meta jury: juries that vote as one jury."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_context, check_timeout
from agent_judge.engine.ask import Turn
from agent_judge.engine.run import Run
from agent_judge.engine.together import ask_all
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, with_elapsed
from agent_judge.jury.body import JudgingBody
from agent_judge.jury.counting import MAJORITY
from agent_judge.jury.population import Population, VotingStrategy
from agent_judge.jury.rules import strategy_name
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
from agent_judge.jury.sum_up import check_strategy, complete_weights, sum_up, uncounted
from agent_judge.jury.verdict import (
    Decision,
    StageAttempt,
    StageEffect,
    Verdict,
    member_seats,
)
from agent_judge.protocol import JudgeMetadata, check_name

if TYPE_CHECKING:
    from agent_judge.jury.description import JuryDescription


class MetaJury(JudgingBody):
    """Juries, cascades or meta juries whose judgments are summed up by a strategy.

    Args:
        members: The members by name.
        strategy: Sums up their judgments.
        name: What the meta jury is called.
        weights: What these members count under a weighted strategy; others count 1.
        timeout: Seconds for all members together.
        parallel: Ask all at once, else one after the other.
        status_gate: Rule that a run which itself failed is FAIL, whatever the judges found.
        max_depth: How deep juries may nest.
        max_stages: How many members there may be.

    Raises:
        ArgumentError: No members, a name that cannot be one, weights that do not fit, too many
            members, nested too deep.
        ArgumentTypeError: A member that gives no verdict.

    Example:
        >>> from agent_judge import Judgment, JudgmentContext, Jury, MetaJury
        >>> strict = Jury([lambda c: Judgment.failing()])
        >>> lenient = Jury([lambda c: Judgment.passing()])
        >>> MetaJury({"strict": strict, "lenient": lenient}).vote(JudgmentContext()).status.name
        'FAIL'
    """

    __slots__ = (
        "_parallel",
        "_status_gate",
        "_strategy",
        "_timeout",
        "_weights",
        "depth",
        "members",
        "name",
        "seat_count",
    )

    def __init__(
        self,
        members: Mapping[str, Stage],
        strategy: VotingStrategy = MAJORITY,
        *,
        name: str = "MetaJury",
        weights: Mapping[str, float] | None = None,
        timeout: float | None = None,
        parallel: bool = True,
        status_gate: bool = True,
        max_depth: int = MAX_DEPTH,
        max_stages: int = MAX_STAGES,
    ) -> None:
        _check_members(members, max_stages)
        check_strategy(strategy)
        check_name(name, "meta jury name")
        check_timeout(timeout)
        self.members: Final = tuple(members.items())
        self.name: Final = name
        self._strategy = strategy
        self._weights = complete_weights(weights, list(members), strategy)
        self._timeout = timeout
        self._parallel = parallel
        self._status_gate = status_gate
        self._asked = tuple(asked_stage(member, stage) for member, stage in members.items())
        self._options = changed_options(
            timeout=(timeout, None),
            parallel=(parallel, True),
            status_gate=(status_gate, True),
            max_depth=(max_depth, MAX_DEPTH),
            max_stages=(max_stages, MAX_STAGES),
        )
        self.depth: Final = 1 + depth_of(self._asked)
        check_depth(self.depth, max_depth, f"meta jury {name!r}")
        self.seat_count: Final = sum(map(count_judges, self._asked))
        self._metadata = JudgeMetadata(
            name,
            joint_cost(self._asked),
            "meta_jury",
            explicit=name != "MetaJury",
            conditional=True,
        )

    @property
    def strategy(self) -> VotingStrategy:
        """What sums up the members' judgments."""
        return self._strategy

    def describe(self) -> JuryDescription:
        """The members and their seats as they will be in every verdict."""
        from agent_judge.jury.description import JuryDescription, StageDescription, describe_stage
        from agent_judge.jury.spec import spec_of_strategy

        return JuryDescription(
            "meta_jury",
            self.name,
            strategy_name(self._strategy),
            spec_of_strategy(self._strategy),
            self._options,
            stages=tuple(
                StageDescription(name, describe_stage(stage), weight=weight)
                for (name, stage), weight in zip(self.members, self._weights, strict=True)
            ),
            own_class=self._own_class,
        )

    async def judge_in(self, run: Run, context: JudgmentContext) -> Verdict:
        """Judge within a run that others belong to as well."""
        check_context(context)
        started = perf_counter()
        turns = await ask_all(
            run, self._asked, context, parallel=self._parallel, timeout=self._timeout
        )
        attempts = tuple(map(_attempt, turns, self._weights))
        judgment = self._sum_up(attempts)
        decision = Decision("", strategy_name(self._strategy), computed=True)
        if self._status_gate:
            judgment, decision = gate_status(context, judgment, decision)
        elapsed = perf_counter() - started
        costs = [attempt.verdict.cost for attempt in attempts if attempt.verdict is not None]
        spending = total_spending(costs, elapsed)
        return Verdict(with_elapsed(judgment, elapsed), (), decision, attempts, spending, self.name)

    def _sum_up(self, attempts: Sequence[StageAttempt]) -> Judgment:
        crashed = [attempt.name for attempt in attempts if attempt.verdict is None]
        seats = member_seats(attempts)
        if crashed:
            return uncounted(self._strategy, seats, crashed)
        return sum_up(self._strategy, Population(seats))


def _attempt(turn: Turn, weight: float) -> StageAttempt:
    name, verdict = turn.asked.name, turn.finding
    if isinstance(verdict, Verdict):
        return StageAttempt(name, StageEffect.COUNTED, verdict=verdict, weight=weight)
    failure = failure_of_stage(turn)
    return StageAttempt(name, StageEffect.NOT_ESTABLISHED, failure=failure, weight=weight)


def _check_members(members: Mapping[str, Stage], max_stages: int) -> None:
    if not isinstance(members, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentTypeError(f"members must map names to juries, not {members!r:.120}")
    if not members:
        raise ArgumentError("a meta jury needs at least one member")
    if len(members) > max_stages:
        raise ArgumentError(f"{len(members)} members, and max_stages={max_stages} are allowed")
    for name in members:
        check_name(name, "member name")
