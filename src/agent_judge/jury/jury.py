"""A jury: several judges on one run, and a strategy that sums up what they found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final, cast

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_context, check_timeout
from agent_judge.engine.ask import Asked, Turn
from agent_judge.engine.run import DEFAULT_LIMITS, Run, check_limits
from agent_judge.engine.together import ask_all
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode, with_elapsed
from agent_judge.jury.body import JudgingBody
from agent_judge.jury.counting import MAJORITY
from agent_judge.jury.keys import seat_keys
from agent_judge.jury.population import Population, VotingStrategy
from agent_judge.jury.rules import strategy_name
from agent_judge.jury.stage import (
    MAX_DEPTH,
    changed_options,
    check_depth,
    count_judges,
    depth_of,
    gate_status,
    joint_cost,
    total_spending,
)
from agent_judge.jury.sum_up import check_strategy, complete_weights, sum_up
from agent_judge.jury.verdict import Decision, Seat, Spending, Verdict
from agent_judge.protocol import Cost, Judge, JudgeMetadata, check_name, named
from agent_judge.usage import Usage

if TYPE_CHECKING:
    from agent_judge.jury.description import JuryDescription


class Jury(JudgingBody):
    """Several judges and a voting strategy.

    Every judge has a seat in the verdict, in configuration order, whatever becomes of it. A jury
    holds no state: it may be used from many threads and tasks at once.

    Args:
        judges: The judges, or a mapping from names to judges. A jury may itself be a judge.
        strategy: Sums up what they found: a built-in one, or a function of a `Population`.
        name: What the jury is called.
        weights: What the seats of these keys count under a weighted strategy; others count 1.
        timeout: Seconds for all judges together; one that is late is ERROR.
        parallel: Ask all at once, else one after the other.
        status_gate: Rule that a run which itself failed is FAIL, whatever the judges found.
        stop_when_decided: Cancel the remaining judges once no finding of theirs could change
            the outcome. An error that one of them would have met is not foreseen, though it
            might have made the vote an ERROR; the evidence records this as `early_stop`.
        dedupe: Number explicit names that repeat, instead of refusing them.
        concurrency: How many judges of a cost class (`"file"`, `"command"`, `"model"`) may be
            at work at once.
        max_depth: How deep juries may nest.

    Raises:
        ArgumentError: No judges, two explicit names that are equal, a weight for nobody, weights
            that are all zero or that the strategy does not use, juries nested too deep.
        ArgumentTypeError: A judge or strategy that cannot be called.

    Example:
        >>> from agent_judge import Judgment, JudgmentContext, Jury, Majority
        >>> jury = Jury([lambda c: Judgment.passing(), lambda c: Judgment.passing()], Majority())
        >>> jury.vote(JudgmentContext(output="4")).status.name
        'PASS'
    """

    __slots__ = (
        "_decided",
        "_keys",
        "_limits",
        "_parallel",
        "_status_gate",
        "_strategy",
        "_timeout",
        "_weights",
        "depth",
        "name",
        "seat_count",
    )

    def __init__(
        self,
        judges: Iterable[Judge] | Mapping[str, Judge],
        strategy: VotingStrategy = MAJORITY,
        *,
        name: str = "Jury",
        weights: Mapping[str, float] | None = None,
        timeout: float | None = None,
        parallel: bool = True,
        status_gate: bool = True,
        stop_when_decided: bool = False,
        dedupe: bool = False,
        concurrency: Mapping[str, int] | None = None,
        max_depth: int = MAX_DEPTH,
    ) -> None:
        roster = _roster(judges)
        check_strategy(strategy, must_decide_early=stop_when_decided)
        check_name(name, "jury name")
        check_timeout(timeout)
        self.name: Final = name
        self._strategy = strategy
        self._asked = _asked(roster, dedupe)
        self._keys = seat_keys([judge.metadata for judge in self._asked], dedupe=dedupe)
        self._weights = complete_weights(weights, [key for key, _ in self._keys], strategy)
        self._timeout = timeout
        self._parallel = parallel
        self._status_gate = status_gate
        self._limits = DEFAULT_LIMITS if concurrency is None else check_limits(concurrency)
        self._decided = self._is_decided if stop_when_decided else None
        self._options = changed_options(
            timeout=(timeout, None),
            parallel=(parallel, True),
            status_gate=(status_gate, True),
            stop_when_decided=(stop_when_decided, False),
            dedupe=(dedupe, False),
            concurrency=(concurrency, None),
            max_depth=(max_depth, MAX_DEPTH),
        )
        self.depth: Final = 1 + depth_of(self._asked)
        check_depth(self.depth, max_depth, f"jury {name!r}")
        self.seat_count: Final = sum(map(count_judges, self._asked))
        self._metadata = JudgeMetadata(
            name, joint_cost(self._asked), "jury", explicit=name != "Jury", conditional=True
        )

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The judges, in configuration order."""
        return tuple(judge.call for judge in self._asked)

    @property
    def strategy(self) -> VotingStrategy:
        """What sums up their findings."""
        return self._strategy

    def describe(self) -> JuryDescription:
        """The seats as they will be in every verdict, and how the jury is built."""
        from agent_judge.jury.description import JuryDescription, SeatDescription, describe_judge
        from agent_judge.jury.spec import spec_of_strategy

        seats = zip(self._asked, self._keys, self._weights, strict=True)
        return JuryDescription(
            "jury",
            self.name,
            strategy_name(self._strategy),
            spec_of_strategy(self._strategy),
            self._options,
            tuple(
                SeatDescription(key, source, position, weight, describe_judge(asked))
                for position, (asked, (key, source), weight) in enumerate(seats)
            ),
            own_class=self._own_class,
        )

    async def judge_in(self, run: Run, context: JudgmentContext) -> Verdict:
        """Judge within a run that others belong to as well."""
        check_context(context)
        started = perf_counter()
        turns = await ask_all(
            run,
            self._asked,
            context,
            parallel=self._parallel,
            timeout=self._timeout,
            decided=self._decided,
        )
        seats = tuple(self._seat(position, turn) for position, turn in enumerate(turns))
        asked = tuple(seat for seat in seats if not seat.skipped)
        judgment = sum_up(self._strategy, Population(asked), not_asked=len(seats) - len(asked))
        decision = Decision("", strategy_name(self._strategy), computed=True)
        if self._status_gate:
            judgment, decision = gate_status(context, judgment, decision)
        elapsed = perf_counter() - started
        return Verdict(
            with_elapsed(judgment, elapsed),
            seats,
            decision,
            cost=self._spending(seats, elapsed),
            name=self.name,
        )

    def _new_run(self) -> Run:
        return Run(self._limits)

    def _seat(self, position: int, turn: Turn) -> Seat:
        key, source = self._keys[position]
        finding = turn.finding
        return Seat(
            key,
            position,
            _SKIPPED if turn.judgment is None else turn.judgment,
            self._weights[position],
            source,
            turn.asked.metadata.conditional,
            finding if isinstance(finding, Verdict) else None,
        )

    def _is_decided(self, turns: Sequence[Turn]) -> bool:
        """Whether whatever the remaining judges could find, or nothing, gives the same status."""
        open_positions = [index for index, turn in enumerate(turns) if turn.judgment is None]
        if not open_positions:
            return False
        seats = [self._seat(index, turn) for index, turn in enumerate(turns)]
        answered = tuple(seat for seat in seats if not seat.skipped)
        statuses = {sum_up(self._strategy, Population(answered)).status}
        for finding in _EXTREMES:
            for index in open_positions:
                key, source = self._keys[index]
                seats[index] = Seat(key, index, finding, self._weights[index], source)
            statuses.add(sum_up(self._strategy, Population(tuple(seats))).status)
        return len(statuses) == 1

    def _spending(self, seats: Sequence[Seat], elapsed: float) -> Spending:
        judges = saved = unreported = 0
        usages: list[Usage] = []
        nested: list[Spending] = []
        for seat, asked in zip(seats, self._asked, strict=True):
            if seat.verdict is not None:
                nested.append(seat.verdict.cost)
            elif seat.skipped:
                saved += count_judges(asked)
            else:
                judges += 1
                if seat.judgment.usage is not None:
                    usages.append(seat.judgment.usage)
                elif asked.metadata.cost is Cost.MODEL:
                    unreported += 1
        own = Spending(judges, saved, Usage.total(usages) if usages else None, unreported, elapsed)
        return total_spending([own, *nested], elapsed) if nested else own


