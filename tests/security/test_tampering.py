"""Ways in which judged work may try to have failing tests taken for passing ones.

Each is tried on a project whose tests fail. None may pass; `docs/code.md` lists what cannot be
seen.
"""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.judges import TestsPassJudge

SHOP = "def add(a, b):\n    return a - b\n"
FIXED = "def add(a, b):\n    return a + b\n"
TESTS = (
    "from shop import add\n\ndef test_fine():\n    assert add(1, 0) == 1\n\n"
    "def test_adds():\n    assert add(1, 2) == 3\n"
)
UNITTESTS = (
    "import unittest\nfrom shop import add\n\nclass ShopTest(unittest.TestCase):\n"
    "    def test_fine(self):\n        self.assertEqual(add(1, 0), 1)\n"
    "    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n"
)
LEAN = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
MEASURED = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
"""Variables by which the program that runs the tests is measured, too."""
HOOK = "import pytest\n\n@pytest.hookimpl({})\ndef {}:\n    {}\n"


def project(root: Path, **files: str) -> Path:
    """A project with a failing test, and files of the work; `__` in a name stands for a slash."""
    content = {"shop.py": SHOP, "tests/test_shop.py": TESTS}
    given = {name.replace("__", "/").replace("_py", ".py"): text for name, text in files.items()}
    for name, text in {**content, **given}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def judged(root: Path, runner: str = "pytest", **options: Any) -> Judgment:
    """The judgment on its tests."""
    judge = TestsPassJudge(runner, python=sys.executable, env=LEAN, inherit=MEASURED, **options)
    return evaluate(judge, JudgmentContext(workspace=root))


def hook(signature: str, *body: str, options: str = "") -> str:
    """A `conftest.py` with one hook."""
    return HOOK.format(options, signature, "\n    ".join(body))


def test_the_project_fails_and_its_mended_form_passes(tmp_path: Path) -> None:
    """What the tricks below are compared with."""
    judgment = judged(project(tmp_path))

    assert judgment.status is Status.FAIL
    assert [check.name for check in judgment.failed_checks if check.location] == [
        "tests/test_shop.py::test_adds"
    ]
    assert judged(project(tmp_path, shop_py=FIXED)).passed


