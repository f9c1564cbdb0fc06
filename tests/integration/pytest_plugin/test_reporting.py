from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.integration

HOSTILE = """
from agent_judge import Judgment

def test_it(judge_run):
    judge_run(lambda context: Judgment.failing("\\x1b[31m \\U0001f600 \\x00 \\ufffe"), soft=True)
"""

NAMED = """
[juries.smoke]
judges = [{ type = "status" }]

[juries.full]
judges = [{ type = "tokens", max_total = 1 }]
"""


@pytest.fixture(autouse=True)
def quiet_folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the inner pytest from this one's options."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\n")


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_no_text_of_a_judge_breaks_the_report(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """What XML or a terminal cannot carry passes neither through xdist nor into the report."""
    pytester.makepyfile(HOSTILE)

    done = pytester.runpytest_subprocess("--junitxml", "junit.xml", *workers)

    done.assert_outcomes(passed=1)
    properties = ET.parse(pytester.path / "junit.xml").getroot().iter("property")
    assert "JudgedWarning: the verdict is FAIL" in done.stdout.str()
    assert "\x1b" not in done.stdout.str()
    assert [p.get("value") for p in properties] == ["fail", "all 1 failed"]


def test_a_configured_jury_is_asked_by_its_name(pytester: pytest.Pytester) -> None:
    """The configuration nearest to the test's file has it."""
    pytester.makefile(".toml", **{"agent-judge": NAMED})
    pytester.makepyfile(
        """
        from agent_judge import ExecutionStatus

        def test_smoke(judge_run):
            assert judge_run("smoke", status=ExecutionStatus.SUCCESS).name == "smoke"

        def test_full(judge_run):
            judge_run("full", status=ExecutionStatus.SUCCESS)

        def test_none(judge_run):
            judge_run("ful")
        """
    )

    done = pytester.runpytest_subprocess()

    done.assert_outcomes(passed=1, failed=2)
    done.stdout.fnmatch_lines(["*the verdict is ABSTAIN*", "*did you mean 'full'*"])


def test_the_message_is_short(pytester: pytest.Pytester) -> None:
    """The frames of the plugin are left out: the test's own line and the verdict stand there."""
    pytester.makepyfile(
        """
        from agent_judge import Judgment, JudgmentContext
        from agent_judge.pytest_plugin import assert_judged

        def test_it():
            assert_judged(JudgmentContext(), lambda context: Judgment.failing("too long"))
        """
    )

    done = pytester.runpytest_subprocess()

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E *the verdict is FAIL: all 1 failed", "E *FAIL*too long"])
    assert "pytest_plugin.py" not in done.stdout.str().split("short test summary")[0]


def test_a_judge_that_ends_the_program_fails_its_test(pytester: pytest.Pytester) -> None:
    """And the tests after it still run."""
    pytester.makepyfile(
        """
        import sys

        def test_it(judge_run):
            judge_run(lambda context: sys.exit(0))

        def test_other():
            pass
        """
    )

    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)


def test_the_fixture_is_documented(pytester: pytest.Pytester) -> None:
    """Among those that pytest lists."""
    done = pytester.runpytest_subprocess("--fixtures", "-q")

    done.stdout.fnmatch_lines(["judge_run*", "    Judge a run, and record the verdict*"])
