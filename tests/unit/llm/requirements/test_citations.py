from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.judgment import Location
from agent_judge.llm.requirements import citations
from agent_judge.llm.requirements.citations import (
    Checked,
    Citation,
    check_citations,
    find_citations,
)


def checked(workspace: Path, text: str) -> Checked:
    """The only place that a text names, looked up."""
    [citation] = find_citations(text)
    return check_citations(workspace, [citation])[citation]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a file of three lines, one of two without an end, and an empty one."""
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src/app.py").write_text("a\nb\nc\n")
    (folder / "Makefile").write_text("all:\n\ttrue")
    (folder / "empty.txt").write_text("")
    return folder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/app.py:12.", ["src/app.py:12"]),
        ("`src/app.py:3-7`, src/app.py:3", ["src/app.py:3-7", "src/app.py:3"]),
        ("(README.md#L3-L5)", ["README.md:3-5"]),
        ("app.py:12:5 says", ["app.py:12"]),
        ("Makefile:2", ["Makefile:2"]),
        ("src/app.py:1 and src/app.py:1", ["src/app.py:1"]),
        ("../../etc/passwd:1", ["../../etc/passwd:1"]),
        ("at 12:30, ratio 3.5:1, http://localhost:8080/a:3, 127.0.0.1:80", []),
        ("app.py, line 3", []),
        ("app.py:12345678", []),
    ],
)
def test_places_are_found_in_words(text: str, expected: list[str]) -> None:
    """A file that looks like one, and a line. (contract: judges:Q7)"""
    assert [str(place) for place in find_citations(text)] == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [("src/app.py:3", 3), ("./src/app.py:1-3", 1), ("Makefile:2", 2)],
)
def test_a_place_that_exists_is_located(workspace: Path, text: str, line: int) -> None:
    """The last line needs no line break. (contract: judges:Q7)"""
    found = checked(workspace, text)

    assert found.fault is None
    assert found.location == Location(text.removeprefix("./").split(":")[0], line)
    assert found.as_evidence == {"location": str(found.citation), "exists": True}


def test_an_absolute_path_into_the_workspace_is_one(workspace: Path) -> None:
    """Agents on the command line name files so."""
    assert checked(workspace, f"{workspace}/src/app.py:2").location == Location("src/app.py", 2)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("src/app.py:4", "the file has 3 lines"),
        ("src/app.py:2-9", "the file has 3 lines"),
        ("src/app.py:0", "names no line"),
        ("src/app.py:3-2", "names no line"),
        ("empty.txt:1", "the file has 0 lines"),
        ("src/none.py:1", "does not exist"),
        ("none/app.py:1", "does not exist"),
        ("./src:1", "cannot be read"),
        ("../work/src/app.py:1", "is not in the workspace"),
        ("/etc/passwd:1", "is not in the workspace"),
        ("out.txt:1", "leads out of the workspace"),
    ],
)
def test_a_place_that_does_not_exist_says_so(workspace: Path, text: str, fault: str) -> None:
    """Nothing outside of the workspace is looked at. (contract: judges:Q7)"""
    outside = workspace.parent / "secret.txt"
    outside.write_text("secret\n")
    (workspace / "out.txt").symlink_to(outside)

    found = checked(workspace, text)

    assert found.location is None
    assert found.fault is not None
    assert fault in found.fault
    assert found.as_evidence["exists"] is False


def test_without_a_workspace_nothing_is_known() -> None:
    """Neither that a place exists nor that it does not."""
    assert check_citations(None, [Citation("app.py", 1, 1)]) == {}


def test_only_so_many_files_are_looked_into(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply can name any number of them."""
    monkeypatch.setattr(citations, "MAX_FILES", 1)
    places = [Citation("Makefile", 1, 1), Citation("src/app.py", 1, 1), Citation("Makefile", 2, 2)]

    first, second, third = check_citations(workspace, places).values()

    assert first.fault is third.fault is None
    assert second.fault is not None
    assert "was not looked up" in second.fault
