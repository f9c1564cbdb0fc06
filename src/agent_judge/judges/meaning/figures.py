"""Numbers that an output states, and its sources do not.

What is called absent is surely a number, and follows from the sources' numbers neither by rounding,
nor by changing the unit, nor by one sum, difference or product of two of them. What is unclear, or
only counts parts of the output itself, is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Final

from agent_judge.judges.text.numerals import MAX_DIGITS, NumberFormat, Numeral

SMALL: Final = 10
"""Whole numbers up to this are not looked for: answers count their own points."""

MAX_GIVEN: Final = 200
"""Different numbers in the sources beyond which nearly every number follows from two of them."""

_FORMAT: Final = NumberFormat(grouping=",", percent="number")

_OWN: Final = re.compile(
    r"""
      ^ [ \t>*+•-]*+ \d{1,3} [.)] (?= \s )                                   # 12. an item
    | \[ \s*+ \d{1,4} (?: \s*+ [,;\u2013-] \s*+ \d{1,4} )*+ \s*+ \]          # [12], a reference
    | \b https?:// \S++
    | \b (?: step | part | section | chapter | table | figure | note | source | item | point
        | option | question ) s? \s++ \d{1,3} \b
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
"""Numbers that count parts of a text, and addresses."""

_UNITS: Final = tuple(map(Fraction, (1, 7, 12, 24, 60, 100, 1000)))
"""What changes a unit, or not: of time, shares to percentages, and thousands."""

_DIGITS: Final = re.compile(
    r"(?P<digits>\d++(?:[.,]\d++)*+)(?:[\s-]?(?P<scale>thousand|million|billion|bn|[km])\b)?+",
    re.IGNORECASE,
)
_SCALES: Final = {"thousand": 3, "k": 3, "million": 6, "m": 6, "billion": 9, "bn": 9}

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS: Final = "zero ten twenty thirty forty fifty sixty seventy eighty ninety hundred"
_WORDS: Final[Mapping[str, Fraction | int]] = {
    **{word: value for value, word in enumerate(_ONES.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split())},
    "dozen": 12,
    "thousand": 1000,
    "half": Fraction(1, 2),
    "quarter": Fraction(1, 4),
    "third": Fraction(1, 3),
    "tenth": Fraction(1, 10),
}
_WORD: Final = re.compile(r"[a-z]++(?:-[a-z]++)?+", re.IGNORECASE)


def stated(text: str) -> list[Numeral]:
    """The numbers that a text surely states, each once, without small counts and its own marks."""
    found: dict[Fraction, Numeral] = {}
    for numeral in _FORMAT.find(_OWN.sub(" ", text)):
        value = numeral.value
        if value is not None and not (value.denominator == 1 and abs(value) <= SMALL):
            found.setdefault(abs(value), numeral)
    return list(found.values())


class Given:
    """The numbers of some texts, however they may be read, and what follows from them.

    Args:
        texts: The sources of an output, and what its author was asked.

    Example:
        >>> given = Given(["It was opened in 1884 and is 212 metres long.", "Closed in 1971."])
        >>> [given.explains(number) for number in stated("After 87 years, its 221 m were closed.")]
        [True, False]
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._values = sorted({value for text in texts for value in _readings(text)})
        self.is_judged = len(self._values) <= MAX_GIVEN
        self._derived = {*self._values, *_derived(self._values[:MAX_GIVEN])}

    def explains(self, numeral: Numeral) -> bool:
        """Whether a stated number is given, or follows in one step."""
        assert numeral.value is not None
        value = abs(numeral.value)
        reach = _precision(numeral) / 2
        return value in self._derived or any(
            self._has(value * factor, reach * factor)
            for unit in _UNITS
            for factor in (unit, 1 / unit)
        )

    def _has(self, value: Fraction, reach: Fraction) -> bool:
        """Whether a number is given that may have been rounded to this one."""
        at = bisect_left(self._values, value - reach)
        return at < len(self._values) and self._values[at] <= value + reach


def _precision(numeral: Numeral) -> Fraction:
    """The step to which a number may have been rounded; at least two digits are kept."""
    digits = re.sub(r"[^\d.]|[eE].*", "", numeral.text)
    whole, _, behind = digits.partition(".")
    if behind:
        return Fraction(1, 10 ** len(behind))
    zeros = len(whole) - len(whole.rstrip("0"))
    return Fraction(10 ** max(0, min(zeros, len(whole.lstrip("0")) - 2)))


def _derived(values: Iterable[Fraction]) -> Iterator[Fraction]:
    for one, other in combinations(values, 2):
        if min(one, other) > SMALL:
            yield one + other
            yield abs(one - other)
        yield one * other


def _readings(text: str) -> Iterator[Fraction]:
    """Every number that a text states, or may mean if its marks are other ones."""
    yield from (abs(sure.value) for sure in _FORMAT.find(text) if sure.value is not None)
    for found in _DIGITS.finditer(text):
        digits, scale = found["digits"], found["scale"]
        if len(digits) > MAX_DIGITS:
            continue
        power = 10 ** _SCALES[scale.lower()] if scale else 1
        for value in _values(digits):
            yield value
            yield value * power
    for word in _WORD.findall(text):
        named = [_WORDS[part] for part in word.lower().split("-") if part in _WORDS]
        yield from map(Fraction, {*named, sum(named)} if named else ())


def _values(digits: str) -> list[Fraction]:
    """What digits and marks may be worth; several numbers, where they cannot be one."""
    read = {
        Fraction(digits.replace(grouping, "").replace(decimal, "."))
        for decimal, grouping in ((".", ","), (",", "."))
        if re.fullmatch(rf"\d+(?:[{grouping}]\d{{3}})*(?:[{decimal}]\d+)?", digits)
    }
    return list(read or map(Fraction, re.split("[.,]", digits)))
