"""Broken and hostile reports: none may crash a reader, hang it, or make it read another file.

    python benchmarks/fuzz_reports.py [--data DIRECTORY] [--rounds 200] [--megabytes 100] [--seed 1]

Reports are cut off, their bits are flipped, and parts of them are doubled, dropped and exchanged;
so are those of `DIRECTORY`, if there is one. Each is given to every reader, which reads it or
refuses it. Then come reports that were made to do harm: entities that grow, elements and arrays
within each other, numbers and names without end, and so many megabytes of one thing over and over;
large ones each in a process of its own, all with bounds on their time and memory. Opening a file, a
connection or a program while reading is counted as harm. It ends with 1 where harm was done.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from agent_judge.judges.coverage.formats import read_coverage
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.findings.formats import FORMATS, read_findings
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judges.testruns.wanted import Wanted

MEMORY: Final = 1_500_000_000
"""Bytes of address space that reading one report may take."""

SECONDS: Final = 300
"""Seconds that reading one report may take, of 100 megabytes, on a slow machine."""

HARM: Final = ("open", "os.listdir", "os.scandir", "socket.connect", "subprocess.Popen", "os.exec")
"""What no reader does."""


def read_tests(report: ReportFile) -> object:
    """Read a report of tests."""
    tally = Tally(Wanted([]))
    tally.read(report, None)
    return tally.counts


READERS: Final[Mapping[str, Callable[[ReportFile], object]]] = {
    "coverage": read_coverage,
    "findings": read_findings,
    "tests": read_tests,
    **{name: partial(read_findings, format_=name) for name in FORMATS},
}

SAMPLES: Final[Mapping[str, str]] = {
    "cobertura": '<coverage lines-valid="2" lines-covered="1"><sources><source>/d</source>'
    '</sources><packages><package><classes><class filename="a.py"><methods/><lines>'
    '<line number="1" hits="1" condition-coverage="50% (1/2)"/><line number="2" hits="0"/>'
    "</lines></class></classes></package></packages></coverage>",
    "jacoco": '<report name="d"><package name="p"><sourcefile name="A.java"><line nr="3" mi="0" '
    'ci="2" mb="1" cb="1"/><counter type="LINE" missed="0" covered="1"/></sourcefile></package>'
    '<counter type="LINE" missed="0" covered="1"/></report>',
    "clover": '<coverage generated="1"><project><metrics statements="2" coveredstatements="1"/>'
    '<file name="a.js" path="/d/a.js"><line num="1" type="stmt" count="1"/><line num="2" '
    'type="cond" count="0" truecount="0" falsecount="2"/></file></project></coverage>',
    "opencover": '<CoverageSession><Summary numSequencePoints="1" visitedSequencePoints="1" '
    'numBranchPoints="0" visitedBranchPoints="0"/><Modules><Module><Files><File uid="1" '
    'fullPath="C:\\a.cs"/></Files><Method><FileRef uid="1"/><SequencePoint vc="1" sl="2" el="3"/>'
    '<BranchPoint vc="1" sl="2"/></Method></Module></Modules></CoverageSession>',
    "scoverage": '<scoverage statement-count="1" statements-invoked="1"><class filename="A.scala">'
    '<statement line="1" branch="true" invocation-count="1" ignored="false"/></class></scoverage>',
    "lcov": "TN:\nSF:a.c\nFN:1,main\nDA:1,1\nDA:2,0\nBRDA:1,0,0,1\nLF:2\nLH:1\nend_of_record\n",
    "go": "mode: set\nexample.org/a/b.go:1.2,3.4 2 1\nexample.org/a/b.go:4.2,5.4 1 0\n",
    "gcov": "    -:    0:Source:a.c\n    1:    1:int f;\nbranch  0 taken 1\n#####:    2:x\n",
    "coverage_py": '{"meta": {}, "files": {"a.py": {"executed_lines": [1, 2], "missing_lines": [3],'
    ' "executed_branches": [[1, 2]], "missing_branches": [[1, -1]]}}, "totals": '
    '{"covered_lines": 2, "num_statements": 3}}',
    "istanbul": '{"/d/a.js": {"statementMap": {"0": {"start": {"line": 1}}}, "s": {"0": 1}, '
    '"branchMap": {"0": {"loc": {"start": {"line": 1}}}}, "b": {"0": [1, 0]}}}',
    "sarif": '{"version": "2.1.0", "runs": [{"results": [{"ruleId": "R", "message": {"text": "m"}, '
    '"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.c"}, "region": '
    '{"startLine": 1}}}]}], "tool": {"driver": {"name": "t", "rules": [{"id": "R"}]}}}]}',
    "ruff": '[{"code": "F401", "filename": "a.py", "location": {"row": 1, "column": 1}, '
    '"message": "unused"}]',
    "eslint": '[{"filePath": "a.js", "messages": [{"ruleId": "r", "severity": 2, "message": "m", '
    '"line": 1, "column": 1}]}]',
    "pyright": '{"version": "1", "generalDiagnostics": [{"file": "a.py", "severity": "error", '
    '"message": "m", "range": {"start": {"line": 0, "character": 0}}}], "summary": '
    '{"filesAnalyzed": 1}}',
    "bandit": '{"errors": [], "metrics": {"a.py": {}}, "results": [{"filename": "a.py", '
    '"line_number": 1, "issue_severity": "LOW", "issue_text": "t", "test_id": "B1"}]}',
    "mypy": '{"file": "a.py", "line": 1, "column": 0, "message": "m", "severity": "error"}\n',
    "checkstyle": '<checkstyle><file name="a"><error line="1" message="m" severity="error"/></file>'
    "</checkstyle>",
    "pmd": '<pmd><file name="a"><violation beginline="1" rule="r" priority="1">m</violation></file>'
    "</pmd>",
    "spotbugs": '<BugCollection><BugInstance type="T" priority="1"><LongMessage>m</LongMessage>'
    '<SourceLine start="1" sourcepath="a"/></BugInstance></BugCollection>',
    "text": "a.py:1:1: F401 unused\na.py:2:1: E501 long\n",
    "junit": '<testsuites><testsuite name="s" tests="2"><testcase classname="c" name="a"/>'
    '<testcase name="b"><failure message="m">trace</failure></testcase></testsuite></testsuites>',
    "tap": "TAP version 13\n1..2\nok 1 - a\nnot ok 2 - b\n  ---\n  at: x\n  ...\n",
}
"""A small report of each format."""


def mutations(content: bytes, source: random.Random, rounds: int) -> Iterator[bytes]:
    """What may become of a report: cut off at several places, and changed at random."""
    for part in range(1, 12):
        yield content[: len(content) * part // 12]
    for _ in range(rounds):
        yield mutated(content, source)


def mutated(content: bytes, source: random.Random) -> bytes:
    """A report with a few changes."""
    changed = bytearray(content)
    for _ in range(source.choice((1, 1, 2, 5, 20))):
        if not changed:
            break
        at = source.randrange(len(changed))
        end = min(len(changed), at + source.choice((1, 2, 8, 64)))
        match source.randrange(7):
            case 0:
                changed[at] ^= 1 << source.randrange(8)
            case 1:
                changed[at] = source.randrange(256)
            case 2:
                del changed[at:end]
            case 3:
                changed[at:at] = changed[at:end] * source.choice((1, 2, 50))
            case 4:
                changed[at:at] = source.choice(DICTIONARY)
            case 5:
                changed[at:end] = source.choice(DICTIONARY)
            case _:
                other = source.randrange(len(changed))
                changed[at], changed[other] = changed[other], changed[at]
    return bytes(changed)


DICTIONARY: Final = (
    b"-1",
    b"0",
    b"99999999999999999999",
    b"9" * 5000,
    b"1e400",
    b"NaN",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b'""',
    b'"\\ud800"',
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n\n",
    b"..",
    b"/etc/passwd",
    b"&x;",
    b"&#0;",
    b"<![CDATA[",
    b"<!-- ",
    b"]]>",
    b"<a>",
    b"/>",
    b"end_of_record\n",
    "é\u2028\U0001f600".encode(),
)


BOMB: Final = b"<!DOCTYPE r [%s]><%s>&d;</%s>"
ENTITIES: Final = b"".join(
    [b'<!ENTITY a "%s">' % (b"x" * 100)]
    + [
        b'<!ENTITY %c "%s">' % (new, b"&%c;" % old * 100)
        for new, old in zip(b"bcd", b"abc", strict=True)
    ]
)
ROOTS: Final = (b"coverage", b"report", b"testsuites", b"pmd", b"CoverageSession")


def hostile() -> Iterator[tuple[str, bytes, bytes, bytes]]:
    """Reports made to do harm: a name, how it begins, what is repeated, and how it ends."""
    for root in ROOTS:
        name = root.decode()
        yield f"{name}: growing entities", BOMB % (ENTITIES, root, root), b"", b""
        external = b'<!ENTITY d SYSTEM "file:///etc/passwd">'
        yield f"{name}: an external entity", BOMB % (external, root, root), b"", b""
        parameter = b'<!ENTITY %% d SYSTEM "file:///etc/passwd"> %%d;'
        yield f"{name}: a parameter entity", BOMB % (parameter, root, root), b"", b""
        foreign = b'<!DOCTYPE %s SYSTEM "file:///etc/passwd"><%s/>' % (root, root)
        yield f"{name}: a foreign document type", foreign, b"", b""
        yield f"{name}: deep elements", b"<%s>" % root, b"<a>", b""
        yield f"{name}: a tag without end", b"<%s x='" % root, b"x" * 1000, b""
        yield f"{name}: a comment without end", b"<%s><!--" % root, b"x" * 1000, b""
        yield f"{name}: text without end", b"<%s><a>" % root, b"x" * 1000, b""
        many = b"".join(b' a%d="1"' % number for number in range(1000))
        yield f"{name}: many attributes", b"<%s>" % root, b"<line%s/>" % many, b"</%s>" % root
    yield "deep arrays", b"", b"[", b""
    yield "deep objects", b"", b'{"a":', b""
    yield "deep runs", b'{"version": "2.1.0", "runs": [{"results": [', b"[", b""
    yield "many values", b"[", b"0,", b"0]"
    yield "many keys", b'{"files": {', b'"a": {},', b'"b": {}}}'
    yield "a string without end", b'{"', b"x" * 1000, b""
    yield "a number without end", b"[", b"1" * 1000, b"]"
    yield "a line without end", b"SF:", b"x" * 1000, b""
    yield "nothing but zeros", b"", b"\x00" * 1000, b""
    yield "nothing but line feeds", b"SF:a\n", b"\n" * 1000, b""
    for name, begins, unit, ends in repetitions():
        yield f"over and over: {name}", begins, unit, ends


def repetitions() -> Iterator[tuple[str, bytes, bytes, bytes]]:
    """What a tool could write, over and over; `%d` is another number each time."""
    coverage = b'<coverage line-rate="1"><class filename="a"><lines>'
    yield "a line", coverage, b'<line number="7" hits="1"/>', b"</lines></class></coverage>"
    yield "a class", b"<coverage>", b'<class filename="a"></class>', b"</coverage>"
    yield "DA", b"SF:a\n", b"DA:7,1\n", b"end_of_record\n"
    yield "BRDA", b"SF:a\n", b"BRDA:1,0,0,1\n", b"end_of_record\n"
    yield "a record", b"", b"SF:a\nDA:1,1\nend_of_record\n", b""
    yield "a block", b"mode: set\n", b"a.go:1.1,9.9 1 1\n", b""
    yield "a large block", b"mode: set\n", b"a.go:1.1,9999.9 1 1\n", b""
    point = b'<SequencePoint fileid="1" vc="1" sl="1" el="9999"/>'
    yield (
        "a large point",
        b'<CoverageSession><File uid="1" fullPath="a"/>',
        point,
        b"</CoverageSession>",
    )
    yield "a finding", b"", b"a.py:1:1: F401 unused\n", b""
    yield "a violation", b'<pmd><file name="a">', b"<violation>x</violation>", b"</file></pmd>"
    yield "a test", b"<testsuite>", b'<testcase name="a"/>', b"</testsuite>"
    yield "tests", b"<testsuite>", b'<testcase name="%d"/>', b"</testsuite>"
    yield "a result", b'{"version": "2.1.0", "runs": [{"results": [', b"{},", b"{}]}]}"


class Repeating(io.RawIOBase):
    """Bytes that repeat up to a size, and are never all there."""

    def __init__(self, begins: bytes, unit: bytes, ends: bytes, size: int) -> None:
        self._parts = self._generate(begins, unit, ends, size)
        self._rest = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes."""
        while not self._rest:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._rest = part
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    @staticmethod
    def _generate(begins: bytes, unit: bytes, ends: bytes, size: int) -> Iterator[bytes]:
        yield begins
        many = 65_536 // len(unit) + 1 if unit else 0
        number = 0
        while unit and number * len(unit) < size:
            numbers = range(number, number + many)
            chunk = b"".join(unit.replace(b"%d", b"%d" % n) for n in numbers)
            yield chunk if b"%d" in unit else unit * many
            number += many
        yield ends


