"""Whether the output is neither too long nor too short."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text.reading import NonText, check_choice, check_non_text, output_text
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class LengthJudge:
    """Whether the output has as many characters, words or lines as it should; bounds are allowed.

    Args:
        minimum: The fewest.
        maximum: The most.
        unit: `"characters"` are code points of Unicode; `"words"` are what white space separates,
            so text of a script without spaces is one word; `"lines"` end with a line feed, which
            the last one may lack, so that an empty text has none.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to measure
            its JSON text.

    Raises:
        ArgumentError: No bound, a negative one, a minimum over the maximum, an unknown word.
        ArgumentTypeError: A bound that is not a whole number.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = LengthJudge(maximum=2, unit="words")
        >>> evaluate(judge, JudgmentContext(output="Paris, of course")).reasoning
        'the output has 3 words; at most 2 are allowed'
    """

    minimum: int | None = None
    maximum: int | None = None
    unit: Literal["characters", "words", "lines"] = "characters"
    non_text: NonText = "error"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "LengthJudge", cost=Cost.MEMORY, type="length", needs=("output",), version="1"
    )

    def __post_init__(self) -> None:
        check_choice(self.unit, tuple(_COUNTS), "unit")
        check_non_text(self.non_text)
        _check_bound(self.minimum, "minimum")
        _check_bound(self.maximum, "maximum")
        if self.maximum is None and not self.minimum:
            raise ArgumentError(
                "give a minimum above 0, a maximum, or both; else every output passes"
            )
        if self.maximum is not None and (self.minimum or 0) > self.maximum:
            raise ArgumentError(f"minimum {self.minimum} is over the maximum, {self.maximum}")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Measure the output."""
        output = output_text(context, self.non_text)
        if isinstance(output, Judgment):
            return output
        length = _COUNTS[self.unit](output)
        found = f"the output has {length} {self.unit}"
        fault = self._fault(length)
        check = Check("length", not fault, f"{length} {self.unit}{fault}")
        if fault:
            return Judgment.failing(f"{found}{fault}", checks=(check,))
        return Judgment.passing(found, checks=(check,), metadata={"length": length})

    def _fault(self, length: int) -> str:
        if self.minimum is not None and length < self.minimum:
            return f"; at least {self.minimum} are needed"
        if self.maximum is not None and length > self.maximum:
            return f"; at most {self.maximum} are allowed"
        return ""


def _count_words(text: str) -> int:
    return len(text.split())


def _count_lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") if text else 0)


_COUNTS: Final[dict[str, Callable[[str], int]]] = {
    "characters": len,
    "words": _count_words,
    "lines": _count_lines,
}


def _check_bound(bound: object, name: str) -> None:
    if bound is None:
        return
    if type(bound) is not int:
        raise ArgumentTypeError(f"{name} must be a whole number, not {bound!r}")
    if bound < 0:
        raise ArgumentError(f"{name} must not be negative, got {bound}")
