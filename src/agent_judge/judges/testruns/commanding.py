"""The command by which a tool runs the tests: words, environment, and where the report goes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from agent_judge.judges.files.paths import open_workspace
from agent_judge.judges.files.tree import WALK_LIMIT
from agent_judge.judges.process.build_tools import Project
from agent_judge.judges.process.environment import find_program, safe_path
from agent_judge.judges.testruns.runners import REPORT, REPORTS, settings_of_pytest
from agent_judge.judgment import Check

if TYPE_CHECKING:
    from agent_judge.judges.testruns.running import TestRun

INSIDE: Final = Path(__file__).with_name("inside")
"""The programs that run in the interpreter of the judged project."""

_ISOLATED: Final = ("-I", "-S", "-B")
"""Options of the interpreter: no variable, folder or hook of the work reaches it as it starts."""


@dataclass(frozen=True, slots=True)
class Commanded:
    """What was decided of a command.

    Attributes:
        argv: Its words.
        env: Variables, unless whoever judges sets them.
        stdin: What it reads.
        readable: Directories that it needs to read.
        nonce: The secret of its record, where it is watched.
        report: The file that it is to write, outside of the workspace.
        folder: The folder that it is to write reports to, outside of the workspace.
        patterns: Where its reports are in the workspace.
        walk_limit: Names that are looked at to find them.
        notes: What was noticed meanwhile.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    stdin: str = ""
    readable: tuple[str, ...] = ()
    nonce: str = ""
    report: Path | None = None
    folder: Path | None = None
    patterns: tuple[str, ...] = ()
    walk_limit: int = WALK_LIMIT
    notes: tuple[Check, ...] = ()


def command_of(run: TestRun, root: Path, folder: str, private: Path) -> Commanded:
    """The command for a run.

    Args:
        run: What to run.
        root: The workspace, or its copy.
        folder: The folder in it to run in.
        private: A folder that the work does not know.

    Raises:
        WorkspaceError: A file that decides about it leads out of the workspace.
    """
    if run.runner.observed:
        return _observed(run, root, folder, private)
    report, reports = private / token_hex(8), private / token_hex(8)
    reports.mkdir()
    words = run.runner.command or run.command.argv
    argv = tuple(word.replace(REPORT, str(report)).replace(REPORTS, str(reports)) for word in words)
    program, notes = _program(run, argv[0], root, folder)
    return Commanded(
        (program, *argv[1:], *run.arguments),
        report=report if any(REPORT in word for word in words) else None,
        folder=reports if any(REPORTS in word for word in words) else None,
        patterns=tuple(run.reports.patterns),
        walk_limit=run.reports.walk_limit,
        notes=notes,
    )


def _program(run: TestRun, word: str, root: Path, folder: str) -> tuple[str, tuple[Check, ...]]:
    """The program to run: one of the workspace only where there is no other."""
    local = run.runner.local
    path = safe_path(os.environ.get("PATH", os.defpath), root)
    if local is None or find_program(word, run.command.env.get("PATH", path), root) is not None:
        return word, ()
    program = root / folder / local
    if not os.access(program, os.X_OK):
        return word, ()
    message = f"{local} of the workspace runs the tests: the work may have changed it"
    return str(program), (Check("tool outside of the work", False, message, advisory=True),)


def _observed(run: TestRun, root: Path, folder: str, private: Path) -> Commanded:
    nonce = token_hex(16)
    settings = private / "pytest.ini"
    settings.touch()
    given = run.command.env.get("PYTHONPATH", "")
    order = {
        "nonce": nonce,
        "framework": run.runner.observed,
        "workspace": str(root),
        "path": [str(root / folder), *filter(None, given.split(os.pathsep))],
        "settings": str(settings),
        "arguments": [*_arguments(run, root, folder, private, settings), *run.arguments],
    }
    python, notes = _interpreter(run, root)
    return Commanded(
        (python, *_ISOLATED, str(INSIDE / "start.py")),
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        stdin=json.dumps(order),
        readable=(str(INSIDE), *_folders_of(python)),
        nonce=nonce,
        notes=notes,
    )


def _arguments(
    run: TestRun, root: Path, folder: str, private: Path, settings: Path
) -> Iterator[str]:
    """What pytest is told, so that nothing from outside of the work decides, nor an old cache."""
    if run.runner.name != "pytest":
        return
    yield from ("--color=no", "--tb=short", "--confcutdir", str(root))
    yield from ("-o", f"cache_dir={private / 'cache'}")
    if not _has_settings(root, folder):
        yield from ("-c", str(settings), "--rootdir", str(root / folder))


def _has_settings(root: Path, folder: str) -> bool:
    """Whether there are settings of pytest in the folder, or in one above it in the workspace."""
    parts = [] if folder == "." else folder.split("/")
    with open_workspace(root) as workspace:
        return any(
            settings_of_pytest(Project(workspace, "/".join(parts[:depth]) or "."))
            for depth in range(len(parts) + 1)
        )


def _interpreter(run: TestRun, root: Path) -> tuple[str, tuple[Check, ...]]:
    """The interpreter; one of the workspace is taken where it is named, and told of."""
    python = run.python
    if os.sep not in python:
        path = run.command.env.get("PATH", safe_path(os.environ.get("PATH", os.defpath), root))
        return find_program(python, path, root) or python, ()
    place = root / python
    if not place.is_relative_to(root):
        return str(place), ()
    message = f"{python} of the workspace runs the tests: the work may have changed it"
    return str(place), (Check("tool outside of the work", False, message, advisory=True),)


def _folders_of(python: str) -> Iterator[str]:
    """The folders of an interpreter, which a sandbox may hide: its own and that it is made from."""
    if os.sep not in python:
        return
    for path in (Path(python), Path(os.path.realpath(python))):
        folder = str(path.parent.parent)
        if folder != os.sep:
            yield folder
