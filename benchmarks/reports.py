"""How the reports of real tools are read.

    python benchmarks/reports.py --data DIRECTORY [--json]

`DIRECTORY` holds reports of real tools, a folder a format, as in `junit_xml/*.xml`. Each report of
a format that is known is read, or refused with a reason. Where another project asserts in its own
tests what a report holds, the counts are compared: those in `ASSERTED`, and `gold` of a
`MANIFEST.jsonl` in the directory, if there is one. Beside that, the totals that a coverage report
states itself are compared with what it lists; of a report that was shortened to make a test of it,
they differ. It ends with 1 where asserted counts differ.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from agent_judge.judges.coverage.formats import read_coverage
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.findings.formats import read_findings
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judges.testruns.results import Outcome
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judges.testruns.wanted import Wanted

Counted: TypeAlias = Mapping[str, int]
"""What was counted in a report, by name."""

COUNTED: Final = ("tests", "failures", "errors", "skipped")


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one report.

    Attributes:
        report: Its folder and name.
        counts: What was counted in it; empty where it was refused.
        refused: Why it was refused.
        asserted: What another project says is in it, if it does.
        agrees: Whether that is what was counted.
    """

    report: str
    counts: Counted
    refused: str = ""
    asserted: Counted | None = None
    agrees: bool = True


def count_tests(file: ReportFile, format: str | None = None) -> Counted:  # noqa: A002 - the word
    """The tests of a report, by how they ended; what it declares where it lists none."""
    tally = Tally(Wanted([]))
    tally.read(file, format)
    if not tally.total and tally.declared.tests:
        return {name: number or 0 for name, number in tally.declared._asdict().items()}
    counts = tally.counts
    skipped = counts[Outcome.SKIPPED] + counts[Outcome.EXPECTED_FAILURE]
    failed, errored = counts[Outcome.FAILED], counts[Outcome.ERRORED]
    return dict(zip(COUNTED, (tally.total, failed, errored, skipped), strict=True))


def count_coverage(file: ReportFile) -> Counted:
    """What a coverage report lists, and what it states as its totals, where it does."""
    report = read_coverage(file)
    counts: dict[str, int] = {}
    for metric in ("lines", "branches", "statements"):
        counted, declared = report.counts(metric), report.declared.get(metric)
        if counted:
            counts |= {f"covered_{metric}": counted.covered, metric: counted.total}
        if counted and declared:
            counts[f"declared_{metric}_agree"] = int(counted == declared)
    return counts


def count_findings(file: ReportFile, format: str | None = None) -> Counted:  # noqa: A002 - the word
    """What a static analysis found, by severity, and why it was not complete."""
    report = read_findings(file, format)
    severities = {severity.word: 0 for severity in Severity}
    for finding in report.findings:
        severities[finding.severity.word] += 1
    known = {} if report.analysed is None else {"analysed": report.analysed}
    return {
        "findings": len(report.findings),
        **severities,
        "problems": len(report.problems),
        **known,
    }


READERS: Final[Mapping[str, Callable[[ReportFile], Counted]]] = {
    "bandit_json": count_findings,
    "checkstyle_xml": count_findings,
    "clover_xml": count_coverage,
    "cobertura_xml": count_coverage,
    "coverage_py_json": count_coverage,
    "dart_json": count_tests,
    "eslint_json": count_findings,
    "flake8_text": count_findings,
    "gcov": count_coverage,
    "go_coverprofile": count_coverage,
    "go_test_json": count_tests,
    "golint_text": count_findings,
    "istanbul_json": count_coverage,
    "jacoco_xml": count_coverage,
    "jest_json": count_tests,
    "junit_xml": count_tests,
    "lcov": count_coverage,
    "mocha_json": count_tests,
    "mypy_json": count_findings,
    "mypy_text": count_findings,
    "nunit_xml": count_tests,
    "opencover_xml": count_coverage,
    "pmd_xml": count_findings,
    "pylint_json": count_findings,
    "pylint_text": count_findings,
    "rspec_json": count_tests,
    "ruff_json": count_findings,
    "sarif": count_findings,
    "scoverage_xml": count_coverage,
    "spotbugs_xml": count_findings,
    "tap": partial(count_tests, format="tap"),
    "trx": count_tests,
    "vitest_json": count_tests,
    "xunit_net_xml": count_tests,
}
"""What reads the reports of a folder."""

