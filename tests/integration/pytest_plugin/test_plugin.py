from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from agent_judge import Check, Judgment, JudgmentContext, Jury, Location
from agent_judge.pytest_plugin import JudgedWarning, assert_judged
from agent_judge.testing import always, erring, failing, passing

pytestmark = pytest.mark.integration

CONTEXT = JudgmentContext(output="4")


def run_pytest(folder: Path, test: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a test file in a pytest of its own."""
    (folder / "test_it.py").write_text(test)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_run_that_passes_gives_its_verdict() -> None:
    """The verdict can be looked at further."""
    assert assert_judged(CONTEXT, Jury([passing()])).seats[0].judgment.passed
    assert assert_judged(CONTEXT, passing()).passed


def test_a_failure_shows_the_checks_that_failed() -> None:
    """The message says which judge, which check and where."""
    check = Check("has a title", False, "none found", location=Location("README.md", 1))
    judge = always(Judgment.failing("no title", checks=[check]))

    with pytest.raises(AssertionError) as failure:
        assert_judged(CONTEXT, Jury({"titled": judge, "other": passing()}))

    message = str(failure.value)
    assert "the verdict is FAIL" in message
    assert "FAIL     titled: no title" in message
    assert "- has a title at README.md:1: none found" in message
    assert "PASS     other" in message


def test_an_error_is_told_apart_from_a_failure() -> None:
    """A judge that could not judge is not said to have failed the run."""
    with pytest.raises(AssertionError, match="the verdict is ERROR"):
        assert_judged(CONTEXT, Jury([erring("no tool")]))


def test_a_soft_judge_warns() -> None:
    """With soft=True the test goes on, with a warning."""
    with pytest.warns(JudgedWarning, match="the verdict is FAIL"):
        verdict = assert_judged(CONTEXT, failing("no"), soft=True)

    assert not verdict.passed


TEST = """
from agent_judge import Judgment

def test_judged(judge_run, tmp_path):
    (tmp_path / "a.txt").write_text("x")
    def judge(context):
        there = (context.workspace / "a.txt").exists()
        return Judgment.failing("because & so") if there else Judgment.passing()
    judge_run(judge, workspace=tmp_path, output="4")

def test_other():
    pass
"""


def test_the_fixture_judges_and_records_the_reason(tmp_path: Path) -> None:
    """The status and the reason stand in the JUnit report of pytest."""
    done = run_pytest(tmp_path, TEST, "--junitxml", "junit.xml")

    root = ET.parse(tmp_path / "junit.xml").getroot()
    found = {p.get("name"): p.get("value") for p in root.iter("property")}
    assert "1 failed, 1 passed" in done.stdout
    assert found["agent_judge_status"] == "fail"
    assert found["agent_judge_reason"] == "all 1 failed"
    assert "because & so" in ET.tostring(root, encoding="unicode").replace("&amp;", "&")


def test_the_fixture_uses_the_nearest_configuration(tmp_path: Path) -> None:
    """Without a jury, the configured one judges."""
    (tmp_path / "agent-judge.toml").write_text('[[judges]]\ntype = "file_exists"\npath = "made"\n')
    (tmp_path / "made").touch()
    test = """
def test_it(judge_run):
    assert judge_run(workspace=".").seats[0].key == "FileExistsJudge"
"""

    assert run_pytest(tmp_path, test).returncode == 0


def test_it_works_in_parallel(tmp_path: Path) -> None:
    """Under xdist every worker judges its own tests."""
    assert "1 failed, 1 passed" in run_pytest(tmp_path, TEST, "-n", "2").stdout


def test_a_plugin_that_is_not_used_is_silent(tmp_path: Path) -> None:
    """No output, and nothing of the library is imported. (contract: cases:F3)"""
    test = """
import sys

def test_nothing():
    loaded = [name for name in sys.modules if name.startswith("agent_judge")]
    own = {"agent_judge", "agent_judge.lazy", "agent_judge.pytest_plugin"}
    assert set(loaded) <= own, loaded
    assert "asyncio" not in sys.modules
"""
    options = ("-p", "no:xdist", "-p", "no:anyio", "-p", "no:asyncio", "-p", "no:hypothesispytest")

    done = run_pytest(tmp_path, test, *options)

    assert done.returncode == 0, done.stdout
    assert "judge" not in done.stdout.replace("agent_judge", "").replace("agent-judge", "").lower()
