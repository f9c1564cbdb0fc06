from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import pytest

from agent_judge import (
    AllMustPass,
    Average,
    ErrorPolicy,
    Judgment,
    Jury,
    Majority,
    MetaJury,
    ReasonCode,
    Status,
    evaluate,
    negate,
)
from agent_judge.frozen import FrozenMap
from agent_judge.jury import Mode, Population, VotingStrategy
from agent_judge.jury.rules import VotingRules
from agent_judge.jury.stage import Stage
from agent_judge.jury.sum_up import sum_up
from agent_judge.jury.tally import Tally
from agent_judge.testing import a_context, always, erring, failing, passing

P = Judgment.passing("good")
F = Judgment.failing("bad")
A = Judgment.abstaining("unsure")
E = Judgment.erring("boom", ReasonCode.JUDGE_RAISED)
N = Judgment.not_applicable("no page")

EVERYBODY = (P, P, P, F, F, A, E, E, N)
COUNTS = {
    "input": 9,
    "eligible": 5,
    "passed": 3,
    "failed": 2,
    "abstained": 1,
    "not_applicable": 1,
    "errored": 2,
    "errors_by_code": {"judge_raised": 2},
}


def last_decides(population: Population) -> Judgment:
    """A strategy of somebody's own."""
    return population.seats[-1].judgment


def no(_population: Population) -> Judgment:
    """A strategy that is against whatever it is given."""
    return Judgment.failing("no")


def raising(_population: Population) -> NoReturn:
    """A strategy that is broken."""
    raise ValueError("broken")


def nonsense(_population: Population) -> Any:
    """A strategy that returns no judgment."""
    return "PASS"


def majority(_population: Population) -> Judgment:
    """A strategy of somebody's own that is called as a built-in one is."""
    return Judgment.passing("because")


@dataclass(frozen=True)
class Strict:
    """A strategy of somebody's own that was told something."""

    threshold: float = 0.9
    on_error: ErrorPolicy = ErrorPolicy.IGNORE
    secret: str = "sk-12345"

    def __call__(self, population: Population) -> Judgment:
        """Count by way of a built-in strategy."""
        return Average(on_error=self.on_error, threshold=self.threshold)(population)


class Odd(Majority):
    """A class made from a built-in strategy."""

    def _count(self, tally: Tally) -> Judgment:
        return Judgment.passing("odd") if tally.passes % 2 else Judgment.failing("even")


@dataclass(frozen=True)
class Stating:
    """A strategy that states whatever of itself."""

    threshold: Any
    on_error: Any

    def __call__(self, _population: Population) -> Judgment:
        """Pass."""
        return P


class Unreadable:
    """A strategy that says nothing of itself."""

    monotone: ClassVar[bool] = False

    def __getattr__(self, name: str) -> Any:
        raise ValueError(name)

    def __call__(self, _population: Population) -> Judgment:
        """Pass."""
        return P


def recorded(strategy: VotingStrategy, *judgments: Judgment) -> dict[str, Any]:
    """The evidence of what a strategy of a jury makes of these."""
    return dict(sum_up(strategy, Population.of(*judgments)).evidence)


@pytest.mark.parametrize("strategy", [last_decides, raising, nonsense, Strict(), Odd(), majority])
def test_the_seats_of_an_own_strategy_are_counted(strategy: VotingStrategy) -> None:
    """Whatever it makes of them, or if it fails. (contract: core:V28, core:V30)"""
    evidence = recorded(strategy, *EVERYBODY)

    assert {name: evidence[name] for name in COUNTS} == COUNTS
    assert evidence["custom"] is True


def test_an_own_strategy_is_called_by_its_name() -> None:
    """That of the function or class. (contract: core:V28)"""
    assert recorded(last_decides, P)["strategy"] == "last_decides"
    assert recorded(Strict(), P)["strategy"] == "Strict"
    assert recorded(Unreadable(), P)["strategy"] == "Unreadable"


@pytest.mark.parametrize(("name", "shown"), [("\ud800", "?"), ("x" * 70, f"{'x' * 64}… (6 more")])
def test_a_name_that_cannot_be_stored_is_mended(name: str, shown: str) -> None:
    """Nothing that a function is called may break a vote. (contract: core:V28)"""

    def own(_population: Population) -> Judgment:
        return P

    own.__name__ = name
    verdict = Jury([passing()], own).vote(a_context())

    assert verdict.decided_by.rule.startswith(shown)
    assert verdict.judgment.evidence["strategy"] == verdict.decided_by.rule


def test_no_policy_is_counted_that_nobody_knows_of() -> None:
    """A zero would look like a count. (contract: core:V28)"""
    unknown = {"treated_as_fail", "treated_as_abstain", "ignored", "excluded", "on_error"}

    assert not unknown & recorded(last_decides, *EVERYBODY).keys()


def test_what_an_own_strategy_states_is_recorded() -> None:
    """Policies and threshold, and nothing else of it. (contract: core:V28)"""
    evidence = recorded(Strict(), P, E)

    assert (evidence["threshold"], evidence["on_error"]) == (0.9, "ignore")
    assert "sk-12345" not in repr(evidence)


