from __future__ import annotations

from email.utils import formatdate
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError
from agent_judge.models import Retries
from agent_judge.models.backends.retry import read_retry_after

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "12"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "12"}, 12.0),
        ({"retry-after": formatdate(NOW + 90, usegmt=True)}, 90.0),
        ({"retry-after": formatdate(NOW - 90, usegmt=True)}, 0.0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_a_wait_is_read_in_each_of_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    """Milliseconds, seconds and dates are read; nonsense is no wait at all."""
    assert read_retry_after(headers, NOW) == seconds


@given(st.integers(1, 1000), st.floats(0, 1))
def test_a_wait_lies_between_half_and_all_of_its_length(attempt: int, chance: float) -> None:
    """However often a call was tried, the wait is bounded."""
    retries = Retries(attempts=5, first_delay=0.5, longest_delay=30)
    longest = min(30.0, 0.5 * 2.0 ** min(attempt - 1, 60))

    assert longest / 2 <= retries.delay(attempt, None, chance) <= longest


@given(st.floats(0, 3600), st.floats(0, 1))
def test_a_wait_that_the_provider_names_is_never_cut_short(named: float, chance: float) -> None:
    """It is stretched by a tenth at most."""
    delay = Retries().delay(1, named, chance)

    assert named <= delay <= named * 1.1 + 1e-9


@pytest.mark.parametrize(
    "wrong",
    [
        {"attempts": 0},
        {"attempts": 1.5},
        {"first_delay": -1},
        {"first_delay": 40},
        {"longest_delay": inf},
        {"first_delay": float("nan")},
    ],
)
def test_impossible_retries_are_refused(wrong: dict[str, float]) -> None:
    """What cannot be waited for is an argument error."""
    with pytest.raises(ArgumentError):
        Retries(**wrong)  # type: ignore[arg-type]
