"""Numbers as judges write them, on a scale that the caller states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import Final

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm.reading.records import Fault
from agent_judge.llm.reading.words import MARKUP, QUOTED_MARKUP, fold


@dataclass(frozen=True, slots=True)
class Scale:
    """The range that a judge was asked to score in, both ends included.

    On 0..1 a fraction (`8/10`) and a percentage (`85%`) are converted; on 0..100 a percentage is.
    Everywhere else a fraction has to be out of the upper end, and a percentage is refused. A bare
    number is never converted and never clamped.

    Raises:
        ArgumentTypeError: A bound that is no number.
        ArgumentError: Bounds that are not finite, or span nothing.
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        for name, bound in (("low", self.low), ("high", self.high)):
            if type(bound) is not float and type(bound) is not int:
                raise ArgumentTypeError(f"scale.{name} must be a number, not {bound!r:.80}")
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise ArgumentError(
                f"a scale needs finite bounds with low < high, got {self.low}..{self.high}"
            )

    def __str__(self) -> str:
        return f"{self.low:g}..{self.high:g}"

    def place(self, number: float) -> float | Fault:
        """A bare number, where it lies on the scale."""
        return number if self.low <= number <= self.high else Fault.OUT_OF_RANGE


UNIT: Final = Scale()
"""The scale from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as it stands in a text, and what follows it there.

    Args:
        number: The number.
        out_of: The number it is out of, as in `8/10`; 100 for a percentage.
        remark: The rest of the line.
    """

    number: float
    out_of: float | None = None
    percent: bool = False
    remark: str = ""

    def on(self, scale: Scale) -> float | Fault:
        """The number on a scale, or why it has none there."""
        if self.out_of is None:
            return scale.place(self.number)
        if (scale.low, scale.high) == (0, 1) and self.out_of > 0:
            return scale.place(self.number / self.out_of)
        if scale.high != self.out_of or (self.percent and scale.low != 0):
            return Fault.WRONG_SCALE
        return scale.place(self.number)


NUMBER = r"[-+]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)"
_OUT_OF = rf"\s*\(?\s*(?:/|out\s+of|of)\s*(?P<out_of>{NUMBER})\s*\)?"
_AMOUNT = re.compile(
    rf"(?P<number>{NUMBER})(?:(?P<percent>\s?%|\s+percent\b)|{_OUT_OF})?(?P<unit>\s+(?:points?|stars?)\b)?",
    re.IGNORECASE,
)
_MARKED = re.compile(r"(?<=[0-9])[*_`]+(?=\s?(?:/|%|out\b|of\b))")
_REMARK = re.compile(r"[.,;:!](?!\S)|\s*[-\u2013—]+(?=\s)|\s*(?=\()|[\u2013—](?!\d)")
_OTHER_SCALE = re.compile(
    r"\bscale\b|\b(?:out\s+)?of\s+\d|^\W*\d+\s?(?:[-\u2013—]|to)\s?\d|^\W*no\b", re.IGNORECASE
)
"""What behind a number says that it is on another scale, or takes it back."""
_THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")


def read_amount(words: str) -> Amount | None:
    """The number that words begin with, if what follows it does not make it another one.

    Example:
        >>> read_amount("8/10 - solid")
        Amount(number=8.0, out_of=10.0, percent=False, remark='solid')
        >>> read_amount("7 or 8"), read_amount("7-8"), read_amount("about 7")
        (None, None, None)
    """
    words = _unbracket(_MARKED.sub("", fold(words).strip(QUOTED_MARKUP)))
    amount = _AMOUNT.match(words)
    if amount is None:
        return None
    rest = words[amount.end() :].strip(MARKUP)
    remark = _remark(rest)
    number, out_of = _float(amount["number"]), _float(amount["out_of"] or "100")
    if remark is None or number is None or out_of is None:
        return None
    percent = bool(amount["percent"])
    return Amount(number, out_of if percent or amount["out_of"] else None, percent, remark)


def _unbracket(words: str) -> str:
    return words[2:-2].strip(MARKUP) if words.startswith("[[") and words.endswith("]]") else words


def _remark(rest: str) -> str | None:
    if not rest:
        return ""
    mark = _REMARK.match(rest)
    if mark is None:
        return None
    remark = rest[mark.end() :].strip(MARKUP)
    return None if remark[:1].isdigit() or _OTHER_SCALE.search(remark) else remark


def _float(literal: str) -> float | None:
    if _THOUSANDS.fullmatch(literal):
        return None
    return float(literal.replace(",", "."))
