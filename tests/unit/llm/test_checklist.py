from __future__ import annotations

from typing import Any

import pytest

from agent_judge import Judgment, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm import ChecklistJudge
from agent_judge.models import FinishReason, ModelResponse
from agent_judge.testing import Reply, ScriptedModel, a_context

ITEMS = ("It says what.", "It says why.", "It says how.")
CUT = ModelResponse("", finish_reason=FinishReason.LENGTH)


def judged(*words: str | Reply, **options: Any) -> Judgment:
    """What the list finds where the model says these words of its items."""
    replies = [
        {"reason": "So.", "quote": "", "finding": word} if isinstance(word, str) else word
        for word in words
    ]
    return evaluate(ChecklistJudge(ITEMS, ScriptedModel(replies), **options), a_context())


@pytest.mark.parametrize(
    ("words", "at_least", "status"),
    [
        (("met", "met", "met"), None, Status.PASS),
        (("met", "met", "unmet"), None, Status.FAIL),
        (("met", "met", "unmet"), 2, Status.PASS),
        (("met", "unmet", "unmet"), 2, Status.FAIL),
        (("met", "met", "undecided"), 2, Status.PASS),
        (("met", "met", "undecided"), None, Status.ABSTAIN),
        (("met", "undecided", "unmet"), 2, Status.ABSTAIN),
        (("undecided", "unmet", "unmet"), 2, Status.FAIL),
        (("met", "met", CUT), 2, Status.ERROR),
        (("met", "unmet", CUT), None, Status.FAIL),
    ],
)
def test_all_or_enough_items_have_to_hold(
    words: tuple[Any, ...], at_least: int | None, status: Status
) -> None:
    """What is undecided may turn out either way, and a missing answer lets nothing pass."""
    assert judged(*words, at_least=at_least).status is status


def test_the_score_is_the_share_of_the_items_that_hold() -> None:
    """The mark is that of the items that are wanted."""
    judgment = judged("met", "met", "unmet", at_least=2)

    assert judgment.effective_score == pytest.approx(2 / 3)
    assert judgment.evidence["threshold"] == 2 / 3
    assert judgment.reasoning == "2 of 3 items hold; 2 are wanted. Lost: 'It says how.'"


def test_each_item_is_a_check() -> None:
    """By its own words."""
    judgment = judged("met", "undecided", "unmet")

    assert [(check.name, check.passed, check.advisory) for check in judgment.checks] == [
        ("It says what.", True, False),
        ("It says why.", False, True),
        ("It says how.", False, False),
    ]
    assert judgment.reasoning.startswith("1 to 2 of 3 items hold; all are wanted")


def test_an_unanswered_item_is_named() -> None:
    """As in a rubric."""
    judgment = judged("met", "met", CUT)

    assert judgment.code is ReasonCode.TRUNCATED
    assert judgment.reasoning.startswith("no answer on 'It says how.'")


def test_a_list_is_asked_in_one_batch() -> None:
    """Where that is wanted."""
    reply = {
        "findings": [
            {"id": f"c{number}", "reason": "So.", "quote": "", "finding": "met"}
            for number in (1, 2, 3)
        ]
    }

    judgment = judged(reply, mode="batch")

    assert judgment.status is Status.PASS
    assert judgment.usage is not None
    assert judgment.usage.calls == 1


def test_a_long_item_is_cut_in_its_name_alone() -> None:
    """The model reads all of it."""
    item = "It says " + "very " * 40 + "well."
    model = ScriptedModel([{"reason": "So.", "quote": "", "finding": "met"}])

    judgment = evaluate(ChecklistJudge((item,), model), a_context())

    assert len(judgment.checks[0].name) <= 64
    assert judgment.checks[0].name.endswith("…")
    assert item in model.requests[0].messages[-1].text


def test_an_item_that_fits_is_its_own_name() -> None:
    """Up to the longest name there may be."""
    item = "x" * 64

    (made,) = ChecklistJudge((item,), ScriptedModel(["?"])).items

    assert made.name == item  # type: ignore[union-attr]


@pytest.mark.parametrize("at_least", [1, 3])
def test_one_item_up_to_all_of_them_may_be_wanted(at_least: int) -> None:
    """All of them by their number are as good as all of them."""
    assert judged("met", "met", "met", at_least=at_least).status is Status.PASS


def test_items_can_have_names() -> None:
    """As tables."""
    judge = ChecklistJudge(({"name": "why", "description": "It says why."},), ScriptedModel(["?"]))

    assert [item.name for item in judge.items] == ["why"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("items", "at_least", "said"),
    [
        ((), None, "1 to 500"),
        (("",), None, "is empty"),
        (("a", "A"), None, "two criteria have the name"),
        (("a",), 2, "at_least must be a whole number in 1..1, got 2"),
        (("a",), 0, "at_least"),
        (("a",), 1.0, "at_least"),
        (({"name": "a", "description": "A.", "weight": 2},), None, "belongs in a RubricJudge"),
        (({"name": "a"},), None, "needs the key 'description'"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(items: Any, at_least: Any, said: str) -> None:
    """When the judge is made."""
    with pytest.raises(ArgumentError, match=said):
        ChecklistJudge(items, ScriptedModel(["?"]), at_least)


@pytest.mark.parametrize("items", ["It says why.", {"name": "a", "description": "A."}, 3, (3,)])
def test_what_is_no_list_of_items_is_refused(items: Any) -> None:
    """One text is not taken apart."""
    with pytest.raises(ArgumentTypeError):
        ChecklistJudge(items, ScriptedModel(["?"]))
