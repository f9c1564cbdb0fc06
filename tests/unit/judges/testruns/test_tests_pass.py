from __future__ import annotations

import json
import shutil
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, Jury, Location, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import TestsPassJudge
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.process.build_tools import Project
from agent_judge.judges.testruns.runners import BY_NAME, only_runner

LEAN = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
MEASURED = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
"""Variables by which the program that runs the tests is measured, too."""
TESTS = """import unittest
import pytest

def test_fine():
    print("PASSED test_bad")

def test_bad():
    assert 1 == 2

@pytest.mark.parametrize("number", [1, 2])
def test_numbers(number):
    assert number

@pytest.mark.skip(reason="later")
def test_later(): ...

@pytest.fixture
def broken():
    raise RuntimeError("no database")

def test_broken(broken): ...

class CaseTest(unittest.TestCase):
    def test_parts(self):
        for part in range(2):
            with self.subTest(part=part):
                self.assertEqual(part, 0)

    @unittest.expectedFailure
    def test_known(self):
        self.fail()
"""
FINE = "def test_one(): ...\ndef test_two(): ...\n"


def judged(root: Path, *runner: str, **options: Any) -> Judgment:
    """The judgment on the tests of a workspace."""
    usual = {"python": sys.executable, "env": LEAN, "inherit": MEASURED}
    judge = TestsPassJudge(*runner, **{**usual, **options})
    return evaluate(judge, JudgmentContext(workspace=root))


