"""How verdicts on logs of test runs agree with what SWE-bench recorded.

    python benchmarks/swe_outcomes.py --data DIRECTORY [--json]

`DIRECTORY` holds `patches.jsonl`, patches of agents on SWE-bench Lite with whether each resolved
its issue, and the logs of their test runs; and reports of SWE-smith with its lists of tests. A log
is text, and no judge takes it for evidence; here it is read into the same records as a report, and
judged by the same demands. Where the lists of an instance are known (SWE-smith states them, and the
tests that pass with the reference patch stand in for them where that log is there), they decide;
else no test may fail. It ends with 1 where a run passes that was not resolved, or where a
difference is not explained.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from agent_judge.judges.files.paths import open_workspace
from agent_judge.judges.testruns.demands import Demands
from agent_judge.judges.testruns.locating import Locator
from agent_judge.judges.testruns.results import CaseResult, Outcome
from agent_judge.judges.testruns.summing import Summary
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judgment import Check, Judgment

GOLDEN: Final = "SWE-bench_Lite_golden"
"""The run of the reference patches."""

ANSI: Final = re.compile(r"\x1b\[[0-9;]*m")
PYTEST: Final = re.compile(r"(PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED) (\S+)(?: - .*)?")
VERBOSE: Final = re.compile(
    r"(\S+::\S.*) (PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED)(?: +\[ *\d+%\])?"
)
UNITTEST: Final = re.compile(
    r"(.+) \.\.\. (ok|FAIL|ERROR|skipped.*|expected failure|unexpected success)"
)
UNITTEST_FAULT: Final = re.compile(r"(FAIL|ERROR): (\w+ \([\w.]+\)).*")
SYMPY: Final = re.compile(r"(test_\w+) (ok|F|E|f|X|s|T)(?: .*)?")
OUTCOMES: Final[Mapping[str, Outcome]] = {
    **dict.fromkeys(("PASSED", "ok"), Outcome.PASSED),
    **dict.fromkeys(("FAILED", "FAIL", "F", "unexpected success"), Outcome.FAILED),
    **dict.fromkeys(("ERROR", "E", "T"), Outcome.ERRORED),
    **dict.fromkeys(("XFAIL", "expected failure", "f"), Outcome.EXPECTED_FAILURE),
    **dict.fromkeys(("XPASS", "X"), Outcome.UNEXPECTED_PASS),
    **dict.fromkeys(("SKIPPED", "skipped", "s"), Outcome.SKIPPED),
}


@dataclass(frozen=True, slots=True)
class Compared:
    """A run whose verdict was compared.

    Attributes:
        run: Whose patches these are.
        instance: The issue.
        resolved: Whether its tests passed, as it was recorded.
        passed: Whether the verdict is a pass.
        lists: Where the lists came from; empty where no test might fail.
        reason: Why the two differ, where they do.
        reasoning: What the judgment says.
    """

    run: str
    instance: str
    resolved: bool
    passed: bool
    lists: str
    reason: str
    reasoning: str

    @property
    def agrees(self) -> bool:
        """Whether the verdict is what was recorded."""
        return self.resolved == self.passed


def read_results(log: str) -> dict[str, CaseResult]:
    """The tests of a log, of pytest, unittest or sympy, by their names; the worst end counts."""
    found: dict[str, CaseResult] = {}
    for line in ANSI.sub("", log).splitlines():
        for name, word in _told(line.strip()):
            result = CaseResult(name, OUTCOMES[word])
            if name not in found or result.outcome.is_bad:
                found[name] = result
    return found


def _told(line: str) -> Iterator[tuple[str, str]]:
    """The name of a test and how it ended, where a line says so."""
    if (told := PYTEST.fullmatch(line)) or (told := UNITTEST_FAULT.fullmatch(line)):
        yield told[2], told[1]
    elif told := VERBOSE.fullmatch(line):
        yield told[1], told[2]
    elif told := UNITTEST.fullmatch(line):
        yield told[1], "skipped" if told[2].startswith("skipped") else told[2]
    elif told := SYMPY.fullmatch(line):
        yield told[1], told[2]


def judge_log(log: str, results: Iterable[CaseResult], demands: Demands, code: int) -> Judgment:
    """The judgment on the tests of a log, and on how its command ended."""
    tally = Tally(demands.wanted())
    for result in results:
        tally.add(result)
    explained = demands.has_lists and tally.failed > 0
    checks = [Check("exit code", code == 0 or explained, str(code))]
    if "Patch Apply Failed" in log:
        checks.append(Check("patch", False, "it does not apply"))
    with TemporaryDirectory() as folder, open_workspace(Path(folder)) as workspace:
        return Summary(tally, demands, None, Locator(workspace), checks).judgment("the log")


def compare_patches(data: Path) -> Iterator[Compared]:
    """Each patch whose log is there."""
    rows = [json.loads(line) for line in (data / "patches.jsonl").open(encoding="utf-8")]
    logs = [(row, _read(data / row["log"])) for row in rows if row["log"]]
    golden = {row["instance_id"]: read_results(log) for row, log in logs if row["run"] == GOLDEN}
    for row, log in logs:
        reference = golden.get(row["instance_id"]) if row["run"] != GOLDEN else None
        yield compare_patch(row, log, reference)


def compare_patch(
    row: Mapping[str, Any], log: str, golden: Mapping[str, CaseResult] | None
) -> Compared:
    """One patch, by the tests that pass with the reference patch where these are known."""
    results = read_results(log)
    names = sorted(name for name, result in (golden or {}).items() if _is_pass(result))
    demands = Demands(pass_to_pass=names)
    code = 0 if "All Tests Passed" in log else 1
    judgment = judge_log(log, results.values(), demands, code)
    reason = explain(row["resolved"], judgment, results, demands)
    return Compared(
        row["run"],
        row["instance_id"],
        resolved=row["resolved"],
        passed=judgment.passed,
        lists="reference" if names else "",
        reason=reason,
        reasoning=judgment.reasoning,
    )


def compare_smith(folder: Path) -> Compared:
    """One report of SWE-smith, by its own lists."""
    report = json.loads(_read(folder / "report.json"))
    listed = {
        kind: [name for side in sides.values() for name in side]
        for kind, sides in report["tests_status"].items()
    }
    demands = Demands(
        fail_to_pass=listed.get("FAIL_TO_PASS", []), pass_to_pass=listed.get("PASS_TO_PASS", [])
    )
    log = _read(folder / "test_output.txt")
    results = read_results(log)
    failed = any(result.outcome.is_bad for result in results.values())
    judgment = judge_log(log, results.values(), demands, int(failed))
    reason = explain(report["resolved"], judgment, results, demands)
    return Compared(
        "swesmith",
        folder.name,
        resolved=report["resolved"],
        passed=judgment.passed,
        lists="stated",
        reason=reason,
        reasoning=judgment.reasoning,
    )


def explain(
    resolved: bool, judgment: Judgment, results: Mapping[str, CaseResult], demands: Demands
) -> str:
    """Why a verdict differs from what was recorded; empty where it does not, or nobody knows."""
    if resolved == judgment.passed:
        return ""
    bad = sorted(name for name, result in results.items() if result.outcome.is_bad)
    if resolved and bad and not demands.has_lists:
        return f"resolved by lists that are not in the data; these fail: {', '.join(bad[:3])}"
    if resolved and not results:
        return "resolved by lists that are not in the data; the log names no test"
    if resolved:
        return "resolved by lists that hold fewer tests than pass with the reference patch"
    return ""


def _is_pass(result: CaseResult) -> bool:
    return result.outcome in (Outcome.PASSED, Outcome.EXPECTED_FAILURE)


def _read(file: Path) -> str:
    return file.read_text("utf-8", "replace")


def table(rows: list[Compared]) -> Iterator[str]:
    """A line a run, then one for each difference."""
    runs: defaultdict[str, list[Compared]] = defaultdict(list)
    for row in rows:
        runs[row.run].append(row)
    yield f"{'run':<28}{'logs':>6}{'agree':>7}{'share':>8}{'false passes':>14}"
    for run, its in runs.items():
        agree = sum(row.agrees for row in its)
        false = sum(row.passed and not row.resolved for row in its)
        yield f"{run:<28}{len(its):>6}{agree:>7}{agree / len(its):>8.1%}{false:>14}"
    for row in rows:
        if not row.agrees:
            recorded = "resolved" if row.resolved else "not resolved"
            yield f"{row.run} {row.instance}: {recorded}, judged {row.passed}: {row.reason or '?'}"


def main() -> int:
    """Print the table, or everything as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = list(compare_patches(arguments.data))
    smith = arguments.data / "swesmith"
    rows += [
        compare_smith(file.parent)
        for file in sorted(smith.glob("*/report.json"))
        if (file.parent / "test_output.txt").exists()
    ]
    if arguments.json:
        print(json.dumps([{**asdict(row), "agrees": row.agrees} for row in rows], indent=1))
    else:
        print("\n".join(table(rows)))
    return 0 if rows and all(row.agrees or row.reason for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
