from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge import Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import ChangeBounds, ConflictMarkersJudge, GitChanges, PatchChanges
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import Work, begin, said

CONFLICT = "a\n<<<<<<< HEAD\nb\n||||||| base\nc\n=======\nd\n>>>>>>> topic\ne\n"
FOUND = [
    "x.py:2: a marker of a merge conflict: <<<<<<<",
    "x.py:4: a marker of a merge conflict: |||||||",
    "x.py:6: a marker of a merge conflict: =======",
    "x.py:8: a marker of a merge conflict: >>>>>>>",
]


def judged(work: Work, text: str | bytes, name: str = "x.py", **options: object) -> list[str]:
    """What is found in a file with this text."""
    work.write({name: text})
    judge = ConflictMarkersJudge(GitChanges(work.base), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return said(work.judged(judge))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_marker_of_a_conflict_is_found(work: Work, end: str) -> None:
    """With its line; line ends of Windows do not hide it."""
    assert judged(work, CONFLICT.replace("\n", end)) == FOUND


def test_markers_without_labels_are_found_together(work: Work) -> None:
    """Some tools write none."""
    text = CONFLICT.replace(" HEAD", "").replace(" base", " ").replace(" topic", "")

    assert judged(work, text) == FOUND


@pytest.mark.parametrize("line", ["<<<<<<< HEAD", ">>>>>>> topic", "||||||| 1234abc"])
def test_a_marker_that_was_left_alone_is_found(work: Work, line: str) -> None:
    """The others were taken out."""
    assert judged(work, f"a\n{line}\n") == [f"x.py:2: a marker of a merge conflict: {line[:7]}"]


@pytest.mark.parametrize(
    "text",
    [
        "Heading\n=======\n\ntext\n",
        "Titled\n<<<<<<<\n\nOthers\n>>>>>>>\n",
        "<<<<<<<\nHeading\n<<<<<<<\n",
        "=======\nHeading\n=======\n",
        "<<<<<<<< HEAD\n>>>>>>>> topic\n",
        "<<<<<< HEAD\n",
        " <<<<<<< HEAD\n",
        "x = '<<<<<<< HEAD'\n",
        "<<<<<<<HEAD\n",
        ">>>>>>>\n=======\n<<<<<<<\n",
        "<<<<<<<\n>>>>>>>\n",
    ],
)
def test_headings_and_the_like_are_no_markers(work: Work, text: str) -> None:
    """Underlines, rules, other lengths, another order."""
    assert judged(work, text) == []


def test_markers_that_were_there_before_are_not_found(work: Work) -> None:
    """Only what the work added is judged."""
    base = work.commit({"x.py": CONFLICT})

    assert judged(Work(work.folder, base), CONFLICT + "f\n") == []


def test_a_marker_added_to_others_is_found(work: Work) -> None:
    """The conflict is known by the lines around it."""
    base = work.commit({"x.py": CONFLICT.replace("=======\n", "")})

    assert judged(Work(work.folder, base), CONFLICT) == [FOUND[2]]


def test_a_patch_shows_markers_where_files_are_not_known(tmp_path: Path) -> None:
    """It is judged by its lines alone."""
    body = "".join(f"+{line}\n" for line in CONFLICT.splitlines())
    patch = f"--- a/x.py\n+++ b/x.py\n@@ -1 +1,10 @@\n z\n{body}"
    work = begin(tmp_path, {"fix.patch": patch})

    judgment = work.judged(ConflictMarkersJudge(PatchChanges("fix.patch")))

    assert [place.partition(":")[2][0] for place in said(judgment)] == ["3", "5", "7", "9"]


def test_a_pass_says_what_was_looked_at(work: Work) -> None:
    """Binary files are named as not looked at."""
    work.write({"x.py": "a\nb\n", "logo.png": b"\0", "a.out": b"\0" + CONFLICT.encode()})

    judgment = work.judged(ConflictMarkersJudge(GitChanges(work.base)))

    assert judgment.passed
    assert [(check.name, check.passed, check.examined) for check in judgment.checks] == [
        ("lines", True, 1),
        ("a.out", False, 0),
        ("logo.png", False, 0),
    ]
    assert judgment.reasoning == "2 added lines in 1 file looked at"


@pytest.mark.parametrize(
    ("files", "exclude"), [({"logo.png": b"\0"}, []), ({"x.py": CONFLICT.encode()}, ["*.py"])]
)
def test_where_no_line_was_looked_at_it_abstains(
    work: Work, files: dict[str, bytes], exclude: list[str]
) -> None:
    """Only binary files, or only what is left out."""
    work.write(files)

    judgment = work.judged(ConflictMarkersJudge(GitChanges(work.base), exclude=exclude))

    assert judgment.status is Status.ABSTAIN


def test_a_file_that_was_not_read_is_an_error(work: Work) -> None:
    """Unless a marker was found elsewhere."""
    work.write({"y.py": "y" * 100})
    judge = ConflictMarkersJudge(GitChanges(work.base, bounds=ChangeBounds(file_bytes=90)))

    assert work.judged(judge).code is ReasonCode.TOO_LARGE
    work.write({"x.py": CONFLICT})
    assert said(work.judged(judge)) == FOUND


def test_more_lines_than_the_bounds_allow_are_an_error(work: Work) -> None:
    """Nothing is said of a part of them."""
    work.write({"x.py": CONFLICT})
    judge = ConflictMarkersJudge(GitChanges(work.base, bounds=ChangeBounds(lines=5)))

    assert work.judged(judge).code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize(
    ("options", "error"), [({"exclude": "x"}, ArgumentTypeError), ({"empty": "x"}, ArgumentError)]
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """When it is built, not when it judges."""
    with pytest.raises(error):
        ConflictMarkersJudge(GitChanges("main"), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