ASSERTED_TESTS: Final[Mapping[str, tuple[int, int, int, int]]] = {
    # Asserted by the tests of EnricoMi/publish-unit-test-result-action (Apache-2.0), in
    # python/test/files/**/*.results and *.results.json: tests, failures, errors, skipped.
    "junit-xml__bazel__suite-logs.xml": (1, 0, 1, 0),
    "junit-xml__empty-system-out-err.xml": (1, 0, 0, 0),
    "junit-xml__jest__jest-junit.xml": (2, 0, 0, 0),
    "junit-xml__junit.multiresult.xml": (4, 1, 1, 1),
    "junit-xml__minimal-attributes.xml": (4, 1, 1, 1),
    "junit-xml__no-attributes.xml": (4, 1, 1, 1),
    "junit-xml__no-cases-but-tests.xml": (6, 1, 0, 2),
    "junit-xml__pytest__junit.fail.xml": (5, 1, 0, 1),
    "junit-xml__pytest__junit.gloo.elastic.spark.torch.xml": (22, 0, 0, 0),
    "junit-xml__pytest__junit.gloo.static.xml": (24, 0, 0, 12),
    "junit-xml__pytest__junit.mpi.integration.xml": (3, 0, 0, 0),
    "junit-xml__pytest__junit.mpi.static.xml": (24, 0, 0, 0),
    "junit-xml__pytest__junit.spark.integration.2.xml": (35, 0, 0, 2),
    "junit-xml__testsuite-root.xml": (5, 0, 0, 0),
    "junit-xml__tst__disabled.xml": (31, 19, 1, 5),
    "junit-xml__unsupported-unicode.xml": (7, 2, 2, 2),
    "junit-xml__with-xml-entities.xml": (4, 1, 1, 2),
    "nunit__mstest__pickles.xml": (4, 1, 0, 0),
    "nunit__mstest__timewarpinc.xml": (1, 1, 0, 0),
    "nunit__nunit3__jenkins__NUnit-multinamespace.xml": (4, 0, 0, 0),
    "nunit__nunit3__jenkins__NUnit-sec1752-file.xml": (2, 1, 0, 0),
    "nunit__nunit3__jenkins__NUnit.xml": (4, 1, 0, 0),
    "nunit__nunit3__jenkins__NUnitUnicode.xml": (1, 1, 0, 0),
    "trx__mstest__pickles.trx": (4, 1, 0, 0),
    "trx__nunit__NUnit-net461-sample.trx": (6, 3, 0, 1),
    "trx__xunit__dotnet-trx.trx": (11, 5, 0, 1),
    "trx__xunit__xUnit-net461-sample.trx": (6, 3, 0, 1),
    "trx__xunit__xUnit-netcoreapp3.1-sample.trx": (6, 3, 0, 1),
    "trx__yami_YAMILEX_2015-10-24_04_18_59.trx": (25, 2, 0, 21),
    "xunit__mstest__jenkinsci__testcase1.xml": (3, 1, 0, 1),
    "xunit__mstest__jenkinsci__testcase5.xml": (5, 0, 0, 0),
    "xunit__mstest__jenkinsci__testcase6.xml": (1, 1, 0, 0),
    "dart__json__tests.json": (20, 1, 2, 1),
}

ASSERTED: Final[Mapping[str, Counted]] = {
    **{name: dict(zip(COUNTED, counts, strict=True)) for name, counts in ASSERTED_TESTS.items()},
    # Asserted by the tests of jenkinsci/coverage-model (MIT), in src/test/java/**/parser.
    "clover__clover.xml": {"covered_lines": 143, "lines": 165},
    "clover__clover-java.xml": {
        "covered_lines": 1,
        "lines": 17,
        "covered_branches": 1,
        "branches": 2,
        "covered_statements": 2,
        "statements": 18,
    },
    "cobertura__cobertura-merge-a.xml": {
        "covered_lines": 22,
        "lines": 22,
        "covered_branches": 2,
        "branches": 3,
    },
    "cobertura__cobertura-npe.xml": {
        "covered_lines": 44,
        "lines": 53,
        "covered_branches": 3,
        "branches": 4,
    },
    "cobertura__cobertura-ts.xml": {
        "covered_lines": 63,
        "lines": 156,
        "covered_branches": 21,
        "branches": 32,
    },
    # Its 14 of 22 statements count a block that stands there twice as two; Go itself as one.
    "go__go-relative-import.out": {"covered_lines": 23, "lines": 33, "covered_statements": 14},
    "lcov__single.lcov": {"covered_lines": 1, "lines": 1},
    "opencover__opencover.xml": {
        "covered_lines": 122,
        "lines": 138,
        "covered_branches": 35,
        "branches": 48,
        "covered_statements": 122,
        "statements": 138,
    },
    "opencover__opencover-reporttotestsourcefiles.xml": {
        "covered_branches": 3,
        "branches": 6,
        "covered_statements": 9,
        "statements": 15,
    },
    # Asserted by the tests of jenkinsci/analysis-model (MIT), in src/test/java/**/parser.
    "checkstyle__issue19122.xml": {"findings": 58},
    "checkstyle__issue25511.xml": {"findings": 2},
    "findbugs__findbugs-3rd-party-category.xml": {"findings": 2},
    "findbugs__issue12314.xml": {"findings": 1},
    "findbugs__spotbugsXml.xml": {"findings": 2},
    "flake8-issue53786": {"findings": 9},
    "golint.txt": {"findings": 7},
    "mypy.txt": {"error": 5},
    "pmd__issue54736.xml": {"warning": 4},
    "violations__brokenfilePath.sarif": {"findings": 2, "warning": 2},
    "violations__emptyfilePath.sarif": {"findings": 2, "warning": 2},
}
"""What other projects assert of reports, by the ends of their names."""

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "tests": ("tests", "suite_tests", "total"),
    "failures": ("failures", "suite_failures", "failed"),
    "errors": ("errors", "suite_errors", "errored"),
    "skipped": ("skipped", "suite_skipped"),
}
"""What a manifest may call a count."""


