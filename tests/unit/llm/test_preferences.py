from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm import Preference, PreferenceClassifier, Slot
from agent_judge.llm.hearing import Unread
from agent_judge.llm.preferences import Comparison, Order, worth
from agent_judge.models import ModelResponse

OUTPUTS = PreferenceClassifier(
    {"Output (a)": "first", "Output (b)": Slot.SECOND}, sentence="{label} is better"
)
ARENA = PreferenceClassifier({"A>>B": "first", "A>B": "first", "A=B": "tie", "B>A": "second"})


@pytest.mark.parametrize(
    ("classifier", "reply", "slot"),
    [
        (OUTPUTS, "Output (a)", Slot.FIRST),
        (OUTPUTS, "Output (a) is long. Therefore, Output (b) is better.", Slot.SECOND),
        (ARENA, "Both are good.\n\n[[A=B]]", Slot.TIE),
        (ARENA, "My final verdict is: [[A>>B]]", Slot.FIRST),
        (ARENA, '{"reason": "so", "verdict": "B>A"}', Slot.SECOND),
    ],
)
def test_a_label_stands_for_a_slot(
    classifier: PreferenceClassifier, reply: str, slot: Slot
) -> None:
    """In the forms that judges are asked for in the field."""
    read = classifier(ModelResponse(reply))

    assert isinstance(read, Preference)
    assert read.slot is slot


@pytest.mark.parametrize("reply", ["", "[[A>B]] and [[B>A]]", "[[C]]", "Both have merits."])
def test_a_reply_without_one_label_prefers_nothing(reply: str) -> None:
    """It is not read, never guessed. (contract: judges:P8)"""
    assert isinstance(ARENA(ModelResponse(reply)), Unread)


@pytest.mark.parametrize(
    "labels",
    [
        {},
        {"A": "first"},
        {"A": "first", "B": "tie"},
        {"A": "first", "B": "worse"},
        {"A": "first", "B": True},
        {"A": "first", "a.": "second"},
        {" ": "first", "B": "second"},
    ],
)
def test_labels_have_to_tell_the_slots_apart(labels: Any) -> None:
    """Each answer has a label, and no label two meanings. (contract: judges:P10)"""
    with pytest.raises(ArgumentError):
        PreferenceClassifier(labels)


def test_labels_are_a_mapping() -> None:
    """A list of labels does not say what they mean."""
    with pytest.raises(ArgumentTypeError, match="map each label"):
        PreferenceClassifier(["A", "B"])  # type: ignore[arg-type]


def test_the_schema_asks_for_the_reason_first() -> None:
    """Then for one of the labels."""
    properties = ARENA.schema.plain["properties"]

    assert list(properties) == ["reason", "verdict"]
    assert properties["verdict"]["enum"] == ["A>>B", "A>B", "A=B", "B>A"]


@given(st.sampled_from(Order), st.sampled_from(Slot))
def test_turning_the_order_round_turns_the_worth_round(order: Order, slot: Slot) -> None:
    """The same slot in the other order is the other answer."""
    [other] = set(Order) - {order}

    assert worth(order, slot) + worth(other, slot) == 1.0


@pytest.mark.parametrize(("ab", "ba"), [*product(Slot, Slot)])
def test_orders_agree_when_they_prefer_the_same_answer(ab: Slot, ba: Slot) -> None:
    """Which is in different slots, or a tie in both. (contract: judges:P21)"""
    heard = Comparison(((Order.AB, Preference(ab)), (Order.BA, Preference(ba))))
    agreeing = {(Slot.FIRST, Slot.SECOND), (Slot.SECOND, Slot.FIRST), (Slot.TIE, Slot.TIE)}

    assert heard.flipped is ((ab, ba) not in agreeing)
    assert 0.0 <= heard.mean <= 1.0
