"""Reading the plan that a lead gave, as records, as JSON values or as a reply of a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from agent_judge.coordination.team.plans import SubTask
from agent_judge.coordination.team.records import MemberError
from agent_judge.errors import AgentJudgeError

_KEYS: Final = ("id", "task", "member", "after")

PLAN_FORM: Final = (
    "a plan is a list of SubTask(id, task, member, after), or JSON: "
    '{"subtasks": [{"id": …, "task": …, "member": …, "after": [ids]}]}'
)
"""How a plan has to look, for a lead that gave something else."""


class PlanError(MemberError):
    """What a lead said is no plan."""


def read_plan(said: object) -> tuple[SubTask, ...]:
    """The sub-tasks that a lead gave.

    Args:
        said: A list of `SubTask`s or of mappings of their fields, a mapping with such a list as
            `subtasks`, or text in which such a JSON object stands.

    Raises:
        PlanError: It is none of these.
    """
    found = _object_in(said) if isinstance(said, str) else said
    if isinstance(found, Mapping):
        found = cast("Mapping[str, object]", found).get("subtasks")
    if not isinstance(found, list | tuple):
        raise PlanError(f"it is none: {PLAN_FORM}")
    return tuple(_subtasks(cast("Sequence[object]", found)))


def as_values(said: object) -> object:
    """What a lead gave, with `SubTask`s in it as mappings, so that it can be stored."""
    if isinstance(said, Mapping):
        given = cast("Mapping[str, object]", said)
        return {key: as_values(item) if key == "subtasks" else item for key, item in given.items()}
    if isinstance(said, list | tuple):
        return [_as_mapping(item) for item in cast("Sequence[object]", said)]
    return said


def _as_mapping(item: object) -> object:
    if not isinstance(item, SubTask):
        return item
    return {"id": item.id, "task": item.task, "member": item.member, "after": [*item.after]}


def _object_in(text: str) -> object:
    from agent_judge.llm.reading.objects import ObjectReading, read_object

    reading = read_object(text)
    if isinstance(reading, ObjectReading):
        return reading.members
    raise PlanError(f"no JSON object can be read in it ({reading.fault.value}): {PLAN_FORM}")


def _subtasks(given: Sequence[object]) -> Iterator[SubTask]:
    for index, item in enumerate(given):
        if isinstance(item, SubTask):
            yield item
        elif isinstance(item, Mapping):
            yield _subtask(index, cast("Mapping[str, Any]", item))
        else:
            raise PlanError(f"subtasks[{index}] is none: {PLAN_FORM}")


def _subtask(index: int, fields: Mapping[str, Any]) -> SubTask:
    unknown = [key for key in fields if key not in _KEYS]
    missing = [key for key in _KEYS[:-1] if key not in fields]
    if unknown or missing:
        raise PlanError(
            f"subtasks[{index}] lacks {missing} and has the unknown {unknown!r:.120}: {PLAN_FORM}"
        )
    try:
        return SubTask(**fields)
    except AgentJudgeError as fault:
        raise PlanError(f"subtasks[{index}]: {fault}") from fault
