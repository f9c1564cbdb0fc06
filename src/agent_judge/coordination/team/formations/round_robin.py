"""ROUND_ROBIN: in rounds, one after the other, each with all that was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_judge.coordination.team.formations.formation import (
    done,
    facilitated,
    is_merged,
    merged,
)
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.records import Contribution, TeamStop
from agent_judge.coordination.team.roles import TeamRole
from agent_judge.coordination.team.session import Request, Session


class RoundRobin:
    """Everybody has a turn in each of `max_rounds` rounds, and sees the whole transcript."""

    __slots__ = ()

    def faults(self, roles: Sequence[TeamRole]) -> Iterator[str]:  # noqa: ARG002 - any team can
        """None."""
        yield from ()

    async def work(self, session: Session) -> Outcome:
        """Go round; it ends early where all fail in a round."""
        turns: list[Contribution] = []
        if not is_merged(session.blueprint):
            session.salvage(lambda: _ended(turns))
        for _ in range(session.blueprint.options.max_rounds):
            session.begin_round()
            heard = len(turns)
            for member in session.blueprint.workers:
                turns.append(await session.ask(Request(member, inputs=done(turns))))
            if not done(turns[heard:]):
                return _ended(turns, TeamStop.MEMBER_FAILED)
            turns += await facilitated(session)
        return await merged(session, _ended(turns, TeamStop.MAX_ROUNDS), _said(turns))


def _said(turns: list[Contribution]) -> tuple[Contribution, ...]:
    """What those said who do the work."""
    return tuple([turn for turn in done(turns) if turn.role.works])


def _ended(turns: list[Contribution], stop: TeamStop = TeamStop.FINISHED) -> Outcome:
    outcome = Outcome(tuple(turns), stop)
    said = _said(turns)
    return outcome.giving(said[-1].output) if said else outcome
