"""Juries: several judges, a voting strategy, and verdicts that keep every seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.jury.cascade import CascadedJury, Tier
    from agent_judge.jury.counting import AllMustPass, Consensus, Majority
    from agent_judge.jury.description import JuryDescription, SeatDescription, StageDescription
    from agent_judge.jury.gates import ConfidenceGate, TierPolicy
    from agent_judge.jury.jury import Jury
    from agent_judge.jury.labels import Mode
    from agent_judge.jury.meta import MetaJury
    from agent_judge.jury.population import (
        ErrorPolicy,
        NotApplicablePolicy,
        Population,
        TiePolicy,
        VotingStrategy,
    )
    from agent_judge.jury.reliance import Reading, Reliance, read_reliance
    from agent_judge.jury.scoring import Average, Median, Minimum, WeightedAverage
    from agent_judge.jury.stage import Stage
    from agent_judge.jury.verdict import (
        Decision,
        KeySource,
        Seat,
        Spending,
        StageAttempt,
        StageEffect,
        StageFailure,
        Verdict,
    )

__all__ = [
    "AllMustPass",
    "Average",
    "CascadedJury",
    "ConfidenceGate",
    "Consensus",
    "Decision",
    "ErrorPolicy",
    "Jury",
    "JuryDescription",
    "KeySource",
    "Majority",
    "Median",
    "MetaJury",
    "Minimum",
    "Mode",
    "NotApplicablePolicy",
    "Population",
    "Reading",
    "Reliance",
    "Seat",
    "SeatDescription",
    "Spending",
    "Stage",
    "StageAttempt",
    "StageDescription",
    "StageEffect",
    "StageFailure",
    "TiePolicy",
    "Tier",
    "TierPolicy",
    "Verdict",
    "VotingStrategy",
    "WeightedAverage",
    "read_reliance",
]

_HOMES = {
    "cascade": (
        "CascadedJury",
        "Tier",
    ),
    "description": (
        "JuryDescription",
        "SeatDescription",
        "StageDescription",
    ),
    "gates": (
        "ConfidenceGate",
        "TierPolicy",
    ),
    "jury": ("Jury",),
    "meta": ("MetaJury",),
    "population": (
        "ErrorPolicy",
        "NotApplicablePolicy",
        "Population",
        "TiePolicy",
        "VotingStrategy",
    ),
    "reliance": (
        "Reading",
        "Reliance",
        "read_reliance",
    ),
    "stage": ("Stage",),
    "counting": ("AllMustPass", "Consensus", "Majority"),
    "labels": ("Mode",),
    "scoring": ("Average", "Median", "Minimum", "WeightedAverage"),
    "verdict": (
        "Decision",
        "KeySource",
        "Seat",
        "Spending",
        "StageAttempt",
        "StageEffect",
        "StageFailure",
        "Verdict",
    ),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
