"""Whether a judge that compares answers is drawn to one of the places they are shown in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agent_judge.frozen import Json
from agent_judge.judgment import Judgment
from agent_judge.llm.preferences import Order, Slot


@dataclass(frozen=True, slots=True)
class FirstSlotPull:
    """How often each slot was preferred, over comparisons that were asked in both orders.

    Each answer was shown once in each slot, so that a judge that looks at the answers alone
    prefers both slots equally often.

    Args:
        comparisons: How many comparisons were counted.
        first: Replies that prefer the answer shown first; there are two replies a comparison.
        second: Replies that prefer the one shown second.
        ties: Replies that prefer neither.
        toward_first: Comparisons whose orders disagree in favour of the first slot.
        toward_second: Comparisons whose orders disagree in favour of the second slot.
        skipped: Judgments that were not asked in both orders, or never came to a preference.
    """

    comparisons: int = 0
    first: int = 0
    second: int = 0
    ties: int = 0
    toward_first: int = 0
    toward_second: int = 0
    skipped: int = 0

    @property
    def flips(self) -> int:
        """Comparisons whose orders disagree."""
        return self.toward_first + self.toward_second

    @property
    def share(self) -> float | None:
        """The share of the first slot among replies with a preference; ½ is no pull at all."""
        decided = self.first + self.second
        return self.first / decided if decided else None

    @property
    def p_value(self) -> float | None:
        """How likely flips as lopsided as these are without a pull; `None` without any flip.

        The exact two-sided sign test over the flips (Dixon and Mood, 1946).
        """
        return _sign_test(self.toward_first, self.toward_second) if self.flips else None


def first_slot_pull(judgments: Iterable[Judgment]) -> FirstSlotPull:
    """Count which slot was preferred, over judgments of `PairwiseJudge`.

    Only comparisons that were asked in both orders tell anything; others are skipped and counted,
    and so is whatever is no comparison.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.llm import PairwiseJudge
        >>> from agent_judge.testing import ScriptedModel
        >>> model = ScriptedModel([{"reason": "", "verdict": "1"}] * 2)
        >>> run = JudgmentContext(output="4", expected="four")
        >>> pull = first_slot_pull([evaluate(PairwiseJudge(model), run)])
        >>> pull.share, pull.flips, pull.p_value
        (1.0, 1, 1.0)
    """
    counts = dict.fromkeys(Slot, 0)
    toward = dict.fromkeys(Slot, 0)
    comparisons = skipped = 0
    for judgment in judgments:
        slots = _slots(judgment)
        if slots is None:
            skipped += 1
            continue
        comparisons += 1
        for slot in slots:
            counts[slot] += 1
        toward[_pulled(slots)] += 1
    return FirstSlotPull(
        comparisons,
        counts[Slot.FIRST],
        counts[Slot.SECOND],
        counts[Slot.TIE],
        toward[Slot.FIRST],
        toward[Slot.SECOND],
        skipped,
    )


def _slots(judgment: Judgment) -> tuple[Slot, Slot] | None:
    """The slots that were preferred in the orders AB and BA."""
    orders = judgment.evidence.get("orders")
    if not isinstance(orders, tuple) or len(orders) != 2:
        return None
    found: dict[Json, Slot] = {}
    for heard in orders:
        if not isinstance(heard, Mapping):
            return None
        slot = heard.get("slot")
        if not isinstance(slot, str) or slot not in _SLOTS:
            return None
        found[heard.get("order")] = _SLOTS[slot]
    return (found["AB"], found["BA"]) if found.keys() == _ORDERS else None


_SLOTS = {slot.value: slot for slot in Slot}
_ORDERS = {order.value for order in Order}


def _pulled(slots: tuple[Slot, Slot]) -> Slot:
    """The slot in whose favour two orders disagree; TIE where they agree."""
    balance = slots.count(Slot.FIRST) - slots.count(Slot.SECOND)
    if not balance:
        return Slot.TIE
    return Slot.FIRST if balance > 0 else Slot.SECOND


def _sign_test(ups: int, downs: int) -> float:
    """Twice the smaller tail of the binomial distribution with probability ½, at most 1."""
    total, ways, tail = ups + downs, 1, 0
    for k in range(min(ups, downs) + 1):
        tail += ways
        ways = ways * (total - k) // (k + 1)
    return min(1.0, 2 * tail / (1 << total))
