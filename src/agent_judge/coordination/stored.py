"""Attempts and verdicts of the loop as plain JSON, and back; strict when reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from agent_judge.coordination.attempts import Attempt, Produced
from agent_judge.coordination.consumption import reported_usage
from agent_judge.coordination.errors import JournalError
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.engine.ask import message_of
from agent_judge.errors import AgentJudgeError, WireError
from agent_judge.frozen import freeze, thaw
from agent_judge.judgment import Judgment
from agent_judge.jury.verdict import Verdict
from agent_judge.usage import Usage
from agent_judge.wire import from_dict, to_dict
from agent_judge.wire.codecs import (
    AMOUNT,
    COUNT,
    FLAG,
    TEXT,
    Many,
    OneOf,
    Record,
    brief,
    expect_list,
    expect_object,
)
from agent_judge.wire.records import USAGE

Encode: TypeAlias = Callable[[Any], Any]
"""Makes JSON of an output, or an output of JSON."""


class RecordedError(Exception):
    """What an executor raised in a run that was read back: the type's name and the message.

    Attributes:
        usage: What the exception said that the attempt had consumed.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        if usage is not None:
            self.usage = usage


class FindingCodec:
    """What judges found, with the kind of record that it is."""

    def write(self, value: Judgment | Verdict) -> dict[str, Any]:
        """As the library stores records."""
        return to_dict(value)

    def read(self, data: Any, path: str) -> Judgment | Verdict:
        """The record of its kind."""
        kind = expect_object(data, path).get("kind")
        if kind not in ("judgment", "verdict"):
            raise WireError(f"{path}.kind: expected judgment or verdict, found {brief(kind)}")
        return from_dict(Judgment, data) if kind == "judgment" else from_dict(Verdict, data)


VERDICT: Final = Record(
    JudgeVerdict,
    decision=OneOf(Decision),
    reason=TEXT,
    score=AMOUNT,
    suggestions=Many(TEXT),
    synthetic=FLAG,
    finding=FindingCodec(),
)


@dataclass(frozen=True, slots=True)
class _Stored:
    """An attempt as it is stored: its output as JSON, its error in words."""

    number: int
    verdict: JudgeVerdict
    elapsed: float
    judging: float
    has_output: bool
    output: Any = None
    usage: Any = None
    error: str | None = None
    abandoned: bool = False
    judge_calls: int = 0
    judge_usage: Any = None
    confirmation: JudgeVerdict | None = None
    snapshot: str | None = None


class OutputCodec:
    """Any JSON value, `null` included."""

    def write(self, value: Any) -> Any:
        """The value in a list of its own, so that `null` is a value."""
        return [value]

    def read(self, data: Any, path: str) -> Any:
        """The value."""
        values = expect_list(data, path)
        if len(values) != 1:
            raise WireError(f"{path}: expected a list of one value, found {brief(data)}")
        return values[0]


_ATTEMPT: Final = Record(
    _Stored,
    number=COUNT,
    verdict=VERDICT,
    elapsed=AMOUNT,
    judging=AMOUNT,
    has_output=FLAG,
    output=OutputCodec(),
    usage=USAGE,
    error=TEXT,
    abandoned=FLAG,
    judge_calls=COUNT,
    judge_usage=USAGE,
    confirmation=VERDICT,
    snapshot=TEXT,
)


def plain(value: Any) -> Any:
    """An output as JSON, where it is JSON-like.

    Raises:
        JournalError: It is not.
    """
    try:
        return thaw(freeze(value, "the output"))
    except AgentJudgeError as fault:
        raise JournalError(
            f"the output cannot be stored: {fault}; give Journal encode= and decode=, which make "
            "JSON of an output and an output of JSON"
        ) from fault


def attempt_to_json(attempt: Attempt[Any], encode: Encode) -> dict[str, Any]:
    """An attempt as plain JSON, its candidates beside it."""
    stored = _ATTEMPT.write(
        _Stored(
            attempt.number,
            attempt.verdict,
            attempt.elapsed,
            attempt.judging,
            attempt.has_output,
            encode(attempt.output) if attempt.has_output else None,
            attempt.made.usage if attempt.made else reported_usage(attempt.error),
            _error(attempt.error),
            attempt.abandoned,
            attempt.judge_calls,
            attempt.judge_usage,
            attempt.confirmation,
            attempt.snapshot,
        )
    )
    if attempt.candidates:
        stored["candidates"] = [attempt_to_json(one, encode) for one in attempt.candidates]
    return stored


def attempt_from_json(
    data: Mapping[str, Any], path: str, decode: Encode, feedback: Feedback
) -> Attempt[Any]:
    """An attempt read back.

    Raises:
        WireError: A field is missing, unknown or wrong; the message begins with its path.
    """
    fields = dict(data)
    candidates = fields.pop("candidates", [])
    stored: _Stored = _ATTEMPT.read(fields, path)
    made = Produced(decode(stored.output), stored.usage) if stored.has_output else None
    return Attempt(
        stored.number,
        stored.verdict,
        feedback,
        made,
        None if stored.error is None else RecordedError(stored.error, stored.usage),
        stored.elapsed,
        stored.judging,
        stored.abandoned,
        stored.judge_calls,
        stored.judge_usage,
        stored.confirmation,
        tuple(
            attempt_from_json(one, f"{path}.candidates[{index}]", decode, feedback)
            for index, one in enumerate(candidates)
        ),
        stored.snapshot,
    )


def _error(error: Exception | None) -> str | None:
    if error is None or isinstance(error, RecordedError):
        return None if error is None else str(error)
    return f"{type(error).__name__}: {message_of(error)}"
