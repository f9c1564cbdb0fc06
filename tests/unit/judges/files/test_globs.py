from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files.globs import Globs, check_pattern, check_patterns, find, is_glob
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.files.tree import Budget


def found(workspace: Path, pattern: str, limit: int = 1000) -> list[str]:
    """The paths that a pattern finds."""
    with open_workspace(workspace) as opened:
        return [entry.path for entry in find(opened, pattern, Budget(limit))]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*", "a"),
        ("*", ".hidden"),
        ("*.py", "a.py"),
        ("a?c", "abc"),
        ("src/*.py", "src/a.py"),
        ("**/*.py", "a.py"),
        ("**/*.py", "x/y/a.py"),
        ("src/**", "src/a"),
        ("src/**", "src/a/b"),
        ("a/**/b", "a/b"),
        ("a/**/**/b", "a/x/b"),
        ("app/[slug]/*.tsx", "app/[slug]/page.tsx"),
        (".git/*", ".git/config"),
        ("*", "two\nlines"),
        (".gitignore", ".gitignore"),
        ("*", ".gitignore"),
    ],
)
def test_what_a_pattern_matches(pattern: str, path: str) -> None:
    """Wildcards stay within a component, `**` spans any number of them, the rest is literal."""
    assert Globs((pattern,)).matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*", "a/b"),
        ("?", ""),
        ("?", "ab"),
        ("*.py", "A.PY"),
        ("*.py", "a.pyc"),
        ("src/*.py", "src/x/a.py"),
        ("src/**", "src"),
        ("src/**", "src2/a"),
        ("a/**/b", "a"),
        ("app/[slug]/*.tsx", "app/s/page.tsx"),
        ("**/config", ".git/config"),
        ("*/config", ".git/config"),
        ("**", ".git"),
    ],
)
def test_what_a_pattern_does_not_match(pattern: str, path: str) -> None:
    """Brackets are no wildcards, case counts, and `.git` has to be named."""
    assert not Globs((pattern,)).matches(path)


def test_several_patterns_match_what_one_of_them_does() -> None:
    """They are matched together."""
    globs = Globs(("*.py", "docs/**"))

    assert [globs.matches(path) for path in ("a.py", "docs/x/y", "a.md")] == [True, True, False]


@given(st.lists(st.sampled_from(["a", "b", "*", "?", "**"]), min_size=1, max_size=5))
def test_an_open_progress_is_what_a_match_goes_through(parts: list[str]) -> None:
    """A directory is only passed by if nothing below it can match."""
    globs = Globs(("/".join(parts),))
    path = ["a", "b", "a", "b"]
    for length in range(1, len(path) + 1):
        if globs.matches("/".join(path[:length])):
            assert all(globs.progress("/".join(path[:short])).open for short in range(1, length))


def test_the_same_names_come_in_the_same_order(tmp_path: Path) -> None:
    """Sorted within a directory, whatever the file system says."""
    for name in ("b/2", "a", "b/1", "c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    assert found(tmp_path, "**") == ["a", "b", "b/1", "b/2", "c"]


def test_directories_that_cannot_match_are_not_entered(tmp_path: Path) -> None:
    """They cost one name each."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    (tmp_path / "node_modules").mkdir()
    for number in range(50):
        (tmp_path / "node_modules" / f"{number}.js").write_text("")

    assert found(tmp_path, "*/a.py", limit=60) == ["src/a.py"]
    assert found(tmp_path, "src/*", limit=1) == ["src/a.py"]


def test_a_linked_directory_is_entered_where_the_pattern_names_it(tmp_path: Path) -> None:
    """Before the first wildcard, but not by one: so there are no circles."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_text("")
    (tmp_path / "link").symlink_to("real")

    assert found(tmp_path, "link/*") == ["link/a"]
    assert found(tmp_path, "**/a") == ["real/a"]


def test_a_tree_that_nests_without_end_is_an_error(tmp_path: Path) -> None:
    """The walk says so rather than stop quietly."""
    tmp_path.joinpath(*["d"] * 250).mkdir(parents=True)

    with pytest.raises(WorkspaceError, match="nests deeper"):
        found(tmp_path, "**")


@pytest.mark.parametrize("pattern", ["a**", "**b/c", "***"])
def test_a_double_star_stands_alone(pattern: str) -> None:
    """As a part of a component it would mean something else to everybody."""
    with pytest.raises(ArgumentError, match=r"\*\*"):
        check_pattern(pattern)


def test_only_stars_and_question_marks_make_a_pattern() -> None:
    """Brackets are common in names of files."""
    assert [is_glob(path) for path in ("a/[b].c", "{a,b}", "*", "a?")] == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("patterns", "error"),
    [([], ArgumentError), ("a", ArgumentTypeError), ([1], ArgumentTypeError)],
)
def test_a_list_of_patterns_is_a_list_of_at_least_one(
    patterns: object, error: type[Exception]
) -> None:
    """A string is not taken for a list of its characters."""
    with pytest.raises(error, match="paths"):
        check_patterns(patterns, "paths")
