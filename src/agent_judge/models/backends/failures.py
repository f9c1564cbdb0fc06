"""What an answer of a provider that is not a success means."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from agent_judge.models.backends.retry import AttemptFailed, read_retry_after
from agent_judge.models.errors import (
    ModelUnavailableError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RequestTooLargeError,
)
from agent_judge.models.json_reading import as_object

MAX_MESSAGE: Final = 500
"""Characters of a provider's own message that are kept."""


class Problem(NamedTuple):
    """What a provider says went wrong."""

    message: str
    code: str


def failure_of_status(
    name: str, status: int, headers: Mapping[str, str], body: bytes, now: float
) -> AttemptFailed:
    """Read an HTTP response that is not a success.

    Args:
        name: The model, for the message.
        status: The HTTP status.
        headers: With case-insensitive or lower-case names.
        body: The body, possibly cut.
        now: Seconds since 1970.
    """
    problem = read_problem(body)
    message = f"{name}: HTTP {status}: {problem.message or 'no reason given'}"
    retry_after = read_retry_after(headers, now)
    if 300 <= status < 400:
        where = printable(headers.get("location", "nowhere"), 200)
        message = f"{name}: HTTP {status}: redirects are not followed (to {where}); set base_url"
        return AttemptFailed(RejectedRequestError(message, status))
    if status == 429 and problem.code not in _EXHAUSTED:
        error = RateLimitedError(message, retry_after)
        return AttemptFailed(error, again=True, retry_after=retry_after, overloaded=True)
    if status >= 500 or status in _TRANSIENT or headers.get("x-should-retry") == "true":
        again = headers.get("x-should-retry") != "false"
        return AttemptFailed(
            ModelUnavailableError(message),
            again=again,
            retry_after=retry_after,
            overloaded=status == 529,
        )
    return AttemptFailed(_refusal(message, status, problem))


def failure_in_body(name: str, answer: object, now: float) -> AttemptFailed | None:
    """Read the error that some gateways send with status 200, if the answer is one."""
    body = as_object(answer)
    if not body.get("error") or _ANSWERS & body.keys():
        return None
    code = as_object(body["error"]).get("code")
    status = code if type(code) is int and 400 <= code <= 599 else 502
    return failure_of_status(name, status, {}, json.dumps(body).encode(), now)


def read_problem(body: bytes) -> Problem:
    """Find a provider's message and code in the body of an error, in any of the usual shapes."""
    try:
        answer: object = json.loads(body)
    except (ValueError, RecursionError):
        return Problem(printable(body.decode("utf-8", "replace")), "")
    said = as_object(answer).get("error", answer)
    error = as_object(said)
    if not error:
        return Problem(printable(str(said)), "")
    inner = as_object(error.get("innererror"))
    codes = [error.get("code"), error.get("type"), inner.get("code")]
    known = [code.lower() for code in codes if isinstance(code, str)]
    telling = [code for code in known if code in _TELLING]
    message = error.get("message")
    text = message if isinstance(message, str) else str(error)
    return Problem(printable(text), next(iter(telling or known), ""))


def printable(text: str, limit: int = MAX_MESSAGE) -> str:
    """A provider's text for a message: one line, bounded, free of control characters."""
    cut = text[: limit * 2].encode("utf-8", "replace").decode()
    clean = " ".join("".join(c if c.isprintable() else " " for c in cut).split())
    return clean if len(clean) <= limit else f"{clean[:limit]}…"


def without_secrets(content: bytes, secrets: Iterable[str]) -> bytes:
    """Text without the credentials that a provider or a library may have repeated in it.

    Values shorter than eight characters are found in ordinary text too, and are placeholders.
    """
    for secret in secrets:
        if len(secret) >= 8:
            content = content.replace(secret.encode(), _HIDDEN)
    return _USER_IN_ADDRESS.sub(rb"://" + _HIDDEN + b"@", content)


_HIDDEN: Final = "•••".encode()

_USER_IN_ADDRESS: Final = re.compile(rb"://[^/\s@]{1,256}@")

_ANSWERS: Final = frozenset({"choices", "output", "content", "message"})
"""Fields of a body that is an answer, whatever else it holds."""

_TRANSIENT: Final = frozenset({408, 409, 425})

_EXHAUSTED: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Codes under status 429 that no waiting mends."""

_TOO_LARGE: Final = frozenset(
    {"context_length_exceeded", "request_too_large", "string_above_max_length"}
)

_FILTERED: Final = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation"}
)

_TELLING: Final = _EXHAUSTED | _TOO_LARGE | _FILTERED

_TOO_LONG: Final = ("prompt is too long", "maximum context length", "exceed context limit")
"""How servers without a code of their own say that a request does not fit."""


def _refusal(message: str, status: int, problem: Problem) -> RejectedRequestError | RefusedError:
    if problem.code in _FILTERED:
        return RefusedError(message)
    too_long = any(words in problem.message.lower() for words in _TOO_LONG)
    if status == 413 or problem.code in _TOO_LARGE or (status == 400 and too_long):
        return RequestTooLargeError(message, status)
    return RejectedRequestError(message, status)
