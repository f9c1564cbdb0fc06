"""A workspace during a loop: its states kept, and put back where the policy says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agent_judge.coordination.attempts import Attempt
from agent_judge.coordination.workspaces.keeping import Keeping, begin_from, end_with
from agent_judge.coordination.workspaces.records import Snapshot, WorkspaceKeeper
from agent_judge.engine import in_worker
from agent_judge.engine.run import Run

T = TypeVar("T")


@dataclass(slots=True)
class Tending:
    """The workspace of one loop.

    Attributes:
        keeper: Keeps and restores its states.
        keeping: What each attempt is to find.
        run: The call from outside that it belongs to.
        before: The state before the loop, once that began.
    """

    keeper: WorkspaceKeeper
    keeping: Keeping
    run: Run
    before: str = ""
    _kept: dict[str, Snapshot] = field(default_factory=dict[str, Snapshot])

    async def begin(self) -> None:
        """Keep the state before the loop."""
        self.before = await self.keep("before")

    async def keep(self, label: str) -> str:
        """Keep the present state; its id.

        Raises:
            SnapshotError: It cannot be kept.
        """
        snapshot = await self._apart(lambda: self.keeper.snapshot(label))
        self._kept[snapshot.id] = snapshot
        return snapshot.id

    async def prepare(self, attempts: Sequence[Attempt[Any]]) -> None:
        """Let the next attempt find what it is to find."""
        wanted = begin_from(self.keeping, self.before, attempts)
        if wanted is not None:
            await self.restore(wanted)

    async def end(self, attempts: Sequence[Attempt[Any]]) -> None:
        """Leave what is to be left; judges may have written there, so it is looked at anew."""
        wanted = end_with(self.keeping, self.before, attempts)
        if wanted is not None:
            await self.restore(wanted)

    async def restore(self, key: str) -> None:
        """Put the workspace into a state that was kept.

        Raises:
            RestoreError: It cannot be.
        """
        snapshot = self._kept.get(key) or Snapshot(key, "", 0, 0)
        await self._apart(lambda: self.keeper.restore(snapshot))

    async def _apart(self, call: Callable[[], T]) -> T:
        """Call what blocks: in a thread where an event loop waits."""
        return await in_worker(call) if self.run.on_loop else call()