def write(root: Path, name: str, text: str) -> Path:
    """Write a file, and give the workspace."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
    return root


def test_pytest_is_run_and_told_of_test_by_test(tmp_path: Path) -> None:
    """Each failure has its message and its place. (contract: judges:X10, judges:X14)"""
    judgment = judged(write(tmp_path, "tests/test_a.py", TESTS), "pytest")

    assert judgment.status is Status.FAIL
    told = {check.name.rpartition("::")[2]: check for check in judgment.failed_checks}
    assert told["test_bad"].message == "failed: assert 1 == 2"
    assert told["test_bad"].location == Location("tests/test_a.py", 8)
    assert told["test_broken"].message == "errored: RuntimeError: no database"
    assert "test_parts" in told
    assert judgment.metadata["skipped"] == 1
    assert judgment.metadata["expected_failure"] == 1
    assert judgment.metadata["watched"] is True


def test_unittest_is_run_and_told_of_test_by_test(tmp_path: Path) -> None:
    """The parts of a test that failed are told of. (contract: judges:X10)"""
    judgment = judged(write(tmp_path, "test_a.py", TESTS), "unittest")

    assert judgment.status is Status.FAIL
    names = [check.name for check in judgment.failed_checks if check.location]
    assert names == ["test_a.CaseTest::test_parts (part=1)"]
    assert judgment.metadata["expected_failure"] == 1


def test_a_run_of_passes_passes(tmp_path: Path) -> None:
    """The exit code, the record and the tests agree. (contract: judges:X10)"""
    judgment = judged(write(tmp_path, "test_a.py", FINE))

    assert judgment.passed
    assert judgment.reasoning == "pytest: 2 passed"
    assert {check.name for check in judgment.checks} >= {"tests ran", "exit code", "end of the run"}


def test_a_run_leaves_nothing_in_the_workspace(tmp_path: Path) -> None:
    """No cache, no compiled file."""
    judged(write(tmp_path, "test_a.py", FINE))

    assert [path.name for path in tmp_path.rglob("*")] == ["test_a.py"]


@pytest.mark.parametrize(
    ("options", "passes"),
    [
        ({"expected": ["test_a.py::test_one"]}, True),
        ({"expected": ["test_a.py::test_three"]}, False),
        ({"baseline": 2}, True),
        ({"baseline": 3}, False),
        ({"pass_to_pass": ["test_a.py::test_one"], "args": ["-k", "one"]}, True),
        ({"args": ["-k", "one"]}, False),
        ({"args": ["-k", "one"], "left_out": "report"}, True),
        ({"args": ["test_a.py::test_one"]}, True),
    ],
)
def test_what_is_demanded_decides(tmp_path: Path, options: dict[str, Any], passes: bool) -> None:
    """Named tests, a number of tests, or nothing left out. (contract: judges:X10, judges:X11)"""
    assert judged(write(tmp_path, "test_a.py", FINE), **options).passed is passes


def test_listed_tests_alone_decide(tmp_path: Path) -> None:
    """Others may fail, and the exit code with them. (contract: judges:X10)"""
    root = write(tmp_path, "test_a.py", FINE + "def test_bad(): assert 0\n")

    assert judged(root, fail_to_pass=["test_a.py::test_one"]).passed
    assert not judged(root, fail_to_pass=["test_a.py::test_bad"]).passed


def test_a_module_that_cannot_be_imported_fails(tmp_path: Path) -> None:
    """Its tests did not run. (contract: judges:X11)"""
    judgment = judged(write(tmp_path, "test_a.py", "import no_such_module\n"))

    assert judgment.status is Status.FAIL
    assert "no_such_module" in judgment.reasoning


def test_code_beside_the_tests_can_be_imported(tmp_path: Path) -> None:
    """The folder of the run comes first, as with `python -m pytest`, then PYTHONPATH."""
    write(tmp_path, "shop.py", "PRICE = 3\n")
    write(tmp_path, "src/money.py", "CENT = 1\n")
    tests = (
        "from shop import PRICE\nfrom money import CENT\ndef test_price(): assert PRICE > CENT\n"
    )
    write(tmp_path, "tests/test_shop.py", tests)

    assert judged(tmp_path, env={**LEAN, "PYTHONPATH": str(tmp_path / "src")}).passed


def test_a_folder_of_the_workspace_can_be_run(tmp_path: Path) -> None:
    """Places are told from the workspace."""
    root = write(tmp_path, "app/test_a.py", "def test_bad(): assert 0\n")

    judgment = judged(root, cwd="app")

    assert judgment.failed_checks[-1].location == Location("app/test_a.py", 1)


def test_two_judges_of_a_vote_share_a_run(tmp_path: Path) -> None:
    """Whatever each demands of it. (contract: judges:X16)"""
    write(tmp_path, "test_a.py", "def test_one(): open('runs', 'a').write('x')\n")
    options: dict[str, Any] = {"python": sys.executable, "env": LEAN}
    judges = [TestsPassJudge("pytest", **options), TestsPassJudge("pytest", baseline=2, **options)]

    verdict = Jury(judges).vote(JudgmentContext(workspace=tmp_path))

    assert [seat.judgment.status for seat in verdict.seats] == [Status.PASS, Status.FAIL]
    assert (tmp_path / "runs").read_text() == "x"


def test_an_interpreter_without_pytest_is_an_error(tmp_path: Path) -> None:
    """It says how to name another one."""
    venv.create(tmp_path / "bare", with_pip=False)
    root = write(tmp_path / "work", "test_a.py", FINE)

    judgment = judged(root, "pytest", python=str(tmp_path / "bare/bin/python"))

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.COMMAND_NOT_FOUND)
    assert "python=" in judgment.reasoning


def test_a_missing_interpreter_is_an_error(tmp_path: Path) -> None:
    """Nothing is known of the tests."""
    root = write(tmp_path, "test_a.py", FINE)

    assert judged(root, python="no-such-python").code is ReasonCode.COMMAND_NOT_FOUND


def test_a_late_run_names_the_test_that_ran(tmp_path: Path) -> None:
    """The deadline is an error, never a finding. (contract: cases:E7)"""
    tests = "import signal, unittest\nclass HangTest(unittest.TestCase):\n"
    root = write(tmp_path, "test_a.py", tests + "    def test_hangs(self): signal.pause()\n")

    judgment = judged(root, "unittest", timeout=4)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.TIMEOUT)
    assert "during test_a.HangTest.test_hangs" in judgment.reasoning


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_another_tool_is_run_and_its_report_read(tmp_path: Path) -> None:
    """Node's own tests, by their JUnit XML. (contract: judges:X10)"""
    tests = "const test = require('node:test');\ntest('adds', () => {});\n"
    write(tmp_path, "test/a.test.js", tests + "test('pays', () => { throw new Error('x'); });\n")
    write(tmp_path, "package.json", json.dumps({"scripts": {"test": "node --test"}}))

    judgment = judged(tmp_path)

    assert judgment.status is Status.FAIL
    assert judgment.metadata["passed"] == judgment.metadata["failed"] == 1
    assert judged(tmp_path, fail_to_pass=["adds"]).passed


