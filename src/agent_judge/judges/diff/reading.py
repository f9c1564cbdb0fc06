"""Reading a change once for all judges of a vote that judge the same one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, TypeAlias, assert_never

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker, shared
from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.comparing import change_set, compare, with_lines
from agent_judge.judges.diff.ignored import Ignored
from agent_judge.judges.diff.patches import read_patch
from agent_judge.judges.diff.records import ChangeSet
from agent_judge.judges.diff.sides import FolderSide, RevisionSide, Side
from agent_judge.judges.diff.sources import Changes, FolderChanges, GitChanges, PatchChanges
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.paths import Workspace, WorkspaceError, open_workspace
from agent_judge.judges.files.tree import Budget
from agent_judge.judges.git.ancestry import merge_base
from agent_judge.judges.git.objects import Mode
from agent_judge.judges.git.place import git_directory
from agent_judge.judges.git.repository import find_git
from agent_judge.judges.git.scratch import Git
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode

Empty: TypeAlias = Literal["abstain", "pass", "fail"]
"""What it means that nothing changed."""

EMPTY_MEANS: Final = ("abstain", "pass", "fail")

GITIGNORE_BYTES: Final = 1_000_000
"""Bytes of a `.gitignore` file that are read; of a larger one nothing is ignored."""


async def judge_changes(
    context: JudgmentContext,
    changes: Changes,
    look: Callable[[ChangeSet], Judgment],
    *,
    empty: Empty,
    lines: bool = False,
) -> Judgment:
    """Read a change, and judge it; ERROR where it cannot be read.

    Args:
        context: The run, for its workspace.
        changes: Which change.
        look: Judges a change that touches something, in a worker thread.
        empty: What it means that the change touches nothing.
        lines: Whether the lines of the files are needed, beside their contents.
    """
    try:
        change = await shared_changes(context, changes, lines=lines)
        if not change.files:
            return nothing_changed(change, empty)
        judgment = await in_worker(lambda: look(change))
    except WorkspaceError as fault:
        return fault.judgment
    return replace(judgment, metadata={**judgment.metadata, "change": facts_of(change)})


async def shared_changes(
    context: JudgmentContext, changes: Changes, *, lines: bool = False
) -> ChangeSet:
    """Read a change, once for all judges of a vote that need the same one.

    Args:
        context: The run, for its workspace.
        changes: Which change.
        lines: Whether the lines of the files are needed, beside their contents.

    Raises:
        WorkspaceError: It cannot be read, or not within its bounds.
    """
    change = await shared(
        (changes, context.workspace), lambda: in_worker(lambda: read_changes(context, changes))
    )
    if not lines or not change.files:
        return change
    return await shared(
        (changes, context.workspace, "lines"),
        lambda: in_worker(lambda: _read_lines(context, changes, change)),
    )


def check_empty(empty: object) -> None:
    """Refuse what does not say what an empty change means.

    Raises:
        ArgumentError: It does not.
    """
    if empty not in EMPTY_MEANS:
        raise ArgumentError(f"empty must be one of {EMPTY_MEANS}, not {empty!r}")


def nothing_changed(change: ChangeSet, empty: Empty) -> Judgment:
    """The judgment of a change that touches nothing, which passes only where that was compared."""
    reasoning = f"nothing changed: {change.description}; {change.compared} files were compared"
    facts = {"change": facts_of(change)}
    if empty == "fail":
        check = Check("something changed", False, "nothing did", examined=change.compared)
        return Judgment.failing(reasoning, checks=[check], metadata=facts)
    if empty == "pass" and change.compared:
        check = Check("nothing changed", True, "as before", examined=change.compared)
        return Judgment.passing(reasoning, checks=[check], metadata=facts)
    return Judgment.abstaining(reasoning, metadata=facts, code=ReasonCode.MISSING_INPUT)


def facts_of(change: ChangeSet) -> dict[str, Json]:
    """What was compared, and how much of it changed, for machines."""
    return {**change.facts, "files": len(change.files), "compared": change.compared}


def read_changes(context: JudgmentContext, changes: Changes) -> ChangeSet:
    """Read a change; what became of each file, and its contents, but not its lines.

    Raises:
        WorkspaceError: It cannot be read, or not within its bounds.
    """
    deadline = Deadline(changes.bounds.timeout, "reading the change")
    with open_workspace(context.workspace) as workspace:
        git = Git(find_git(workspace.path), deadline)
        match changes:
            case GitChanges():
                return _between_revisions(workspace, changes, git)
            case FolderChanges():
                return _between_folders(workspace, changes, git)
            case PatchChanges():
                return read_patch(workspace, changes, git)
            case _:
                assert_never(changes)


def _read_lines(context: JudgmentContext, changes: Changes, change: ChangeSet) -> ChangeSet:
    deadline = Deadline(changes.bounds.timeout, "reading the lines of the change")
    with open_workspace(context.workspace) as workspace:
        return with_lines(change, changes.bounds, Git(find_git(workspace.path), deadline))


def _between_revisions(workspace: Workspace, changes: GitChanges, git: Git) -> ChangeSet:
    bounds, excludes = changes.bounds, Excludes(changes.exclude)
    with git.repository(git_directory(workspace, changes.repository)) as repository:
        base = changes.base
        if changes.since == "merge_base":
            base = merge_base(repository, base, changes.head or "HEAD", git.deadline)
        before = RevisionSide(repository, base, excludes, Budget(bounds.names))
        after: Side
        facts: dict[str, Json] = {"base": before.id}
        if changes.head is None:
            names, ignored = Budget(bounds.names), _ignored(before, changes)
            after = FolderSide(
                workspace, ".", excludes, names, git.deadline, before.entries(), ignored
            )
        else:
            after = RevisionSide(repository, changes.head, excludes, Budget(bounds.names))
            facts["head"] = after.id
        comparison = compare(before, after, bounds, git.deadline)
    return replace(
        change_set(comparison, git),
        description=f"{changes.base} and {changes.head or 'the workspace'} hold the same files",
        facts=facts,
    )


def _ignored(base: RevisionSide, changes: GitChanges) -> Ignored:
    """What the `.gitignore` files of a revision leave out, where they count."""
    if changes.ignored == "count":
        return Ignored({})
    found: dict[str, bytes] = {}
    for path, entry in base.entries().items():
        folder, _, name = path.rpartition("/")
        if name == ".gitignore" and entry.mode in (Mode.FILE, Mode.EXECUTABLE):
            content = base.version(entry, GITIGNORE_BYTES).content
            if content:
                found[folder] = content
    return Ignored(found)


def _between_folders(workspace: Workspace, changes: FolderChanges, git: Git) -> ChangeSet:
    bounds, excludes = changes.bounds, Excludes(changes.exclude)
    name = shown(str(changes.before))
    try:
        reference = open_workspace(Path(changes.before))
    except WorkspaceError as fault:
        reason = f"the folder {name} to compare with cannot be opened"
        raise WorkspaceError(reason, ReasonCode.MISSING_INPUT) from fault
    with reference:
        names = Budget(bounds.names)
        before = FolderSide(reference, ".", excludes, names, git.deadline)
        names = Budget(bounds.names)
        after = FolderSide(workspace, changes.after, excludes, names, git.deadline)
        comparison = compare(before, after, bounds, git.deadline)
    return replace(
        change_set(comparison, git),
        description=f"{name} and {changes.after} hold the same files",
        facts={"before": name, "after": changes.after},
    )