class Watch:
    """Whether something is being read, and what was done meanwhile that no reader does."""

    def __init__(self) -> None:
        self.reading = False
        self.harm: Counter[str] = Counter()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.reading and event in HARM and not _is_import(arguments):
            self.harm[f"{event} {arguments[:1]!r:.80}"] += 1


def _is_import(arguments: tuple[object, ...]) -> bool:
    """Whether a module of Python is being loaded, which happens when it is first used."""
    return str(arguments[:1]).endswith((".py',)", ".pyc',)", ".so',)")) or not arguments


def try_readers(
    content: Callable[[], ReportFile], watch: Watch, names: Collection[str] = tuple(READERS)
) -> Iterator[tuple[str, str]]:
    """Give a report to readers; what each made of it: `read`, `refused` or a trace."""
    for name in names:
        read, report = READERS[name], content()
        watch.reading = True
        try:
            read(report)
            outcome = "read"
        except WorkspaceError:
            outcome = "refused"
        except Exception:  # noqa: BLE001 - any other is what is looked for
            outcome = traceback.format_exc()
        finally:
            watch.reading = False
        yield name, outcome


def fuzz(samples: Mapping[str, bytes], rounds: int, seed: int) -> Iterator[str]:
    """Read mutated reports; say what went wrong, and at the end how many there were."""
    source, watch = random.Random(seed), Watch()
    outcomes: Counter[str] = Counter()
    for name, content in samples.items():
        for changed in mutations(content, source, rounds):
            for reader, outcome in try_readers(partial(ReportFile.of, changed), watch):
                outcomes[outcome if outcome in ("read", "refused") else "crashed"] += 1
                if outcome not in ("read", "refused"):
                    yield f"harm: {name} by {reader}: {changed[:300]!r}\n{outcome}"
    yield from (f"harm: {what}, {count} times" for what, count in watch.harm.items())
    yield f"{len(samples)} reports, mutated: {dict(outcomes)}"


