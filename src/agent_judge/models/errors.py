"""What can go wrong with a model.

    ModelError (RuntimeError)                  anything else: the model raised, returned nothing
    ├── UnsupportedOptionError (ValueError)    the backend cannot send what the request asks for
    ├── RejectedRequestError                   the provider refused the request: key, name, body
    │   └── RequestTooLargeError               the request does not fit the model
    ├── RateLimitedError                       too many requests, also after the retries
    ├── ModelUnavailableError (ConnectionError) not reached, dropped or broken, after the retries
    ├── ModelTimeoutError (TimeoutError)       no answer within the deadline
    ├── MalformedReplyError                    what came back is not what the protocol says
    ├── IncompleteReplyError                   the answer ended for a reason that is not known
    │   ├── TruncatedReplyError                it was cut at a limit of tokens
    │   └── RefusedError                       the model declined, or the provider withheld it
    ├── UnknownRequestError (LookupError)      a replay has no answer for the request
    ├── BudgetExceededError                    the money that models may spend is spent
    └── CacheError                             the file of a cache cannot be used

Each says with `code` what a judgment should carry. No message holds a credential.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_judge.errors import AgentJudgeError
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from agent_judge.models.response import ModelResponse


class ModelError(AgentJudgeError, RuntimeError):
    """A model could not be asked, or did not answer."""

    code: ClassVar[ReasonCode] = ReasonCode.MODEL_FAILED


class UnsupportedOptionError(ModelError, ValueError):
    """The backend cannot send what the request asks for, so nothing was sent."""


class RejectedRequestError(ModelError):
    """The provider refused the request; the same request would be refused again.

    Attributes:
        status: The HTTP status, where there was one.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class RequestTooLargeError(RejectedRequestError):
    """The request does not fit into the model's context."""

    code = ReasonCode.TOO_LARGE


class RateLimitedError(ModelError):
    """The provider asks for fewer requests.

    Attributes:
        retry_after: Seconds after which it may be asked again, where it said so.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelUnavailableError(ModelError, ConnectionError):
    """The provider could not be reached, dropped the connection or is broken."""


class ModelTimeoutError(ModelError, TimeoutError):
    """There was no answer within the deadline."""

    code = ReasonCode.TIMEOUT


class MalformedReplyError(ModelError):
    """What came back is not what the provider's protocol says."""


class IncompleteReplyError(ModelError):
    """The answer is not complete.

    Attributes:
        response: What came nevertheless, where anything did.
    """

    def __init__(self, message: str, response: ModelResponse | None = None) -> None:
        super().__init__(message)
        self.response = response


class TruncatedReplyError(IncompleteReplyError):
    """The answer was cut at a limit of tokens."""

    code = ReasonCode.TRUNCATED


class RefusedError(IncompleteReplyError):
    """The model declined to answer, or the provider withheld what it said."""

    code = ReasonCode.REFUSED


class UnknownRequestError(ModelError, LookupError):
    """A replay holds no answer, or no further one, for the request."""


class BudgetExceededError(ModelError):
    """The money that models may spend is spent, or what they cost is not known."""


class CacheError(ModelError):
    """The file of a cache cannot be read or is none."""
