"""Where a document of requirements is: with whoever judges, or in the judged workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text
from agent_judge.judges.files.paths import WorkspaceError, check_path, open_workspace
from agent_judge.judges.files.reading import read_text
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode
from agent_judge.llm.requirements.roster import MAX_DOCUMENT, Roster

MAX_REQUIREMENTS: Final = 1_000
"""The most requirements that a document may state."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document of requirements, of which exactly one argument says where it is.

    Args:
        parse: Makes a roster of its text.
        text: The document itself.
        file: A file on the side of whoever judges, read once.
        resource: A file that a package carries, as `"package:name"`, read once.
        path: A file in the judged workspace, read with each run. Whoever does the work could have
            changed it.

    Raises:
        ArgumentError: None of them is given, or several; it cannot be read, declares no
            requirement, or too many; a path that could leave the workspace.
        ArgumentTypeError: A value of the wrong type.
    """

    parse: Callable[[str], Roster]
    text: str | None = None
    file: str | Path | None = None
    resource: str | None = None
    path: str | None = None
    roster: Roster | None = field(init=False)
    """What it demands; `None` where it is in the workspace."""

    def __post_init__(self) -> None:
        places = ("text", "file", "resource", "path")
        given = [place for place in places if getattr(self, place) is not None]
        if len(given) != 1:
            told = "none of them" if not given else " and ".join(given)
            raise ArgumentError(f"give one of text, file, resource and path, not {told}")
        if self.path is not None:
            _set(self, "path", check_path(self.path))
        text = self._given_text()
        roster = None if text is None else self.parse(text)
        if roster is not None and (fault := _fault_of(roster)):
            raise ArgumentError(fault)
        _set(self, "roster", roster)

    async def read(self, context: JudgmentContext) -> Roster:
        """What it demands of a run.

        Raises:
            WorkspaceError: It is in the workspace, and cannot be read there, or demands nothing.
        """
        if self.path is None:
            assert self.roster is not None
            return self.roster
        return await in_worker(partial(self._read, self.path, context.workspace))

    def _read(self, path: str, workspace: Path | None) -> Roster:
        with open_workspace(workspace) as opened:
            text = read_text(opened, path, "utf-8", MAX_DOCUMENT)
        roster = self.parse(text)
        if fault := _fault_of(roster):
            code = ReasonCode.TOO_LARGE if roster.parsed else ReasonCode.MALFORMED_EVIDENCE
            raise WorkspaceError(f"{shown(path)}: {fault}", code)
        return roster

    def _given_text(self) -> str | None:
        if self.file is not None:
            return _file_text(self.file)
        return self.text if self.resource is None else _resource_text(self.resource)


_set = object.__setattr__


def _fault_of(roster: Roster) -> str | None:
    """Why nothing can be judged by a roster."""
    if not roster.parsed:
        unread = "; ".join(map(str, roster.unreadable[:3]))
        return f"the document states no requirement that can be read{unread and f': {unread}'}"
    if roster.parsed > MAX_REQUIREMENTS:
        return f"the document states {roster.parsed} requirements; at most {MAX_REQUIREMENTS} fit"
    return None


def _file_text(file: object) -> str:
    if not isinstance(file, str | Path):
        raise ArgumentTypeError(f"file must be a path, not {file!r:.80}")
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise ArgumentError(f"the document {str(file)!r} cannot be read: {fault}") from fault


def _resource_text(resource: object) -> str:
    from importlib.resources import files

    check_text(resource, "resource")
    package, colon, name = str(resource).partition(":")
    if not (package and colon and name):
        raise ArgumentError(f"resource must be 'package:name', not {resource!r:.80}")
    try:
        return files(package).joinpath(name).read_text(encoding="utf-8")
    except (ModuleNotFoundError, OSError, ValueError) as fault:
        raise ArgumentError(f"the resource {resource!r} cannot be read: {fault}") from fault
