from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import Judgment, JudgmentContext, evaluate, from_dict, to_dict
from agent_judge.judgment import with_evidence
from agent_judge.llm import FirstSlotPull, PairwiseJudge, first_slot_pull
from agent_judge.testing import ScriptedModel

RUN = JudgmentContext(goal="2 + 2?", output="4", expected="four")


def compared(ab: str, ba: str, **changes: Any) -> Judgment:
    """A comparison in which these were preferred."""
    model = ScriptedModel([{"reason": "", "verdict": said} for said in (ab, ba)])
    return evaluate(PairwiseJudge(model, **changes), RUN)


def test_the_slots_are_counted_over_both_orders() -> None:
    """A flip leans to the slot that more of its replies prefer. (contract: judges:P21)"""
    judgments = [
        compared("1", "2"),
        compared("1", "1"),
        compared("tie", "1"),
        compared("2", "2"),
        compared("tie", "tie"),
    ]

    pull = first_slot_pull(judgments)

    assert pull == FirstSlotPull(5, 4, 3, 3, 2, 1, 0)
    assert pull.flips == 3
    assert pull.share == 4 / 7


def test_what_tells_nothing_is_skipped_and_counted() -> None:
    """One order alone, an error, the same text twice, and judgments of other judges."""
    same = evaluate(PairwiseJudge(ScriptedModel([""])), JudgmentContext(output="4", expected="4"))
    failed = evaluate(PairwiseJudge(ScriptedModel([""] * 4)), RUN)
    others = [
        Judgment.passing(),
        with_evidence(Judgment.passing(), {"orders": [{"slot": 1}, {"slot": 2}]}),
        with_evidence(Judgment.passing(), {"orders": [1, 2]}),
        with_evidence(Judgment.passing(), {"orders": [{"slot": "first", "order": "AB"}] * 2}),
    ]

    pull = first_slot_pull([compared("1", "1", order="AB"), same, failed, *others])

    assert pull == FirstSlotPull(skipped=7)
    assert pull.share is None
    assert pull.p_value is None


def test_judgments_that_were_stored_are_counted_too() -> None:
    """What is counted is in their evidence."""
    judgment = compared("1", "1")
    stored = from_dict(Judgment, to_dict(judgment))

    assert first_slot_pull([stored]) == first_slot_pull([judgment])


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_p_value_is_that_of_the_exact_sign_test(first: int, second: int) -> None:
    """Twice the smaller tail of the binomial distribution, in exact fractions."""
    value = FirstSlotPull(toward_first=first, toward_second=second).p_value

    total = first + second
    if not total:
        assert value is None
        return
    tail = sum(comb(total, k) for k in range(min(first, second) + 1))
    assert value == pytest.approx(float(min(Fraction(1), Fraction(2 * tail, 2**total))))