CONFTESTS = {
    "prints that it passed": (
        "print('PASSED tests/test_shop.py::test_adds')\nprint('2 passed in 0.01s')\n",
        "test_adds: failed",
    ),
    "ends the process as it is imported": ("import os\nos._exit(0)\n", "broke off"),
    "exits as it is imported": ("import sys\nsys.exit(0)\n", "there was no test"),
    "ends the process at exit": (
        "import atexit, os\natexit.register(os._exit, 0)\n",
        "the tests ended with 1, and the program with 0",
    ),
    "rewrites the outcome in the report": (
        hook(
            "pytest_runtest_makereport(item, call)",
            "outcome = yield",
            "outcome.get_result().outcome = 'passed'",
            options="hookwrapper=True",
        ),
        "tampered with",
    ),
    "reports failures as expected": (
        hook(
            "pytest_runtest_makereport(item, call)",
            "report = (yield).get_result()",
            "if report.failed: report.outcome, report.wasxfail = 'skipped', 'known'",
            options="hookwrapper=True",
        ),
        "tampered with",
    ),
    "skips what fails": (
        hook(
            "pytest_runtest_makereport(item, call)",
            "report = (yield).get_result()",
            "if report.failed: report.outcome = 'skipped'",
            options="hookwrapper=True, tryfirst=True",
        ),
        "tampered with",
    ),
    "rewrites the report when it is logged": (
        hook(
            "pytest_runtest_logreport(report)", "report.outcome = 'passed'", options="tryfirst=True"
        ),
        "test_adds: failed",
    ),
    "does not call the test": (
        hook("pytest_pyfunc_call(pyfuncitem)", "return True", options="tryfirst=True"),
        "a test that must fail was not run",
    ),
    "swallows what the test raises": (
        hook(
            "pytest_pyfunc_call(pyfuncitem)",
            "outcome = yield",
            "outcome.force_result(True)",
            options="hookwrapper=True",
        ),
        "a test that must fail was not run",
    ),
    "swallows what the call raises": (
        hook(
            "pytest_runtest_call(item)",
            "outcome = yield",
            "outcome.force_result(None)",
            options="hookwrapper=True",
        ),
        "tampered with",
    ),
    "runs the test in its own way": (
        hook(
            "pytest_runtest_protocol(item)",
            "from _pytest.reports import TestReport",
            "for when in ('setup', 'call', 'teardown'):",
            "    report = TestReport(item.nodeid, item.location, {}, 'passed', None, when)",
            "    item.ihook.pytest_runtest_logreport(report=report)",
            "return True",
        ),
        "it was not set up, called and cleaned up",
    ),
    "runs nothing": (hook("pytest_runtestloop(session)", "return True"), "tests never run"),
    "takes a test out": (
        hook("pytest_collection_modifyitems(items)", "del items[1:]"),
        "taken out without a word",
    ),
    "takes a test out of sight": (
        hook(
            "pytest_collection_modifyitems(items)",
            "del items[1:]",
            "yield",
            options="hookwrapper=True, tryfirst=True",
        ),
        "taken out without a word",
    ),
    "deselects a test": (
        hook(
            "pytest_collection_modifyitems(config, items)",
            "config.hook.pytest_deselected(items=items[1:])",
            "del items[1:]",
        ),
        "tests deselected",
    ),
    "ignores the tests": ("collect_ignore = ['tests/test_shop.py']\n", "tests ignored"),
    "ignores their folder": ("collect_ignore_glob = ['tes*']\n", "tests ignored"),
    "skips everything": (
        hook(
            "pytest_collection_modifyitems(items)",
            "for item in items: item.add_marker(pytest.mark.skip)",
        ),
        "all 2 tests were skipped",
    ),
    "expects a test to fail": (
        hook("pytest_collection_modifyitems(items)", "items[1].add_marker(pytest.mark.xfail)"),
        "marked by a hook",
    ),
    "replaces the body of a test": (
        hook(
            "pytest_collection_modifyitems(items)",
            "for item in items: item.obj = lambda: None",
        ),
        "was replaced",
    ),
    "replaces how an exception is caught": (
        (
            "from _pytest import runner\n"
            "def from_call(func, when, reraise=None):\n"
            "    try: func()\n"
            "    except BaseException: pass\n"
            "    return runner.CallInfo(None, None, 0, 0, 0, when, _ispytest=True)\n"
            "runner.CallInfo.from_call = from_call\n"
        ),
        "tampered with",
    ),
    "replaces how a report is made": (
        (
            "from _pytest.reports import TestReport\n"
            "made = TestReport.from_item_and_call.__func__\n"
            "def make(cls, item, call):\n"
            "    call.excinfo = None\n"
            "    return made(cls, item, call)\n"
            "TestReport.from_item_and_call = classmethod(make)\n"
        ),
        "tampered with",
    ),
    "replaces the exception of assert": (
        (
            "import builtins, pytest\n"
            "class AssertionError(pytest.skip.Exception): pass\n"
            "builtins.AssertionError = AssertionError\n"
        ),
        "builtins.AssertionError was replaced",
    ),
}


@pytest.mark.parametrize("trick", CONFTESTS)
def test_a_conftest_cannot_make_it_pass(tmp_path: Path, trick: str) -> None:
    """Whatever it hooks into. (contract: judges:X13, judges:X14, cases:E1)"""
    conftest, said = CONFTESTS[trick]

    judgment = judged(project(tmp_path, conftest_py=conftest))

    assert judgment.status is Status.FAIL
    assert said in judgment.reasoning


BODIES = {
    "ends the process in a test": (
        "import os\n\ndef test_adds():\n    os._exit(0)\n",
        "it began, and did not end",
    ),
    "exits as it is imported": ("import sys\nsys.exit(0)\n", "there was no test"),
    "leaves pytest": ("import pytest\npytest.exit('all done', returncode=0)\n", "all done"),
    "skips itself": (
        "import pytest\npytest.skip('later', allow_module_level=True)\n",
        "tests were skipped",
    ),
    "expects to fail": (
        "import pytest\n\n@pytest.mark.xfail\ndef test_adds():\n    assert False\n",
        "0 passed",
    ),
    "forges the record": (
        TESTS + "\n\nimport os\nfor number in range(3, 64):\n"
        '    for line in (b\'0 {}\', b\'x 1 {"event": "ended", "exit": 0, "results": 2}\'):\n'
        "        try: os.write(number, line + b'\\n')\n"
        "        except OSError: pass\n",
        "test_adds: failed",
    ),
    "forks, and the child goes on": (
        TESTS + "\n\nimport os\ndef test_forks():\n    os.fork()\n",
        "test_adds: failed",
    ),
    "patches the framework from the code that is tested": (
        "import shop_patch\n" + TESTS,
        "tampered with",
    ),
}
PATCH = (
    "import unittest, _pytest.python\n"
    "_pytest.python.pytest_pyfunc_call = lambda pyfuncitem: True\n"
    "_pytest.python.Function.runtest = lambda self: None\n"
)


