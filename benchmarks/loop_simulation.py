"""How often a loop accepts work that is not done, beside what the formulas say.

    python benchmarks/loop_simulation.py [--runs 10000] [--attempts 5] [--seed 1] [--json]

Scripted agents work for judges whose rates are known: how often one passes work that is done (true
positives) and work that is not (false positives). Each case is run many times through the
coordinator. The share of runs that were approved is compared with its formula, by the exact
binomial interval (Clopper and Pearson 1934) that leaves out one in ten thousand. Then every reason
for which a loop can stop is brought about once. It ends with 1 where a share lies outside of its
interval, or a reason was not reached.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import comb
from random import Random
from typing import Any, Final

from agent_judge.coordination import (
    Budget,
    CoordinationResult,
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    Oscillation,
    Plateau,
    RepeatedFailure,
    StopReason,
    Unchanged,
    chance_of_false_approval,
)

TRUE_POSITIVES: Final = 0.9
FALSE_POSITIVES: Final = 0.2
GAMED: Final = 0.95
"""How often the judge passes work that holds the keyword it looks for."""

HELD_OUT_TRUE: Final = 0.95
HELD_OUT_FALSE: Final = 0.1

MISSED: Final = 1e-4
"""The probability with which a right formula is called wrong."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a scripted agent makes.

    Attributes:
        done: Whether it is done.
        keyword: Whether it holds the word that the judge likes.
    """

    done: bool
    keyword: bool = False


Agent = Callable[[str, Feedback], Work]


def hopeless(_: str, __: Feedback) -> Work:
    """It never gets anywhere."""
    return Work(done=False)


def improver(_: str, feedback: Feedback) -> Work:
    """It is done from the third attempt on."""
    return Work(done=feedback.attempt >= 3)


def gamer(_: str, feedback: Feedback) -> Work:
    """It learns the judge's keyword from the first feedback, and nothing else."""
    return Work(done=False, keyword=any("KEYWORD" in said for said in feedback))


def crasher(_: str, __: Feedback) -> Work:
    """It never makes anything."""
    raise RuntimeError("crashed")


def judge_of(random: Random, true: float, false: float, gamed: float) -> Any:
    """A judge with these rates, that gives its keyword away."""

    def decide(_: str, output: Work, __: JudgeContext) -> JudgeVerdict:
        rate = true if output.done else gamed if output.keyword else false
        if random.random() < rate:
            return JudgeVerdict.approve("it looks done", 1.0)
        return JudgeVerdict.retry("it does not look done", 0.3, ["Mention the KEYWORD."])

    return decide


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case, and what came of it.

    Attributes:
        agent: Which agent worked.
        confirmed: Whether a held-out judge had to agree.
        approved: The share of runs that were approved.
        formula: What it should be.
        low: Where the interval of the formula's share begins for so many runs.
        high: Where it ends.
    """

    agent: str
    confirmed: bool
    approved: float
    formula: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the share lies in the interval."""
        return self.low <= self.approved <= self.high


def expected(agent: str, attempts: int, *, confirmed: bool) -> float:
    """The probability that a run is approved."""
    true = TRUE_POSITIVES * (HELD_OUT_TRUE if confirmed else 1)
    false = FALSE_POSITIVES * (HELD_OUT_FALSE if confirmed else 1)
    gamed = GAMED * (HELD_OUT_FALSE if confirmed else 1)
    match agent:
        case "hopeless":
            confirm = HELD_OUT_FALSE if confirmed else 1.0
            return chance_of_false_approval(FALSE_POSITIVES, attempts, confirm)
        case "improver":
            early = min(attempts, 2)
            return 1 - (1 - false) ** early * (1 - true) ** (attempts - early)
        case "gamer" if not confirmed:
            return 1 - (1 - false) * (1 - gamed) ** (attempts - 1)
        case "gamer":
            return _gamer_confirmed(attempts)
        case _:
            return 0.0


def _gamer_confirmed(attempts: int) -> float:
    """The gamer hears the keyword only when the judge itself refuses, not when the other does."""
    knows = {False: 1.0, True: 0.0}
    approved = 0.0
    for _ in range(attempts):
        following = {False: 0.0, True: 0.0}
        for keyword, share in knows.items():
            rate = GAMED if keyword else FALSE_POSITIVES
            approved += share * rate * HELD_OUT_FALSE
            following[False] += share * rate * (1 - HELD_OUT_FALSE)
            following[True] += share * (1 - rate)
        knows = following
    return approved


def measure(agent: Agent, runs: int, attempts: int, random: Random, *, confirmed: bool) -> Outcome:
    """Run a case many times."""
    held_out = judge_of(random, HELD_OUT_TRUE, HELD_OUT_FALSE, HELD_OUT_FALSE)
    coordinator = JudgeCoordinator[Work](
        policy=judge_of(random, TRUE_POSITIVES, FALSE_POSITIVES, GAMED),
        executor=agent,
        max_attempts=attempts,
        confirm_with=held_out if confirmed else None,
    )
    approved = sum(coordinator.execute("agent").is_approved for _ in range(runs))
    formula = expected(agent.__name__, attempts, confirmed=confirmed)
    low, high = interval(formula, runs)
    return Outcome(agent.__name__, confirmed, approved / runs, formula, low, high)


def interval(share: float, runs: int) -> tuple[float, float]:
    """Between which shares all but `MISSED` of binomial samples of this share lie."""
    if share in (0.0, 1.0):
        return share, share
    low = _first(runs, lambda count: _at_most(count, runs, share) > MISSED / 2)
    high = _first(runs, lambda count: _at_most(count, runs, share) >= 1 - MISSED / 2)
    return low / runs, high / runs


