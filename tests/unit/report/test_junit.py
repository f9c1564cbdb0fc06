from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree  # type: ignore[import-untyped]

import strategies
from agent_judge import (
    CascadedJury,
    Check,
    ErrorPolicy,
    Judgment,
    JudgmentContext,
    Jury,
    Location,
    Majority,
    MetaJury,
    Tier,
    TierPolicy,
    Verdict,
)
from agent_judge.report import Case, Report, as_junit
from agent_judge.testing import abstaining, always, erring, failing, not_applicable, passing

RUN = JudgmentContext()
SCHEMA = etree.XMLSchema(file=str(Path(__file__).with_name("junit.xsd")))
TITLE = Check("title", False, "none", location=Location("a.md", 3))


def suites(verdict: Verdict, case: str = "case") -> dict[str, Any]:
    """The suites of a report on one case, valid, by their names."""
    text = as_junit(Report((Case(case, verdict),)))
    SCHEMA.assertValid(etree.fromstring(text.encode()))
    root = ET.fromstring(text)
    return {str(suite.get("name")): suite for suite in root}


def outcomes(suite: Any) -> dict[str, str]:
    """What came of each test of a suite."""
    return {test.get("name"): test[0].tag if len(test) else "passed" for test in suite}


def last(*judges: Any) -> Tier:
    """A final tier."""
    return Tier("last", judges, TierPolicy.FINAL_TIER)


def test_every_status_has_its_element() -> None:
    """A broken judge is an error, not a failure. (contract: edges:S7)"""
    judges = [passing(), failing(), erring(), abstaining(), not_applicable()]

    assert outcomes(suites(Jury(judges).vote(RUN))["case"]) == {
        "verdict": "error",
        "pass": "passed",
        "fail": "failure",
        "error": "error",
        "abstain": "skipped",
        "not_applicable": "skipped",
    }


def test_seats_that_did_not_decide_are_no_failures() -> None:
    """A verdict that passed leaves the job green, and says what was found. (contract: edges:S7)"""
    ignoring = Majority(on_error=ErrorPolicy.IGNORE)
    verdict = Jury([passing(), passing(), failing("outvoted"), erring("broken")], ignoring)

    suite = suites(verdict.vote(RUN))["case"]

    assert sorted(outcomes(suite).values()) == ["passed"] * 3 + ["skipped"] * 2
    messages = [test.find("skipped").get("message") for test in suite if len(test)]
    assert messages == ["fail: outvoted", "error: broken"]


def test_every_stage_has_a_suite() -> None:
    """Its tests are its seats; a stage that was not reached is one itself. (contract: edges:S7)"""
    inner = CascadedJury([Tier("a/b", [failing("no", name="x")]), last(passing())])
    verdict = MetaJury({"m": inner, "n": Jury([passing(name="y")])}).vote(RUN)

    found = suites(verdict)

    assert list(found) == ["case", "case/m/a~1b", "case/n"]
    assert outcomes(found["case"]) == {"verdict": "failure", "m/last": "skipped"}
    assert outcomes(found["case/m/a~1b"]) == {"x": "failure"}
    assert outcomes(found["case/n"]) == {"y": "passed"}


def test_a_crashed_stage_is_an_error() -> None:
    """Its message, which may hold secrets, is not there. (contract: edges:S7, core:R25)"""
    verdict = CascadedJury([Tier("a", Crashing()), last(failing())]).vote(RUN)

    suite = suites(verdict)["case"]

    assert outcomes(suite) == {"verdict": "failure", "a": "error"}
    assert "secret" not in ET.tostring(suite, "unicode")


class Crashing:
    """A stage that gives no verdict."""

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Crash."""
        raise ValueError("secret")


def test_a_failure_lists_what_failed_and_where() -> None:
    """Reason and failed checks stand in the element. (contract: edges:S7)"""
    suite = suites(Jury([always(Judgment.failing("two faults", checks=[TITLE]))]).vote(RUN))["case"]

    assert suite[1][0].text == "two faults\na.md:3: title: none"
    assert suite[1][0].get("type") == "fail"


def test_a_long_reason_is_whole_in_the_element() -> None:
    """The attribute holds its beginning. (contract: edges:S7)"""
    fault = suites(Jury([always(Judgment.failing("x" * 2**20))]).vote(RUN))["case"][1][0]

    assert fault.text == "x" * 2**20
    assert len(fault.get("message")) < 1_000


HOSTILE = [
    "\x00\x1b[2J",
    "]]><x/>",
    "&lt;\"'<!--",
    "\ud7ff\ue000\ufffe\uffff",
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}",
    "a\r\nb\tc",
    " ",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    """What XML cannot carry is replaced, and nothing becomes markup. (contract: edges:S7)"""
    check = Check(f"c{text}", False, text)
    verdict = Jury([always(Judgment.failing(text, checks=[check]))]).vote(RUN)

    (suite,) = suites(verdict, case=f"x{text}").values()

    assert len(suite) == 2
    assert [child.tag for child in suite[1]] == ["failure"]
    if text.isprintable() or "\r" in text:
        assert suite[1][0].text.startswith(text)
        assert suite[1][0].get("message") == f"fail: {text}"


@given(strategies.verdicts, st.text(st.characters(), min_size=1).filter(str.strip))
def test_every_verdict_is_valid_with_all_its_seats(verdict: Verdict, case: str) -> None:
    """Whatever juries judged, and whatever they said. (contract: edges:S7)"""
    found = suites(verdict, case)

    seats = sum(1 for _ in verdict.all_seats())
    stages = sum(attempt.verdict is None for _, attempt in verdict.stages())
    assert sum(len(suite) for suite in found.values()) == 1 + seats + stages


@given(strategies.verdicts)
def test_totals_are_those_of_the_tests(verdict: Verdict) -> None:
    """A suite counts its tests, and the report its suites. (contract: edges:S7)"""
    root = ET.fromstring(as_junit(Report((Case("a", verdict), Case("b", verdict)))))
    for element in [root, *root]:
        tests = list(element.iter("testcase"))
        assert element.get("tests") == str(len(tests))
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert element.get(name) == str(sum(test.find(tag) is not None for test in tests))


def test_a_reason_of_any_character_is_carried() -> None:
    """Every character there is, but surrogates, which no judgment holds. (contract: edges:S7)"""
    everything = "".join(
        chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000
    )

    fault = suites(Jury([always(Judgment.failing(everything))]).vote(RUN))["case"][1][0]

    assert len(fault.text) == len(everything)
