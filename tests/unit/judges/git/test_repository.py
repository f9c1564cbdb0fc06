from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.repository import Repository
from agent_judge.judgment import ReasonCode

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs are shell scripts")

EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.fixture
def reading(tmp_path: Path) -> Callable[[str], Repository]:
    """Read through a program that answers what a script prints."""

    def read(script: str) -> Repository:
        program = tmp_path / "git"
        program.write_text(f"#!/bin/sh\nread name\n{script}\n")
        program.chmod(0o755)
        return Repository(tmp_path, str(program), timeout=20)

    return read


def test_an_object_is_what_git_prints(reading: Callable[[str], Repository]) -> None:
    """A header, the content, and a line end."""
    with reading(f"printf '{EMPTY_BLOB} blob 0\\n\\n'; read more") as repository:
        item = repository.read(EMPTY_BLOB)

    assert (item.id, item.kind, item.content) == (EMPTY_BLOB, "blob", b"")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 0", "cannot be read"),
        ("echo nonsense", "cannot be read"),
        ("yes | tr -d '\\n'", "cannot be read"),
        (f"printf '{EMPTY_BLOB} blob 5\\nab'", "cannot be read"),
        (f"printf '{EMPTY_BLOB} blob 2\\nab\\n'", "another content"),
        (f"printf '{EMPTY_BLOB} blob 0\\n\\n'", "is replaced by"),
        ("echo x missing", "there is no revision"),
        ("echo x ambiguous", "there is no revision"),
    ],
)
def test_what_git_cannot_have_printed_is_an_error(
    reading: Callable[[str], Repository], script: str, message: str
) -> None:
    """Cut short, without a header, with a false name, or another object than was asked for."""
    with reading(script) as repository, pytest.raises(WorkspaceError, match=message) as fault:
        repository.read("0" * 40)
    assert fault.value.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_program_that_does_not_listen_is_an_error(tmp_path: Path) -> None:
    """It has closed its input, so that it cannot be asked."""
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nexec <&-\necho ready\nsleep 20\n")
    program.chmod(0o755)

    with Repository(tmp_path, str(program), timeout=20) as repository:
        assert repository._output.readline() == b"ready\n"
        with pytest.raises(WorkspaceError, match="cannot be read"):
            repository.read("HEAD")


def test_a_program_that_waits_is_given_up_with_all_it_started(tmp_path: Path) -> None:
    """A child of it that holds its output open is killed as well."""
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nsleep 60 &\nwait\n")
    program.chmod(0o755)

    with (
        Repository(tmp_path, str(program), timeout=0.2) as repository,
        pytest.raises(WorkspaceError, match=r"within 0\.2 s") as fault,
    ):
        repository.read("HEAD")
    assert fault.value.code is ReasonCode.TIMEOUT


def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    """It may have gone since it was found."""
    with pytest.raises(WorkspaceError, match="cannot be run") as fault:
        Repository(tmp_path, str(tmp_path / "gone"), timeout=20)
    assert fault.value.code is ReasonCode.COMMAND_NOT_EXECUTABLE
