"""Which of two answers a model prefers: as it says so, and what two orders of showing them give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.llm.hearing import Unread
from agent_judge.llm.reading import Menu, Unreadable, read_label
from agent_judge.llm.reading.lines import VERDICT_KEYS
from agent_judge.models.request import ResponseSchema
from agent_judge.models.response import ModelResponse


class Slot(Enum):
    """Which of the two answers is the better one, by the place it was shown in."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


class Order(Enum):
    """Which answer is shown first: AB the one that is judged, BA the one it is compared with."""

    AB = "AB"
    BA = "BA"


@dataclass(frozen=True, slots=True)
class Preference:
    """What a model said of two answers in one order.

    Args:
        slot: Which one it prefers.
        reason: Why.
    """

    slot: Slot
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PreferenceClassifier:
    """Reads one of a set of labels, each of which stands for a slot.

    Args:
        labels: What each label means: `"first"`, `"second"` or `"tie"`.
        spellings: Other ways to write a label, each with the label that it stands for.
        keys: The keys under which a labelled line or a JSON object gives the label.
        sentence: The sentence in which the prompt asks for the label, as `{label} is better`.

    Raises:
        ArgumentError: A label that means something else; no label for one of the two answers;
            labels, spellings, keys or a sentence that `Menu` refuses.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> arena = PreferenceClassifier({"A>B": "first", "B>A": "second", "A=B": "tie"})
        >>> arena(ModelResponse("Both are right, B says why. [[B>A]]")).slot
        <Slot.SECOND: 'second'>
    """

    labels: Mapping[str, Slot | str]
    spellings: Mapping[str, str] = EMPTY
    keys: tuple[str, ...] = VERDICT_KEYS
    sentence: str | None = None
    configured_as: ClassVar[str] = "preference"
    _menu: Menu = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.labels, Mapping):
            raise ArgumentTypeError("labels must map each label to 'first', 'second' or 'tie'")
        menu = Menu(tuple(self.labels), self.spellings, self.keys, self.sentence)
        slots = {label: _slot(label, meaning) for label, meaning in self.labels.items()}
        for slot in (Slot.FIRST, Slot.SECOND):
            if slot not in slots.values():
                raise ArgumentError(f"no label means {slot.value!r}; each answer needs one")
        _set(self, "labels", FrozenMap(slots))
        _set(self, "spellings", menu.spellings)
        _set(self, "keys", menu.keys)
        _set(self, "_menu", menu)

    @property
    def schema(self) -> ResponseSchema:
        """The JSON that the label may be asked for as, its reason first."""
        verdict: Json = {"type": "string", "enum": [*self.labels]}
        return ResponseSchema(
            "preference",
            {
                "type": "object",
                "properties": {"reason": {"type": "string"}, self.keys[0]: verdict},
                "required": ["reason", self.keys[0]],
                "additionalProperties": False,
            },
        )

    @property
    def meanings(self) -> str:
        """What each label says, as a prompt may tell it."""
        meanings = (
            f'"{label}" if {_MEANINGS[_slot(label, slot)]}' for label, slot in self.labels.items()
        )
        return ", ".join(meanings)

    def __call__(self, response: ModelResponse, /) -> Preference | Unread:
        """Read the slot that a reply prefers."""
        reading = read_label(
            response.text,
            self._menu,
            finish_reason=response.finish_reason,
            structured=response.structured,
        )
        if isinstance(reading, Unreadable):
            return Unread.of(reading)
        return Preference(_slot(reading.value, self.labels[reading.value]), reading.rationale)


_set = object.__setattr__

_MEANINGS: Final = {
    Slot.FIRST: "answer 1 is better",
    Slot.SECOND: "answer 2 is better",
    Slot.TIE: "neither is better",
}


def _slot(label: str, meaning: object) -> Slot:
    try:
        return Slot(meaning)
    except ValueError:
        raise ArgumentError(
            f"label {label!r} must mean 'first', 'second' or 'tie', not {meaning!r:.80}"
        ) from None


def worth(order: Order, slot: Slot) -> float:
    """What a preference says of the answer that is judged: 1 it is better, 0 worse, ½ neither.

    Example:
        >>> worth(Order.AB, Slot.FIRST), worth(Order.BA, Slot.FIRST), worth(Order.BA, Slot.TIE)
        (1.0, 0.0, 0.5)
    """
    if slot is Slot.TIE:
        return 0.5
    return 1.0 if (slot is Slot.FIRST) is (order is Order.AB) else 0.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one model said of two answers, in one order or in both.

    Args:
        heard: The orders, each with the preference in it.
    """

    heard: tuple[tuple[Order, Preference], ...]

    @property
    def flipped(self) -> bool:
        """Whether the orders disagree."""
        return len({worth(order, preference.slot) for order, preference in self.heard}) > 1

    @property
    def mean(self) -> float:
        """The mean over the orders of what is said of the answer that is judged, in 0..1."""
        worths = [worth(order, preference.slot) for order, preference in self.heard]
        return sum(worths) / len(worths)

    @property
    def reason(self) -> str:
        """The reasons, each with its order where they differ in what they prefer."""
        if not self.flipped:
            return self.heard[0][1].reason
        return "; ".join(
            f"{_SHOWN[order]}: {_preferred(order, preference.slot)}"
            + (f" ({preference.reason})" if preference.reason else "")
            for order, preference in self.heard
        )

    @property
    def orders(self) -> tuple[Json, ...]:
        """The preferences as evidence records them; `first_slot_pull` reads this."""
        return tuple(
            FrozenMap(
                {
                    "order": order.value,
                    "slot": preference.slot.value,
                    "preferred": _preferred(order, preference.slot),
                    "reason": preference.reason,
                }
            )
            for order, preference in self.heard
        )


_SHOWN: Final = {Order.AB: "with the output first", Order.BA: "with the output second"}
_PREFERRED: Final = {1.0: "the output", 0.5: "neither", 0.0: "the other answer"}


def _preferred(order: Order, slot: Slot) -> str:
    return _PREFERRED[worth(order, slot)]
