from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.judges.meaning.figures import MAX_GIVEN, Given, stated

SOURCE = (
    "Revenue rose by 15 percent to 4.6 million euros in 2023, after 3,987,412 in 2022. "
    "Twenty-one shops closed; a quarter of the staff left within two years. Each of the 35 others "
    "pays 19.99 a month. The bridge is 212 m long, opened in 1884 and closed in 1971."
)


def absent(output: str, *sources: str) -> list[str]:
    """The numbers of an output that its sources lack."""
    given = Given(sources or (SOURCE,))
    return [number.text for number in stated(output) if not given.explains(number)]


@pytest.mark.parametrize(
    "output",
    [
        "It rose 15% to 4,600,000 euros.",
        "It rose by 0.15 of the whole.",
        "It was about 4,000,000 before, or 3,990,000.",
        "21 shops closed, and 25 percent left in 24 months.",
        "Each pays about 20 a month, or 239.88 a year.",
        "It was open for 87 years.",
        "There were 56 shops at first.",
        "All of them pay 699.65 together.",
        "It is 0.212 km long.",
    ],
)
def test_what_follows_in_one_step_is_not_absent(output: str) -> None:
    """As it is, in words, rounded, in another unit, or by one sum, difference or product."""
    assert absent(output) == []


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("It opened in 1886.", ["1886"]),
        ("It rose by 17 percent to 4.7 million, or 4,712,000.", ["17 percent", "4,712,000"]),
        ("Each pays 18.49 and then 18.49 again.", ["18.49"]),
        ("It lost -512.", ["-512"]),
    ],
)
def test_what_does_not_follow_is_absent_once(output: str, expected: list[str]) -> None:
    """Each is named as it is written."""
    assert absent(output) == expected


@pytest.mark.parametrize(
    "output",
    [
        "There are 3 reasons and 10 rules.",
        "12. The twelfth item\n13) and the next",
        "As stated [14] and elsewhere [15, 16].",
        "See step 77, table 78 and sections 79.",
        "It is at https://example.org/2999/31 today.",
        "GPT-77 runs on port8080, at 10:45, in 5km, about 3 million times.",
    ],
)
def test_what_only_counts_or_is_unclear_is_not_looked_for(output: str) -> None:
    """Small counts, marks of the text itself, addresses, and what may not be that number."""
    assert absent(output, "no numbers at all") == []


def test_the_marks_of_a_number_may_be_any() -> None:
    """Sources are read in every way that their marks allow; an output must be clear."""
    assert absent("It is 1500.5 and 1,234.", "1.500,5 and 1.234") == []
    assert absent("Version 37 is out.", "1.37.2") == []


def test_digits_without_end_are_no_number() -> None:
    """Neither is their value worked out, nor does anything fail."""
    assert absent("It is 37.", "9" * 5000) == ["37"]
    assert absent("It is " + "9" * 5000, "It is 37.") == []


def test_where_there_are_too_many_numbers_nothing_is_judged() -> None:
    """Nearly every number follows from two of them."""
    few = Given([" ".join(str(1000 + number) for number in range(MAX_GIVEN))])
    many = Given([" ".join(str(1000 + number) for number in range(MAX_GIVEN + 1))])

    assert few.is_judged
    assert not many.is_judged


@given(st.text("0123456789.,% e-+/[]()kmx \n٣²½", max_size=60))
def test_what_a_text_states_it_has(text: str) -> None:
    """Whatever it is, a text lacks no number of its own."""
    assert absent(text, text) == []