def read_reports(data: Path) -> Iterator[Reading]:
    """Read every report of a format that is known."""
    manifest = read_manifest(data / "MANIFEST.jsonl")
    for folder, count in READERS.items():
        for file in sorted((data / folder).glob("*")):
            asserted = manifest.get(file.name) or asserted_of(file.name)
            yield read_report(f"{folder}/{file.name}", file, count, asserted)


def read_report(
    name: str, file: Path, count: Callable[[ReportFile], Counted], asserted: Counted | None
) -> Reading:
    """Read one report."""
    try:
        counts = count(ReportFile.of(file.read_bytes(), "it"))
    except WorkspaceError as fault:
        agrees = asserted is None or not any(asserted.values())
        return Reading(name, {}, str(fault).removeprefix("it: "), asserted, agrees)
    agrees = asserted is None or all(counts.get(key) == asserted[key] for key in asserted)
    return Reading(name, counts, "", asserted, agrees)


def asserted_of(name: str) -> Counted | None:
    """What another project asserts of a report, by the end of its name."""
    for end, counts in ASSERTED.items():
        if name.endswith(f"__{end}"):
            return counts
    return None


def read_manifest(file: Path) -> dict[str, Counted]:
    """What a manifest says of each file, as far as it says so in words that are known."""
    rows = file.read_text("utf-8").splitlines() if file.exists() else []
    return {
        Path(row.get("path") or row.get("file") or "").name: counts
        for row in map(json.loads, rows)
        if (counts := counts_in(row.get("gold")))
    }


def counts_in(gold: Any) -> Counted:
    """The counts that a manifest gives, under our names."""
    given: dict[str, Any] = gold or {}
    found = {
        name: next((given[word] for word in words if isinstance(given.get(word), int)), None)
        for name, words in SPELLINGS.items()
    }
    return {name: number for name, number in found.items() if number is not None}


def table(readings: list[Reading]) -> Iterator[str]:
    """A line a format, then one for each report that was refused or differs."""
    yield (
        f"{'format':<18}{'reports':>9}{'read':>7}{'refused':>9}{'asserted':>10}{'agree':>7}"
        f"{'totals':>8}{'agree':>7}"
    )
    for folder in dict.fromkeys(reading.report.partition("/")[0] for reading in readings):
        rows = [reading for reading in readings if reading.report.startswith(f"{folder}/")]
        refused = sum(bool(row.refused) for row in rows)
        asserted = [row for row in rows if row.asserted is not None]
        agree = sum(row.agrees for row in asserted)
        totals = [
            number for row in rows for name, number in row.counts.items() if "declared" in name
        ]
        yield (
            f"{folder:<18}{len(rows):>9}{len(rows) - refused:>7}{refused:>9}"
            f"{len(asserted):>10}{agree:>7}{len(totals) or '':>8}{sum(totals) if totals else '':>7}"
        )
    for row in readings:
        if row.refused:
            yield f"refused: {row.report} {row.refused}"
        if not row.agrees:
            yield f"differs: {row.report} counted {dict(row.counts)}, asserted {row.asserted}"


def main() -> int:
    """Print the table, or everything as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    readings = list(read_reports(arguments.data))
    if arguments.json:
        print(json.dumps([asdict(reading) for reading in readings], indent=1))
    else:
        print("\n".join(table(readings)))
    return 0 if readings and all(reading.agrees for reading in readings) else 1


if __name__ == "__main__":
    raise SystemExit(main())
