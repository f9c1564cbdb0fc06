"""An agent of any shape as a member of a team, and how it is called."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import MethodType
from typing import Any, Final, Protocol, TypeAlias, cast, runtime_checkable

from agent_judge.coordination.team.context import TeamContext, Teammate
from agent_judge.coordination.team.roles import TeamRole
from agent_judge.engine import check_seconds, in_worker
from agent_judge.engine.ask import is_awaitable
from agent_judge.errors import AgentJudgeError
from agent_judge.frozen import check_text
from agent_judge.protocol import is_called_async

MAX_NAME: Final = 100
"""How many characters a name has at most."""

AgentFunction: TypeAlias = Callable[[str, TeamContext], Awaitable[Any] | Any]
"""Does a task and returns its output, or a `Produced` that also says what that consumed."""


@runtime_checkable
class RunningAgent(Protocol):
    """An agent with a method `run`; `arun` is preferred where there is one."""

    def run(self, task: str, context: TeamContext, /) -> Any:
        """Do a task."""
        ...


@runtime_checkable
class AsyncRunningAgent(Protocol):
    """An agent with an async method `arun`."""

    async def arun(self, task: str, context: TeamContext, /) -> Any:
        """Do a task."""
        ...


Agent: TypeAlias = AgentFunction | RunningAgent | AsyncRunningAgent


@dataclass(frozen=True, slots=True)
class Member:
    """An agent with its part in a team; a pair `(agent, role)` stands for one.

    Args:
        agent: A function of the task and a `TeamContext`, sync or async, or an object with such a
            method `run` or `arun`. A sync one is called in a worker thread.
        role: The part that it takes.
        name: How others call it; by default the name of the function, the `name` of the object,
            or that of its class.
        timeout: Seconds after which it is cancelled each time that it is asked. A thread cannot
            be stopped, and is left behind.
    """

    agent: Agent
    role: TeamRole = TeamRole.MEMBER
    name: str | None = None
    timeout: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AskedMember:
    """A member, and how it is called."""

    name: str
    role: TeamRole
    timeout: float | None
    function: AgentFunction

    @property
    def teammate(self) -> Teammate:
        """As the others know it."""
        return Teammate(self.name, self.role)

    async def call(self, task: str, context: TeamContext, abandoned: Callable[[bool], None]) -> Any:
        """Have it do a task: a coroutine here, anything else in a worker thread."""
        if is_called_async(self.function):
            said: Any = self.function(task, context)
        else:
            said = await in_worker(lambda: self.function(task, context), abandoned)
        return await said if is_awaitable(said) else said


def seated(members: Sequence[Member], default_timeout: float | None) -> tuple[AskedMember, ...]:
    """Members that have no faults, each with a name of its own."""
    taken = {member.name for member in members if member.name is not None}
    return tuple(
        [
            AskedMember(
                member.name or _free_name(_derived_name(member.agent, number), taken),
                member.role,
                default_timeout if member.timeout is None else member.timeout,
                _function_of(member.agent),
            )
            for number, member in enumerate(members, 1)
        ]
    )


def faults_of(members: Sequence[Member]) -> Iterator[str]:
    """What is wrong with the members, each by itself and beside the others."""
    for number, member in enumerate(members, 1):
        for fault in _faults_of_one(member):
            yield f"member {number}: {fault}"
    for number, member in enumerate(members):
        for earlier in range(number):
            if _is_same(members[earlier].agent, member.agent):
                yield f"members {earlier + 1} and {number + 1} are one agent"
                break
    names = [member.name for member in members if isinstance(member.name, str)]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two members are called {name!r:.120}"


def _faults_of_one(member: Member) -> Iterator[str]:
    yield from _faults_of_agent(member.agent)
    if not isinstance(member.role, TeamRole):
        yield f"the role must be a TeamRole, not {member.role!r:.120}"
    if member.name is not None:
        try:
            check_text(member.name, "the name")
        except AgentJudgeError as fault:
            yield str(fault)
        else:
            if not member.name.strip() or len(member.name) > MAX_NAME:
                yield f"a name has 1 to {MAX_NAME} characters and is not blank"
    if member.timeout is not None:
        try:
            check_seconds(member.timeout, "timeout")
        except AgentJudgeError as fault:
            yield str(fault)


def _faults_of_agent(agent: object) -> Iterator[str]:
    if isinstance(agent, type):
        yield f"the agent is the class {agent.__qualname__}; give an instance of it"
        return
    function = _function_of(agent)
    if not callable(function):
        yield f"{agent!r:.120} is no agent: it can neither be called, nor has it run or arun"
    elif not _takes_two(function):
        yield f"{agent!r:.120} cannot be called with (task, context)"


def _function_of(agent: object) -> AgentFunction:
    for name in ("arun", "run"):
        if callable(method := getattr(agent, name, None)):
            return cast("AgentFunction", method)
    return cast("AgentFunction", agent)


def _takes_two(function: Callable[..., object]) -> bool:
    """Whether it can be called with a task and a context, as far as that can be told."""
    try:
        inspect.signature(function).bind("task", None)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _is_same(one: object, other: object) -> bool:
    """Whether two agents are one; a bound method is made anew each time that it is asked for."""
    if isinstance(one, MethodType) and isinstance(other, MethodType):
        return one.__self__ is other.__self__ and one.__func__ is other.__func__
    return one is other


def _derived_name(agent: object, number: int) -> str:
    if isinstance(agent, partial):
        return _derived_name(cast("partial[object]", agent).func, number)
    own = getattr(agent, "name", None)
    name: object = own if isinstance(own, str) else getattr(agent, "__name__", None)
    if not isinstance(name, str):
        name = type(agent).__name__
    printable = name.isprintable() and name.strip() and name != "<lambda>"
    return name[:MAX_NAME] if printable else f"member-{number}"


def _free_name(name: str, taken: set[str]) -> str:
    """A name that nobody has yet; it is taken from now on."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
