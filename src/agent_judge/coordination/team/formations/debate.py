"""DEBATE: in rounds, until all hold one position, nobody moves, or the rounds are over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from agent_judge.coordination.team.formations.formation import done, facilitated, merged
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.positions import all_same, most_held, none_changed
from agent_judge.coordination.team.records import Contribution, TeamStop
from agent_judge.coordination.team.roles import TeamRole
from agent_judge.coordination.team.session import Request, Session

_DEBATERS: Final = 2


class Debate:
    """Everybody who does the work says what they hold, in rounds; facilitators have no vote.

    In turn, each hears those who spoke before; at once, what was said in earlier rounds (Du et
    al., "Improving Factuality and Reasoning in Language Models through Multiagent Debate", 2023).
    """

    __slots__ = ()

    def faults(self, roles: Sequence[TeamRole]) -> Iterator[str]:
        """Fewer than two debaters."""
        debaters = sum(role.works for role in roles)
        if debaters < _DEBATERS:
            yield (
                f"DEBATE needs two members who debate, and there are {debaters}: "
                "add a LEAD, CO_LEAD, MEMBER or EXPERT"
            )

    async def work(self, session: Session) -> Outcome:
        """Debate; the output is what all hold, or else what more hold than anything else."""
        return await _Talk(session).held()


@dataclass(slots=True)
class _Talk:
    """One debate.

    Attributes:
        session: The execution it belongs to.
        turns: What was said, by facilitators too.
        positions: The last position of each debater that has one, by name.
        last_turns: The turn in which it last said so.
    """

    session: Session
    turns: list[Contribution] = field(default_factory=list[Contribution])
    positions: dict[str, Any] = field(default_factory=dict[str, Any])
    last_turns: dict[str, Contribution] = field(default_factory=dict[str, Contribution])

    async def held(self) -> Outcome:
        for _ in range(self.session.blueprint.options.max_rounds):
            before = self._positions()
            self.session.begin_round()
            spoken = await self._round()
            if not done(spoken):
                return self._ended(TeamStop.MEMBER_FAILED)
            if self._agree():
                return self._ended(TeamStop.AGREEMENT)
            if none_changed(before, self._positions()):
                return await self._undecided(TeamStop.NO_CHANGE)
            self.turns += await facilitated(self.session)
        return await self._undecided(TeamStop.MAX_ROUNDS)

    async def _round(self) -> tuple[Contribution, ...]:
        requests = (
            Request(member, inputs=done(self.turns), check=partial(self._take, member.name))
            for member in self.session.blueprint.workers
        )
        if self.session.blueprint.options.speaking == "at_once":
            spoken = await self.session.ask_at_once(requests)
            self.turns += spoken
        else:
            spoken = ()
            for request in requests:
                turn = await self.session.ask(request)
                self.turns.append(turn)
                spoken = (*spoken, turn)
        self.last_turns |= {turn.member: turn for turn in done(spoken)}
        return spoken

    def _take(self, member: str, output: object) -> None:
        """Read the position out of what a debater said."""
        self.positions[member] = self.session.blueprint.options.position(output)

    def _positions(self) -> list[object]:
        """What is held, in the order of the members."""
        workers = self.session.blueprint.workers
        return [self.positions[one.name] for one in workers if one.name in self.positions]

    def _agree(self) -> bool:
        """Whether everybody has a position, and it is one."""
        positions = self._positions()
        return len(positions) == len(self.session.blueprint.workers) and all_same(positions)

    def _ended(self, stop: TeamStop) -> Outcome:
        outcome = Outcome(tuple(self.turns), stop, consensus=stop is TeamStop.AGREEMENT)
        index = most_held(self._positions())
        return outcome if index is None else outcome.giving(self._standing()[index].output)

    async def _undecided(self, stop: TeamStop) -> Outcome:
        return await merged(self.session, self._ended(stop), self._standing())

    def _standing(self) -> list[Contribution]:
        """The last word of each debater that has a position, in the order of the members."""
        workers = self.session.blueprint.workers
        return [self.last_turns[one.name] for one in workers if one.name in self.positions]
