"""Agents that follow a script, and teams of them."""

from __future__ import annotations

import asyncio
from typing import Any

from agent_judge.coordination import Team, TeamContext, TeamFormation, TeamResult, TeamRole


class Saying:
    """An agent that says one thing after the other, the last again and again.

    Args:
        name: What the team calls it.
        outputs: What it says; an exception is raised, a function of its context called.

    Attributes:
        contexts: What it was told each time.
        tasks: What it was asked each time.
    """

    def __init__(self, name: str, *outputs: Any) -> None:
        self.name = name
        self.contexts: list[TeamContext] = []
        self.tasks: list[str] = []
        self._outputs = outputs

    async def arun(self, task: str, context: TeamContext) -> Any:
        """Say the next thing."""
        self.tasks.append(task)
        self.contexts.append(context)
        output = self._outputs[min(len(self.tasks), len(self._outputs)) - 1]
        if isinstance(output, BaseException):
            raise output
        return output(context) if callable(output) else output


class Stuck:
    """An agent that never ends by itself.

    Attributes:
        began: Set when it was asked.
        cleaned: How often it was cancelled and cleaned up.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.began = asyncio.Event()
        self.cleaned = 0

    async def arun(self, _task: str, _context: TeamContext) -> None:
        """Wait until it is cancelled."""
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            self.cleaned += 1


def working(*agents: Any) -> list[tuple[Any, TeamRole]]:
    """Agents as members that do the work."""
    return [(agent, TeamRole.MEMBER) for agent in agents]


def a_team(formation: TeamFormation, *members: Any, **options: Any) -> Team:
    """A team that was started."""
    given: dict[str, Any] = {"name": "the team", "mission": "Test teams.", **options}
    return Team(formation=formation, members=members, **given).start()


def do(formation: TeamFormation, *members: Any, **options: Any) -> TeamResult:
    """What a team makes of a task."""
    return a_team(formation, *members, **options).execute("the task")


def statuses(result: TeamResult) -> list[tuple[str, str]]:
    """Who contributed, and what became of it."""
    return [(one.member, one.status.value) for one in result.contributions]


def outputs_of(result: TeamResult) -> list[Any]:
    """What was contributed, in order."""
    return [one.output for one in result.contributions]
