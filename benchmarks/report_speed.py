"""What reading large reports costs beside the usual parsers, in time and in memory.

    python benchmarks/report_speed.py [--megabytes 20] [--json]

Reports are made up and written to a temporary folder; each is read by this library and by what is
usually taken, each in a process of its own. CPU seconds are those of reading, imports left out, the
best of three; memory is the highest resident size of the process, less that of one that reads a
small report. A parser that is not installed is left out (`pip install pycobertura junitparser
sarif-tools`, and the Debian package lcov). It ends with 1 where this library takes more than 1.5
times as long as junitparser, pycobertura, lcov or sarif-tools. Nobody reads the JSON of coverage.py
for others: `json` only builds the document, and is there to compare with.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

TARGET: Final = 1.5
"""How many times as long reading may take."""

RUNS: Final = 3


def cobertura(files: int) -> Iterator[str]:
    """A Cobertura report of files with 600 lines each."""
    yield '<?xml version="1.0" ?>\n<coverage version="7.10" lines-valid="1" lines-covered="1">'
    yield "<sources><source>/demo</source></sources><packages><package><classes>\n"
    for number in range(files):
        yield f'<class name="f" filename="src/f{number}.py" line-rate="0.5"><methods/><lines>\n'
        yield from (f'\t\t\t\t<line number="{n}" hits="{n % 3}"/>\n' for n in range(1, 601))
        yield "</lines></class>"
    yield "</classes></package></packages></coverage>"


def lcov(files: int) -> Iterator[str]:
    """A tracefile of files with 600 lines each."""
    for number in range(files):
        yield f"TN:\nSF:src/f{number}.c\n"
        yield from (f"DA:{n},{n % 3}\n" for n in range(1, 601))
        yield "LF:600\nLH:400\nend_of_record\n"


def coverage_py(files: int) -> Iterator[str]:
    """A JSON report of coverage.py of files with 600 lines each."""
    lines = {
        "executed_lines": [n for n in range(1, 601) if n % 3],
        "missing_lines": [n for n in range(1, 601) if not n % 3],
        "excluded_lines": [],
        "summary": {"covered_lines": 400, "num_statements": 600},
    }
    entry = json.dumps(lines)
    yield '{"meta": {"format": 3, "version": "7.10"}, "files": {'
    yield ", ".join(f'"src/f{number}.py": {entry}' for number in range(files))
    totals = {"covered_lines": 400 * files, "num_statements": 600 * files}
    yield f'}}, "totals": {json.dumps(totals)}}}'


def sarif(files: int) -> Iterator[str]:
    """A SARIF log of files with 60 results each."""
    yield '{"version": "2.1.0", "runs": [{"results": ['
    for number in range(files):
        for line in range(1, 61):
            result = {
                "ruleId": "R1",
                "level": "warning",
                "message": {"text": "a message of ordinary length about the line"},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": f"src/f{number}.c"},
                            "region": {"startLine": line, "startColumn": 1},
                        }
                    }
                ],
            }
            comma = "" if number == line - 1 == 0 else ","
            yield comma + json.dumps(result)
    yield '], "tool": {"driver": {"name": "demo"}}}]}'


def junit(files: int) -> Iterator[str]:
    """A JUnit report of suites with 200 tests each, one in twenty of which fails."""
    yield "<testsuites>"
    for number in range(files):
        yield f'<testsuite name="s{number}" tests="200" failures="10">'
        for test in range(200):
            case = f'<testcase classname="tests.s{number}" name="test_{test}" time="0.01"'
            failure = '<failure message="assert 1 == 2">a trace of some lines\n</failure>'
            yield f"{case}>{failure}</testcase>\n" if test % 20 == 0 else f"{case}/>\n"
        yield "</testsuite>"
    yield "</testsuites>"


def ours(path: Path) -> object:
    """What this library makes of a coverage report."""
    from agent_judge.judges.coverage.formats import read_coverage
    from agent_judge.judges.reports.source import open_trusted_report

    with open_trusted_report(path, limit=10**10) as report:
        return read_coverage(report).counts("lines")


def our_findings(path: Path) -> object:
    """What this library makes of a report of findings."""
    from agent_judge.judges.findings.formats import read_findings
    from agent_judge.judges.reports.source import open_trusted_report

    with open_trusted_report(path, limit=10**10) as report:
        return len(read_findings(report).findings)


def our_tests(path: Path) -> object:
    """What this library makes of a report of tests."""
    from agent_judge.judges.reports.source import open_trusted_report
    from agent_judge.judges.testruns.tally import Tally
    from agent_judge.judges.testruns.wanted import Wanted

    tally = Tally(Wanted([]))
    with open_trusted_report(path, limit=10**10) as report:
        tally.read(report, None)
    return tally.total


def module(name: str) -> Any:
    """A module of another project, which has no types here."""
    return import_module(name)


class Present:
    """A file system in which every file is there."""

    def has_file(self, _name: str) -> bool:
        """Whether it is."""
        return True

    def real_filename(self, name: str) -> str:
        """What it is called."""
        return name


def by_pycobertura(path: Path) -> object:
    """How many lines ran, and did not, in each file."""
    report = module("pycobertura").Cobertura(str(path), filesystem=Present())
    names: list[str] = report.files()
    return [(report.missed_lines(name), report.total_statements(name)) for name in names]


def by_lcov(path: Path) -> object:
    """The summary of lcov itself, a program in Perl."""
    program = shutil.which("lcov")
    assert program is not None
    subprocess.run([program, "--summary", str(path)], check=True, capture_output=True)
    return None


def by_json(path: Path) -> object:
    """The document as a whole, and nothing made of it."""
    return len(json.loads(path.read_text("utf-8")))


def by_sarif_tools(path: Path) -> object:
    """The records of the results."""
    return module("sarif.loader").load_sarif_file(str(path)).get_records()


def by_junitparser(path: Path) -> object:
    """How many tests ended in which way."""
    report = module("junitparser").JUnitXml.fromfile(str(path))
    return [[len(case.result) for case in suite] for suite in report]


@dataclass(frozen=True, slots=True)
class Contest:
    """A format, and who reads it.

    Attributes:
        name: What the table calls it.
        make: Makes a report of so many files.
        bytes_each: About how many bytes a file of it takes.
        ours: The reader of this library.
        other: The usual one.
        package: What the usual one needs: a module, or a program.
        held: Whether this library is held to it.
    """

    name: str
    make: Callable[[int], Iterator[str]]
    bytes_each: int
    ours: str
    other: str
    package: str
    held: bool = True


CONTESTS: Final = (
    Contest("cobertura", cobertura, 20_000, "ours", "by_pycobertura", "pycobertura"),
    Contest("lcov", lcov, 5_500, "ours", "by_lcov", "lcov"),
    Contest("coverage_py", coverage_py, 3_200, "ours", "by_json", "json", held=False),
    Contest("sarif", sarif, 16_000, "our_findings", "by_sarif_tools", "sarif"),
    Contest("junit", junit, 14_500, "our_tests", "by_junitparser", "junitparser"),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading cost: CPU seconds, and megabytes beyond those of a small report."""

    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a contest came to."""

    name: str
    megabytes: float
    ours: Cost
    other: Cost | None
    package: str

    @property
    def ratio(self) -> float | None:
        """How many times as long this library took."""
        return None if self.other is None else self.ours.seconds / self.other.seconds


def read_once(reader: str, path: Path) -> None:
    """Read a report in this process, and print what that cost."""
    small = path.with_suffix(".small")
    read: Callable[[Path], object] = globals()[reader]
    read(small)
    before = spent()
    read(path)
    print(json.dumps([spent() - before, peak()]))


def peak() -> int:
    """The highest resident size in kilobytes, of this process or of one that it started.

    Linux counts from the beginning of the program; elsewhere what it was forked from counts, too.
    """
    status = Path("/proc/self/status")
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if not status.exists():
        return max(children, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    (own,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return max(children, int(own.split()[1]))


def spent() -> float:
    """CPU seconds of this process and of those that it started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def measure(reader: str, path: Path) -> Cost:
    """The best of several processes, and the memory beyond that of a small report."""
    costs = [asked(reader, path) for _ in range(RUNS)]
    _, base = asked(reader, path.with_suffix(".small"))
    return Cost(min(seconds for seconds, _ in costs), (min(kb for _, kb in costs) - base) / 1024)


