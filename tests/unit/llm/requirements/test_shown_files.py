from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judgment import ReasonCode
from agent_judge.llm.exhibits import Exhibit
from agent_judge.llm.requirements import shown_files
from agent_judge.llm.requirements.shown_files import show_files


def test_files_are_shown_with_numbered_lines(tmp_path: Path) -> None:
    """Each once, in the order of the patterns, sorted within one."""
    (tmp_path / "b.py").write_text("x\n\ny")
    (tmp_path / "a.py").write_text("")
    (tmp_path / "c.bin").write_bytes(b"\x00\x01")
    (tmp_path / "d.txt").write_bytes(b"\xff\n")

    shown = show_files(tmp_path, ["b.py", "*.py", "c.bin", "d.txt"])

    assert shown.found == 4
    assert shown.exhibits == (
        Exhibit("file-1", "b.py\n1| x\n2| \n3| y"),
        Exhibit("file-2", "a.py\n(the file is empty)"),
        Exhibit("file-3", "c.bin\n(a file of 2 bytes that is not text)"),
        Exhibit("file-4", "d.txt\n1| \ufffd"),
    )


def test_what_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    """That is evidence as well."""
    (tmp_path / "folder").mkdir()

    shown = show_files(tmp_path, ["no.py", "*.md", "folder"])

    assert shown.found == 0
    assert [exhibit.text for exhibit in shown.exhibits] == [
        f"{name}\n(there is no such file)" for name in ("no.py", "*.md", "folder")
    ]


@pytest.mark.parametrize("sizes", [(11,), (6, 6)])
def test_too_much_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...]
) -> None:
    """Of one file, or of all together."""
    monkeypatch.setattr(shown_files, "MAX_BYTES", 10)
    for number, size in enumerate(sizes):
        (tmp_path / f"{number}.txt").write_text("x" * size)

    with pytest.raises(WorkspaceError) as raised:
        show_files(tmp_path, ["*.txt"])

    assert raised.value.code is ReasonCode.TOO_LARGE
