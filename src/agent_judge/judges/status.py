"""Whether the run itself ended as it should."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

_KNOWN = tuple(status.value for status in ExecutionStatus)


@dataclass(frozen=True, slots=True)
class StatusJudge:
    """Whether the run ended with one of the allowed statuses.

    A run whose end is `unknown` neither passes nor fails, unless that is allowed: ABSTAIN.

    Args:
        allowed: The statuses that pass, by the values of `ExecutionStatus`.

    Raises:
        ArgumentError: No status, or one that there is not.
        ArgumentTypeError: Not a list of strings.

    Example:
        >>> from agent_judge import ExecutionStatus, JudgmentContext, evaluate
        >>> context = JudgmentContext(status=ExecutionStatus.TIMEOUT, error="after 60 s")
        >>> evaluate(StatusJudge(), context).reasoning
        'the run ended as timeout: after 60 s; allowed is success'
    """

    allowed: Sequence[str] = ("success",)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "StatusJudge", cost=Cost.MEMORY, type="status", needs=("status",), version="1"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowed", _check_allowed(self.allowed))

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the status of the run with those that are allowed."""
        status = context.status
        passed = status.value in self.allowed
        found = f"the run ended as {status.value}"
        if status is ExecutionStatus.UNKNOWN and not passed:
            return Judgment.abstaining(
                f"{found}: nobody said how it ended", code=ReasonCode.MISSING_INPUT
            )
        check = Check("status", passed, status.value)
        if passed:
            return Judgment.passing(found, checks=(check,))
        cause = f": {context.error}" if context.error else ""
        reasoning = f"{found}{cause}; allowed is {' or '.join(self.allowed)}"
        return Judgment.failing(reasoning, checks=(check,))


def _check_allowed(allowed: object) -> tuple[str, ...]:
    if not isinstance(allowed, list | tuple):
        raise ArgumentTypeError(f"allowed must be a list of statuses, not {allowed!r}")
    statuses = tuple(cast("Iterable[object]", allowed))
    if not statuses:
        raise ArgumentError("allowed is empty; no run could pass")
    for status in statuses:
        if status not in _KNOWN:
            raise ArgumentError(f"allowed holds {status!r}; known are {', '.join(_KNOWN)}")
    return cast("tuple[str, ...]", statuses)