_SKIPPED: Final = Judgment.abstaining(
    "not asked to the end: the vote was decided", code=ReasonCode.SKIPPED
)

_EXTREMES: Final = (
    Judgment.passing(),
    Judgment.failing(),
    Judgment.abstaining("open"),
)
"""A monotone strategy that gives the same status for these gives it for all between them."""


def _roster(judges: Iterable[Judge] | Mapping[str, Judge]) -> tuple[Judge, ...]:
    if isinstance(judges, Mapping):
        by_name = cast("Mapping[str, Judge]", judges)
        roster: tuple[Judge, ...] = tuple(named(name, judge) for name, judge in by_name.items())
    elif isinstance(judges, Iterable):
        roster = tuple(judges)
    else:
        raise ArgumentTypeError(f"judges must be a list or mapping of judges, not {judges!r:.120}")
    if not roster:
        raise ArgumentError("a jury needs at least one judge; nothing passes unexamined")
    return roster


def _asked(roster: Sequence[Judge], dedupe: bool) -> tuple[Asked, ...]:
    """The judges under the names that their errors will use: the keys of their seats."""
    asked = [Asked(judge) for judge in roster]
    keys = seat_keys([judge.metadata for judge in asked], dedupe=dedupe)
    return tuple(Asked(judge, key) for judge, (key, _) in zip(roster, keys, strict=True))
