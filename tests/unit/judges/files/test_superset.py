from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, NumericalScore, Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files import FileSupersetJudge
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judgment import ReasonCode


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a tree of files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    """A tree of three files."""
    return write(tmp_path / "reference", {"a.py": "a", "src/b.py": "b", "src/c.py": "c"})


def test_extra_files_do_not_count(reference: Path, tmp_path: Path) -> None:
    """All that the reference has is there, and more. (contract: judges:F10)"""
    work = write(tmp_path / "work", {"a.py": "a", "src/b.py": "b", "src/c.py": "c", "d.py": "d"})

    judgment = FileSupersetJudge(str(reference))(JudgmentContext(workspace=work))

    assert judgment.passed
    assert [check.name for check in judgment.checks] == ["a.py", "src/b.py", "src/c.py"]


def test_the_score_is_the_share_of_the_files_that_match(reference: Path, tmp_path: Path) -> None:
    """One missing, one different, one as it should be: a third. (contract: judges:F10)"""
    work = write(tmp_path / "work", {"a.py": "a", "src/b.py": "x"})

    judgment = FileSupersetJudge(str(reference))(JudgmentContext(workspace=work))

    assert judgment.status is Status.FAIL
    assert judgment.score == NumericalScore(1 / 3)
    assert [(check.name, check.passed, check.message) for check in judgment.checks] == [
        ("a.py", True, "as in the reference"),
        ("src/b.py", False, "differs from the reference"),
        ("src/c.py", False, "not there"),
    ]


def test_files_of_other_lengths_differ(reference: Path, tmp_path: Path) -> None:
    """A beginning that is the same is not enough."""
    work = write(tmp_path / "work", {"a.py": "ab", "src/b.py": "b", "src/c.py": "c"})

    judgment = FileSupersetJudge(str(reference))(JudgmentContext(workspace=work))

    assert judgment.failed_checks[0].message == "differs from the reference"


def test_a_directory_in_the_place_of_a_file_is_no_match(reference: Path, tmp_path: Path) -> None:
    """It is named for what it is."""
    work = write(tmp_path / "work", {"a.py/x": "a", "src/b.py": "b", "src/c.py": "c"})

    judgment = FileSupersetJudge(str(reference))(JudgmentContext(workspace=work))

    assert judgment.failed_checks[0].message == "a directory, no file"


def test_a_share_below_one_may_pass(reference: Path, tmp_path: Path) -> None:
    """The threshold is an argument, and is recorded."""
    work = write(tmp_path / "work", {"a.py": "a", "src/b.py": "b"})

    judgment = FileSupersetJudge(str(reference), threshold=0.5)(JudgmentContext(workspace=work))

    assert judgment.passed
    assert judgment.evidence["threshold"] == 0.5


def test_a_directory_of_the_workspace_may_be_compared(reference: Path, tmp_path: Path) -> None:
    """The reference then stands for that directory."""
    work = write(tmp_path / "work", {"out/a.py": "a", "out/src/b.py": "b", "out/src/c.py": "c"})

    judgment = FileSupersetJudge(str(reference), path="out")(JudgmentContext(workspace=work))

    assert judgment.passed
    assert str(judgment.checks[0].location) == "out/a.py"


@pytest.mark.parametrize(("required", "status"), [(True, Status.ERROR), (False, Status.ABSTAIN)])
@pytest.mark.parametrize("exclude", [None, ["*.py"]])
def test_nothing_to_compare_with_is_no_pass(
    reference: Path, tmp_path: Path, required: bool, status: Status, exclude: list[str] | None
) -> None:
    """A reference that is missing, or of which all is excluded. (contract: judges:F11)"""
    place = reference if exclude else tmp_path / "missing"

    judgment = FileSupersetJudge(str(place), exclude=tuple(exclude or ()), required=required)(
        JudgmentContext(workspace=tmp_path)
    )

    assert judgment.status is status
    assert judgment.code is ReasonCode.MISSING_INPUT


def test_an_empty_reference_is_no_pass(tmp_path: Path) -> None:
    """Directories without a file are nothing to compare with. (contract: judges:F11)"""
    (tmp_path / "reference" / "src").mkdir(parents=True)

    judgment = FileSupersetJudge(str(tmp_path / "reference"))(JudgmentContext(workspace=tmp_path))

    assert judgment.status is Status.ABSTAIN


