from __future__ import annotations

import pytest

from agent_judge import Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import ChangedPathsJudge, GitChanges
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import Work, said


def test_what_may_be_touched_passes(work: Work) -> None:
    """The check says how many paths that were."""
    work.write({"app.py": "", "src/new.py": ""})

    judgment = work.judged(ChangedPathsJudge(GitChanges(work.base), allow=["*.py"]))

    assert judgment.passed
    assert [(check.name, check.examined) for check in judgment.checks] == [("paths", 2)]
    assert judgment.metadata["change"] == {"base": work.base, "files": 2, "compared": 4}


def test_what_is_not_allowed_fails(work: Work) -> None:
    """Each such path is a check with its place."""
    work.write({"app.py": "", "new.txt": "", "src/new.py": ""})

    judgment = work.judged(ChangedPathsJudge(GitChanges(work.base), allow=["/src/", "*.txt"]))

    assert judgment.status is Status.FAIL
    assert said(judgment) == ["app.py: changed, and is not among what may be touched"]


def test_what_is_denied_fails_even_where_it_is_allowed(work: Work) -> None:
    """Deleting the tests touches them. (contract: cases:E3)"""
    (work.folder / "tests" / "test_app.py").unlink()
    (work.folder / "tests").rmdir()

    judge = ChangedPathsJudge(GitChanges(work.base), allow=["tests/"], deny=["tests/"])

    assert said(work.judged(judge)) == ["tests/test_app.py: deleted, and must not be touched"]


@pytest.mark.parametrize(
    ("old", "new"), [("tests/test_app.py", "moved.py"), ("app.py", "tests/app.py")]
)
def test_a_rename_touches_both_paths(work: Work, old: str, new: str) -> None:
    """Moving a file out of, or into, what is denied is found."""
    (work.folder / old).rename(work.folder / new)

    judgment = work.judged(ChangedPathsJudge(GitChanges(work.base), deny=["tests/"]))

    protected = old if old.startswith("tests/") else new
    assert said(judgment) == [f"{protected}: renamed, and must not be touched"]
    assert [check.examined for check in judgment.checks if check.passed] == [1]


def test_upper_and_lower_case_are_two_paths(work: Work) -> None:
    """A rename that changes the case alone touches both."""
    (work.folder / "tests" / "test_app.py").rename(work.folder / "tests" / "Test_App.py")

    judgment = work.judged(ChangedPathsJudge(GitChanges(work.base), deny=["test_app.py"]))

    assert said(judgment) == ["tests/test_app.py: renamed, and must not be touched"]


def test_required_paths_must_be_touched(work: Work) -> None:
    """Each pattern by something."""
    work.write({"CHANGELOG.md": ""})

    judge = ChangedPathsJudge(GitChanges(work.base), require=["CHANGELOG.md", "docs/"])
    judgment = work.judged(judge)

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == "required: nothing that matches 'docs/' was touched"


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"deny": ["x"]}, Status.ABSTAIN),
        ({"deny": ["x"], "empty": "pass"}, Status.PASS),
        ({"deny": ["x"], "empty": "fail"}, Status.FAIL),
        ({"require": ["x"]}, Status.FAIL),
        ({"require": ["x"], "empty": "pass"}, Status.FAIL),
    ],
)
def test_a_change_of_nothing_is_what_it_is_said_to_be(
    work: Work, options: dict[str, object], status: Status
) -> None:
    """But where something is required, it fails."""
    judge = ChangedPathsJudge(GitChanges(work.base), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    judgment = work.judged(judge)

    assert judgment.status is status
    assert "3 files were compared" in judgment.reasoning


def test_a_change_that_cannot_be_read_is_an_error(work: Work) -> None:
    """Nothing is known of any path."""
    judgment = work.judged(ChangedPathsJudge(GitChanges("nothing"), deny=["x"]))

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({}, ArgumentError),
        ({"allow": "src"}, ArgumentTypeError),
        ({"allow": ["!"]}, ArgumentError),
        ({"deny": [1]}, ArgumentTypeError),
        ({"deny": ["a"], "empty": "maybe"}, ArgumentError),
    ],
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """A judge of no path at all would say nothing."""
    with pytest.raises(error):
        ChangedPathsJudge(GitChanges("main"), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_change_is_one_of_three() -> None:
    """A revision alone does not say what is compared with it."""
    with pytest.raises(ArgumentTypeError, match="GitChanges, PatchChanges or FolderChanges"):
        ChangedPathsJudge("main", deny=["a"])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
