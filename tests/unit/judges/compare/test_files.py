from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import BinaryFileJudge, FileComparisonJudge, TextFileJudge
from agent_judge.judgment import Judgment, ReasonCode


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a tree of files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)
    return folder


def compare(
    tmp_path: Path,
    wanted: Mapping[str, str | bytes],
    given: Mapping[str, str | bytes],
    **options: object,
) -> Judgment:
    """Compare a workspace with a reference."""
    reference = write(tmp_path / "wanted", wanted)
    context = JudgmentContext(workspace=write(tmp_path / "work", given))
    return FileComparisonJudge(reference, **options)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("reference", "candidate", "option"),
    [
        ("a\nb\n", "a\r\nb\r\n", {"line_ends": "any"}),
        ("a\nb\n", "a\rb\r", {"line_ends": "any"}),
        ("a\nb", "a  \nb\n\n", {"whitespace": "trailing"}),
        ("a b\nc", "a   b\n\tc ", {"whitespace": "collapse"}),
        ("é", "e\u0301", {"unicode": "NFC"}),
        ("①", "1", {"unicode": "NFKC"}),
    ],
)
def test_a_text_differs_unless_a_difference_is_named(
    reference: str, candidate: str, option: dict[str, object]
) -> None:
    """White space, line ends and Unicode, each by name. (contract: judges:D8, judges:D11)"""
    context = JudgmentContext(output=candidate, expected=reference)

    judgment = TextFileJudge(**option)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    assert TextFileJudge()(context).status is Status.FAIL
    assert judgment.passed
    assert judgment.metadata["not_compared"]


@pytest.mark.parametrize(
    ("reference", "candidate", "message"),
    [
        ("a\nb", "a\nc", "line 2 is 'c', the reference has 'b' on line 2"),
        ("a\nb\n", "a\n", "line 2 is missing: the reference has 'b\\n'"),
        ("a\n", "a\nb", "line 2 is not in the reference: 'b'"),
        ("a", "a\n", "line 1 is 'a\\n', the reference has 'a' on line 1"),
        ("a\u2028b", "a\u2028c", "line 1 is 'a\\u2028c', the reference has 'a\\u2028b' on line 1"),
        ("a\rb", "a\rc", "line 1 is 'a\\rc', the reference has 'a\\rb' on line 1"),
    ],
)
def test_the_first_line_that_differs_is_shown(reference: str, candidate: str, message: str) -> None:
    """As editors count lines. (contract: judges:D8)"""
    judgment = TextFileJudge()(JudgmentContext(output=candidate, expected=reference))

    assert judgment.reasoning == f"the output: {message}"


def test_a_text_in_another_encoding_is_read_as_told(tmp_path: Path) -> None:
    """And is an error where it is not in it."""
    write(tmp_path, {"a.txt": "é".encode("latin-1")})
    context = JudgmentContext(workspace=tmp_path, expected="é")

    assert TextFileJudge("a.txt", encoding="latin-1")(context).passed
    assert TextFileJudge("a.txt")(context).code is ReasonCode.UNREADABLE_FILE


def test_bytes_are_the_same_or_not(tmp_path: Path) -> None:
    """With the place where they begin to differ. (contract: judges:D9)"""
    write(tmp_path, {"a.bin": b"\x00\x01\x02", "b.bin": b"\x00\x01\x03\x04"})
    context = JudgmentContext(workspace=tmp_path)

    same = BinaryFileJudge("a.bin", tmp_path)(context)
    other = BinaryFileJudge("b.bin", tmp_path / "a.bin")(context)

    assert same.passed
    assert same.metadata["sha256"]
    assert other.status is Status.FAIL
    assert other.reasoning == (
        "b.bin differs from the reference at byte 2: 4 bytes, the reference has 3"
    )


def test_each_file_is_compared_by_its_type(tmp_path: Path) -> None:
    """What only is written in another way is equal, and how is said.

    (contract: judges:D10, judges:D11)
    """
    wanted: dict[str, str | bytes] = {
        "a.py": "x = 'a'",
        "B.java": "class B { int x = (1); }",
        "c.json": '{"a": 1, "b": 2}',
        "d.yml": "a: [1]",
        "e.toml": "a = 1",
        "f.xml": "<a><b/></a>",
        "requirements.txt": "a==1.0",
        "g.tsx": "let a = <b />;",
        "h.bin": b"\x00",
        "i.md": "text",
    }
    given: dict[str, str | bytes] = {
        "a.py": 'x = "a"',
        "B.java": "class B { int x = 1; }",
        "c.json": '{"b": 2, "a": 1}',
        "d.yml": "a:\n- 1",
        "e.toml": "a=1",
        "f.xml": "<a> <b/> </a>",
        "requirements.txt": "A == 1",
        "g.tsx": "let a = <b/>",
        "h.bin": b"\x00",
        "i.md": "text",
    }

    judgment = compare(tmp_path, wanted, given)

    assert judgment.passed, judgment.reasoning
    assert len(judgment.checks) == 10
    assert judgment.metadata["compared_as"] == {
        "Java": 1, "Python": 1, "JSON": 1, "YAML": 1, "TOML": 1, "XML": 1,
        "requirements.txt": 1, "TSX": 1, "bytes or presence": 2,
    }  # fmt: skip
    assert judgment.metadata["equal_under"]["B.java"] == ("parentheses",)  # type: ignore[index, call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue, reportIndexIssue, reportOptionalSubscript]


