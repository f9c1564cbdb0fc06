"""What work and judging consumed, as far as that was reported."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agent_judge.judgment import Judgment
from agent_judge.jury.verdict import Verdict
from agent_judge.usage import Usage

NOTHING: Final = Usage(0, 0, 0, 0, 0, 0, 0.0)
"""What work consumes that asks no model."""


def consumed_by(finding: Judgment | Verdict | None) -> Usage | None:
    """What judges consumed; those that ask no model, nothing. `None` where one did not report."""
    if isinstance(finding, Verdict):
        used = None if finding.cost.unreported else finding.cost.usage or NOTHING
    else:
        used = NOTHING if finding is None else finding.usage or NOTHING
    return None if used is None else with_total(used)


def with_total(usage: Usage) -> Usage:
    """The same, its total made of tokens read and written where only those were reported."""
    read, written = usage.input_tokens, usage.output_tokens
    if usage.total_tokens is not None or read is None or written is None:
        return usage
    return replace(usage, total_tokens=read + written)


def reported_usage(error: Exception | None) -> Usage | None:
    """What an exception says that the attempt consumed which it ended; `None` where it does not."""
    used = getattr(error, "usage", None)
    return used if isinstance(used, Usage) else None