def test_an_excluded_name_leaves_out_a_directory_of_that_name_only(tmp_path: Path) -> None:
    """`src` is not the beginning of `src2`. (contract: judges:F12)"""
    reference = write(
        tmp_path / "reference", {"src/a": "", "src2/b": "", "x/src/c": "", "srcs": ""}
    )
    work = tmp_path / "work"
    work.mkdir()

    judgment = FileSupersetJudge(str(reference), exclude=("src",))(JudgmentContext(workspace=work))

    assert [check.name for check in judgment.checks] == ["src2/b", "srcs"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (["*.log"], ["a.py", "logs/keep.txt", "x/src/b"]),
        (["*.log", "!keep.log"], ["a.py", "keep.log", "logs/keep.txt", "x/src/b"]),
        (["/src"], ["a.py", "keep.log", "logs/keep.txt", "x/src/b"]),
        (["logs/", "!logs/keep.txt"], ["a.py", "keep.log", "x/src/b"]),
        (["**/src/*"], ["a.py", "keep.log", "logs/keep.txt"]),
        (["# comment", ""], ["a.py", "keep.log", "logs/keep.txt", "x/src/b"]),
    ],
)
def test_what_is_excluded_is_what_git_would_ignore(
    tmp_path: Path, patterns: list[str], left: list[str]
) -> None:
    """Patterns by name, anchored, negated, of directories. (contract: judges:F12)"""
    names = ("a.py", "keep.log", "logs/keep.txt", "x/src/b")
    reference = write(tmp_path / "reference", dict.fromkeys(names, ""))
    excludes = Excludes(patterns)

    judgment = FileSupersetJudge(str(reference), exclude=tuple(patterns))(
        JudgmentContext(workspace=reference)
    )

    assert [check.name for check in judgment.checks] == left
    assert [name for name in names if not excludes.path(name)] == left


def test_the_git_directory_of_a_reference_is_left_out(tmp_path: Path) -> None:
    """It is the history of the reference and not what the work should hold."""
    reference = write(tmp_path / "reference", {"a": "", ".git/HEAD": "", ".gitignore": ""})

    judgment = FileSupersetJudge(str(reference))(JudgmentContext(workspace=reference))

    assert [check.name for check in judgment.checks] == [".gitignore", "a"]


def test_links_to_files_of_a_reference_count_as_files(reference: Path) -> None:
    """Links to directories are not entered, and those to nothing are left out."""
    (reference / "link.py").symlink_to("a.py")
    (reference / "other").symlink_to("src")
    (reference / "broken").symlink_to("nothing")

    judgment = FileSupersetJudge(str(reference))(JudgmentContext(workspace=reference))

    assert [check.name for check in judgment.checks] == ["a.py", "link.py", "src/b.py", "src/c.py"]


def test_files_over_the_size_limit_are_an_error(reference: Path) -> None:
    """Comparing only their first parts would say nothing. (contract: judges:F7)"""
    (reference / "big").write_text("x" * 100)

    judgment = FileSupersetJudge(str(reference), size_limit=99)(
        JudgmentContext(workspace=reference)
    )

    assert judgment.code is ReasonCode.TOO_LARGE


def test_a_judge_with_excludes_can_be_pickled(reference: Path) -> None:
    """So that it can judge in another process."""
    judge = pickle.loads(pickle.dumps(FileSupersetJudge(str(reference), exclude=("src",))))

    assert [check.name for check in judge(JudgmentContext(workspace=reference)).checks] == ["a.py"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"reference": ""}, ArgumentError),
        ({"reference": "a\x00"}, ArgumentError),
        ({"reference": 1}, ArgumentTypeError),
        ({"path": "../x"}, ArgumentError),
        ({"threshold": 2}, ArgumentError),
        ({"exclude": "src"}, ArgumentTypeError),
        ({"exclude": [1]}, ArgumentTypeError),
        ({"exclude": ["!"]}, ArgumentError),
        ({"size_limit": 0}, ArgumentError),
    ],
)
def test_what_cannot_be_compared_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """Refused when the judge is built."""
    with pytest.raises(error):
        FileSupersetJudge(**{"reference": "r", **options})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
