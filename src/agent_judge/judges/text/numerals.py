"""How numbers are found in text and read: as they are written, without evaluating anything.

A number is a run of digits with at most one decimal mark, grouping marks before each third digit
of the whole part, a sign, and an exponent. What may be a number, but not surely this one, is
*unclear*, and nothing is concluded from it:

- marks that do not fit what was declared: `1.000,50`, `1 000`, `1.2.3`, `0,5`;
- a letter, a power or a word of size behind it: `5km`, `10k`, `0x1F`, `10²`, `3 million`;
- digits that are joined to others: `2+2`, `10-20`, `10:30`, `10^5`;
- a dash before it that may be a minus: `is - 5`, `--5`;
- a fraction or a percentage, unless it was declared how it is read.

Digits that are part of a word (`GPT-4`, `x2`) are no number, and neither are `NaN` and `Infinity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias, assert_never

from agent_judge.errors import ArgumentError
from agent_judge.judges.text.reading import check_choice

DecimalMark: TypeAlias = Literal[".", ","]
GroupingMark: TypeAlias = Literal["", ",", ".", "'", "_", " "]
Fractions: TypeAlias = Literal["unclear", "read"]
Percent: TypeAlias = Literal["unclear", "fraction", "number"]

MAX_DIGITS: Final = 400
"""Digits that a number may have, and its greatest exponent; beyond, it is unclear."""

_CANDIDATE: Final = re.compile(
    r"""
    (?P<mark> (?<! [\w.,] ) [.,] )?
    (?P<digits>
        \d+ (?: [.,'\u2019_\u066b\u066c\u00a0\u2009\u202f] \d+ | (?<! \d{4} ) [ ] \d{3} (?! \d ) )*
      | [\u00bc-\u00be\u2150-\u215e] )                                          # one half
    (?P<below> (?: [ ]? / [ ]? \d+ )+ )?
    (?: [eE] (?P<exponent> [+\-\u2212]? \d+ ) )?
    (?P<percent> \s? (?: % | (?i: per [ ]? cent ) \b ) )?
    (?P<unclear> (?=
        _* [^\W_] | [‰^]                                                        # 5km, 10^5
      | \s? (?i: hundred | thousand | million | billion | trillion ) \b
      | \s? [\u00d7·]                                                           # 3 times 10
      | [+\-\u2212*÷/:\u2010-\u2014] [*+\-\u2212]? [\d(]                        # 2+2, 10-20
    ) )?
    """,
    re.VERBOSE,
)
"""A number or what may be one, with what is behind it."""

_BEFORE: Final = re.compile(
    r"""
    (?:
        (?P<word> [^\W_] _* | [^\W\d_] _* [+\-\u2212\u2010\u2011]+ )            # x2, GPT-4
      | (?P<apart>
            (?: \A | \n ) [ \t]* [\-\u2212] [ \t]+                              # - item
          | [\d)] [ ]+ [\-\u2212] [ ]+ )                                        # 10 - 20
      | (?P<unclear>
            [\d)] [+\-\u2212*÷/:\u2010-\u2014] [*]? | [\u00d7·] \s?             # 2+2, 10-20
          | \^ [{(]? | _\{ | \\ [a-z]* frac \{ | \}\{                           # 10^{5}
          | [+\-\u2212\u2010-\u2014]{2} | [\u2010-\u2014±] | [\-\u2212] [ ]+ )  # is - 5
      | (?P<minus> [\-\u2212] [$€£¥]? | [$€£¥] [\-\u2212] )
    ) \Z
    """,
    re.VERBOSE,
)
"""What stands before a number and says what it is; anything else says nothing."""

_WINDOW: Final = 32
"""Characters before a number that are looked at."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """Something in a text that is a number, or may be one.

    Attributes:
        text: As it is written.
        value: What it is worth; `None` where that is unclear.
    """

    text: str
    value: Fraction | None


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How numbers are written.

    Args:
        decimal: The decimal mark.
        grouping: The mark between groups of three digits, or `""` for none. `" "` stands for every
            kind of space, `"'"` for both forms of the apostrophe.
        fractions: Whether `3/4` is read, or unclear.
        percent: Whether `50%` is read as the fraction 0.5, as the number 50, or unclear.

    Raises:
        ArgumentError: An unknown word or mark, or one mark for both.

    Example:
        >>> german = NumberFormat(decimal=",", grouping=".")
        >>> [float(found.value) for found in german.find("1.000,50 statt -3 EUR")]
        [1000.5, -3.0]
    """

    decimal: DecimalMark = "."
    grouping: GroupingMark = ","
    fractions: Fractions = "unclear"
    percent: Percent = "unclear"

    def __post_init__(self) -> None:
        check_choice(self.decimal, (".", ","), "decimal")
        check_choice(self.grouping, ("", ",", ".", "'", "_", " "), "grouping")
        check_choice(self.fractions, ("unclear", "read"), "fractions")
        check_choice(self.percent, ("unclear", "fraction", "number"), "percent")
        if self.decimal == self.grouping:
            raise ArgumentError(f"decimal and grouping are both {self.decimal!r}; give two marks")

    def find(self, text: str) -> Iterator[Numeral]:
        """Everything in a text that is a number or may be one, in order."""
        for found in _CANDIDATE.finditer(text):
            start = found.start()
            before = _BEFORE.search(text, max(0, start - _WINDOW), start)
            match before and before.lastgroup:
                case "word":
                    continue
                case "unclear":
                    yield Numeral(found[0], None)
                case "minus":
                    value = self._read(found)
                    yield Numeral(f"-{found[0]}", None if value is None else -value)
                case _:
                    yield Numeral(found[0], self._read(found))

    def _read(self, found: re.Match[str]) -> Fraction | None:
        """What a candidate is worth, without its sign."""
        if found["unclear"] is not None:
            return None
        if found["below"] is not None:
            return self._read_fraction(found)
        value = self._read_digits((found["mark"] or "") + found["digits"])
        if value is not None and found["exponent"] is not None:
            value = _scaled(value, found["exponent"])
        if value is None or found["percent"] is None:
            return value
        match self.percent:
            case "number":
                return value
            case "fraction":
                return value / 100
            case "unclear":
                return None
            case _:
                assert_never(self.percent)

    def _read_fraction(self, found: re.Match[str]) -> Fraction | None:
        if self.fractions == "unclear" or found["mark"] or found["exponent"] or found["percent"]:
            return None
        above, below = found["digits"], found["below"].strip(" /")
        if not (above.isdecimal() and below.isdecimal() and len(above + below) <= MAX_DIGITS):
            return None
        is_mixed = found.start() > 1 and found.string[found.start() - 2].isdecimal()
        return None if is_mixed or not int(below) else Fraction(int(above), int(below))

    def _read_digits(self, digits: str) -> Fraction | None:
        if len(digits) > MAX_DIGITS:
            return None
        whole, mark, behind = digits.partition(self.decimal)
        ungrouped = self._ungrouped(whole) if whole else "0"
        if ungrouped is None or (mark and not behind.isdecimal()):
            return None
        return Fraction(int(ungrouped + behind), 10 ** len(behind))

    def _ungrouped(self, whole: str) -> str | None:
        """The digits of the whole part; `None` where they are not grouped as they should be."""
        if whole.isdecimal():
            return whole
        if not self.grouping:
            return None
        plain = re.sub("[\u00a0\u2009\u202f]", " ", whole).replace("\u2019", "'")
        first, *others = plain.split(self.grouping)
        if len(first) > 3 or first.startswith("0") or any(len(group) != 3 for group in others):
            return None
        digits = "".join([first, *others])
        return digits if digits.isdecimal() else None


def exact(number: float) -> Fraction:
    """A number as it is written in decimals: the float 0.1 was written 0.1, and that is meant."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def _scaled(value: Fraction, exponent: str) -> Fraction | None:
    power = exponent.replace("\u2212", "-")
    if len(power) > 4 or abs(int(power)) > MAX_DIGITS:
        return None
    return value * Fraction(10) ** int(power)
