"""Unit tests for agents: judges say whether an agent's work is done.

A judge checks one run, a jury asks several, a cascade asks the cheap ones first. Everything here
is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.combinators import all_of, any_of, negate, with_timeout
    from agent_judge.context import (
        MISSING,
        ExecutionStatus,
        JudgmentContext,
        Source,
        ToolCall,
    )
    from agent_judge.engine import aevaluate, evaluate
    from agent_judge.errors import AgentJudgeError
    from agent_judge.judgment import (
        Check,
        Judgment,
        Location,
        ReasonCode,
        Status,
    )
    from agent_judge.jury import (
        AllMustPass,
        Average,
        CascadedJury,
        Consensus,
        ErrorPolicy,
        Jury,
        Majority,
        Median,
        MetaJury,
        Minimum,
        Seat,
        TiePolicy,
        Tier,
        TierPolicy,
        Verdict,
        WeightedAverage,
    )
    from agent_judge.protocol import (
        Cost,
        Judge,
        JudgeMetadata,
        judge,
        named,
    )
    from agent_judge.scores import (
        BooleanScore,
        CategoricalScore,
        NumericalScore,
        Score,
        normalize,
    )
    from agent_judge.usage import Usage
    from agent_judge.wire import from_dict, to_dict

__all__ = [
    "MISSING",
    "AgentJudgeError",
    "AllMustPass",
    "Average",
    "BooleanScore",
    "CascadedJury",
    "CategoricalScore",
    "Check",
    "Consensus",
    "Cost",
    "ErrorPolicy",
    "ExecutionStatus",
    "Judge",
    "JudgeMetadata",
    "Judgment",
    "JudgmentContext",
    "Jury",
    "Location",
    "Majority",
    "Median",
    "MetaJury",
    "Minimum",
    "NumericalScore",
    "ReasonCode",
    "Score",
    "Seat",
    "Source",
    "Status",
    "TiePolicy",
    "Tier",
    "TierPolicy",
    "ToolCall",
    "Usage",
    "Verdict",
    "WeightedAverage",
    "aevaluate",
    "all_of",
    "any_of",
    "evaluate",
    "from_dict",
    "judge",
    "named",
    "negate",
    "normalize",
    "to_dict",
    "with_timeout",
]

__version__ = "0.1.0"

_HOMES = {
    "combinators": ("all_of", "any_of", "negate", "with_timeout"),
    "context": ("MISSING", "ExecutionStatus", "JudgmentContext", "Source", "ToolCall"),
    "engine": ("aevaluate", "evaluate"),
    "errors": ("AgentJudgeError",),
    "protocol": ("Cost", "Judge", "JudgeMetadata", "judge", "named"),
    "judgment": ("Check", "Judgment", "Location", "ReasonCode", "Status"),
    "jury": (
        "AllMustPass",
        "Average",
        "CascadedJury",
        "Consensus",
        "ErrorPolicy",
        "Jury",
        "Majority",
        "Median",
        "MetaJury",
        "Minimum",
        "Seat",
        "Tier",
        "TierPolicy",
        "TiePolicy",
        "Verdict",
        "WeightedAverage",
    ),
    "scores": ("BooleanScore", "CategoricalScore", "NumericalScore", "Score", "normalize"),
    "usage": ("Usage",),
    "wire": ("from_dict", "to_dict"),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
