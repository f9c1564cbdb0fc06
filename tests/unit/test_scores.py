from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.scores import (
    BooleanScore,
    CategoricalScore,
    NumericalScore,
    normalize,
    reaches,
)

EXHAUSTIVE = """
from typing import assert_never

from agent_judge import BooleanScore, CategoricalScore, NumericalScore, Score


def describe(score: Score) -> str:
    match score:
        case BooleanScore(value):
            return str(value)
        case NumericalScore(value, low, high):
            return f"{value} of {low}..{high}"
        case CategoricalScore(value):
            return value
        case _:
            assert_never(score)
"""


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [(-0.1, 0, 1), (1.1, 0, 1), (math.nan, 0, 1), (math.inf, 0, 1), (-math.inf, 0, 1)],
)
def test_a_number_outside_its_bounds_is_refused(value: float, low: float, high: float) -> None:
    """A score has to lie on its scale, and NaN lies on none. (contract: core:R2)"""
    with pytest.raises(ArgumentError, match="outside its bounds"):
        NumericalScore(value, low, high)


@pytest.mark.parametrize(
    ("low", "high"), [(1, 0), (1, 1), (0, math.inf), (-math.inf, 0), (math.nan, 1), (0, math.nan)]
)
def test_bounds_that_span_nothing_are_refused(low: float, high: float) -> None:
    """A scale has two finite ends, the low one first. (contract: core:R2)"""
    with pytest.raises(ArgumentError, match="bounds must be finite and low < high"):
        NumericalScore(low, low, high)


@pytest.mark.parametrize(
    ("value", "low", "high"), [(0, 0, 10**400), (0, -(2**53), 1), (2**53, 0.0, 1e300)]
)
def test_integers_that_json_readers_would_change_are_refused(
    value: float, low: float, high: float
) -> None:
    """A score is stored, so its numbers have to survive that. (contract: core:R2)"""
    with pytest.raises(ArgumentError, match=r"bounds must be finite|beyond"):
        NumericalScore(value, low, high)


@pytest.mark.parametrize("value", [True, "0.5", None, 1j])
def test_what_is_no_number_is_no_numerical_score(value: object) -> None:
    """A boolean is not 1.0, and a string is not read as a number."""
    with pytest.raises(ArgumentTypeError, match="takes numbers"):
        NumericalScore(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(("value", "normal"), [(0, 0.0), (5, 1.0)])
def test_a_score_at_a_bound_is_accepted(value: float, normal: float) -> None:
    """Both ends belong to the scale. (contract: core:R3)"""
    assert normalize(NumericalScore(value, 0, 5)) == normal


def test_a_number_keeps_its_scale() -> None:
    """Raw value and bounds stay beside the normal form. (contract: core:R11)"""
    score = NumericalScore(82, 0, 100)

    assert (score.value, score.low, score.high, normalize(score)) == (82, 0, 100, 0.82)


def test_the_widest_scale_does_not_overflow() -> None:
    """The distance of its ends is beyond the largest float, the position of a value is not."""
    widest = sys.float_info.max

    assert normalize(NumericalScore(0, -widest, widest)) == 0.5


@pytest.mark.parametrize(("value", "normal"), [(True, 1.0), (False, 0.0)])
def test_a_boolean_is_one_or_zero(value: bool, normal: float) -> None:
    """Yes and no are the ends of the unit interval."""
    assert normalize(BooleanScore(value)) == normal


@pytest.mark.parametrize("value", [1, 0, "true", None])
def test_only_true_and_false_are_boolean_scores(value: object) -> None:
    """What is merely truthy is refused."""
    with pytest.raises(ArgumentTypeError, match="True or False"):
        BooleanScore(value)  # type: ignore[arg-type]


def test_a_category_without_a_number_has_no_normal_form() -> None:
    """It is not worth 0: it is worth nothing that is known. (contract: cases:D3)"""
    score = CategoricalScore("good", ("good", "poor"), {"poor": 0.0})

    assert normalize(score) is None
    assert normalize(CategoricalScore("poor", ("good", "poor"), {"poor": 0.0})) == 0.0


def test_an_unknown_category_is_refused() -> None:
    """It never becomes the middle of the scale. (contract: cases:D3)"""
    with pytest.raises(ArgumentError, match="'fine' is not declared"):
        CategoricalScore("fine", ("good", "poor"))


@pytest.mark.parametrize(
    ("categories", "numbers", "message"),
    [
        (("good", ""), {}, "must not be blank"),
        (("good", "good"), {}, "repeat"),
        (("good", "poor"), {"bad": 0.0}, "not a category"),
        (("good", "poor"), {"poor": 1.5}, r"outside 0\.\.1"),
        (("good", "poor"), {"poor": math.nan}, r"outside 0\.\.1"),
    ],
)
def test_categories_that_contradict_themselves_are_refused(
    categories: tuple[str, ...], numbers: dict[str, float], message: str
) -> None:
    """Categories are distinct words, and their numbers lie in the unit interval."""
    with pytest.raises(ArgumentError, match=message):
        CategoricalScore("good", categories, numbers)


@pytest.mark.parametrize(
    ("categories", "numbers"),
    [("good", {}), (("good", 1), {}), (("good",), {"good": "1"}), (("good",), {"good": True})],
)
def test_categories_of_a_wrong_type_are_refused(categories: object, numbers: object) -> None:
    """One string is not a sequence of categories, and a number is an int or a float."""
    with pytest.raises(ArgumentTypeError):
        CategoricalScore("good", categories, numbers)  # type: ignore[arg-type]


def test_a_categorical_score_does_not_follow_its_makings() -> None:
    """What the caller does to a list or dict afterwards changes nothing. (contract: core:R18)"""
    categories, numbers = ["good", "poor"], {"good": 1.0}
    score = CategoricalScore("good", categories, numbers)  # type: ignore[arg-type]
    categories.append("fine")
    numbers["good"] = 0.0

    assert score == CategoricalScore("good", ("good", "poor"), {"good": 1.0})


@pytest.mark.parametrize(
    ("value", "threshold", "reached"),
    [
        (0.7, 0.7, True),
        (0.7, 0.71, False),
        (sum([0.7] * 3) / 3, 0.7, True),
        ((4.6 - 1) / 4, 0.9, True),
        (0.6999999, 0.7, False),
        (0.0, 0.0, True),
        (1.0, 1.0, True),
    ],
)
def test_a_score_equal_to_the_mark_reaches_it(
    value: float, threshold: float, reached: bool
) -> None:
    """Equal means equal on paper, whatever binary fractions made of it. (contract: core:R10)"""
    assert reaches(value, threshold) is reached


@pytest.mark.integration
def test_type_checkers_accept_an_exhaustive_match(tmp_path: Path) -> None:
    """The union of scores is closed, for mypy and for pyright. (contract: core:R12)"""
    module = tmp_path / "describe.py"
    module.write_text(EXHAUSTIVE)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(module)]
    (tmp_path / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "include": ["describe.py"]})
    )
    pyright = [sys.executable, "-m", "pyright", "-p", str(tmp_path)]

    for checker in (mypy, [*pyright, "--pythonpath", sys.executable]):
        done = subprocess.run(checker, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.integration
def test_type_checkers_refuse_a_match_that_forgets_a_kind(tmp_path: Path) -> None:
    """The test above is awake: without one of the cases it would fail. (contract: core:R12)"""
    module = tmp_path / "describe.py"
    module.write_text(
        EXHAUSTIVE.replace("        case CategoricalScore(value):\n", "", 1).replace(
            "            return value\n", "", 1
        )
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(module)]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert "CategoricalScore" in done.stdout
