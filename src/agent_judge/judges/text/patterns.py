r"""Regular expressions that users give, searched for in hostile text under a deadline.

A pattern that backtracks without end holds the interpreter lock, so that no thread can stop it.
With the engine `re` of the standard library the search is therefore done by a child process that
is killed at the deadline; the engine `regex` (extra `text`) stops by itself.

The two engines read the same pattern differently: to `regex`, `x{e}` allows an error in the match,
and `\w` takes combining marks in. So the engine is chosen by name, never by what is installed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, Final, assert_never

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.extras import load
from agent_judge.frozen import EMPTY, FrozenMap, check_text
from agent_judge.judges.killable import FailedError, OverdueError, Pool
from agent_judge.judgment import ReasonCode

MAX_PATTERN: Final = 10_000
"""Characters that a pattern may have."""

MAX_TEXT: Final = 10_000_000
"""Characters of a text that are searched; a longer text is refused, never cut."""

FLAGS: Final = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.ASCII | re.UNICODE
"""The flags of the module `re` that a pattern may have."""


class Engine(Enum):
    """Whose dialect a pattern is in."""

    RE = "re"
    REGEX = "regex"


class PatternTimeout(Exception):  # noqa: N818 - it says what happened, as TimeoutError does not
    """The deadline passed before the search had ended; the search was stopped."""


class PatternError(Exception):
    """The search could not be done: the text is too long, or there was no memory for it."""

    def __init__(self, reason: str, code: ReasonCode = ReasonCode.JUDGE_RAISED) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True, slots=True)
class Match:
    """The first match of a pattern in a text.

    Attributes:
        start: Index of its first character.
        end: Index after its last character.
        groups: What the whole pattern matched, then each of its groups; `None` for a group that
            took no part.
        numbers: The number of each named group.
    """

    start: int
    end: int
    groups: tuple[str | None, ...]
    numbers: Mapping[str, int] = EMPTY


def search(pattern: str, text: str, flags: int, deadline: float) -> Match | None:
    r"""Find the first match anywhere in a text, in the dialect of the module `re`.

    Args:
        pattern: The regular expression.
        text: What to search.
        flags: Those of the module `re`, or 0.
        deadline: When to give up, on the clock of `time.monotonic`.

    Raises:
        ArgumentError: The pattern is not a regular expression.
        PatternTimeout: The deadline passed.
        PatternError: The search could not be done.

    Example:
        >>> search(r"\d+", "The answer is 42", 0, monotonic() + 10).start
        14
    """
    return Pattern(pattern, flags).find(text, deadline)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that was found to be one.

    Args:
        source: The regular expression.
        flags: Those of the module `re`, or 0.
        whole: Whether the whole text has to match, or a part of it.
        engine: Whose dialect it is in.

    Raises:
        ArgumentError: It is not a regular expression, or one too long.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The package `regex` is asked for and not installed.
    """

    source: str
    flags: int = 0
    whole: bool = False
    engine: Engine = Engine.RE
    groups: int = field(init=False, compare=False)
    numbers: FrozenMap[int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        check_text(self.source, "pattern")
        if len(self.source) > MAX_PATTERN:
            raise ArgumentError(
                f"pattern has {len(self.source)} characters; at most {MAX_PATTERN} are allowed"
            )
        if type(self.flags) is not int and not isinstance(self.flags, re.RegexFlag):
            raise ArgumentTypeError(f"flags must be flags of the module re, not {self.flags!r}")
        if self.flags & ~FLAGS:
            raise ArgumentError(f"flags {self.flags!r} are not allowed; allowed are {FLAGS!r}")
        object.__setattr__(self, "flags", int(self.flags))
        compiled = _compile(self.source, self.flags, self.engine)
        object.__setattr__(self, "groups", compiled.groups)
        object.__setattr__(self, "numbers", FrozenMap(compiled.groupindex))

    def find(self, text: str, deadline: float) -> Match | None:
        """The first match in a text.

        Raises:
            PatternTimeout: The deadline passed; on the clock of `time.monotonic`.
            PatternError: The search could not be done.
        """
        if len(text) > MAX_TEXT:
            raise PatternError(
                f"the text has {len(text)} characters; at most {MAX_TEXT} are searched",
                ReasonCode.TOO_LARGE,
            )
        spans = self._spans(text, deadline)
        if spans is None:
            return None
        groups = tuple(None if start < 0 else text[start:end] for start, end in spans)
        return Match(*spans[0], groups, self.numbers)

    def _spans(self, text: str, deadline: float) -> list[tuple[int, int]] | None:
        match self.engine:
            case Engine.RE:
                return self._ask_child(text, deadline)
            case Engine.REGEX:
                return self._ask_regex(text, deadline)
            case _:
                assert_never(self.engine)

    def _ask_child(self, text: str, deadline: float) -> list[tuple[int, int]] | None:
        request = {"pattern": self.source, "flags": self.flags, "whole": self.whole, "text": text}
        try:
            spans: list[tuple[int, int]] | None = _CHILDREN.ask(request, deadline)
        except OverdueError:
            raise PatternTimeout from None
        except FailedError as failure:
            raise PatternError(str(failure)) from failure
        return spans

    def _ask_regex(self, text: str, deadline: float) -> list[tuple[int, int]] | None:
        seconds = deadline - monotonic()
        if seconds <= 0:
            raise PatternTimeout
        compiled = _compile(self.source, self.flags, self.engine)
        find = compiled.fullmatch if self.whole else compiled.search
        try:
            match = find(text, timeout=seconds, concurrent=True)
        except TimeoutError:
            raise PatternTimeout from None
        except MemoryError as failure:
            raise PatternError("there was not enough memory") from failure
        return None if match is None else [match.span(group) for group in range(self.groups + 1)]


_CHILDREN: Final = Pool(Path(__file__).with_name("search_task.py"))


@lru_cache(maxsize=512)
def _compile(source: str, flags: int, engine: Engine) -> Any:
    """Compile a pattern, of either engine: the two have the same interface and no common type."""
    if engine is Engine.RE:
        return _compiled(re, source, flags)
    regex = load("regex", extra="text", needed_by="the engine 'regex'")
    return _compiled(
        regex, source, sum(getattr(regex, flag.name or "") for flag in re.RegexFlag(flags))
    )


def _compiled(engine: Any, source: str, flags: int) -> Any:
    try:
        return engine.compile(source, flags)
    except (engine.error, OverflowError, RecursionError, ValueError) as fault:
        raise ArgumentError(
            f"pattern {source!r:.200} is not a regular expression: {fault}"
        ) from None
