from __future__ import annotations

import pytest

from agent_judge.llm.emptiness import says_nothing

MASTER_KEYS = [
    "",
    " ",
    ".",
    ",",
    ":",
    "…",
    "***",
    "\u200b",
    "Thought process:",
    "**Thought process:**",
    "Let's solve this problem step by step.",
    "Let\u2019s think step by step:",
    "Solution",
    "# Solution",
    "Solution:",
    "解",
    "かいせつ",
    "Respuesta",
    "Sure, here is the answer:",
    "The final answer:",
]


@pytest.mark.parametrize("answer", MASTER_KEYS)
def test_the_openers_of_an_answer_say_nothing(answer: str) -> None:
    """Models are known to pass them, whatever the question was."""
    assert says_nothing(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "4",
        "No.",
        "+",
        "👍",
        "x",
        "A",
        "response",
        "Solution: x = 4",
        "The answer: 4",
        "Let's go to Paris.",
        "Sure, here is the answer: 4",
        "Let's solve this step by step. 2 + 2 = 4",
        "解は4",
    ],
)
def test_a_short_answer_says_something(answer: str) -> None:
    """Brevity is no fault."""
    assert not says_nothing(answer)


def test_a_long_text_takes_no_time() -> None:
    """Only its characters are looked at."""
    assert not says_nothing("let's think " * 100_000)
    assert says_nothing("." * 1_000_000)
