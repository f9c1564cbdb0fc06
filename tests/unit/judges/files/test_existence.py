from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files import FileAbsentJudge, FileExistsJudge
from agent_judge.judgment import ReasonCode


@pytest.fixture
def context(tmp_path: Path) -> JudgmentContext:
    """A run that left `src/app.py`, `src/web/page.html` and an empty directory `out`."""
    (tmp_path / "src" / "web").mkdir(parents=True)
    (tmp_path / "src" / "app.py").write_text("print()")
    (tmp_path / "src" / "web" / "page.html").write_text("<p>")
    (tmp_path / "out").mkdir()
    return JudgmentContext(workspace=tmp_path)


def test_a_file_that_is_there_passes_with_one_check(context: JudgmentContext) -> None:
    """One look, one check, and where. (contract: judges:F1)"""
    judgment = FileExistsJudge("src/app.py")(context)

    assert judgment.passed
    assert [str(check.location) for check in judgment.checks] == ["src/app.py"]


def test_a_file_that_is_not_there_fails_with_one_check(context: JudgmentContext) -> None:
    """The absence was looked at, so the check examined one name. (contract: judges:F1)"""
    judgment = FileExistsJudge("src/lib.py")(context)

    assert judgment.status is Status.FAIL
    assert [(check.passed, check.examined) for check in judgment.checks] == [(False, 1)]
    assert judgment.reasoning == "src/lib.py: not there, expected a file"


def test_a_directory_is_no_file(context: JudgmentContext) -> None:
    """Asked for a file, a directory of that name fails. (contract: judges:F3)"""
    judgment = FileExistsJudge("src")(context)

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == "src: a directory, expected a file"


@pytest.mark.parametrize(("path", "status"), [("out", Status.PASS), ("src/app.py", Status.FAIL)])
def test_a_directory_may_be_asked_for(context: JudgmentContext, path: str, status: Status) -> None:
    """Then a file is none."""
    assert FileExistsJudge(path, kind="directory")(context).status is status


@pytest.mark.parametrize(
    ("pattern", "status"),
    [("src/*.py", Status.PASS), ("**/*.html", Status.PASS), ("*.py", Status.FAIL)],
)
def test_a_pattern_asks_for_at_least_one_file(
    context: JudgmentContext, pattern: str, status: Status
) -> None:
    """One match is enough; none is a failure."""
    assert FileExistsJudge(pattern)(context).status is status


def test_a_pattern_without_a_match_examined_nothing(context: JudgmentContext) -> None:
    """No file was found that could be looked at."""
    assert FileExistsJudge("**/*.rs")(context).checks[0].examined == 0


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("src/lib.py", Status.PASS),
        ("src/app.py", Status.FAIL),
        ("out", Status.FAIL),
        ("**/*.orig", Status.PASS),
        ("**/*.py", Status.FAIL),
        ("o*", Status.FAIL),
    ],
)
def test_absence_is_of_anything_by_that_name(
    context: JudgmentContext, path: str, status: Status
) -> None:
    """A file, a directory, or any match of a pattern is something."""
    assert FileAbsentJudge(path)(context).status is status


def test_a_link_to_nothing_is_not_absent(context: JudgmentContext, tmp_path: Path) -> None:
    """The name is taken, wherever it leads."""
    (tmp_path / "link").symlink_to("nothing")

    assert FileAbsentJudge("link")(context).status is Status.FAIL
    assert FileExistsJudge("link")(context).status is Status.FAIL


def test_each_match_that_should_be_absent_has_a_check(context: JudgmentContext) -> None:
    """What is there is named one by one."""
    judgment = FileAbsentJudge("src/**")(context)

    assert [check.name for check in judgment.checks] == [
        "src/app.py",
        "src/web",
        "src/web/page.html",
    ]


def test_a_walk_has_a_limit(context: JudgmentContext) -> None:
    """More names than may be looked at is ERROR, not a guess from the first ones."""
    judgment = FileAbsentJudge("**/*.orig", walk_limit=3)(context)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize("judge", [FileExistsJudge, FileAbsentJudge])
@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(
    judge: type[FileExistsJudge | FileAbsentJudge], limit: int
) -> None:
    """Nothing could be looked at."""
    with pytest.raises(ArgumentError, match="walk_limit"):
        judge("a", walk_limit=limit)


def test_a_limit_that_is_no_number_is_refused() -> None:
    """A truth value is no number either."""
    with pytest.raises(ArgumentTypeError, match="walk_limit"):
        FileExistsJudge("a", walk_limit=True)


def test_an_unknown_kind_is_refused() -> None:
    """There are files and directories."""
    with pytest.raises(ArgumentError, match="kind"):
        FileExistsJudge("a", kind="folder")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
