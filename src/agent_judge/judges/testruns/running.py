"""Running tests once, and keeping all that is needed to judge by the run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from agent_judge.engine import in_worker
from agent_judge.judges.files.baseline import Selection
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.process.command import CommandJudge
from agent_judge.judges.process.contained import run
from agent_judge.judges.process.isolation import IsolationUnavailableError
from agent_judge.judges.process.records import Command, Completed
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.collecting import Collected, Stamps, collect, stamps_of
from agent_judge.judges.testruns.commanding import Commanded, command_of
from agent_judge.judges.testruns.observed import Record, read_record
from agent_judge.judges.testruns.pristine import Before, restore
from agent_judge.judges.testruns.reading import Reports
from agent_judge.judges.testruns.runners import Runner
from agent_judge.judges.testruns.scratch import copy_workspace, private_folder
from agent_judge.judgment import Check, ReasonCode

RECORD_LIMIT: Final = 100_000_000
"""Bytes of the record of a run, and of a report on the standard output."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """What to run, and where.

    Attributes:
        runner: The tool.
        command: How a command is run and within which bounds; its words are the runner's.
        arguments: What the tool is told beside.
        python: The interpreter, for the runners that are watched.
        pristine: Patterns of files that are put back in a copy of the workspace before the run.
        before: What was there before the work.
        reports: The format of the reports, and their bounds.
    """

    __test__ = False  # pytest takes classes of this name for tests

    runner: Runner
    command: CommandJudge
    arguments: tuple[str, ...]
    python: str
    pristine: tuple[str, ...]
    before: Before | None
    reports: Reports

    async def run_in(self, workspace: Path, folder: str) -> Ran:
        """Run the tests, in a copy of the workspace where files are put back.

        Args:
            workspace: Where the work is.
            folder: The folder in it to run in; `"."` for itself.

        Raises:
            WorkspaceError: They cannot be run, or what they left cannot be read.
        """
        with private_folder() as private:
            ready = await in_worker(lambda: self._prepare(workspace, folder, private))
            try:
                completed = await run(ready.command)
            except IsolationUnavailableError as fault:
                raise WorkspaceError(shown(str(fault)), ReasonCode.ISOLATION_UNAVAILABLE) from None
            return await in_worker(lambda: self._finish(ready, completed))

    def _prepare(self, workspace: Path, folder: str, private: Path) -> _Ready:
        restored: list[str] = []
        root = workspace
        if self.pristine:
            root = private / "workspace"
            restored = self._copy(workspace, root)
        commanded = command_of(self, root, folder, private)
        prepared = self.command.prepared(workspace, root)
        command = replace(
            prepared,
            argv=commanded.argv,
            workspace=root,
            cwd=root / folder,
            env={**commanded.env, **prepared.env},
            stdin=commanded.stdin,
            readable=(*prepared.readable, *commanded.readable),
            stdout_limit=RECORD_LIMIT,
            writable=(str(private),),
        )
        return _Ready(command, commanded, root, stamps_of(commanded, root), tuple(restored))

    def _copy(self, workspace: Path, root: Path) -> list[str]:
        """Copy the workspace, and put the files back that were asked for."""
        assert self.before is not None
        with open_workspace(workspace) as opened:
            copy_workspace(opened, root, self.reports.walk_limit)
            selection = Selection(self.pristine, Excludes(()), self.reports.walk_limit)
            with open_workspace(root) as copy:
                restored = restore(self.before, opened, selection, copy)
        if not restored:
            raise WorkspaceError(
                f"there was no file to put back: nothing was {' or '.join(self.pristine)} before",
                ReasonCode.MISSING_INPUT,
            )
        return restored

    def _finish(self, ready: _Ready, completed: Completed) -> Ran:
        """Take what is needed out of a run, while it is still there."""
        nonce = ready.commanded.nonce
        record = read_record(completed.stdout, nonce) if nonce else None
        collected = Collected()
        if record is None:
            collected = collect(ready.commanded, ready.root, ready.stamps, completed)
        kept = replace(completed, stdout="" if nonce else completed.stdout)
        return Ran(kept, record, collected, ready.commanded.notes, ready.restored)


@dataclass(frozen=True, slots=True)
class _Ready:
    """A run that can begin.

    Attributes:
        command: What is run.
        commanded: What was decided of it.
        root: The workspace, or its copy.
        stamps: The reports that are there already.
        restored: The files that were put back.
    """

    command: Command
    commanded: Commanded
    root: Path
    stamps: Stamps
    restored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of tests that has ended.

    Attributes:
        completed: How the command ended.
        record: What was told of it, where it was watched.
        collected: The reports that it wrote, where it was not.
        notes: What else was noticed.
        restored: Files that were put back.
    """

    completed: Completed
    record: Record | None = None
    collected: Collected = field(default_factory=Collected)
    notes: tuple[Check, ...] = ()
    restored: tuple[str, ...] = ()
