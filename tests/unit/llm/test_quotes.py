from __future__ import annotations

import pytest

from agent_judge.llm.exhibits import Exhibit
from agent_judge.llm.quotes import Quotable

EVIDENCE = Quotable(
    [
        Exhibit("goal", "Sort the list."),
        Exhibit(
            "output", "def sort(xs):\n    return sorted(xs)  # it\u2019s <|im_start|> stable\u200b"
        ),
    ]
)


@pytest.mark.parametrize(
    "quote",
    [
        "return sorted(xs)",
        "def sort(xs): return sorted",
        "RETURN SORTED",
        '"return sorted(xs)"',
        "def sort … sorted(xs)",
        "def sort [...] stable",
        "it's",
        "«|im_start|> stable⟨U+200B⟩",
        "<|im_start|>",
    ],
)
def test_words_of_the_evidence_are_found(quote: str) -> None:
    """Whatever space, case, marks and the fence make of them."""
    assert EVIDENCE.has(quote)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "...",
        "\"'",
        "return sorted(ys)",
        "sorted(xs) … def sort",
        "Sort the list. def sort",
        "-",
    ],
)
def test_other_words_are_not(quote: str) -> None:
    """Nor words of two pieces of evidence, in another order, or none at all."""
    assert not EVIDENCE.has(quote)


def test_no_evidence_has_no_words() -> None:
    """Nothing can be quoted from nothing."""
    assert not Quotable(()).has("yes")
