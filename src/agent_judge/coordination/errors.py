"""What leaves a loop or a team instead of becoming an attempt.

AgentJudgeError
├── PolicyContractError (TypeError)     a policy returned what is not a JudgeVerdict
├── JudgeFailedError (RuntimeError)     the judge behind a policy could not judge
├── JournalError (RuntimeError)         a run's journal cannot be written, read or resumed
├── NotApprovedError (RuntimeError)     `unwrap` of a run that was not approved
├── RestoreError (RuntimeError)         a workspace could not be put back
├── SnapshotError (RuntimeError)        the state of a workspace could not be kept
├── TeamFailedError (RuntimeError)      a team as an executor came to no result
└── UsageError (RuntimeError)           the caller's mistake: it is never retried
    ├── TeamStateError                  a team used before it began or after it ended
    └── TeamBusyError                   a team asked to do two things at once
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_judge.errors import AgentJudgeError
from agent_judge.judgment import Judgment

if TYPE_CHECKING:
    from agent_judge.coordination.result import CoordinationResult
    from agent_judge.coordination.team.result import TeamResult


class PolicyContractError(AgentJudgeError, TypeError):
    """A policy returned something that is not a `JudgeVerdict`, or a rule no `StopReason`."""


class JudgeFailedError(AgentJudgeError, RuntimeError):
    """The judge behind a policy erred, also when it was asked again.

    Attributes:
        judgment: Its last ERROR.
    """

    def __init__(self, message: str, judgment: Judgment) -> None:
        super().__init__(message)
        self.judgment = judgment

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.judgment)


class NotApprovedError(AgentJudgeError, RuntimeError):
    """The output of a run was asked for that nobody approved.

    Attributes:
        result: The whole of the run.
    """

    def __init__(self, message: str, result: CoordinationResult[Any]) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.result)


class JournalError(AgentJudgeError, RuntimeError):
    """The journal of a run cannot be written, read, or gone on with."""


class SnapshotError(AgentJudgeError, RuntimeError):
    """The state of a workspace could not be kept; nothing in it was changed."""


class RestoreError(AgentJudgeError, RuntimeError):
    """A workspace could not be put back; doing it again goes on where this ended."""


class TeamFailedError(AgentJudgeError, RuntimeError):
    """A team that was to make an attempt came to no result.

    Attributes:
        result: What became of it.
    """

    def __init__(self, result: TeamResult) -> None:
        from agent_judge.coordination.team.account import failures_in_words

        why = failures_in_words(result) or result.stop_reason.value
        super().__init__(f"the team {result.status.value.replace('_', ' ')}: {why}")
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.result,)


class UsageError(AgentJudgeError, RuntimeError):
    """The caller's mistake, which another attempt would only repeat."""


class TeamStateError(UsageError):
    """A team was asked to work before it was started or after it was stopped."""


class TeamBusyError(UsageError):
    """A team was asked to work while it works."""