def test_a_stream_on_the_standard_output_is_read(tmp_path: Path) -> None:
    """TAP, by a command of one's own. (contract: judges:X10)"""
    command = ["printf", "1..2\\nok 1 a\\nnot ok 2 b\\n"]

    judgment = judged(tmp_path, command=command, report="-")

    assert (judgment.metadata["passed"], judgment.metadata["failed"]) == (1, 1)


def test_a_folder_of_reports_is_read(tmp_path: Path) -> None:
    """Some tools write one for each module. (contract: judges:X10)"""
    report = '<testsuite><testcase name="a"/></testsuite>'
    script = f"echo '{report}' > {{reports}}/a.xml; echo '{report}' > {{reports}}/b.xml"

    assert judged(tmp_path, command=["sh", "-c", script]).metadata["passed"] == 2


def test_old_reports_beside_new_ones_are_not_read(tmp_path: Path) -> None:
    """They are told of. (contract: judges:X12)"""
    write(tmp_path, "out/old.xml", "<testsuite><testcase><failure/></testcase></testsuite>")
    report = '<testsuite><testcase name="a"/></testsuite>'

    judgment = judged(
        tmp_path, command=["sh", "-c", f"echo '{report}' > out/new.xml"], report="out/*.xml"
    )

    assert judgment.passed
    assert "old reports" in {check.name for check in judgment.checks}


@pytest.mark.parametrize(
    ("files", "runner"),
    [
        ({"pytest.ini": ""}, "pytest"),
        ({"tests/test_a.py": ""}, "pytest"),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, "pytest"),
        ({"go.mod": ""}, "go"),
        ({"Cargo.toml": ""}, "cargo-nextest"),
        ({"pom.xml": ""}, "maven"),
        ({"build.gradle.kts": ""}, "gradle"),
        ({"package.json": '{"devDependencies": {"jest": "29"}}'}, "jest"),
        ({"package.json": '{"devDependencies": {"vitest": "3"}}'}, "vitest"),
        ({"package.json": '{"dependencies": {"mocha": "11"}}'}, "mocha"),
        ({"package.json": '{"scripts": {"test": "node --test test/"}}'}, "node"),
        ({"a.csproj": ""}, "dotnet"),
        ({".rspec": ""}, "rspec"),
        ({"phpunit.xml.dist": ""}, "phpunit"),
        ({"pubspec.yaml": ""}, "dart"),
    ],
)
def test_a_runner_is_told_by_the_files(tmp_path: Path, files: dict[str, str], runner: str) -> None:
    """Each that is supported, but for those that have to be named. (contract: judges:X10)"""
    for name, text in files.items():
        write(tmp_path, name, text)

    with open_workspace(tmp_path) as workspace:
        assert only_runner(Project(workspace)).name == runner


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (["go.mod", "pom.xml"], ReasonCode.AMBIGUOUS_BUILD),
        (["README.md"], ReasonCode.NO_BUILD_FOUND),
        (["package.json"], ReasonCode.NO_BUILD_FOUND),
    ],
)
def test_a_runner_that_cannot_be_told_is_an_error(
    tmp_path: Path, files: list[str], code: ReasonCode
) -> None:
    """It is not guessed."""
    for name in files:
        write(tmp_path, name, "{}")

    with open_workspace(tmp_path) as workspace, pytest.raises(WorkspaceError) as raised:
        only_runner(Project(workspace))

    assert raised.value.code is code


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"runner": "no such"}, ArgumentError),
        ({"runner": "pytest", "command": "true {report}"}, ArgumentError),
        ({"command": "true"}, ArgumentError),
        ({"runner": "pytest", "report": "a.xml"}, ArgumentError),
        ({"command": "true", "report": "../a.xml"}, ArgumentError),
        ({"pristine": ["tests"]}, ArgumentError),
        ({"protected": ["tests"]}, ArgumentError),
        ({"revision": "HEAD", "reference": "."}, ArgumentError),
        ({"repository": "."}, ArgumentError),
        ({"revision": "-x"}, ArgumentError),
        ({"left_out": "ignore"}, ArgumentError),
        ({"format": "html"}, ArgumentError),
        ({"args": "-k x"}, ArgumentTypeError),
        ({"python": 3}, ArgumentTypeError),
        ({"isolation": "none at all"}, ArgumentError),
        ({"timeout": 0}, ArgumentError),
    ],
)
def test_what_cannot_be_run_is_refused(options: dict[str, Any], error: type[Exception]) -> None:
    """Before anything is."""
    with pytest.raises(error):
        TestsPassJudge(**options)


