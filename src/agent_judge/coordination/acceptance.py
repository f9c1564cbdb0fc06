"""What an approval has to stand up to before it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from agent_judge.coordination.asking import AnyPolicy, AskedPolicy
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentError
from agent_judge.judgment import check_threshold

UNCONFIRMED: Final = (
    "an independent check did not confirm that the work is done; look at the whole task again, "
    "not only at what was criticised before"
)
"""All that an agent is told of a held-out judge that did not agree."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided about an output.

    Attributes:
        verdict: The decision.
        confirmation: What the held-out judge said, where it was asked.
        calls: How often a policy was asked.
    """

    verdict: JudgeVerdict
    confirmation: JudgeVerdict | None = None
    calls: int = 1


class Acceptance:
    """The policy of a loop, with what an approval of it has to stand up to.

    Args:
        policy: Decides about each output.
        confirm: How many of how many answers have to approve, as `"2of3"`.
        confirm_below: Approvals with this score or more are taken without asking again.
        confirm_with: A held-out policy or judge, which is asked about what the policy approves.
        blind: Tell the policy neither which attempt it is nor what was decided before.

    Raises:
        ArgumentError: A `confirm` that is not understood.
        ArgumentTypeError: A policy that is none.
    """

    def __init__(
        self,
        policy: AnyPolicy,
        *,
        confirm: str | None = None,
        confirm_below: float = 1.0,
        confirm_with: AnyPolicy | None = None,
        blind: bool = False,
    ) -> None:
        self._policy = AskedPolicy(policy)
        self._held_out = None if confirm_with is None else AskedPolicy(confirm_with, "confirm_with")
        self._needed, self._of = _parse(confirm)
        check_threshold(confirm_below, "confirm_below")
        self._below = confirm_below
        self._blind = blind

    @property
    def criteria(self) -> str:
        """What is decided by, in words that change when it does, as far as that can be seen."""
        parts = [self._policy.criteria, f"confirm {self._needed} of {self._of}"]
        if self._held_out is not None:
            parts.append(self._held_out.criteria)
        return sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()

    async def decide(
        self, run: Run, agent_id: str, output: object, context: JudgeContext
    ) -> Decided:
        """Decide about an output."""
        seen = JudgeContext.first(context.max_iterations) if self._blind else context
        verdict = await self._policy.ask(run, agent_id, output, seen)
        calls = 1
        if verdict.is_approved and verdict.score < self._below:
            verdict, calls = await self._ask_again(run, agent_id, output, seen, verdict)
        if not verdict.is_approved or self._held_out is None:
            return Decided(verdict, calls=calls)
        told = JudgeContext.first(context.max_iterations)
        confirmation = await self._held_out.ask(run, agent_id, output, told)
        if not confirmation.is_approved:
            verdict = _unconfirmed(verdict, confirmation, context)
        return Decided(verdict, confirmation, calls + 1)

    async def afresh(self, run: Run, agent_id: str, output: object) -> JudgeVerdict:
        """Ask the policy as if for the first time."""
        return await self._policy.ask(run, agent_id, output, JudgeContext.first(1))

    async def _ask_again(
        self, run: Run, agent_id: str, output: object, seen: JudgeContext, first: JudgeVerdict
    ) -> tuple[JudgeVerdict, int]:
        """Ask until enough answers approve, or too many do not; the first such one counts."""
        approvals, refusals = 1, list[JudgeVerdict]()
        while approvals < self._needed and len(refusals) <= self._of - self._needed:
            verdict = await self._policy.ask(run, agent_id, output, seen)
            if verdict.is_approved:
                approvals += 1
            else:
                refusals.append(verdict)
        agreed = approvals >= self._needed
        return (first if agreed else refusals[0]), approvals + len(refusals)


def _unconfirmed(
    verdict: JudgeVerdict, confirmation: JudgeVerdict, context: JudgeContext
) -> JudgeVerdict:
    """The verdict on work that a held-out judge did not approve; it says nothing of what was found.

    Its score is the lower one, so that such work is not kept before better one.
    """
    decision = Decision.REJECT if context.is_final_iteration else Decision.RETRY
    score = min(verdict.score, confirmation.score)
    told = JudgeVerdict(decision, UNCONFIRMED, score, (UNCONFIRMED,))
    return replace(told, finding=verdict.finding)


def _parse(confirm: str | None) -> tuple[int, int]:
    if confirm is None:
        return 1, 1
    found = re.fullmatch(r"(\d{1,3}) ?of ?(\d{1,3})", confirm)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise ArgumentError(
            f"confirm says how many of how many answers have to approve, as '2of3', not {confirm!r}"
        )
    return int(found[1]), int(found[2])
