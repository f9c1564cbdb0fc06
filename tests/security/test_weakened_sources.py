"""Ways to make tests pass without mending anything, in Java, JavaScript, Go and Rust."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge import JudgmentContext, evaluate
from agent_judge.judges import FolderChanges, TestsKeptJudge
from security.tampering import SOURCES, SOURCES_KEPT, SOURCES_TAMPERED
from unit.judges.diff.works import said, write


def tampered(tmp_path: Path, name: str, old: str, new: str) -> list[str]:
    """What is found where one text of the tests took the place of another."""
    source = SOURCES[name]
    assert source.count(old) == 1
    write(tmp_path / "before", {name: source})
    write(tmp_path / "work", {name: source.replace(old, new)})
    judge = TestsKeptJudge(FolderChanges(tmp_path / "before"))
    return said(evaluate(judge, JudgmentContext(workspace=tmp_path / "work")))


@pytest.mark.parametrize(("name", "old", "new", "line", "message"), SOURCES_TAMPERED)
def test_tests_that_are_tampered_with_are_found(
    tmp_path: Path, name: str, old: str, *, new: str, line: int, message: str
) -> None:
    """Each way has a finding at its line. (contract: cases:E3)"""
    found = tampered(tmp_path, name, old, new)

    places = [item for item in found if item.startswith(f"{name}:{line}: ")]
    assert any(message in place for place in places), found


@pytest.mark.parametrize(("name", "old", "new"), SOURCES_KEPT)
def test_tests_that_are_as_strong_pass(tmp_path: Path, name: str, old: str, new: str) -> None:
    """More assertions, other names, comments, code that is no test."""
    assert tampered(tmp_path, name, old, new) == []
