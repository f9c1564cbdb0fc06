"""What a model may do in the workspace: list, read and search files, and run named commands.

Nothing that it does changes the workspace: commands run in a copy. Nothing leaves it either: paths
are looked up as those of all judges of files. What a tool gives is bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from agent_judge.engine import in_worker
from agent_judge.errors import ArgumentError
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import check_pattern, find, is_glob
from agent_judge.judges.files.paths import Workspace, WorkspaceError, check_path
from agent_judge.judges.files.reading import read_bytes
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.process.command import CommandJudge
from agent_judge.judges.process.contained import run
from agent_judge.judges.process.isolation import IsolationUnavailableError
from agent_judge.judges.process.judging import exit_code_as_in_a_shell
from agent_judge.judges.testruns.scratch import copy_workspace, private_folder
from agent_judge.judgment import ReasonCode

SIZE_LIMIT: Final = 2_000_000
"""Bytes of a file that are read."""

RESULT_LIMIT: Final = 12_000
"""Characters that a tool gives at most."""

LINES: Final = 400
"""Lines that one reading gives unless it is told otherwise."""

MATCHES: Final = 100
"""Lines that one search gives at most."""


class ToolError(Exception):
    """What a model asked of a tool cannot be done; the message tells it why."""


class Toolbox:
    """The tools, on one open workspace.

    Args:
        workspace: The workspace.
        commands: The commands that may be run, by their names.
    """

    def __init__(self, workspace: Workspace, commands: Mapping[str, CommandJudge]) -> None:
        self._workspace = workspace
        self._commands = commands
        self._outputs: dict[str, str] = {}

    @property
    def outputs(self) -> Mapping[str, str]:
        """What the commands printed that were run, by their names."""
        return self._outputs

    async def look(self, pattern: str) -> str:
        """The files and directories that a path or a pattern names.

        Raises:
            ToolError: It cannot be a path in the workspace, or there are too many names.
        """
        return await in_worker(partial(self._list, pattern))

    async def read(self, path: str, first: int, last: int) -> str:
        """Lines of a file, each with its number.

        Raises:
            ToolError: There is no such file, or it cannot be read as text.
        """
        return await in_worker(partial(self._read, path, first, last))

    async def search(self, text: str, pattern: str) -> str:
        """The lines that hold a text, upper and lower case alike, in the files of a pattern.

        Raises:
            ToolError: The text is empty, or the pattern cannot be one.
        """
        return await in_worker(partial(self._search, text, pattern))

    async def run(self, name: str) -> str:
        """Run a command in a copy of the workspace: its exit code, and what it printed.

        Raises:
            ToolError: There is no such command.
            WorkspaceError: It cannot be run as it is to be.
        """
        if name not in self._commands:
            known = ", ".join(self._commands) or "none"
            raise ToolError(f"there is no command {name!r:.80}; known are: {known}")
        if name not in self._outputs:
            self._outputs[name] = await self._run(self._commands[name])
        return _bounded(self._outputs[name])

    def text(self, path: str) -> str:
        """The text of a file.

        Raises:
            ToolError: There is no such file, or it cannot be read as text.
        """
        checked = _checked(path)
        try:
            if self._workspace.kind(checked) is not Kind.FILE:
                raise ToolError(f"{checked} is no file of the workspace")
            content = read_bytes(self._workspace, checked, SIZE_LIMIT)
        except WorkspaceError as fault:
            raise ToolError(str(fault)) from fault
        if b"\0" in content:
            raise ToolError(f"{checked} is no text")
        return content.decode("utf-8", "replace")

    def is_missing(self, path: str) -> bool:
        """Whether nothing is at a path.

        Raises:
            ToolError: It cannot be a path in the workspace.
        """
        try:
            return self._workspace.kind(_checked(path)) is None
        except WorkspaceError as fault:
            raise ToolError(str(fault)) from fault

    async def _run(self, command: CommandJudge) -> str:
        with private_folder() as folder:
            place = folder / "workspace"
            await in_worker(partial(copy_workspace, self._workspace, place, WALK_LIMIT))
            try:
                completed = await run(command.prepared(place, Path(place, command.cwd)))
            except IsolationUnavailableError as fault:
                raise WorkspaceError(str(fault), ReasonCode.ISOLATION_UNAVAILABLE) from fault
        code = exit_code_as_in_a_shell(completed)
        ended = "did not end by itself" if code is None else f"ended with exit code {code}"
        return f"{ended}\n{completed.stdout}\n{completed.stderr}".strip()

    def _list(self, pattern: str) -> str:
        wanted = "**" if pattern.strip() in ("", ".", "./") else pattern
        try:
            checked = check_pattern(wanted)
            if not is_glob(checked) and self._workspace.kind(checked) is Kind.FOLDER:
                checked = f"{checked}/**"
            found = [
                f"{entry.path}/"
                if entry.kind is Kind.FOLDER
                else f"{entry.path} ({entry.size} bytes)"
                for entry in find(self._workspace, checked, Budget(WALK_LIMIT))
            ]
        except (ArgumentError, WorkspaceError) as fault:
            raise ToolError(str(fault)) from fault
        return _bounded("\n".join(found) or "nothing matches")

    def _read(self, path: str, first: int, last: int) -> str:
        lines = self.text(path).splitlines()
        start = max(1, first)
        end = min(len(lines), last if last >= start else start + LINES - 1)
        numbered = [f"{number}: {lines[number - 1]}" for number in range(start, end + 1)]
        return _bounded(f"{path} has {len(lines)} lines\n" + "\n".join(numbered))

    def _search(self, text: str, pattern: str) -> str:
        if not text.strip():
            raise ToolError("the text to search for is empty")
        wanted = text.casefold()
        found: list[str] = []
        for path in self._files(pattern):
            try:
                lines = self.text(path).splitlines()
            except ToolError:
                continue
            for number, line in enumerate(lines, 1):
                if wanted in line.casefold():
                    found.append(f"{path}:{number}: {line.strip()[:300]}")
                if len(found) == MATCHES:
                    return _bounded("\n".join([*found, "… and perhaps more"]))
        return _bounded("\n".join(found) or "no line holds it")

    def _files(self, pattern: str) -> list[str]:
        try:
            checked = check_pattern(pattern if pattern.strip() not in ("", ".") else "**")
            if not is_glob(checked) and self._workspace.kind(checked) is Kind.FOLDER:
                checked = f"{checked}/**"
            if not is_glob(checked):
                return [checked]
            entries = find(self._workspace, checked, Budget(WALK_LIMIT))
            return [entry.path for entry in entries if entry.kind is Kind.FILE]
        except (ArgumentError, WorkspaceError) as fault:
            raise ToolError(str(fault)) from fault


def _checked(path: str) -> str:
    try:
        return check_path(path)
    except ArgumentError as fault:
        raise ToolError(str(fault)) from fault


def _bounded(text: str) -> str:
    if len(text) <= RESULT_LIMIT:
        return text
    return f"{text[:RESULT_LIMIT]}\n… ({len(text) - RESULT_LIMIT} more characters; ask for a part)"
