"""What git says of a change, against what is read of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_judge import JudgmentContext
from agent_judge.judges import FolderChanges, GitChanges, PatchChanges
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.comparing import with_lines
from agent_judge.judges.diff.reading import read_changes
from agent_judge.judges.diff.records import ChangeSet, Sign
from agent_judge.judges.diff.sources import Changes
from agent_judge.judges.git.repository import find_git
from agent_judge.judges.git.scratch import Git
from unit.judges.diff.works import ENVIRONMENT, begin, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are bytes there alone")

LINES = st.sampled_from(
    [b"a\n", b"b\n", b"b", b"\n", b"\r\n", b"\xff\n", b"-- a\n", b"++ b\n", b"\0"]
)
CONTENTS = st.lists(LINES, max_size=12).map(b"".join)
NAMES = st.sampled_from(
    [b"a", b"b b", b'"', b"\\", b"\t", b"\n", b"\xff", "é".encode(), b"-p", b"{a => b}", b" b"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=2).map(b"/".join).map(os.fsdecode)
TREES = st.dictionaries(PATHS, CONTENTS, max_size=6)


def plain(tree: Mapping[str, bytes]) -> bool:
    """Whether no path holds what could be the end of one and the beginning of the next."""
    return not any(" b/" in path for path in tree)


def fits(tree: Mapping[str, bytes]) -> bool:
    """Whether no file is where another one needs a directory."""
    return not any(path.startswith(f"{other}/") for path in tree for other in tree)


FITTING = TREES.filter(fits)


def numstat(folder: Path, *arguments: str) -> set[tuple[str, ...]]:
    """What git says of each file: the counts, and its paths."""
    done = subprocess.run(
        ["git", "diff", "--numstat", "-z", "-M", "--no-ext-diff", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
    )
    fields = iter(os.fsdecode(field) for field in done.stdout.split(b"\0")[:-1])
    said: set[tuple[str, ...]] = set()
    for field in fields:
        added, removed, path = field.split("\t", 2)
        paths = (path,) if path else (next(fields), next(fields))
        said.add((added, removed, *paths))
    return said


def counted(change: ChangeSet) -> set[tuple[str, ...]]:
    """The same of what was read."""
    return {
        (
            "-" if file.added is None else str(file.added),
            "-" if file.removed is None else str(file.removed),
            *file.paths,
        )
        for file in change.files
    }


def read(folder: Path, changes: Changes) -> ChangeSet:
    """A change with its lines."""
    change = read_changes(JudgmentContext(workspace=folder), changes)
    git = Git(find_git(folder), Deadline(60, "the test"))
    return with_lines(change, changes.bounds, git)


def replace(folder: Path, tree: Mapping[str, bytes]) -> None:
    """Have a folder hold these files and no others."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if ".git" not in path.relative_to(folder).parts:
            path.rmdir() if path.is_dir() else path.unlink()
    write(folder, tree)


@settings(max_examples=settings().max_examples // 10)
@given(FITTING, FITTING)
def test_git_says_the_same(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> None:
    """Of the workspace, of two revisions, and of two folders: renames and counts."""
    with TemporaryDirectory() as temporary:
        work = begin(Path(temporary, "work"), before)
        write(Path(temporary, "before"), before)
        Path(temporary, "before").mkdir(exist_ok=True)
        replace(work.folder, after)
        folders = read(work.folder, FolderChanges(Path(temporary, "before")))
        unsaved = read(work.folder, GitChanges(work.base))
        work.commit()
        saved = read(work.folder, GitChanges(work.base, head="HEAD"))

        said = numstat(work.folder, work.base, "HEAD")

    assert counted(saved) == said
    assert counted(unsaved) == said
    assert counted(folders) == said


@settings(max_examples=settings().max_examples // 10)
@given(CONTENTS, CONTENTS)
def test_the_lines_make_one_file_of_the_other(before: bytes, after: bytes) -> None:
    """Taking out what was removed, and putting in what was added, at the numbers that they have."""
    with TemporaryDirectory() as temporary:
        work = begin(Path(temporary), {"x": before})
        work.write({"x": after})
        files = read(work.folder, GitChanges(work.base)).files

    for file in files:
        kept, made = numbered(before), numbered(after)
        for line in file.lines:
            if line.sign is Sign.REMOVED:
                assert line.before is not None
                assert kept.pop(line.before) == line.text
            else:
                assert line.after is not None
                assert made.pop(line.after) == line.text
        assert file.binary or list(kept.values()) == list(made.values())


def numbered(content: bytes) -> dict[int, str]:
    """The lines of a file by their number."""
    lines = content.decode(errors="surrogateescape").split("\n")
    return dict(enumerate(lines if lines[-1] else lines[:-1], 1))


@settings(max_examples=settings().max_examples // 10)
@given(FITTING.filter(plain), FITTING.filter(plain))
def test_the_patch_that_git_makes_says_the_same(
    before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> None:
    """Whether it applies or not."""
    with TemporaryDirectory() as temporary:
        work = begin(Path(temporary, "work"), before)
        replace(work.folder, after)
        work.commit()
        said = numstat(work.folder, work.base, "HEAD")
        patch = subprocess.run(
            ["git", "diff", "--binary", "-M", work.base, "HEAD"],
            cwd=work.folder,
            env=ENVIRONMENT,
            check=True,
            capture_output=True,
        ).stdout
        other = Path(temporary, "other")
        write(other, {"given.patch": patch})

        applied = counted(read(other, PatchChanges("given.patch", work.base, work.folder)))
        alone = counted(read(other, PatchChanges("given.patch")))

    assert applied == said
    assert alone == said
