from __future__ import annotations

from typing import Any

import pytest

from agent_judge import JudgmentContext, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text import LengthJudge


@pytest.mark.parametrize(
    ("unit", "text", "length"),
    [
        ("characters", "", 0),
        ("characters", "né😀", 3),
        ("characters", "ne\u0301", 3),
        ("words", "", 0),
        ("words", " one\ttwo\nthree ", 3),
        ("lines", "", 0),
        ("lines", "\n", 1),
        ("lines", "one", 1),
        ("lines", "one\n", 1),
        ("lines", "one\r\ntwo", 2),
        ("lines", "one\n\n", 2),
        ("lines", "one\u2028still one", 1),
    ],
)
def test_a_text_has_a_length_in_each_unit(unit: str, text: str, length: int) -> None:
    """The bounds are part of what is allowed."""
    exactly = LengthJudge(length, length, unit)  # type: ignore[arg-type]
    shorter = LengthJudge(length + 1, unit=unit)  # type: ignore[arg-type]

    assert evaluate(exactly, JudgmentContext(output=text)).passed
    assert not evaluate(shorter, JudgmentContext(output=text)).passed


@pytest.mark.parametrize(
    ("output", "reasoning"),
    [
        ("ab", "the output has 2 characters; at least 3 are needed"),
        ("abcde", "the output has 5 characters; at most 4 are allowed"),
        ("abc", "the output has 3 characters"),
    ],
)
def test_the_reasoning_says_how_long_it_is(output: str, reasoning: str) -> None:
    """And how long it should be."""
    assert evaluate(LengthJudge(3, 4), JudgmentContext(output=output)).reasoning == reasoning


@pytest.mark.parametrize(
    "options",
    [{}, {"minimum": 0}, {"minimum": 3, "maximum": 2}, {"maximum": -1}, {"unit": "bytes"}],
)
def test_bounds_that_bound_nothing_are_refused(options: dict[str, Any]) -> None:
    """Nor can every output pass, nor none."""
    with pytest.raises(ArgumentError):
        LengthJudge(**options)


@pytest.mark.parametrize("bound", [1.5, True, "3"])
def test_a_bound_is_a_whole_number(bound: Any) -> None:
    """Nothing else is taken for one."""
    with pytest.raises(ArgumentTypeError, match="must be a whole number"):
        LengthJudge(maximum=bound)