def attack(numbers: Sequence[int], megabytes: int) -> Iterator[str]:
    """Read some of the hostile reports in this process, within bounds."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    watch, size, reports = Watch(), megabytes * 1_000_000, list(hostile())
    for number in numbers:
        name, *parts = reports[number]
        made = partial(repeating, name, *parts, size=size)
        for reader, outcome in try_readers(made, watch, ("coverage", "findings", "tests")):
            if outcome not in ("read", "refused"):
                yield f"harm: {name} by {reader}:\n{outcome}"
        yield from (f"harm: {name}: {what}" for what in watch.harm)
        watch.harm.clear()


def repeating(name: str, begins: bytes, unit: bytes, ends: bytes, *, size: int) -> ReportFile:
    """A report that repeats a unit up to a size."""
    stream = io.BufferedReader(Repeating(begins, unit, ends, size))
    return ReportFile(name, stream, limit=2 * size + 1_000_000)


def attacks(megabytes: int) -> Iterator[str]:
    """Every hostile report; large ones each in a process of its own."""
    count = sum(1 for _ in hostile())
    together = 1 if megabytes > 1 else count
    for first in range(0, count, together):
        numbers = range(first, min(count, first + together))
        words = [str(number) for number in numbers]
        command = [sys.executable, __file__, "--megabytes", str(megabytes), "--attack", *words]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            yield f"harm: reports {numbers}: not read within {SECONDS} s"
            continue
        if done.returncode:
            yield f"harm: reports {numbers}:\n{done.stdout[-9000:]}{done.stderr[-2000:]}"
    yield f"{count} hostile reports of {megabytes} megabytes"


def samples_of(data: Path | None) -> dict[str, bytes]:
    """The small reports, and those of a directory."""
    samples = {name: content.encode() for name, content in SAMPLES.items()}
    if data is not None:
        files = (file for file in sorted(data.rglob("*")) if file.is_file())
        samples |= {str(file.relative_to(data)): file.read_bytes() for file in files}
    return samples


def main() -> int:
    """Fuzz, attack, and say what went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--attack", type=int, nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.attack:
        said = list(attack(arguments.attack, arguments.megabytes))
    else:
        said = list(fuzz(samples_of(arguments.data), arguments.rounds, arguments.seed))
        said += attacks(arguments.megabytes)
    print(json.dumps(said, indent=1) if arguments.json else "\n".join(said))
    return 1 if any(line.startswith("harm:") for line in said) else 0


if __name__ == "__main__":
    raise SystemExit(main())
