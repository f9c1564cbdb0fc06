"""From which state the next attempt begins, and which one is left at the end."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from agent_judge.coordination.attempts import Attempt, best_of


class Keeping(Enum):
    """What an attempt finds in the workspace.

    KEEP: what the one before left. RESET_ON_FAIL: what was there before the loop, since the one
    before was not approved. RESET_ON_STALL: what the best one so far left, where the last one was
    not better.
    """

    KEEP = "keep"
    RESET_ON_FAIL = "reset_on_fail"
    RESET_ON_STALL = "reset_on_stall"


def begin_from(keeping: Keeping, before: str, attempts: Sequence[Attempt[Any]]) -> str | None:
    """The state that the next attempt is to find; what judges wrote since is no part of it.

    Args:
        keeping: The policy.
        before: The state before the loop.
        attempts: Those that were made, none of which was approved. Without any, the answer is
            `None`: the workspace is as it was.
    """
    if not attempts:
        return None
    match keeping:
        case Keeping.KEEP:
            return attempts[-1].snapshot
        case Keeping.RESET_ON_FAIL:
            return before
        case Keeping.RESET_ON_STALL:
            best = best_of(attempts)
            return before if best is None else best.snapshot


def end_with(keeping: Keeping, before: str, attempts: Sequence[Attempt[Any]]) -> str | None:
    """The state that is to be left at the end: the best attempt's.

    Where no attempt made anything it is the state before the loop, unless states are kept.
    """
    best = best_of(attempts)
    return begin_from(keeping, before, attempts) if best is None else best.snapshot
