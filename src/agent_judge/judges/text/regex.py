"""Whether a regular expression matches the output, and what it finds there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import ClassVar, Final, Literal, cast

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_seconds
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text
from agent_judge.judges.text.patterns import Engine, Match, Pattern, PatternError, PatternTimeout
from agent_judge.judges.text.reading import (
    NonText,
    check_choice,
    check_non_text,
    expected_text,
    output_text,
    quoted,
)
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

Flag = Literal["ignorecase", "multiline", "dotall", "verbose", "ascii"]

_FLAGS: Final = ("ignorecase", "multiline", "dotall", "verbose", "ascii")
_KEPT: Final = 1000
"""Characters of the extracted text that the judgment keeps."""


@dataclass(frozen=True, slots=True)
class RegexJudge:
    r"""Whether a regular expression matches the output, and what it extracts is as expected.

    The search ends at its deadline, whatever pattern and output are: with ERROR `timeout`. It is
    done in a child process, so it costs about 0.1 ms; with `engine="regex"` it is done in place.

    Args:
        pattern: The regular expression.
        mode: `"search"` for a match anywhere, the first of which counts, or `"fullmatch"` for one
            of the whole output.
        group: What is extracted: a group by its number or name, 0 for the whole match. Without
            it, the first group, or the whole match where the pattern has no group.
        expected: What the extracted text has to be; without it, any match passes.
        expected_from: `"context"` to compare the extracted text with what the context expects.
        flags: `"ignorecase"`, `"multiline"`, `"dotall"`, `"verbose"`, `"ascii"`, as in the module
            `re`.
        engine: Whose dialect the pattern is in: `"re"`, the standard library, or `"regex"`, the
            package of that name (extra `text`), with more syntax and Unicode's own classes.
        timeout: Seconds that the search may take.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to search
            its JSON text.

    Raises:
        ArgumentError: An empty pattern or none, no such group, an unknown word, `expected` given
            twice.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `engine="regex"` without the package.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = RegexJudge(r"\d+", expected="42")
        >>> evaluate(judge, JudgmentContext(output="The answer is 42")).metadata["extracted"]
        '42'
    """

    pattern: str
    mode: Literal["search", "fullmatch"] = "search"
    group: int | str | None = None
    expected: str | None = None
    expected_from: Literal["judge", "context"] = "judge"
    flags: Sequence[Flag] = ()
    engine: Literal["re", "regex"] = "re"
    timeout: float = 2.0
    non_text: NonText = "error"
    _pattern: Pattern = field(init=False, repr=False, compare=False)
    _group: int = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "RegexJudge", cost=Cost.FILE, type="regex", needs=("output", "expected"), version="1"
    )

    def __post_init__(self) -> None:
        check_choice(self.mode, ("search", "fullmatch"), "mode")
        check_choice(self.engine, ("re", "regex"), "engine")
        check_choice(self.expected_from, ("judge", "context"), "expected_from")
        check_non_text(self.non_text)
        check_seconds(self.timeout, "timeout")
        if self.pattern == "":
            raise ArgumentError("pattern is empty, and that matches every output")
        _set(self, "flags", _check_flags(self.flags))
        flags = sum(int(re.RegexFlag[flag.upper()]) for flag in set(self.flags))
        whole = self.mode == "fullmatch"
        _set(self, "_pattern", Pattern(self.pattern, flags, whole, Engine(self.engine)))
        _set(self, "_group", _number(self.group, self._pattern))
        self._check_expected()

    def _check_expected(self) -> None:
        if self.expected is not None:
            check_text(self.expected, "expected")
            if self.expected_from == "context":
                raise ArgumentError("expected is given, and expected_from='context' as well")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Search the output."""
        output = output_text(context, self.non_text)
        if isinstance(output, Judgment):
            return output
        expected = self.expected
        if self.expected_from == "context":
            wanted = expected_text(None, context, self.non_text)
            if isinstance(wanted, Judgment):
                return wanted
            expected = wanted
        try:
            match = self._pattern.find(output, monotonic() + self.timeout)
        except PatternTimeout:
            reason = f"the search for {quoted(self.pattern)} took more than {self.timeout:g} s"
            return Judgment.erring(reason, ReasonCode.TIMEOUT)
        except PatternError as failure:
            reason = f"the search for {quoted(self.pattern)} failed: {failure}"
            return Judgment.erring(reason, failure.code)
        return self._judge(match, expected)

    def _judge(self, match: Match | None, expected: str | None) -> Judgment:
        if match is None:
            return self._judgment(False, "does not match")
        extracted = match.groups[self._group]
        if extracted is None:
            return self._judgment(False, f"matches without group {self._group}")
        passed = expected is None or extracted == expected
        message = f"matches {quoted(extracted)}"
        if not passed:
            message += f", expected {quoted(expected or '')}"
        return self._judgment(passed, message, extracted)

    def _judgment(self, passed: bool, message: str, extracted: str | None = None) -> Judgment:
        check = Check(f"pattern {quoted(self.pattern)}", passed, message)
        kept = {} if extracted is None else {"extracted": extracted[:_KEPT]}
        make = Judgment.passing if passed else Judgment.failing
        return make(f"{quoted(self.pattern)} {message}", checks=(check,), metadata=kept)


_set = object.__setattr__


def _check_flags(flags: object) -> tuple[str, ...]:
    if not isinstance(flags, list | tuple):
        raise ArgumentTypeError(f"flags must be a list of words, not {flags!r}")
    for flag in cast("Sequence[object]", flags):
        check_choice(flag, _FLAGS, "a flag")
    return tuple(cast("Sequence[str]", flags))


def _number(group: object, pattern: Pattern) -> int:
    """The number of the group that is extracted."""
    match group:
        case None:
            return min(1, pattern.groups)
        case bool():
            raise ArgumentTypeError(f"group must be a number or a name, not {group!r}")
        case int() if 0 <= group <= pattern.groups:
            return group
        case str() if group in pattern.numbers:
            return pattern.numbers[group]
        case int() | str():
            raise ArgumentError(
                f"pattern has no group {group!r}; it has {pattern.groups} groups, "
                f"named are {', '.join(pattern.numbers) or 'none'}"
            )
        case _:
            raise ArgumentTypeError(f"group must be a number or a name, not {group!r}")
