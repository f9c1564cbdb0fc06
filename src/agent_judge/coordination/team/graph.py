"""Carrying out a plan: every sub-task as soon as what it needs is there."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent_judge.coordination.team.members import AskedMember
from agent_judge.coordination.team.plans import SubTask
from agent_judge.coordination.team.records import Contribution
from agent_judge.coordination.team.session import Request, Session
from agent_judge.engine.scope import Scope


async def carried_out(session: Session, plan: tuple[SubTask, ...]) -> tuple[Contribution, ...]:
    """Have the sub-tasks of a plan without faults done; what became of each, in its order.

    Independent ones are done at once, as far as different members do them: one member does one
    thing at a time. What needs a sub-task that was not done is skipped.
    """
    members = {member.name: member for member in session.blueprint.workers}
    graph = _Graph(session, members, {subtask.id: subtask for subtask in plan})
    async with Scope[Contribution]() as scope:
        graph.begin(scope)
        while len(scope):
            for contribution in await scope.next():
                graph.end(contribution)
            graph.begin(scope)
    return tuple([graph.ended[subtask.id] for subtask in plan])


@dataclass(slots=True)
class _Graph:
    """Where the work on a plan stands.

    Attributes:
        session: The execution it belongs to.
        members: Those who can be given sub-tasks, by name.
        waiting: The sub-tasks that have not begun, by id.
        ended: What became of the others, as far as they have ended.
        busy: Who is at work.
    """

    session: Session
    members: dict[str, AskedMember]
    waiting: dict[str, SubTask]
    ended: dict[str, Contribution] = field(default_factory=dict[str, Contribution])
    busy: set[str] = field(default_factory=set[str])

    def begin(self, scope: Scope[Contribution]) -> None:
        """Begin every sub-task that can be, and skip every one that never can."""
        self._skip_hopeless()
        for subtask in [*self.waiting.values()]:
            if subtask.member not in self.busy and all(
                name in self.ended for name in subtask.after
            ):
                del self.waiting[subtask.id]
                self.busy.add(subtask.member)
                scope.begin(self.session.ask(self._request(subtask)))

    def end(self, contribution: Contribution) -> None:
        """Take note of what became of a sub-task."""
        assert contribution.subtask is not None
        self.ended[contribution.subtask] = contribution
        self.busy.discard(contribution.member)

    def _skip_hopeless(self) -> None:
        """Skip what needs a sub-task that was not done, and what needs that."""
        while hopeless := [*filter(self._missing, self.waiting.values())]:
            for subtask in hopeless:
                del self.waiting[subtask.id]
                why = f"needs the sub-task {self._missing(subtask)!r:.60}, which was not done"
                self.ended[subtask.id] = self.session.skip(self._request(subtask), why)

    def _missing(self, subtask: SubTask) -> str | None:
        """A sub-task that it needs and that was not done; `None` as long as there is none."""
        needed = [(name, self.ended.get(name)) for name in subtask.after]
        return next((name for name, ended in needed if ended and not ended.is_done), None)

    def _request(self, subtask: SubTask) -> Request:
        inputs = tuple([self.ended[name] for name in subtask.after if name in self.ended])
        return Request(
            self.members[subtask.member], inputs=inputs, task=subtask.task, subtask=subtask.id
        )
