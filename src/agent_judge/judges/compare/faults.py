"""Why two things could not be compared."""

from __future__ import annotations

from agent_judge.judgment import ReasonCode


class SyntaxFaultError(Exception):
    """What was read is not in the language that it should be in.

    Of the candidate this is a finding, of the reference it is a failure to judge.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


class NotComparedError(Exception):
    """What was read may be right, and cannot be looked at: too large, too deep, or refused."""

    def __init__(self, reason: str, code: ReasonCode) -> None:
        super().__init__(reason)
        self.code = code


def too_many_nodes(limit: int) -> NotComparedError:
    """There is more in it than is compared."""
    return NotComparedError(f"it has more than {limit} parts", ReasonCode.TOO_LARGE)


def too_deep() -> NotComparedError:
    """It nests deeper than its parser goes."""
    return NotComparedError("it nests deeper than the parser goes", ReasonCode.TOO_LARGE)
