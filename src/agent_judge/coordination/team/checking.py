"""Making a team's blueprint, or naming everything that is wrong with it at once."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast, get_args

from agent_judge.coordination.team.blueprint import Blueprint, OnError, Options, Speaking
from agent_judge.coordination.team.members import Agent, Member, faults_of, seated
from agent_judge.coordination.team.performing import faults_of as faults_in_formation
from agent_judge.coordination.team.roles import TeamFormation, TeamRole
from agent_judge.engine import check_seconds
from agent_judge.errors import AgentJudgeError, ArgumentError
from agent_judge.frozen import check_text
from agent_judge.protocol import is_called_async


def blueprint_of(  # noqa: PLR0917 - what a team is made of, as its constructor names it
    name: str,
    mission: str,
    formation: TeamFormation,
    members: Iterable[Member | tuple[Agent, TeamRole]],
    lead: Agent | None,
    options: Options,
) -> Blueprint:
    """What a team is made of.

    Raises:
        ArgumentError: It cannot work; the message lists every fault.
    """
    given, faults = _members_of(members, lead)
    faults += [*_faults_of_texts(name=name, mission=mission), *faults_of(given)]
    faults += [*_faults_of_numbers(options), *_faults_of_choices(options)]
    roles = [member.role for member in given if isinstance(member.role, TeamRole)]
    faults += _faults_of_formation(formation, roles, options.min_successes)
    if faults:
        listed = "".join(f"\n- {fault}" for fault in faults)
        raise ArgumentError(f"team {name!r:.120} cannot work like this:{listed}")
    asked = seated(given, options.member_timeout)
    return Blueprint(uuid.uuid4().hex, name, mission, formation, asked, options)


def _faults_of_formation(
    formation: object, roles: Sequence[TeamRole], min_successes: object
) -> Iterator[str]:
    if not isinstance(formation, TeamFormation):
        yield f"formation must be a TeamFormation, not {formation!r:.120}"
        return
    yield from faults_in_formation(formation, roles)
    working = sum(role.works for role in roles)
    if type(min_successes) is int and min_successes > working > 0:
        yield f"min_successes is {min_successes}, and {working} members do the work"


def _members_of(members: Iterable[Any], lead: Agent | None) -> tuple[list[Member], list[str]]:
    """The members, the lead first where it was named apart; and what is none."""
    taken: list[Member] = []
    faults: list[str] = []
    if isinstance(members, str) or not hasattr(members, "__iter__"):
        return taken, [f"members must be pairs of an agent and its role, not {members!r:.120}"]
    for number, item in enumerate(members, 1):
        match item:
            case Member():
                taken.append(item)
            case (agent, role):
                taken.append(Member(agent, role))
            case _:
                faults.append(f"member {number} is no pair of an agent and its role: {item!r:.120}")
    if lead is not None and not _leads_already(lead, taken):
        taken.insert(0, Member(lead, TeamRole.LEAD))
    return taken, faults


def _leads_already(lead: Agent, members: Iterable[Member]) -> bool:
    return any(member.agent is lead and member.role is TeamRole.LEAD for member in members)


def _faults_of_texts(**texts: object) -> Iterator[str]:
    for name, text in texts.items():
        try:
            check_text(text, name)
        except AgentJudgeError as fault:
            yield str(fault)
        else:
            if not cast("str", text).strip():
                yield f"the {name} is blank"


def _faults_of_numbers(options: Options) -> Iterator[str]:
    for name in ("timeout", "member_timeout"):
        seconds = getattr(options, name)
        try:
            if seconds is not None:
                check_seconds(seconds, name)
        except AgentJudgeError as fault:
            yield str(fault)
    for name, low in (("min_successes", 1), ("retries", 1), ("max_rounds", 1)):
        number = getattr(options, name)
        if type(number) is not int or number < low:
            yield f"{name} must be a whole number from {low} up, got {number!r:.120}"


def _faults_of_choices(options: Options) -> Iterator[str]:
    for name, words in (("on_error", get_args(OnError)), ("speaking", get_args(Speaking))):
        if getattr(options, name) not in words:
            yield f"{name} is one of {words}, not {getattr(options, name)!r:.120}"
    for name in ("position", "choose", "merge"):
        function = getattr(options, name)
        if not callable(function) and (name != "merge" or function is not None):
            yield f"{name} must be a function, not {function!r:.120}"
        if name != "merge" and is_called_async(function):
            yield f"{name} must be a plain function, and {function!r:.120} is async"
    if type(options.revise) is not bool:
        yield f"revise must be True or False, not {options.revise!r:.120}"
