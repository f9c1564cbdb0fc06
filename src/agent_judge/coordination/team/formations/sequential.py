"""SEQUENTIAL: one after the other, each with what the earlier ones made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_judge.coordination.team.formations.formation import done
from agent_judge.coordination.team.members import AskedMember
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.records import Contribution, TeamStop
from agent_judge.coordination.team.roles import TeamRole
from agent_judge.coordination.team.session import Request, Session


class Sequential:
    """One after the other; `on_error` says what follows where one fails."""

    __slots__ = ()

    def faults(self, roles: Sequence[TeamRole]) -> Iterator[str]:  # noqa: ARG002 - any team can
        """None."""
        yield from ()

    async def work(self, session: Session) -> Outcome:
        """Ask one after the other; the output is the last good one."""
        session.begin_round()
        workers = session.blueprint.workers
        pieces: list[Contribution] = []
        session.salvage(lambda: _ended(pieces, len(workers) - len(pieces)))
        for member in workers:
            pieces.append(await _asked(session, member, done(pieces)))
            if not pieces[-1].is_done and session.blueprint.options.on_error != "skip":
                return _ended(pieces, len(workers) - len(pieces), TeamStop.MEMBER_FAILED)
        return _ended(pieces)


async def _asked(
    session: Session, member: AskedMember, inputs: tuple[Contribution, ...]
) -> Contribution:
    """Ask a member, and ask it again where the team is to."""
    options = session.blueprint.options
    piece = await session.ask(Request(member, inputs=inputs))
    for _ in range(options.retries if options.on_error == "retry" else 0):
        if piece.is_done:
            break
        piece = await session.ask(Request(member, inputs=inputs))
    return piece


def _ended(
    pieces: list[Contribution], unasked: int = 0, stop: TeamStop = TeamStop.FINISHED
) -> Outcome:
    outcome = Outcome(tuple(pieces), stop, unasked=unasked)
    good = done(pieces)
    return outcome.giving(good[-1].output) if good else outcome