def _first(runs: int, holds: Callable[[int], bool]) -> int:
    """The least count from which on something holds, found by halving."""
    low, high = 0, runs
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _at_most(count: int, runs: int, share: float) -> float:
    """The probability of at most so many successes: a sum of exact terms near the mean."""
    from math import exp, lgamma, log

    def term(successes: int) -> float:
        ways = lgamma(runs + 1) - lgamma(successes + 1) - lgamma(runs - successes + 1)
        return exp(ways + successes * log(share) + (runs - successes) * log(1 - share))

    if runs <= 60:
        return sum(comb(runs, n) * share**n * (1 - share) ** (runs - n) for n in range(count + 1))
    return min(1.0, sum(map(term, range(count + 1))))


def reach_every_reason() -> dict[StopReason, bool]:
    """Bring about each reason for which a loop can stop; whether that was the reason."""
    return {reason: bring_about(reason) is reason for reason in StopReason}


def bring_about(wanted: StopReason) -> StopReason | None:
    """Run the loop that should stop for a reason; for which it did."""
    now = [0.0]

    def slow(_: str, feedback: Feedback) -> int:
        now[0] += 10
        return feedback.attempt

    def retry(_: str, __: object, context: JudgeContext) -> JudgeVerdict:
        return JudgeVerdict.retry("no", 0.1 * context.iteration)

    def flat(_: str, __: object, ___: JudgeContext) -> JudgeVerdict:
        return JudgeVerdict.retry("no", 0.5)

    def fails(_: str, __: object, ___: JudgeContext) -> JudgeVerdict:
        raise RuntimeError("no judge")

    loops: dict[StopReason, dict[str, Any]] = {
        StopReason.APPROVED: {"policy": approving},
        StopReason.REJECTED: {"policy": rejecting},
        StopReason.ATTEMPTS_EXHAUSTED: {},
        StopReason.TIMED_OUT: {"timeout": 15, "clock": lambda: now[0]},
        StopReason.BUDGET: {"budget": Budget(judge_calls=2)},
        StopReason.PLATEAU: {"policy": flat, "stop_when": Plateau()},
        StopReason.UNCHANGED: {"executor": hopeless, "stop_when": Unchanged()},
        StopReason.OSCILLATION: {"executor": turning, "stop_when": Oscillation()},
        StopReason.REPEATED_FAILURE: {"executor": crasher, "stop_when": RepeatedFailure()},
        StopReason.ESCALATED: {"escalate": nobody},
        StopReason.POLICY_FAILED: {"policy": fails},
        StopReason.CANCELLED: {"executor": cancelled},
    }
    given: dict[str, Any] = {"policy": retry, "executor": slow, "max_attempts": 6, **loops[wanted]}
    try:
        return JudgeCoordinator[Any](**given).execute("agent").stop_reason
    except (RuntimeError, asyncio.CancelledError) as raised:
        partial: CoordinationResult[Any] = getattr(raised, "partial_result")  # noqa: B009 - no type knows it
        return partial.stop_reason


def approving(_: str, __: object, ___: JudgeContext) -> JudgeVerdict:
    """A policy that approves."""
    return JudgeVerdict.approve("ok", 1)


def rejecting(_: str, __: object, ___: JudgeContext) -> JudgeVerdict:
    """A policy that rejects."""
    return JudgeVerdict.reject("no", 0)


def turning(_: str, feedback: Feedback) -> int:
    """An agent that goes round in circles."""
    return feedback.attempt % 2


def nobody(_: CoordinationResult[Any]) -> None:
    """A person who has not answered yet."""


def cancelled(_: str, __: Feedback) -> int:
    """It is cancelled while it works."""
    raise asyncio.CancelledError


def main() -> int:
    """Print the table, or the same as JSON; 1 where something does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--attempts", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    outcomes = [
        measure(agent, arguments.runs, arguments.attempts, random, confirmed=confirmed)
        for agent in (hopeless, improver, gamer, crasher)
        for confirmed in (False, True)
    ]
    reasons = reach_every_reason()
    if arguments.json:
        reached = {reason.value: right for reason, right in reasons.items()}
        cases = [asdict(outcome) | {"holds": outcome.holds} for outcome in outcomes]
        print(json.dumps({"cases": cases, "stop_reasons": reached}, indent=1))
    else:
        report(outcomes, reasons, arguments.runs)
    right = all(outcome.holds for outcome in outcomes) and all(reasons.values())
    return 0 if right else 1


def report(outcomes: list[Outcome], reasons: dict[StopReason, bool], runs: int) -> None:
    """Print the tables."""
    print(f"{'agent':<10}{'held-out judge':<16}{'approved':>10}{'formula':>10}  interval")
    for one in outcomes:
        held_out = "agrees" if one.confirmed else "none"
        line = f"{one.agent:<10}{held_out:<16}{one.approved:>10.4f}{one.formula:>10.4f}"
        print(f"{line}  {one.low:.4f}..{one.high:.4f}{'' if one.holds else '  OUTSIDE'}")
    false = {one.confirmed: one for one in outcomes if one.agent == "hopeless"}
    factor = false[False].approved / max(false[True].approved, 1 / runs)
    formula = false[False].formula / false[True].formula
    print(f"false approvals fall by {factor:.1f} with a held-out judge (formula: {formula:.1f})")
    missed = [reason.value for reason, right in reasons.items() if not right]
    print(f"reasons to stop: {len(reasons) - len(missed)} of {len(reasons)} brought about")
    for reason in missed:
        print(f"  not {reason}")


if __name__ == "__main__":
    raise SystemExit(main())