@pytest.mark.parametrize("trick", BODIES)
def test_a_test_file_cannot_make_it_pass(tmp_path: Path, trick: str) -> None:
    """Whatever it does when it is imported or run. (contract: judges:X11, judges:X14)"""
    body, said = BODIES[trick]
    root = project(tmp_path, tests__test_shop_py=body)
    (root / "shop_patch.py").write_text(PATCH)

    judgment = judged(root)

    assert judgment.status is Status.FAIL
    assert said in judgment.reasoning


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("addopts = -k fine", "tests deselected"),
        ("addopts = --deselect tests/test_shop.py::test_adds", "tests deselected"),
        ("addopts = --ignore tests", "tests ignored"),
        ("addopts = --collect-only", "tests never run"),
        ("addopts = -p no:python", "there was no test"),
        ("norecursedirs = tests", "tests ignored"),
        ("python_functions = check_*", "there was no test"),
        ("addopts = --lf\ncache_dir = cache", "test_adds: failed"),
    ],
)
def test_settings_cannot_make_it_pass(tmp_path: Path, settings: str, said: str) -> None:
    """Whatever is left out is told of. (contract: judges:X11, judges:X13)"""
    root = project(tmp_path)
    (root / "pytest.ini").write_text(f"[pytest]\n{settings}\n")

    judgment = judged(root)

    assert judgment.status is Status.FAIL
    assert said in judgment.reasoning


PLANTED = "import os, sys\nsys.stdout.write('2 passed')\nos._exit(0)\n"


@pytest.mark.parametrize(
    "name",
    ["pytest.py", "_pytest/__init__.py", "pluggy.py", "sitecustomize.py", "usercustomize.py"],
)
def test_a_planted_module_is_not_run(tmp_path: Path, name: str) -> None:
    """Nothing is imported from the work before pytest itself is. (contract: judges:X13)"""
    root = project(tmp_path)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(PLANTED)

    assert "test_adds: failed" in judged(root, args=["tests/test_shop.py"]).reasoning


