"""What a model answered, the same from every backend."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite

from agent_judge.context import MISSING, Missing
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json, check_text, freeze
from agent_judge.usage import Usage


class FinishReason(Enum):
    """Why an answer ended.

    STOP: the model was done. LENGTH: it was cut at a limit of tokens. REFUSAL: the model declined.
    CONTENT_FILTER: the provider withheld it. OTHER: a reason that is none of these, or that is
    not known here: the answer is not complete. UNREPORTED: nobody said, as with models of your
    own; the answer is taken as complete.
    """

    STOP = "stop"
    LENGTH = "length"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    OTHER = "other"
    UNREPORTED = "unreported"


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """A token of an answer, the natural logarithm of its probability, and its alternatives.

    Raises:
        ArgumentError: A logarithm that is not finite.
        ArgumentTypeError: A value of the wrong type.
    """

    token: str
    logprob: float
    alternatives: tuple[TokenLogprob, ...] = ()

    def __post_init__(self) -> None:
        check_text(self.token, "token")
        if type(self.logprob) is not float and type(self.logprob) is not int:
            raise ArgumentTypeError(f"logprob must be a number, not {self.logprob!r:.80}")
        if not isfinite(self.logprob):
            raise ArgumentError(f"logprob must be finite, got {self.logprob}")
        object.__setattr__(self, "alternatives", _tokens(self.alternatives))


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """What a model answered.

    Args:
        text: The answer; of a structured one its JSON text.
        structured: The answer as the JSON value that was asked for with a schema; `MISSING` where
            none was asked for, or the text is not JSON.
        finish_reason: Why it ended.
        finish_detail: The same in the provider's own words.
        usage: What it consumed, as far as that was reported.
        model: The model that answered, as it named itself.
        logprobs: The tokens of the text with their probabilities, where they were asked for.
        from_cache: Whether no model was called for it: a stored answer, or one that was shared
            with somebody who asked the same at the same time. It does not count when compared.

    Raises:
        ArgumentError: A value that JSON cannot carry.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> ModelResponse("PASS").complete
        True
        >>> ModelResponse("PA", finish_reason=FinishReason.LENGTH).complete
        False
    """

    text: str
    structured: Json | Missing = MISSING
    finish_reason: FinishReason = FinishReason.UNREPORTED
    finish_detail: str | None = None
    usage: Usage | None = None
    model: str | None = None
    logprobs: tuple[TokenLogprob, ...] | None = None
    from_cache: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        check_text(self.text, "response.text")
        if self.structured is not MISSING:
            _set(self, "structured", freeze(self.structured, "response.structured"))
        if type(self.finish_reason) is not FinishReason:
            raise ArgumentTypeError(
                f"finish_reason must be a FinishReason, not {self.finish_reason!r:.80}"
            )
        if self.finish_detail is not None:
            check_text(self.finish_detail, "response.finish_detail")
        if self.usage is not None and type(self.usage) is not Usage:
            raise ArgumentTypeError(f"usage must be a Usage, not {self.usage!r:.80}")
        if self.model is not None:
            check_text(self.model, "response.model")
        if self.logprobs is not None:
            _set(self, "logprobs", _tokens(self.logprobs))

    @property
    def complete(self) -> bool:
        """Whether nothing says that the answer is cut, refused or withheld."""
        return self.finish_reason in (FinishReason.STOP, FinishReason.UNREPORTED)


_set = object.__setattr__


def _tokens(tokens: Iterable[TokenLogprob]) -> tuple[TokenLogprob, ...]:
    kept = tuple(tokens)
    for token in kept:
        if type(token) is not TokenLogprob:
            raise ArgumentTypeError(f"logprobs must be TokenLogprobs, not {token!r:.80}")
    return kept
