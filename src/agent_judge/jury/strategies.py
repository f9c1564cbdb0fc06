"""All built-in voting strategies, by the names that evidence and configuration use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from agent_judge.jury.counting import AllMustPass, Consensus, Majority
from agent_judge.jury.labels import Mode
from agent_judge.jury.rules import NAMES, VotingRules
from agent_judge.jury.scoring import Average, Median, Minimum, WeightedAverage

BUILT_IN: Final[Mapping[str, type[VotingRules]]] = {
    NAMES[strategy]: strategy
    for strategy in (
        Majority,
        Consensus,
        AllMustPass,
        Average,
        WeightedAverage,
        Median,
        Minimum,
        Mode,
    )
}
"""The built-in strategies by their names."""