def test_a_planted_program_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrapper that exits with 0, on the PATH in the workspace. (contract: judges:X13)"""
    root = project(tmp_path)
    for name in ("python3", "pytest", "python"):
        (root / name).write_text("#!/bin/sh\nexit 0\n")
        (root / name).chmod(0o755)
    python = tmp_path.parent / "interpreters"
    python.mkdir()
    (python / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{root}{os.pathsep}{python}")

    judgment = evaluate(TestsPassJudge("pytest", env=LEAN), JudgmentContext(workspace=root))

    assert judgment.status is not Status.PASS
    assert judgment.metadata.get("stdout") != "2 passed"


def test_compiled_files_are_not_believed(tmp_path: Path) -> None:
    """A compiled test that states the size and time of its source. (contract: judges:X13)"""
    root = project(tmp_path)
    source = root / "tests/test_shop.py"
    status = source.stat()
    source.write_text("def test_adds(): pass\n".ljust(status.st_size, "#"))
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    compiled = Path(str(py_compile.compile(str(source))))
    tag = f"{sys.implementation.cache_tag}-pytest-{pytest.__version__}"
    compiled.with_name(f"test_shop.{tag}.pyc").write_bytes(compiled.read_bytes())
    source.write_text(TESTS)
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert "test_adds: failed" in judged(root).reasoning


def test_what_is_above_the_workspace_decides_nothing(tmp_path: Path) -> None:
    """Neither a conftest nor settings there are read. (contract: judges:X13)"""
    (tmp_path / "conftest.py").write_text("import os\nos._exit(0)\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    (tmp_path / "work").mkdir()

    assert "test_adds: failed" in judged(project(tmp_path / "work")).reasoning


def test_variables_of_the_judge_decide_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options of pytest and paths of Python are not inherited. (contract: judges:X13)"""
    root = project(tmp_path)
    (root / ".env").write_text("PYTEST_ADDOPTS=--collect-only\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    monkeypatch.setenv("PYTHONPATH", str(root))
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")

    assert "test_adds: failed" in judged(root).reasoning


@pytest.mark.parametrize(
    "patch",
    [
        "unittest.TestCase.assertEqual = lambda *values: None\n",
        "unittest.TestCase.run = lambda self, result=None: result\n",
        "unittest.case._Outcome.testPartExecutor = None\n",
        "unittest.TestResult.addFailure = lambda *values: None\n",
    ],
)
def test_unittest_cannot_be_patched(tmp_path: Path, patch: str) -> None:
    """Neither its assertions nor what counts its failures. (contract: judges:X14)"""
    root = project(tmp_path, tests__test_shop_py=f"import unittest\n{patch}{UNITTESTS}")
    (root / "tests/__init__.py").touch()

    judgment = judged(root, "unittest")

    assert judgment.status is not Status.PASS


def test_tests_that_were_edited_are_put_back(tmp_path: Path) -> None:
    """The verdict is that of the tests as they were; the workspace stays as it is.

    (contract: judges:X13, cases:E3)
    """
    before, after = project(tmp_path / "before"), project(tmp_path / "after")
    (after / "tests/test_shop.py").write_text("def test_adds():\n    pass\n")
    (after / "tests/conftest.py").write_text("import os\nos._exit(0)\n")

    judgment = judged(after, pristine=["tests"], reference=before)

    assert judgment.status is Status.FAIL
    assert "test_adds: failed" in judgment.reasoning
    told = {check.name: check.message for check in judgment.checks if "touched" in check.name}
    assert "put back" in told["touched tests/test_shop.py"]
    assert "added" in told["touched tests/conftest.py"]
    assert (after / "tests/test_shop.py").read_text() == "def test_adds():\n    pass\n"


def test_tests_that_were_deleted_are_put_back(tmp_path: Path) -> None:
    """From a revision of git, whatever the work did. (contract: judges:X13, cases:E3)"""
    root = project(tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "tests"]):
        subprocess.run([*git, *command], cwd=root, check=True)
    (root / "tests/test_shop.py").unlink()
    (root / "tests").rmdir()
    (root / "tests").symlink_to("/tmp")

    judgment = judged(root, pristine=["tests/**"], revision="HEAD")

    assert "test_adds: failed" in judgment.reasoning


def test_nothing_to_put_back_is_an_error(tmp_path: Path) -> None:
    """A pattern that is mistyped would leave the tests of the work. (contract: judges:X13)"""
    before, after = project(tmp_path / "before"), project(tmp_path / "after")

    judgment = judged(after, pristine=["test"], reference=before)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.MISSING_INPUT)


def test_a_protected_file_must_not_be_touched(tmp_path: Path) -> None:
    """Even where all tests pass. (contract: judges:X13)"""
    before = project(tmp_path / "before", shop_py=FIXED, ci_yml="tests: all\n")
    after = project(tmp_path / "after", shop_py=FIXED, ci_yml="tests: none\n")

    judgment = judged(after, protected=["ci_yml"], reference=before)

    assert judgment.status is Status.FAIL
    assert "touched ci_yml: changed" in judgment.reasoning


def test_what_decides_about_the_work_is_told_of(tmp_path: Path) -> None:
    """Where nothing is protected, a pass tells of it. (contract: judges:X13)"""
    before = project(tmp_path / "before", shop_py=FIXED)
    after = project(tmp_path / "after", shop_py=FIXED, conftest_py="", tests__test_new_py="")
    (after / "poetry.lock").touch()
    (after / "hooks.pth").touch()

    judgment = judged(after, reference=before)

    assert judgment.passed
    told = {check.name: check.message for check in judgment.checks if "touched" in check.name}
    assert {name: message.rpartition("about ")[2] for name, message in told.items()} == {
        "touched conftest.py": "how tests are run",
        "touched hooks.pth": "the interpreter",
        "touched poetry.lock": "locked dependencies",
        "touched tests/test_new.py": "tests",
    }


