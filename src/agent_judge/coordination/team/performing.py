"""The steps of an execution: work, review, revision, all within the team's deadline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final

from agent_judge.coordination.team.blueprint import Blueprint
from agent_judge.coordination.team.formations.debate import Debate
from agent_judge.coordination.team.formations.formation import Formation, done
from agent_judge.coordination.team.formations.hierarchical import Hierarchical
from agent_judge.coordination.team.formations.parallel import Parallel
from agent_judge.coordination.team.formations.round_robin import RoundRobin
from agent_judge.coordination.team.formations.sequential import Sequential
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.records import TeamStop
from agent_judge.coordination.team.result import TeamResult, notes_in
from agent_judge.coordination.team.roles import TeamFormation, TeamPhase, TeamRole
from agent_judge.coordination.team.session import Request, Session
from agent_judge.engine.tasks import DeadlineError, within
from agent_judge.errors import ArgumentError

FORMATIONS: Final[Mapping[TeamFormation, Formation]] = {
    TeamFormation.PARALLEL: Parallel(),
    TeamFormation.SEQUENTIAL: Sequential(),
    TeamFormation.HIERARCHICAL: Hierarchical(),
    TeamFormation.DEBATE: Debate(),
    TeamFormation.ROUND_ROBIN: RoundRobin(),
}
"""How each formation works; ADAPTIVE is one of these when it comes to work."""


def faults_of(formation: TeamFormation, roles: Sequence[TeamRole]) -> Iterator[str]:
    """What keeps members of these roles from working in a formation."""
    if not any(role.works for role in roles):
        yield "nobody does the work: add a LEAD, CO_LEAD, MEMBER or EXPERT"
    if formation is not TeamFormation.ADAPTIVE:
        yield from FORMATIONS[formation].faults(roles)


def formation_for(blueprint: Blueprint, task: str) -> TeamFormation:
    """How a team is to work on a task.

    Raises:
        ArgumentError: An adaptive team's function chose what is none, or what its members cannot.
    """
    if blueprint.formation is not TeamFormation.ADAPTIVE:
        return blueprint.formation
    chosen: object = blueprint.options.choose(task, blueprint.teammates)
    if not isinstance(chosen, TeamFormation) or chosen is TeamFormation.ADAPTIVE:
        raise ArgumentError(f"choose must return another TeamFormation, not {chosen!r:.120}")
    if faults := [*faults_of(chosen, [member.role for member in blueprint.members])]:
        raise ArgumentError(f"choose chose {chosen.name}, but {'; '.join(faults)}")
    return chosen


async def perform(session: Session) -> TeamResult:
    """Work on a task, whatever the members do.

    Raises:
        BaseException: What is no member's failure: cancellation, an interrupt, the caller's
            mistake, or what a function of the caller's raised.
    """
    began = perf_counter()
    options = session.blueprint.options
    try:
        outcome = await within(options.timeout, _worked(session))
    except DeadlineError:
        session.close()
        salvaged = session.salvaged() or Outcome(session.contributions)
        outcome = replace(_usable(session, salvaged), stop=TeamStop.TIMED_OUT)
    return TeamResult(
        session.blueprint.id,
        session.task,
        outcome.status(options.min_successes),
        outcome.stop,
        session.formation,
        session.blueprint.formation,
        session.contributions,
        session.rounds,
        outcome.output,
        outcome.has_output,
        outcome.consensus,
        outcome.plan,
        outcome.revised,
        perf_counter() - began,
    )


async def _worked(session: Session) -> Outcome:
    outcome = _usable(session, await FORMATIONS[session.formation].work(session))
    if not outcome.has_output:
        return outcome
    session.set_aside(outcome)
    reviewers = session.blueprint.of(TeamRole.REVIEWER)
    inputs = done(outcome.pieces)
    reviews = await session.ask_at_once(
        [Request(reviewer, TeamPhase.REVIEW, inputs) for reviewer in reviewers]
    )
    outcome = outcome.with_pieces(*reviews)
    session.set_aside(outcome)
    session.notes = notes_in(reviews)
    if not (session.notes and session.blueprint.options.revise):
        return outcome
    return await _revised(session, outcome)


async def _revised(session: Session, before: Outcome) -> Outcome:
    """Work once more, with the notes; the output before stays where nothing comes of it."""
    after = _usable(session, await FORMATIONS[session.formation].work(session))
    if not after.has_output:
        return replace(before.with_pieces(*after.pieces), unasked=after.unasked)
    pieces = (*before.pieces, *after.pieces)
    return replace(after, pieces=pieces, unasked=before.unasked + after.unasked, revised=True)


def _usable(session: Session, outcome: Outcome) -> Outcome:
    """The outcome, without an output where too few members did well."""
    enough = outcome.has_enough(session.blueprint.options.min_successes)
    return outcome if enough else outcome.without_output()
