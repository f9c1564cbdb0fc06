"""What an approval has to stand up to before it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from agent_judge.coordination.asking import AnyPolicy, AskedPolicy
from agent_judge.coordination.consumption import NOTHING, consumed_by
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentError
from agent_judge.judgment import check_threshold
from agent_judge.usage import Usage

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
        answers: Every answer of a policy that this rests on.
    """

    verdict: JudgeVerdict
    confirmation: JudgeVerdict | None = None
    answers: tuple[JudgeVerdict, ...] = ()

    @property
    def calls(self) -> int:
        """How often a policy was asked."""
        return len(self.answers)

    @property
    def usage(self) -> Usage | None:
        """What that consumed, by what was found; `None` where a part was not reported."""
        used = [consumed_by(answer.finding) for answer in self.answers]
        return None if None in used else Usage.total([NOTHING, *filter(None, used)])


class Acceptance:
    """The policy of a loop, with what an approval of it has to stand up to.

    Args:
        policy: Decides about each output.
        confirm: How many of how many answers have to approve, as `"2of3"`.
        confirm_below: Approvals with this score or more are taken without asking again; without
            it, every approval is asked about again.
        confirm_with: A held-out policy or judge, which is asked about what the policy approves.
        blind: Tell the policy neither which attempt it is nor what was decided before.

    Raises:
        ArgumentError: A `confirm` that is not understood, or a held-out policy that is not.
        ArgumentTypeError: A policy that is none.
    """

    def __init__(
        self,
        policy: AnyPolicy,
        *,
        confirm: str | None = None,
        confirm_below: float | None = None,
        confirm_with: AnyPolicy | None = None,
        blind: bool = False,
    ) -> None:
        self._policy = AskedPolicy(policy)
        if confirm_with is policy:
            raise ArgumentError(
                "confirm_with is the policy itself; a held-out judge is another one, or ask the "
                "same again by confirm='2of2'"
            )
        self._held_out = None if confirm_with is None else AskedPolicy(confirm_with, "confirm_with")
        self._needed, self._of = _parse(confirm)
        if confirm_below is not None:
            check_threshold(confirm_below, "confirm_below")
            if confirm is None:
                raise ArgumentError("confirm_below says what to confirm; give confirm as well")
        self._below = confirm_below
        self._blind = blind

    @property
    def criteria(self) -> str:
        """What is decided by, in words that change when it does, as far as that can be seen."""
        parts = [self._policy.criteria, f"confirm {self._needed} of {self._of}"]
        if self._held_out is not None:
            parts.append(self._held_out.criteria)
        return sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()

    @property
    def most_calls(self) -> int:
        """How often a policy is asked about one output at most."""
        return self._of + (self._held_out is not None)

    async def decide(
        self, run: Run, agent_id: str, output: object, context: JudgeContext
    ) -> Decided:
        """Decide about an output."""
        seen = JudgeContext.first(context.max_iterations) if self._blind else context
        verdict = await self._policy.ask(run, agent_id, output, seen)
        answers = [verdict]
        if verdict.is_approved and (self._below is None or verdict.score < self._below):
            verdict = await self._ask_again(run, agent_id, output, seen, answers)
        if not verdict.is_approved or self._held_out is None:
            return Decided(verdict, answers=tuple(answers))
        told = JudgeContext.first(context.max_iterations)
        confirmation = await self._held_out.ask(run, agent_id, output, told)
        if not confirmation.is_approved:
            verdict = _unconfirmed(verdict, confirmation, context)
        return Decided(verdict, confirmation, (*answers, confirmation))

    async def afresh(self, run: Run, agent_id: str, output: object) -> JudgeVerdict:
        """Ask the policy as if for the first time."""
        return await self._policy.ask(run, agent_id, output, JudgeContext.first(1))

    async def _ask_again(
        self,
        run: Run,
        agent_id: str,
        output: object,
        seen: JudgeContext,
        answers: list[JudgeVerdict],
    ) -> JudgeVerdict:
        """Ask until enough answers approve, or too many do not; the first such one counts."""
        refusals: list[JudgeVerdict] = []
        while len(answers) - len(refusals) < self._needed:
            if len(refusals) > self._of - self._needed:
                return refusals[0]
            answers.append(await self._policy.ask(run, agent_id, output, seen))
            if not answers[-1].is_approved:
                refusals.append(answers[-1])
        return answers[0]


def _unconfirmed(
    verdict: JudgeVerdict, confirmation: JudgeVerdict, context: JudgeContext
) -> JudgeVerdict:
    """The verdict on work that a held-out judge did not approve; it says nothing of what was found.

    Its score is the lower one, so that such work is not kept before better one. Where one of the
    two was made up, so is this.
    """
    decision = Decision.REJECT if context.is_final_iteration else Decision.RETRY
    score = min(verdict.score, confirmation.score)
    made_up = verdict.synthetic or confirmation.synthetic
    return JudgeVerdict(decision, UNCONFIRMED, score, (UNCONFIRMED,), made_up, verdict.finding)


def _parse(confirm: str | None) -> tuple[int, int]:
    if confirm is None:
        return 1, 1
    found = re.fullmatch(r"(\d{1,3}) ?of ?(\d{1,3})", confirm, re.ASCII)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise ArgumentError(
            f"confirm says how many of how many answers have to approve, as '2of3', not {confirm!r}"
        )
    return int(found[1]), int(found[2])