def asked(reader: str, path: Path) -> tuple[float, float]:
    """What a process of its own says that reading cost."""
    command = [sys.executable, __file__, "--read", reader, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, kilobytes = json.loads(done.stdout)
    return seconds, kilobytes


def hold(contest: Contest, megabytes: int, folder: Path) -> Outcome:
    """Make the reports, and have both read them."""
    path = folder / f"{contest.name}.report"
    path.write_text("".join(contest.make(megabytes * 1_000_000 // contest.bytes_each)), "utf-8")
    for small in (path.with_suffix(".small"), path.with_suffix(".small").with_suffix(".small")):
        small.write_text("".join(contest.make(1)), "utf-8")
    there = find_spec(contest.package) or shutil.which(contest.package)
    other = measure(contest.other, path) if there else None
    size = path.stat().st_size / 1e6
    return Outcome(contest.name, size, measure(contest.ours, path), other, contest.package)


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """A line a format."""
    head = ("format", "MB", "ours s", "ours MB", "beside", "s", "MB", "ratio")
    yield LINE.format(*head)
    for row in outcomes:
        ours = (f"{row.ours.seconds:.2f}", f"{row.ours.megabytes:.0f}")
        other = ("not installed", "", "")
        if row.other is not None:
            seconds, megabytes = row.other.seconds, row.other.megabytes
            other = (f"{seconds:.2f}", f"{megabytes:.0f}", f"{row.ratio:.2f}")
        yield LINE.format(row.name, f"{row.megabytes:.1f}", *ours, row.package, *other)


LINE: Final = "{:<12}{:>6}{:>8}{:>9}  {:<12}{:>14}{:>6}{:>7}"


def main() -> int:
    """Print the table, or the same as JSON; 1 where reading takes too long."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.read:
        read_once(arguments.read[0], Path(arguments.read[1]))
        return 0
    with TemporaryDirectory() as folder:
        outcomes = [hold(contest, arguments.megabytes, Path(folder)) for contest in CONTESTS]
    if arguments.json:
        print(json.dumps([asdict(row) | {"ratio": row.ratio} for row in outcomes], indent=1))
    else:
        print("\n".join(table(outcomes)))
    held = {contest.name for contest in CONTESTS if contest.held}
    slow = [row for row in outcomes if row.name in held and (row.ratio or 0) > TARGET]
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
