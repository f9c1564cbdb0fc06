"""What a formation is, and the work that several of them share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from agent_judge.coordination.team.blueprint import Blueprint
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.records import Contribution
from agent_judge.coordination.team.roles import TeamPhase, TeamRole
from agent_judge.coordination.team.session import Request, Session
from agent_judge.engine import in_worker
from agent_judge.engine.ask import is_awaitable
from agent_judge.protocol import is_called_async


class Formation(Protocol):
    """Who works when, and what becomes the output."""

    def faults(self, roles: Sequence[TeamRole]) -> Iterator[str]:
        """What keeps members of these roles from working like this."""
        ...

    async def work(self, session: Session) -> Outcome:
        """Work on a task."""
        ...


def done(contributions: Sequence[Contribution]) -> tuple[Contribution, ...]:
    """The contributions that are such."""
    return tuple([one for one in contributions if one.is_done])


def is_merged(blueprint: Blueprint) -> bool:
    """Whether somebody makes the output of the contributions."""
    return blueprint.options.merge is not None or bool(blueprint.of(TeamRole.FACILITATOR))


async def facilitated(session: Session) -> tuple[Contribution, ...]:
    """Let the facilitators speak, after a round."""
    facilitators = session.blueprint.of(TeamRole.FACILITATOR)
    return await session.ask_in_turn(
        [Request(member, TeamPhase.FACILITATE) for member in facilitators]
    )


async def merged(session: Session, outcome: Outcome, inputs: Sequence[Contribution]) -> Outcome:
    """The outcome with what `merge` or a facilitator makes of the contributions.

    It keeps the output that it has where there is neither, or where the facilitator fails.
    """
    given = done(inputs)
    facilitators = session.blueprint.of(TeamRole.FACILITATOR)
    if not given:
        return outcome
    if session.blueprint.options.merge is not None:
        return outcome.giving(await _called(session.blueprint.options.merge, given))
    if not facilitators:
        return outcome
    summary = await session.ask(Request(facilitators[0], TeamPhase.MERGE, given))
    outcome = outcome.with_pieces(summary)
    return outcome.giving(summary.output) if summary.is_done else outcome


async def _called(merge: Any, given: tuple[Contribution, ...]) -> Any:
    made = merge(given) if is_called_async(merge) else await in_worker(lambda: merge(given))
    return await made if is_awaitable(made) else made