REPORT = '<testsuite><testcase name="adds"/></testsuite>'
FAILED = '<testsuite><testcase name="adds"><failure/></testcase></testsuite>'


def run_command(root: Path, script: str, **options: Any) -> Judgment:
    """The judgment on a command of the shell that writes a report."""
    judge = TestsPassJudge(command=["sh", "-c", script], **options)
    return evaluate(judge, JudgmentContext(workspace=root))


def test_a_report_that_was_there_is_stale(tmp_path: Path) -> None:
    """Also one whose time lies in the future. (contract: judges:X12, cases:E7)"""
    report = tmp_path / "junit.xml"
    report.write_text(REPORT)
    os.utime(report, (4e9, 4e9))

    judgment = run_command(tmp_path, "exit 0", report="junit.xml")

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.STALE_EVIDENCE)


def test_a_report_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """Whether it leads out of the workspace or not. (contract: judges:X12)"""
    (tmp_path / "forged.xml").write_text(REPORT)

    judgment = run_command(tmp_path, "ln -s forged.xml junit.xml", report="junit.xml")

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.MALFORMED_EVIDENCE)


def test_a_link_in_place_of_the_report_is_refused(tmp_path: Path) -> None:
    """The new file outside of the workspace is no place for one either. (contract: judges:X12)"""
    (tmp_path / "forged.xml").write_text(REPORT)

    judgment = run_command(tmp_path, f"ln -s {tmp_path}/forged.xml {{report}}")

    assert judgment.status is Status.ERROR


def test_text_is_no_report(tmp_path: Path) -> None:
    """A command that says it passed has not told of a test. (contract: judges:X14, cases:E1)"""
    judgment = run_command(tmp_path, "echo PASSED test_adds; echo 2 passed", report="junit.xml")

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.MISSING_INPUT)


def test_a_report_of_passes_does_not_excuse_the_exit_code(tmp_path: Path) -> None:
    """Nor an exit code of 0 a report of failures. (contract: judges:X10)"""
    assert run_command(tmp_path, f"echo '{REPORT}' > {{report}}").passed
    assert not run_command(tmp_path, f"echo '{REPORT}' > {{report}}; exit 1").passed
    assert not run_command(tmp_path, f"echo '{FAILED}' > {{report}}").passed


def test_a_child_that_rewrites_the_report_is_dead_before_it_can(tmp_path: Path) -> None:
    """Nothing of a command is left when its report is read. (contract: judges:X12)"""
    script = (
        f"echo '{FAILED}' > {{report}}; "
        f"(setsid sh -c 'sleep 0.2; echo \"$0\" > \"$1\"' '{REPORT}' {{report}} &) ; exit 0"
    )

    assert run_command(tmp_path, script).status is Status.FAIL


def test_a_run_that_is_late_is_an_error_whatever_is_left(tmp_path: Path) -> None:
    """An old report does not speak for it. (contract: judges:X12, cases:E7)"""
    (tmp_path / "junit.xml").write_text(REPORT)

    judgment = run_command(tmp_path, "sleep 30", report="junit.xml", timeout=0.2)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.TIMEOUT)


def test_a_runner_that_was_edited_is_put_back(tmp_path: Path) -> None:
    """The script that verifies the work is that of before. (contract: judges:X13, cases:E3)"""
    before, after = tmp_path / "before", tmp_path / "after"
    for root, content in ((before, FAILED), (after, REPORT)):
        root.mkdir()
        (root / "verify.sh").write_text(f"echo '{content}' > \"$1\"\n")

    judge = TestsPassJudge(
        command=["sh", "verify.sh", "{report}"], pristine=["verify.sh"], reference=before
    )
    judgment = evaluate(judge, JudgmentContext(workspace=after))

    assert judgment.status is Status.FAIL
    assert judgment.metadata["failed"] == 1


def test_bytes_that_are_no_text_are_no_trouble(tmp_path: Path) -> None:
    """A test may print anything. (contract: cases:E5)"""
    script = f"printf '\\377\\376\\000'; echo '{REPORT}' > {{report}}"

    assert run_command(tmp_path, script).passed
