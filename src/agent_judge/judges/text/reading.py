"""What text judges read: the text that a run gave, and the text that was expected.

They read strings. An output that is any other JSON value is ERROR, unless the judge was told to
take its JSON text. `None`, `0` and `""` are outputs; where there is no output at all, or nothing
to expect, they abstain.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, TypeAlias, cast

from agent_judge.context import MISSING, JudgmentContext, Output
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text, thaw
from agent_judge.judgment import Judgment, ReasonCode

NonText: TypeAlias = Literal["error", "json"]
"""What becomes of a value that is no string: ERROR, or its text as JSON."""

_QUOTED: Final = 80
"""Characters of a text that a message quotes."""


def output_text(context: JudgmentContext, non_text: NonText) -> str | Judgment:
    """The output of a run as text, or the judgment that there is none."""
    return text_of(context.output, "the output", non_text)


def expected_text(given: str | None, context: JudgmentContext, non_text: NonText) -> str | Judgment:
    """What was given to the judge, else what the context expects, or why there is neither."""
    if given is not None:
        return given
    return text_of(context.expected, "the expected output", non_text)


def text_of(value: Output, what: str, non_text: NonText) -> str | Judgment:
    """A value as text, or the judgment that it cannot be read as one."""
    if isinstance(value, str):
        return value
    if value is MISSING:
        return missing_input(what)
    if non_text == "json":
        return json.dumps(thaw(value), ensure_ascii=False)
    return Judgment.erring(
        f"{what} is {kind_of(value)}, and this judge reads text; "
        "with non_text='json' it reads the JSON text of other values",
        ReasonCode.MALFORMED_EVIDENCE,
    )


def missing_input(what: str) -> Judgment:
    """The judgment that there is nothing to judge, or to compare with."""
    return Judgment.abstaining(f"{what} is missing", code=ReasonCode.MISSING_INPUT)


def kind_of(value: object) -> str:
    """What kind of JSON value something is, as a message says it."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case Mapping():
            return "an object"
        case _:
            return "an array"


def quoted(text: str, limit: int = _QUOTED) -> str:
    """A text as a message quotes it: cut, and with everything escaped that cannot be printed."""
    return repr(text) if len(text) <= limit else f"{text[:limit]!r}…"


def check_choice(value: object, allowed: Collection[str], name: str) -> None:
    """Refuse what is not one of a few words.

    Raises:
        ArgumentError: It is not.
    """
    if value not in allowed:
        known = ", ".join(repr(word) for word in allowed)
        raise ArgumentError(f"{name} must be one of {known}, not {value!r}")


def check_non_text(value: object) -> None:
    """Refuse what is not a word of `NonText`.

    Raises:
        ArgumentError: It is not.
    """
    check_choice(value, ("error", "json"), "non_text")


def check_expected(text: object, name: str = "expected") -> None:
    """Refuse a text to compare with that is no text, or blank; `None` is none at all.

    Raises:
        ArgumentTypeError: It is not a string.
        ArgumentError: It is blank.
    """
    if text is not None:
        check_text(text, name)
        if not str(text).strip():
            raise ArgumentError(f"{name} is blank; there is nothing to compare with")


def check_texts(texts: object, name: str) -> tuple[str, ...]:
    """One text or several, none of them empty.

    Raises:
        ArgumentTypeError: It is neither a string nor a list of strings.
        ArgumentError: There is none, or one is empty.
    """
    given: object = (texts,) if isinstance(texts, str) else texts
    if not isinstance(given, list | tuple):
        raise ArgumentTypeError(f"{name} must be a string or a list of strings, not {texts!r}")
    kept = tuple(cast("Iterable[str]", given))
    if not kept:
        raise ArgumentError(f"{name} is an empty list; nothing would be looked for")
    for text in kept:
        check_text(text, name)
        if not text:
            raise ArgumentError(f"{name} holds an empty text, and every text contains that")
    return kept
