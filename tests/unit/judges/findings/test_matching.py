from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_judge.judges.diff.records import ChangeSet, FileChange, Hunk, Line, Sign, Version
from agent_judge.judges.findings.matching import new_findings
from agent_judge.judges.findings.moves import LineMoves
from agent_judge.judges.findings.record import Finding, Severity
from agent_judge.judges.git.objects import Mode
from unit.judges.diff.works import begin


def at(line: int | None, message: str = "m", path: str = "a.py", rule: str = "R") -> Finding:
    """A finding at a line."""
    return Finding(rule, message, Severity.ERROR, path, line)


def changed(
    removed: Sequence[int], added: Sequence[int], before: str = "a.py", after: str = "a.py"
) -> FileChange:
    """A file of which lines were removed and added."""
    lines = [Line(Sign.REMOVED, number, None, "") for number in removed]
    lines += [Line(Sign.ADDED, None, number, "") for number in added]
    return FileChange(
        Version(before, Mode.FILE),
        Version(after, Mode.FILE),
        len(added),
        len(removed),
        (Hunk(tuple(lines), 1),),
    )


def moves(*files: FileChange) -> LineMoves:
    """How lines moved."""
    return LineMoves(ChangeSet(files, len(files)))


def lines_of(findings: Sequence[Finding]) -> list[int | None]:
    """Where findings are."""
    return [finding.line for finding in findings]


def test_without_known_findings_all_are_new() -> None:
    """In their order."""
    assert lines_of(new_findings([at(2), at(1)], [])) == [2, 1]


@pytest.mark.parametrize(
    "other",
    [
        {"rule": "S"},
        {"message": "n"},
        {"path": "b.py"},
        {"context": "x = 1"},
    ],
)
def test_a_finding_is_known_by_rule_message_code_and_file(other: dict[str, Any]) -> None:
    """Its severity may change, and the numbers of lines within the message."""
    known = [replace(at(1, "clashes with line 12"), severity=Severity.NOTE)]

    assert not new_findings([at(1, "clashes with line 20")], known)
    assert new_findings([replace(at(1, "clashes with line 12"), **other)], known)


def test_without_moves_as_many_as_before_are_known() -> None:
    """On the same line first, then in order; what is left is new."""
    known = [at(10), at(20)]

    assert lines_of(new_findings([at(3), at(10), at(21)], known)) == [21]
    assert not new_findings([at(99)], known)


def test_a_finding_moves_with_its_line() -> None:
    """Two lines were put before it; one like it on a line that was there is new."""
    above = moves(changed([], [1, 2]))

    assert not new_findings([at(12)], [at(10)], above)
    assert lines_of(new_findings([at(10)], [at(10)], above)) == [10]


def test_a_finding_on_a_line_that_was_rewritten_is_known() -> None:
    """As long as it is on a line that is new; a second one is not."""
    rewritten = moves(changed([5], [5, 6]))

    assert not new_findings([at(6)], [at(5)], rewritten)
    assert lines_of(new_findings([at(5), at(6)], [at(5)], rewritten)) == [6]
    assert lines_of(new_findings([at(9)], [at(5)], rewritten)) == [9]


def test_a_finding_in_a_renamed_file_is_known() -> None:
    """Under the new name; one in a deleted file accounts for nothing."""
    renamed = moves(replace(changed([], [1], "a.py", "b.py")))
    deleted = moves(FileChange(Version("a.py", Mode.FILE), None, 0, 3))

    assert not new_findings([at(4, path="b.py")], [at(3)], renamed)
    assert new_findings([at(3)], [at(3)], deleted)


def test_in_a_file_whose_lines_are_not_known_every_line_is_rewritten() -> None:
    """It is too large to be read; as many as before are known."""
    unread = moves(FileChange(Version("a.py", Mode.FILE), Version("a.py", Mode.FILE)))

    assert lines_of(new_findings([at(7), at(8)], [at(3)], unread)) == [8]


def test_a_finding_on_no_line_is_known_by_the_file() -> None:
    """Also where the file changed."""
    assert not new_findings([at(None)], [at(None)], moves(changed([1], [1])))
    assert lines_of(new_findings([at(None)], [], moves(changed([1], [1])))) == [None]


def test_an_untouched_file_keeps_its_lines() -> None:
    """What is found on a line of it that had nothing is new."""
    elsewhere = moves(changed([], [1], "b.py", "b.py"))

    assert not new_findings([at(4)], [at(4)], elsewhere)
    assert lines_of(new_findings([at(5)], [at(4)], elsewhere)) == [5]


TEXTS = st.lists(st.sampled_from("abcdefgh"), max_size=14)


@settings(max_examples=25)
@given(TEXTS, TEXTS)
def test_a_kept_line_is_found_where_it_went(before: list[str], after: list[str]) -> None:
    """Whatever git says was changed: a line that moved has the same text, and the order is kept."""
    removed, added = _difference(before, after)
    if not removed and not added:
        return
    moved = moves(changed(removed, added))

    now = [moved.line("a.py", number) for number in range(1, len(before) + 1)]

    kept = [number for number in now if number is not None]
    assert [before[at] for at, number in enumerate(now) if number] == [after[n - 1] for n in kept]
    assert kept == sorted(kept)
    assert sorted([*kept, *added]) == list(range(1, len(after) + 1))


def _difference(before: list[str], after: list[str]) -> tuple[list[int], list[int]]:
    """The lines that `difflib` has removed and added, which are as good as any."""
    from difflib import SequenceMatcher

    removed, added = set(range(1, len(before) + 1)), set(range(1, len(after) + 1))
    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        removed -= {block.a + at + 1 for at in range(block.size)}
        added -= {block.b + at + 1 for at in range(block.size)}
    return sorted(removed), sorted(added)


def test_lines_are_followed_through_a_real_change(tmp_path: Path) -> None:
    """As git sees it: put before, taken out, rewritten, renamed."""
    old = "".join(f"line {number}\n" for number in range(1, 21))
    work = begin(tmp_path / "work", {"a.py": old, "b.py": old, "c.py": old})
    work.write({"a.py": "new\n" + old.replace("line 5\n", "").replace("line 9\n", "nine\n")})
    (work.folder / "b.py").rename(work.folder / "d.py")

    moved = LineMoves(work.changes())

    assert [moved.line("a.py", line) for line in (1, 4, 5, 6, 9, 10)] == [2, 5, None, 6, None, 10]
    assert [moved.is_new("a.py", line) for line in (1, 2, 9)] == [True, False, True]
    assert moved.file("b.py") == "d.py"
    assert moved.line("b.py", 7) == moved.line("c.py", 7) == 7
