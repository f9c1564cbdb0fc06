from __future__ import annotations

import pytest

from agent_judge.judges.diff.ignored import Ignored


@pytest.mark.parametrize(
    ("path", "out"),
    [
        ("a.log", True),
        ("sub/a.log", True),
        ("sub/keep.log", False),
        ("sub/deep/keep.log", False),
        ("keep.log", True),
        ("sub/only.txt", True),
        ("only.txt", False),
        ("other/only.txt", False),
        ("a.txt", False),
    ],
)
def test_the_deepest_file_that_says_something_decides(path: str, out: bool) -> None:
    """As git has it."""
    ignored = Ignored({"": b"*.log\n", "sub": b"!keep.log\n/only.txt\n"})

    assert ignored.file(path) is out


def test_what_is_in_a_directory_that_is_left_out_is_left_out() -> None:
    """Also where a file within takes it back."""
    ignored = Ignored({"": b"build/\n", "build": b"!x.txt\n"})

    assert not ignored.enters("build")
    assert not ignored.enters("build/sub")
    assert ignored.file("build/x.txt")
    assert ignored.file("build/sub/x.txt")
    assert ignored.enters("src")
    assert not ignored.file("src/x.txt")


def test_without_patterns_nothing_is_left_out() -> None:
    """Nor with comments and blank lines alone."""
    for files in ({}, {"": b"\n# x\n"}):
        ignored = Ignored(files)
        assert ignored.enters("a")
        assert not ignored.file("a/b")


def test_a_pattern_that_cannot_be_read_hides_nothing() -> None:
    """The others count."""
    ignored = Ignored({"": b"!\n*.log\n\xff\xfe\n"})

    assert ignored.file("a.log")
    assert not ignored.file("!")


def test_a_pattern_that_takes_without_end_hides_nothing() -> None:
    """So many stars have no use, but to keep whoever matches them busy."""
    stars = b"*a" * 30 + b"b\n"
    ignored = Ignored({"": stars + b"*.log\n"})

    assert not ignored.file("a" * 250)
    assert ignored.file("a.log")


def test_patterns_beyond_their_number_hide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are counted over all files."""
    monkeypatch.setattr("agent_judge.judges.diff.ignored.MAX_PATTERNS", 2)

    ignored = Ignored({"": b"a\nb\nc\n", "sub": b"d\n"})

    assert [name for name in ("a", "b", "c", "sub/d") if ignored.file(name)] == ["a", "b"]