def test_missing_different_and_extra_files_are_a_check_each(tmp_path: Path) -> None:
    """With the first differences of each file. (contract: judges:D10)"""
    wanted = {"a.py": "x = 1", "b.py": "y = 1", "c/d.txt": "one\ntwo"}
    given = {"a.py": "x = 2", "c/d.txt": "one\nTwo", "e.py": "", ".git/x": ""}

    judgment = compare(tmp_path, wanted, given)

    assert judgment.status is Status.FAIL
    assert [(check.name, str(check.location)) for check in judgment.checks] == [
        ("a.py: body.value", "a.py:1"),
        ("b.py", "b.py"),
        ("c/d.txt: line 2", "c/d.txt:2"),
        ("e.py", "e.py"),
    ]
    assert judgment.reasoning.startswith("4 of 4 files are not as in the reference: a.py: ")


def test_extra_files_are_ignored_when_told_so(tmp_path: Path) -> None:
    """And that is said. (contract: judges:D10, judges:D11)"""
    judgment = compare(tmp_path, {"a.py": ""}, {"a.py": "", "b.py": ""}, extra="ignore")

    assert judgment.passed
    assert "files that only the workspace has" in str(judgment.metadata["not_compared"])


def test_a_file_that_cannot_be_judged_makes_the_whole_an_error(tmp_path: Path) -> None:
    """Even where another one fails. (contract: judges:D10)"""
    wanted = {"a.py": "x = 1", "b.py": "x = ("}
    given = {"a.py": "x = 2", "b.py": "x = 1"}

    judgment = compare(tmp_path, wanted, given)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE
    assert [check.name for check in judgment.failed_checks] == ["a.py: body.value"]


@pytest.mark.parametrize(
    ("fallback", "status"),
    [("error", Status.ERROR), ("text", Status.FAIL), ("bytes", Status.FAIL)],
)
def test_a_language_without_a_grammar_falls_back_only_when_told(
    fallback: str, status: Status, tmp_path: Path
) -> None:
    """Where the bytes are the same nothing has to be read. (contract: judges:D4)"""
    same, other = {"a.rb": "x = 1"}, {"a.rb": "x  = 1"}

    assert compare(tmp_path / "same", same, same, fallback=fallback).passed
    assert compare(tmp_path / "other", same, other, fallback=fallback).status is status


def test_a_directory_of_the_workspace_may_be_compared(tmp_path: Path) -> None:
    """The reference then stands for that directory; what is around it does not count."""
    wanted = {"a.py": "x = 1", "b/c.json": "1"}
    given = {"out/a.py": "x=1", "out/b/c.json": "1.0", "other": ""}

    judgment = compare(tmp_path, wanted, given, path="out")

    assert judgment.passed, judgment.reasoning
    assert [check.name for check in judgment.checks] == ["out/a.py", "out/b/c.json"]


def test_what_is_excluded_is_looked_at_on_neither_side(tmp_path: Path) -> None:
    """And that is said. (contract: judges:D11)"""
    judgment = compare(
        tmp_path,
        {"a.py": "", "b.log": "1"},
        {"a.py": "", "c.log": "2", "__pycache__/x.pyc": ""},
        exclude=["*.log", "__pycache__"],
    )

    assert judgment.passed
    assert "__pycache__" in str(judgment.metadata["not_compared"])


@pytest.mark.parametrize(("required", "status"), [(True, Status.ERROR), (False, Status.ABSTAIN)])
@pytest.mark.parametrize("wanted", [{}, {".git/x": ""}])
def test_nothing_to_compare_with_is_no_pass(
    wanted: dict[str, str], required: bool, status: Status, tmp_path: Path
) -> None:
    """An empty reference says nothing of the work."""
    assert compare(tmp_path, wanted, {"a": ""}, required=required).status is status


def test_a_missing_directory_fails_for_every_file(tmp_path: Path) -> None:
    """The work was to make it. (contract: judges:D10)"""
    judgment = compare(tmp_path, {"a.py": "", "b.py": ""}, {}, path="out")

    assert judgment.status is Status.FAIL
    assert [check.message for check in judgment.checks] == ["not there", "not there"]


def test_a_link_out_of_the_workspace_is_an_error(tmp_path: Path) -> None:
    """What it leads to is not read."""
    work = write(tmp_path / "work", {"b.py": ""})
    (work / "a.py").symlink_to(tmp_path / "wanted" / "a.py")

    judgment = compare(tmp_path, {"a.py": "x = 1", "b.py": ""}, {})

    assert judgment.code is ReasonCode.OUTSIDE_WORKSPACE


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"reference": ""}, ArgumentError),
        ({"reference": 1}, ArgumentTypeError),
        ({"path": "../x"}, ArgumentError),
        ({"extra": "maybe"}, ArgumentError),
        ({"fallback": "guess"}, ArgumentError),
        ({"exclude": "x"}, ArgumentTypeError),
        ({"size_limit": 0}, ArgumentError),
    ],
)
def test_what_cannot_be_compared_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """Refused when the judge is built."""
    with pytest.raises(error):
        FileComparisonJudge(**{"reference": "r", **options})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "options",
    [
        {"line_ends": "x"},
        {"whitespace": "x"},
        {"unicode": "x"},
        {"encoding": "x"},
        {"size_limit": 0},
    ],
)
def test_unknown_words_of_a_text_comparison_are_refused(options: dict[str, object]) -> None:
    """Refused when the judge is built."""
    with pytest.raises(ArgumentError):
        TextFileJudge(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