def test_each_runner_can_be_named() -> None:
    """And knows where its report is."""
    for name, runner in BY_NAME.items():
        TestsPassJudge(name)
        places = " ".join(runner.command)
        assert runner.observed or runner.report or "{report" in places


def test_a_tool_of_the_workspace_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs only where there is no other, since the work may have changed it."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    report = json.dumps(
        {
            "numTotalTests": 1,
            "testResults": [{"assertionResults": [{"title": "a", "status": "passed"}]}],
        }
    )
    script = (
        "#!/bin/sh\nfor word; do case $word in\n"
        f"--outputFile=*) echo '{report}' > ${{word#*=}};;\nesac; done\n"
    )
    write(tmp_path, "node_modules/.bin/vitest", script)
    (tmp_path / "node_modules/.bin/vitest").chmod(0o755)

    judgment = judged(tmp_path, "vitest")

    assert judgment.passed, judgment.reasoning
    (told,) = [check for check in judgment.checks if check.name == "tool outside of the work"]
    assert told.advisory


def test_an_interpreter_of_the_workspace_is_told_of(tmp_path: Path) -> None:
    """Where it is named, it is taken."""
    root = write(
        tmp_path,
        "test_a.py",
        "import unittest\nclass A(unittest.TestCase):\n def test_a(self): ...\n",
    )
    venv.create(root / ".venv", with_pip=False)

    judgment = judged(root, "unittest", python=".venv/bin/python")

    assert judgment.passed, judgment.reasoning
    assert "tool outside of the work" in {check.name for check in judgment.checks}


@pytest.mark.parametrize(
    "body",
    [
        "import os\nos.closerange(3, 256)\n",
        "import sys\nsys.stdout.close()\n",
        "import shutil, os\nshutil.rmtree(os.getcwd())\n",
        "import threading\nthreading.excepthook = None\nraise RuntimeError('\\ud800')\n",
        "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd\n",
    ],
)
def test_what_breaks_the_run_is_no_pass(tmp_path: Path, body: str) -> None:
    """Whatever a test takes away from the program that runs it."""
    test = "def test_breaks():\n    " + body.replace("\n", "\n    ")
    judgment = judged(write(tmp_path, "test_a.py", f"{test}\n\ndef test_then(): assert 0\n"))

    assert judgment.status in (Status.FAIL, Status.ERROR)
