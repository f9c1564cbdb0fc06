"""A repository of our own, in which git compares what others wrote.

What is to be compared is put into it, and nothing of a hostile repository comes along: neither its
configuration nor its attributes, neither hooks nor filters. What git then says depends on the
contents alone.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import BinaryIO, Final, Self

from agent_judge.judges.deadline import Deadline
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.objects import Mode, malformed
from agent_judge.judges.git.repository import Repository, git_environment
from agent_judge.judgment import ReasonCode

MODES: Final[Mapping[Mode, str]] = {
    Mode.FILE: "100644",
    Mode.EXECUTABLE: "100755",
    Mode.LINK: "120000",
    Mode.COMMIT: "160000",
}

_OPTIONS: Final = (
    "-c",
    "core.compression=0",
    "-c",
    "fastimport.unpackLimit=0",
    "-c",
    f"core.attributesFile={os.devnull}",
    "-c",
    f"core.hooksPath={os.devnull}",
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A file to put into a tree: its path, what it is, and its content.

    The content of a submodule is the name of its commit.
    """

    path: str
    mode: Mode
    content: bytes


@dataclass(frozen=True, slots=True)
class Finished:
    """What git ended with, and what it printed."""

    code: int
    output: bytes
    errors: str


@dataclass(frozen=True, slots=True)
class Git:
    """The git program, and until when it may be used."""

    program: str
    deadline: Deadline

    def scratch(self) -> Scratch:
        """An empty repository of our own."""
        return Scratch(self)

    def repository(self, directory: Path) -> Repository:
        """A repository of others, to read from."""
        return Repository(directory, self.program, self.deadline.left)


class Scratch:
    """An empty repository in a temporary folder; use it in a `with` statement."""

    def __init__(self, git: Git) -> None:
        self._program = git.program
        self._deadline = git.deadline
        self._folder = TemporaryDirectory(prefix="agent-judge-", ignore_cleanup_errors=True)

    def __enter__(self) -> Self:
        self._folder.__enter__()
        try:
            self.git("init", "--quiet", "--bare", "--template=", "--initial-branch=none", ".")
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.__exit__(kind, error, trace)

    @property
    def directory(self) -> Path:
        """The repository."""
        return Path(self._folder.name)

    def store(self, name: str, files: Iterable[Stored]) -> None:
        """Put files into a tree, which git then knows by a name."""
        place = self.directory / "import"
        with place.open("wb") as stream:
            stream.write(f"commit refs/heads/{name}\ncommitter a <a> 0 +0000\ndata 0\n".encode())
            for file in files:
                self._deadline.check()
                _write(stream, file)
        with place.open("rb") as stream:
            self.git("fast-import", "--quiet", "--depth=0", stdin=stream)
        place.unlink()

    def git(self, *arguments: str, stdin: BinaryIO | None = None) -> bytes:
        """What git prints when it succeeds.

        Raises:
            WorkspaceError: It fails, or the deadline passes.
        """
        finished = self.try_git(*arguments, stdin=stdin)
        if finished.code:
            raise malformed(f"{arguments[0]} ended with {finished.code}: {finished.errors[:200]}")
        return finished.output

    def try_git(self, *arguments: str, stdin: BinaryIO | None = None) -> Finished:
        """Run git, whether it succeeds or not.

        Raises:
            WorkspaceError: It cannot be run, or the deadline passes.
        """
        try:
            done = subprocess.run(  # noqa: S603 - git itself, without a shell
                [self._program, *_OPTIONS, *arguments],
                check=False,
                cwd=self._folder.name,
                env=_environment(self._folder.name),
                stdin=stdin or subprocess.DEVNULL,
                capture_output=True,
                timeout=self._deadline.left,
            )
        except subprocess.TimeoutExpired:
            raise self._deadline.passed from None
        except OSError as fault:
            raise WorkspaceError(
                f"git cannot be run: {fault.strerror}", ReasonCode.COMMAND_NOT_EXECUTABLE
            ) from fault
        return Finished(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def _environment(folder: str) -> dict[str, str]:
    return {
        **git_environment(),
        "GIT_DIR": folder,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": folder,
    }


def _write(stream: BinaryIO, file: Stored) -> None:
    """A file in the words of `git fast-import`."""
    path = os.fsencode(file.path)
    quoted = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    mode = MODES[file.mode].encode("ascii")
    if file.mode is Mode.COMMIT:
        stream.write(b'M %s %s "%s"\n' % (mode, file.content, quoted))
    else:
        stream.write(b'M %s inline "%s"\ndata %d\n' % (mode, quoted, len(file.content)))
        stream.write(file.content)
        stream.write(b"\n")
