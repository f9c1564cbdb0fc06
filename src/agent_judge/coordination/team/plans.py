"""The sub-tasks that a lead hands out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agent_judge.errors import ArgumentTypeError
from agent_judge.frozen import check_text

MAX_SUBTASKS: Final = 1_000
"""How many sub-tasks a plan may have; a reply that a model ran away with has more."""


@dataclass(frozen=True, slots=True)
class SubTask:
    """A part of the task for one member.

    Args:
        id: Its name within the plan.
        task: What is to be done.
        member: The name of who does it.
        after: The names of the sub-tasks whose outputs it needs.

    Raises:
        ArgumentTypeError: A value of the wrong type.
    """

    id: str
    task: str
    member: str
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("id", "task", "member"):
            check_text(getattr(self, name), f"subtask.{name}")
        after: object = self.after
        if isinstance(after, str) or not isinstance(after, Iterable):
            raise ArgumentTypeError(f"subtask.after must be names of sub-tasks, not {after!r:.120}")
        object.__setattr__(self, "after", tuple(self.after))
        for index, name in enumerate(self.after):
            check_text(name, f"subtask.after[{index}]")


def faults_of(plan: Iterable[SubTask], members: Collection[str]) -> Iterator[str]:
    """What keeps a plan from being carried out.

    Args:
        plan: The sub-tasks.
        members: The names of those who can do them.
    """
    given = [*plan]
    subtasks = {subtask.id: subtask for subtask in given}
    if not given:
        yield "it has no sub-tasks"
    if len(given) > MAX_SUBTASKS:
        yield f"it has {len(given)} sub-tasks; there may be {MAX_SUBTASKS}"
        return
    if len(subtasks) < len(given):
        yield "two sub-tasks have the same id"
    for subtask in given:
        if not subtask.id.strip() or not subtask.task.strip():
            yield f"sub-task {subtask.id!r:.60} has a blank id or task"
        if subtask.member not in members:
            known = ", ".join(members)
            yield (
                f"sub-task {subtask.id!r:.60} is for {subtask.member!r:.60}, who is not among "
                f"those who can be given one: {known:.1000}"
            )
        for needed in subtask.after:
            if needed not in subtasks:
                yield f"sub-task {subtask.id!r:.60} comes after {needed!r:.60}, which is none"
    if stuck := _in_cycles(subtasks):
        yield f"{', '.join(f'{name!r:.60}' for name in stuck[:10])} wait for one another in a cycle"


def _in_cycles(subtasks: Mapping[str, SubTask]) -> list[str]:
    """The sub-tasks that could never begin (Kahn, CACM 5(11), 1962), those behind a cycle too."""
    waiting = {name: {*subtask.after} & {*subtasks} for name, subtask in subtasks.items()}
    needed_by: dict[str, list[str]] = {name: [] for name in subtasks}
    for name, needs in waiting.items():
        for need in needs:
            needed_by[need].append(name)
    ready = [name for name, needs in waiting.items() if not needs]
    for name in ready:
        for dependent in needed_by[name]:
            waiting[dependent].discard(name)
            if not waiting[dependent]:
                ready.append(dependent)
    return [name for name, needs in waiting.items() if needs]