def test_what_came_with_the_judgment_is_kept_below() -> None:
    """With the policies of the built-in strategy that counted for it. (contract: core:V28)"""
    evidence = recorded(Strict(), P, E)

    assert evidence["returned"]["strategy"] == "average"
    assert evidence["returned"]["ignored"] == 1


def test_the_mark_that_an_own_strategy_applied_is_recorded() -> None:
    """Where `Judgment.scored` did. (contract: core:V28)"""

    def half(_population: Population) -> Judgment:
        return Judgment.scored(0.5, threshold=0.25)

    assert recorded(half, P)["threshold"] == 0.25


@pytest.mark.parametrize("threshold", [float("nan"), 7, True, "high", None])
def test_what_is_no_threshold_is_not_recorded_as_one(threshold: Any) -> None:
    """It could not even be stored. (contract: core:V28)"""
    assert "threshold" not in recorded(Stating(threshold, on_error="ignore"), P)


def test_what_is_no_policy_is_not_recorded_as_one() -> None:
    """A word may mean anything to somebody else's code. (contract: core:V28)"""
    assert "on_error" not in recorded(Stating(0.5, on_error="ignore"), P)


def test_evidence_does_not_grow_with_every_jury_around_it() -> None:
    """What an inner one kept is in its own seat. (contract: core:V28)"""
    jury = Jury([passing()], last_decides)
    for _ in range(5):
        jury = Jury([jury], last_decides)

    returned = jury.vote(a_context()).judgment.evidence["returned"]

    assert isinstance(returned, FrozenMap)
    assert "returned" not in returned


def test_a_built_in_strategy_that_fails_is_counted_under_its_policies() -> None:
    """With its options and every count. (contract: core:V28, core:V31)"""
    strategy = Mode(("good",), on_error=ErrorPolicy.IGNORE)

    judgment = sum_up(strategy, Population.of(P, E, A))

    assert judgment.code is ReasonCode.AGGREGATION_FAILED
    expected = {"strategy": "mode", "passing": ("good",), "on_error": "ignore", "ignored": 1}
    assert {name: judgment.evidence[name] for name in expected} == expected
    assert judgment.evidence["input"] == 3
    assert "custom" not in judgment.evidence


@pytest.mark.parametrize(
    ("judgments", "negated"),
    [
        ((E,), Status.ABSTAIN),
        ((A, N), Status.ABSTAIN),
        ((P, E), Status.ABSTAIN),
        ((F, E), Status.PASS),
        ((P, P), Status.PASS),
    ],
)
def test_an_own_strategy_that_fails_a_run_on_no_finding_is_no_ground_to_pass(
    judgments: Sequence[Judgment], negated: Status
) -> None:
    """Its negation is ABSTAIN, as with a built-in one. (contract: core:V28, core:C12)"""
    jury = Jury([always(judgment) for judgment in judgments], no)

    assert evaluate(negate(jury), a_context()).status is negated


class Crashing:
    """A member that gives no verdict."""

    async def avote(self, _context: object) -> NoReturn:
        """Crash."""
        raise ValueError("broken")


@pytest.mark.parametrize("strategy", [Average(threshold=0.7), last_decides])
def test_a_meta_jury_that_lost_a_member_says_who_is_left(strategy: VotingStrategy) -> None:
    """Though nobody counted them. (contract: core:V28, core:M3)"""
    members: dict[str, Stage] = {
        "for": Jury([passing()]),
        "against": Jury([failing()]),
        "broken": Jury([erring()]),
        "crashed": Crashing(),
    }
    evidence = MetaJury(members, strategy).vote(a_context()).judgment.evidence

    assert (evidence["input"], evidence["crashed"], evidence["errored"]) == (4, 1, 1)
    assert (evidence["passed"], evidence["failed"]) == (1, 1)
    assert evidence.get("threshold") == getattr(strategy, "threshold", None)
    assert ("custom" in evidence) is not isinstance(strategy, VotingRules)


def unanimous(population: Population) -> Judgment:
    """A strategy of somebody's own that can tell when a vote is decided."""
    return P if all(seat.judgment.passed for seat in population) else F


unanimous.monotone = True  # type: ignore[attr-defined]


@pytest.mark.parametrize("strategy", [AllMustPass(), unanimous])
def test_an_early_stop_says_what_it_did_not_foresee(strategy: VotingStrategy) -> None:
    """How many were not asked, and that errors of theirs are not known. (contract: core:J17)"""
    jury = Jury([failing(), erring(), passing()], strategy, stop_when_decided=True)

    evidence = jury.vote(a_context()).judgment.evidence

    assert evidence["input"] == 1
    assert evidence["early_stop"] == {"not_asked": 2, "errors_foreseen": False}


def test_a_vote_in_which_everybody_was_asked_did_not_stop_early() -> None:
    """Though it might have. (contract: core:J17)"""
    jury = Jury([passing(), failing()], AllMustPass(), stop_when_decided=True)

    assert "early_stop" not in jury.vote(a_context()).judgment.evidence
