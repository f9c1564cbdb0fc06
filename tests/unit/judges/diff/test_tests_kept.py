from __future__ import annotations

import sys

import pytest

from agent_judge import Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import ChangeBounds, GitChanges, PatchChanges, TestsKeptJudge
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import Work, said

TEST = "def test_sum():\n    assert add(1, 1) == 2\n"
WEAK = "def test_sum():\n    add(1, 1)\n"


@pytest.fixture
def tested(work: Work) -> Work:
    """A work with a test in Python."""
    return Work(work.folder, work.commit({"test_sum.py": TEST}))


def judge(work: Work, **options: object) -> TestsKeptJudge:
    """A judge of what changed since the base."""
    return TestsKeptJudge(GitChanges(work.base), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_tests_that_are_as_strong_pass(tested: Work) -> None:
    """The check says how many tests of how many files were compared."""
    tested.write({"test_sum.py": f"# why\n{TEST}", "test_new.py": TEST})

    judgment = tested.judged(judge(tested))

    assert judgment.reasoning == "1 test of 2 files as strong as before"
    assert [(check.name, check.examined) for check in judgment.checks] == [("tests", 2)]


def test_a_change_without_tests_passes_with_what_was_looked_at(tested: Work) -> None:
    """No file that changed holds any, and that is known of each."""
    tested.write({"app.py": "", "README.md": ""})

    judgment = tested.judged(judge(tested))

    assert judgment.passed
    assert judgment.reasoning == "none of 2 changed files holds tests"
    assert judgment.checks[0].examined == 2


def test_a_change_of_nothing_kept_no_test(tested: Work) -> None:
    """Where the base was moved, too, nothing was examined."""
    assert tested.judged(judge(tested)).status is Status.ABSTAIN


def test_which_files_hold_tests_can_be_said(tested: Work) -> None:
    """Then no others do."""
    tested.write({"test_sum.py": WEAK, "app.py": TEST})
    base = tested.commit()
    tested.write({"test_sum.py": "", "app.py": WEAK})

    found = said(tested.judged(judge(Work(tested.folder, base), tests=["app.py"])))

    assert [item.partition(":")[0] for item in found] == ["app.py"]


def test_files_can_be_left_out(tested: Work) -> None:
    """They are not looked at, whatever became of them."""
    tested.write({"test_sum.py": WEAK})

    assert tested.judged(judge(tested, exclude=["test_*.py"])).passed
    assert not tested.judged(judge(tested)).passed


@pytest.mark.parametrize(("expectations", "passed"), [("report", True), ("keep", False)])
def test_that_a_test_expects_something_else_is_reported(
    tested: Work, expectations: str, passed: bool
) -> None:
    """And decides where that is asked for."""
    tested.write({"test_sum.py": TEST.replace("== 2", "== 3")})

    judgment = tested.judged(judge(tested, expectations=expectations))

    message = "test_sum expects 'add(1, 1) == 3', and expected 'add(1, 1) == 2'"
    assert judgment.passed is passed
    assert [check.message for check in judgment.checks if not check.passed] == [message]


@pytest.mark.parametrize("name", ["test_sum.rb", "tests/sum.cpp", "SumTests.cs", "sum.spec.vue"])
def test_a_language_that_cannot_be_read_is_named(work: Work, name: str) -> None:
    """Its tests were not examined: neither pass nor fail."""
    base = work.commit({name: "a"})
    work.write({name: "b"})

    judgment = work.judged(judge(Work(work.folder, base)))

    assert judgment.status is Status.ABSTAIN
    assert judgment.reasoning == f"tests were not examined in {name}"
    (check,) = judgment.checks
    assert (check.passed, check.examined) == (False, 0)


def test_a_file_that_is_gone_needs_no_grammar(work: Work) -> None:
    """Deleted, or no longer where tests are looked for. (contract: cases:E3)"""
    base = work.commit({"spec/a_spec.rb": "a\nb\nc\n", "spec/b_spec.rb": "d"})
    (work.folder / "spec" / "a_spec.rb").rename(work.folder / "a.rb")
    (work.folder / "spec" / "b_spec.rb").unlink()

    found = said(work.judged(judge(Work(work.folder, base))))

    assert found == [
        "a.rb:1: the test file spec/a_spec.rb is none here",
        "spec/b_spec.rb:1: the test file was deleted",
    ]


def test_what_was_found_counts_although_not_all_was_examined(tested: Work) -> None:
    """The rest is named as not examined."""
    base = tested.commit({"test_sum.rb": "a"})
    tested.write({"test_sum.rb": "b", "test_sum.py": WEAK})

    judgment = tested.judged(judge(Work(tested.folder, base)))

    assert judgment.status is Status.FAIL
    assert [check.name for check in judgment.checks if check.advisory] == ["test_sum.rb"]


def test_a_file_that_could_not_be_parsed_before_was_not_examined(work: Work) -> None:
    """Nobody knows what its tests were."""
    base = work.commit({"test_sum.py": "def ("})
    work.write({"test_sum.py": TEST})

    judgment = work.judged(judge(Work(work.folder, base)))

    assert judgment.status is Status.ABSTAIN
    assert "could not be parsed before" in judgment.checks[0].message


def test_a_grammar_that_is_not_installed_is_an_error(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the command that installs it."""
    base = work.commit({"sum_test.go": "package a\n"})
    work.write({"sum_test.go": "package b\n"})
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)
    monkeypatch.setattr("agent_judge.extras.find_spec", lambda _name: None)
    monkeypatch.delitem(sys.modules, "tree_sitter", raising=False)

    judgment = work.judged(judge(Work(work.folder, base)))

    assert judgment.code is ReasonCode.MISSING_EXTRA
    assert "pip install 'agent-judge[compare]'" in judgment.reasoning


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_file_that_was_not_read_is_an_error(tested: Work, side: str) -> None:
    """It was too large."""
    large = TEST + "#" * 1_000
    base = tested.commit({"test_sum.py": large if side == "before" else TEST})
    tested.write({"test_sum.py": TEST if side == "before" else large})
    changes = GitChanges(base, bounds=ChangeBounds(file_bytes=500))

    judgment = tested.judged(TestsKeptJudge(changes))

    assert judgment.code is ReasonCode.TOO_LARGE


def test_source_of_absurd_size_is_not_parsed(tested: Work) -> None:
    """It is neither a pass nor a finding. (contract: judges:F7)"""
    tested.write({"test_sum.py": f"{TEST}#{'x' * 2_000_000}"})

    assert tested.judged(judge(tested)).code is ReasonCode.TOO_LARGE


def test_a_patch_is_judged_where_it_applies(tested: Work) -> None:
    """Else what the files hold is not known."""
    patch = "--- a/test_sum.py\n+++ b/test_sum.py\n@@ -1,2 +1,2 @@\n def test_sum():\n"
    patch += "-    assert add(1, 1) == 2\n+    add(1, 1)\n"
    tested.write({"fix.patch": patch})

    applies = tested.judged(TestsKeptJudge(PatchChanges("fix.patch")))
    tested.write({"test_sum.py": "x\n"})
    does_not = tested.judged(TestsKeptJudge(PatchChanges("fix.patch")))

    assert [item.partition(" has ")[0] for item in said(applies)] == ["test_sum.py:1: test_sum"]
    assert does_not.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "-" * 100_000 + "1",
        "x = " + "[" * 5_000 + "]" * 5_000,
        "if x:\n" * 3,
        "\0",
        "x = 1" + "0" * 10_000,
        "if 1:\n " + "a.b" * 1 + ".c" * 30_000,
    ],
)
def test_source_that_is_hostile_never_passes(tested: Work, text: str) -> None:
    """Whatever a parser makes of it. (contract: judges:F7)"""
    tested.write({"test_sum.py": text})

    assert tested.judged(judge(tested)).status in (Status.FAIL, Status.ERROR)


def test_source_in_another_encoding_is_read_as_python_reads_it(work: Work) -> None:
    """The file says which it is."""
    text = "# -*- coding: latin-1 -*-\ndef test_sum():\n    assert name() == 'é'\n"
    base = work.commit({"test_sum.py": text.encode("latin-1")})
    work.write({"test_sum.py": text.replace("    assert ", "    ").encode("latin-1")})

    found = said(work.judged(judge(Work(work.folder, base))))

    assert "gone is 'name() == 'é''" in found[0]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"tests": "x"}, ArgumentTypeError),
        ({"exclude": [1]}, ArgumentTypeError),
        ({"tests": ["!"]}, ArgumentError),
        ({"expectations": "x"}, ArgumentError),
        ({"empty": "x"}, ArgumentError),
    ],
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """When it is built, not when it judges."""
    with pytest.raises(error):
        TestsKeptJudge(GitChanges("main"), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
