"""Whether the output is, or states, the expected number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import ClassVar, Final, Literal

from agent_judge.context import MISSING, JudgmentContext, Output
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text.numerals import (
    DecimalMark,
    Fractions,
    GroupingMark,
    NumberFormat,
    Numeral,
    Percent,
    exact,
)
from agent_judge.judges.text.reading import check_choice, kind_of, missing_input, quoted
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

MAX_TEXT: Final = 100_000
"""Characters of an output that numbers are looked for in."""

_LISTED: Final = 5
"""Numbers that a message lists."""


@dataclass(frozen=True, slots=True)
class NumberJudge:
    """Whether the output is the expected number, or text that states it.

    How numbers are found and read is told in `judges.text.numerals`. What cannot be read for
    sure is not guessed: such an output is ABSTAIN. One without any number fails.

    Args:
        expected: The number, or a text that holds just one; without it, what the context expects.
        absolute_tolerance: How far the output may be from it.
        relative_tolerance: How far, as a share of the expected number; the wider one counts.
        which: The number of an output that holds several: `"first"`, `"last"`, or `"only"` if
            there must not be several. Then the output still fails if none of them is right.
        decimal: The decimal mark.
        grouping: The mark between groups of three digits, or `""`.
        fractions: Whether `3/4` is `"read"`, or `"unclear"`.
        percent: Whether `50%` is read as the `"fraction"` 0.5, the `"number"` 50, or `"unclear"`.

    Raises:
        ArgumentError: A number that is not finite, a negative tolerance, an unknown word.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = NumberJudge(1000.5, decimal=",", grouping=".")
        >>> evaluate(judge, JudgmentContext(output="Das sind 1.000,50 EUR.")).passed
        True
    """

    expected: float | str | None = None
    absolute_tolerance: float = 0.0
    relative_tolerance: float = 0.0
    which: Literal["only", "first", "last"] = "only"
    decimal: DecimalMark = "."
    grouping: GroupingMark = ","
    fractions: Fractions = "unclear"
    percent: Percent = "unclear"
    _format: NumberFormat = field(init=False, repr=False, compare=False)
    _expected: Fraction | None = field(init=False, repr=False, compare=False)
    _tolerances: tuple[Fraction, Fraction] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "NumberJudge", cost=Cost.MEMORY, type="number", needs=("output", "expected"), version="1"
    )

    def __post_init__(self) -> None:
        check_choice(self.which, ("only", "first", "last"), "which")
        form = NumberFormat(self.decimal, self.grouping, self.fractions, self.percent)
        _set(self, "_format", form)
        tolerances = (
            _tolerance(self.absolute_tolerance, "absolute_tolerance"),
            _tolerance(self.relative_tolerance, "relative_tolerance"),
        )
        _set(self, "_tolerances", tolerances)
        _set(self, "_expected", self._check_expected())

    def _check_expected(self) -> Fraction | None:
        expected = self.expected
        if expected is None:
            return None
        if type(expected) not in (int, float, str):
            raise ArgumentTypeError(f"expected must be a number or a text, not {expected!r}")
        value = self._read_expected(expected)
        if value is None:
            raise ArgumentError(f"expected {expected!r} is not one clear and finite number")
        return value

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Find the number in the output and compare it."""
        expected = self._expected_in(context)
        if isinstance(expected, Judgment):
            return expected
        output = context.output
        if output is MISSING:
            return missing_input("the output")
        if isinstance(output, str):
            return self._judge_text(output, expected)
        value = _exact(output)
        if value is None:
            reason = f"the output is {kind_of(output)}, and this judge reads numbers and text"
            return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
        return self._judge(Numeral(str(output), value), expected)

    def _expected_in(self, context: JudgmentContext) -> Fraction | Judgment:
        if self._expected is not None:
            return self._expected
        if context.expected is MISSING:
            return missing_input("the expected number")
        value = self._read_expected(context.expected)
        if value is None:
            reason = (
                f"the expected output, {quoted(str(context.expected))}, is not one clear number"
            )
            return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
        return value

    def _read_expected(self, expected: Output) -> Fraction | None:
        if not isinstance(expected, str):
            return _exact(expected)
        found = list(self._format.find(expected[:MAX_TEXT]))
        return found[0].value if len(found) == 1 else None

    def _judge_text(self, output: str, expected: Fraction) -> Judgment:
        if len(output) > MAX_TEXT:
            reason = f"the output has {len(output)} characters; at most {MAX_TEXT} are read"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        found = list(self._format.find(output))
        if not found:
            return _judgment(False, f"no number is found in {quoted(output)}")
        if self.which == "only" and len(found) > 1:
            return self._judge_several(found, expected)
        return self._judge(found[-1 if self.which == "last" else 0], expected)

    def _judge(self, found: Numeral, expected: Fraction) -> Judgment:
        if found.value is None:
            return Judgment.abstaining(
                f"what {quoted(found.text)} is worth is unclear; the options of the judge "
                "say how numbers are written"
            )
        if self._agrees(found.value, expected):
            return _judgment(True, f"found {quoted(found.text)}, as expected")
        return _judgment(False, f"found {quoted(found.text)}, expected {_shown(expected)}")

    def _judge_several(self, found: Sequence[Numeral], expected: Fraction) -> Judgment:
        listed = ", ".join(quoted(numeral.text) for numeral in found[:_LISTED])
        if any(number.value is None or self._agrees(number.value, expected) for number in found):
            return Judgment.abstaining(
                f"the output holds {len(found)} numbers ({listed}{'…' * (len(found) > _LISTED)}); "
                "which='first' or 'last' says which of them counts"
            )
        return _judgment(False, f"none of {listed} is {_shown(expected)}", len(found))

    def _agrees(self, found: Fraction, expected: Fraction) -> bool:
        absolute, relative = self._tolerances
        return abs(found - expected) <= max(absolute, relative * abs(expected))


_set = object.__setattr__


def _exact(number: object) -> Fraction | None:
    """A number as it is written; `None` where it is none, or not finite."""
    if type(number) is int or (type(number) is float and isfinite(number)):
        return exact(number)
    return None


def _tolerance(value: object, name: str) -> Fraction:
    tolerance = _exact(value)
    if tolerance is None and type(value) is not float:
        raise ArgumentTypeError(f"{name} must be a number, not {value!r}")
    if tolerance is None or tolerance < 0:
        raise ArgumentError(f"{name} must be finite and not negative, got {value!r}")
    return tolerance


def _shown(value: Fraction) -> str:
    if value.denominator == 1:
        return quoted(str(value.numerator))
    return f"{float(value):g}"


def _judgment(passed: bool, message: str, examined: int = 1) -> Judgment:
    make = Judgment.passing if passed else Judgment.failing
    return make(message, checks=(Check("number", passed, message, examined=examined),))
