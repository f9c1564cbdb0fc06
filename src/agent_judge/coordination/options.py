"""What a coordinator may be told beside its policy and its executor, for type checkers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

from agent_judge.coordination.asking import AnyPolicy
from agent_judge.coordination.budget import Budget
from agent_judge.coordination.candidates import Choice
from agent_judge.coordination.journal import Journal
from agent_judge.coordination.plan import Escalate, Observer
from agent_judge.coordination.stops import StopRule
from agent_judge.coordination.workspaces.keeping import Keeping
from agent_judge.coordination.workspaces.records import WorkspaceKeeper


class FurtherOptions(TypedDict, total=False):
    """Those that do not say how many attempts there are."""

    timeout: float | None
    attempt_timeout: float | None
    interrupt: bool
    candidates: int
    choose: Choice
    stop_when: StopRule | Sequence[StopRule]
    budget: Budget | None
    confirm: str | None
    confirm_below: float | None
    confirm_with: AnyPolicy | None
    blind: bool
    workspace: WorkspaceKeeper | None
    keeping: Keeping
    rejudge: bool
    escalate: Escalate | None
    journal: Journal | None
    observers: Observer | Sequence[Observer]
    clock: Callable[[], float]


class LoopOptions(FurtherOptions, total=False):
    """The options of `JudgeCoordinator`, which says what each of them does."""

    max_retries: int | None
    max_attempts: int | None
