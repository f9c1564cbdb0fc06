"""Voting strategies that count who is for and who is against; scores do not matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from agent_judge.errors import ArgumentError
from agent_judge.judgment import Judgment, Status
from agent_judge.jury.population import TiePolicy
from agent_judge.jury.rules import VotingRules, built_in, undecided
from agent_judge.jury.tally import Tally


@built_in("majority")
@dataclass(frozen=True, slots=True)
class Majority(VotingRules):
    """More votes for than against; scores do not matter.

    Args:
        tie: What as many for as against is.

    Example:
        >>> from agent_judge.jury import Population
        >>> vote = Population.of(Judgment.passing(), Judgment.failing())
        >>> Majority()(vote).status.name, Majority(tie=TiePolicy.ABSTAIN)(vote).status.name
        ('FAIL', 'ABSTAIN')
    """

    tie: TiePolicy = TiePolicy.FAIL

    def _count(self, tally: Tally) -> Judgment:
        passed, failed = tally.passes, len(tally.votes) - tally.passes
        counts = f"{passed} passed, {failed} failed"
        if passed == failed:
            return undecided(self.tie, f"a tie: {counts}")
        return _finding(passed > failed, counts)


@built_in("consensus")
@dataclass(frozen=True, slots=True)
class Consensus(VotingRules):
    """All votes agree.

    Args:
        split: What disagreement is.
    """

    split: TiePolicy = TiePolicy.ABSTAIN

    def _count(self, tally: Tally) -> Judgment:
        passed, failed = tally.passes, len(tally.votes) - tally.passes
        if passed and failed:
            return undecided(self.split, f"split: {passed} passed, {failed} failed")
        return _finding(bool(passed), f"all {len(tally.votes)} {'passed' if passed else 'failed'}")


@built_in("all_must_pass")
@dataclass(frozen=True, slots=True)
class AllMustPass(VotingRules):
    """Every judge of the roster passes.

    Args:
        abstain: `"abstain"`: an abstention leaves the matter open, unless a judge failed;
            `"drop"`: it is left out.

    Raises:
        ArgumentError: Any other word.
    """

    abstain: Literal["abstain", "drop"] = "abstain"

    def __post_init__(self) -> None:
        VotingRules.__post_init__(self)
        if self.abstain not in ("abstain", "drop"):
            raise ArgumentError(f"abstain is 'abstain' or 'drop', not {self.abstain!r}")

    def _count(self, tally: Tally) -> Judgment:
        failed = [vote.key for vote in tally.votes if not vote.passed]
        if failed:
            return Judgment.failing(f"failed: {', '.join(sorted(failed))}")
        if tally.abstained and self.abstain == "abstain":
            return Judgment.abstaining(f"{tally.abstained} abstained, and all must pass")
        return Judgment.passing(f"all {len(tally.votes)} passed")


def _finding(passed: bool, why: str) -> Judgment:
    return Judgment(Status.PASS if passed else Status.FAIL, why)


MAJORITY: Final = Majority()
"""The strategy of a jury that was told none."""
