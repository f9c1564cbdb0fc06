"""PARALLEL: everybody does the task at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_judge.coordination.team.formations.formation import done, is_merged, merged
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.records import Contribution
from agent_judge.coordination.team.roles import TeamRole
from agent_judge.coordination.team.session import Request, Session


class Parallel:
    """Everybody does the task at once; one that fails disturbs nobody."""

    __slots__ = ()

    def faults(self, roles: Sequence[TeamRole]) -> Iterator[str]:  # noqa: ARG002 - any team can
        """None."""
        yield from ()

    async def work(self, session: Session) -> Outcome:
        """Ask all, then merge what is there; without a way to merge, that is the list of it."""
        session.begin_round()
        if not is_merged(session.blueprint):
            session.salvage(lambda: _listed(session.contributions))
        pieces = await session.ask_at_once(map(Request, session.blueprint.workers))
        return await merged(session, _listed(pieces), pieces)


def _listed(pieces: tuple[Contribution, ...]) -> Outcome:
    outcome = Outcome(pieces)
    outputs = [piece.output for piece in done(pieces)]
    return outcome.giving(outputs) if outputs else outcome
