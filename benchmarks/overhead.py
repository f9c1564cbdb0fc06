"""What the engine costs: one judge that compares two strings, and a jury of three of them.

    python benchmarks/overhead.py [--contexts 100000] [--peers DIRECTORY] [--json]

CPU time a context, through `evaluate` and through `Jury.vote`, beside a bare loop in the same
process; contexts are made one at a time, and peak memory is read after a tenth of them and after
all. With `--peers` the same comparison runs in other libraries, each in its own environment
`DIRECTORY/venvs/NAME`; one that is not there is skipped with a line.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_judge import Check, Cost, Judgment, JudgmentContext, Jury, Majority, evaluate, judge

ROUNDS = 5
PEERS = ("autoevals", "pydantic_evals", "deepeval")


@dataclass(frozen=True, slots=True)
class Row:
    """CPU microseconds a context, and how that compares with the bare loop."""

    name: str
    microseconds: float
    times_bare: float


@judge(cost=Cost.MEMORY)
def same(context: JudgmentContext) -> Judgment:
    """Whether the output is what was expected."""
    if context.output == context.expected:
        return Judgment.passing("same", checks=(Check("equal", True),))
    return Judgment.failing("different", checks=(Check("equal", False),))


def contexts(count: int) -> Iterator[JudgmentContext]:
    """Runs, made one at a time; every tenth is wrong."""
    for index in range(count):
        answer = f"The answer to question {index} is {index * 7919 % 10007}."
        output = answer if index % 10 else answer + " Probably."
        yield JudgmentContext(goal=f"Question {index}", output=output, expected=answer)


def bare(count: int) -> int:
    """The comparison without any library."""
    return sum(context.output == context.expected for context in contexts(count))


def evaluated(count: int) -> int:
    """The comparison as a judge."""
    return sum(evaluate(same, context).passed for context in contexts(count))


def voted(count: int) -> int:
    """The comparison as a jury of three."""
    jury = Jury([same, same, same], Majority())
    return sum(jury.vote(context).passed for context in contexts(count))


def cpu(work: Callable[[int], int], count: int) -> float:
    """Median CPU seconds of the work; it must find what is wrong."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        before = time.process_time()
        passed = work(count)
        seconds.append(time.process_time() - before)
        if passed != count - (count + 9) // 10:
            raise SystemExit(f"{work.__name__} passed {passed} of {count}")
    return statistics.median(seconds)


def peak_megabytes() -> float:
    """The most memory this process ever had, where the system says so."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def ours(count: int) -> tuple[list[Row], dict[str, float]]:
    """Our rows, the making of the contexts taken off, and memory on the way."""
    evaluated(count // 10)
    voted(count // 10)
    memory = {"after a tenth": peak_megabytes()}
    floor = cpu(bare, count)
    rows = [
        _row(name, cpu(work, count) - floor, floor, count)
        for name, work in (("evaluate, one judge", evaluated), ("vote, three judges", voted))
    ]
    memory["after all"] = peak_megabytes()
    return [_row("bare loop, contexts made", floor, floor, count), *rows], memory


def _row(name: str, seconds: float, floor: float, count: int) -> Row:
    return Row(name, seconds / count * 1e6, seconds / floor)


def peers(directory: Path, count: int) -> Iterator[Row | str]:
    """The comparison in other libraries."""
    for name in PEERS:
        python = directory / "venvs" / name / "bin" / "python"
        if not python.exists():
            yield f"{name}: skipped, there is no {python}"
            continue
        program = Path(__file__).with_name("peers.py")
        command = [str(python), str(program), name, str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{name}: failed, {done.stderr.strip().splitlines()[-1:]}"
            continue
        figures = json.loads(done.stdout.splitlines()[-1])
        yield Row(f"{name} {figures['version']}", figures["cpu"] * 1e6, float("nan"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contexts", type=int, default=100_000)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows, memory = ours(arguments.contexts)
    others = list(peers(arguments.peers, 2_000)) if arguments.peers else []
    rows += [row for row in others if isinstance(row, Row)]
    skipped = [row for row in others if isinstance(row, str)]
    if arguments.json:
        table = [[row.name, row.microseconds, row.times_bare] for row in rows]
        print(json.dumps({"rows": table, "memory": memory, "skipped": skipped}))
        return
    print(
        f"{arguments.contexts} contexts, CPU, median of {ROUNDS}, Python {sys.version.split()[0]}"
    )
    for row in rows:
        print(f"  {row.name:32} {row.microseconds:10.2f} µs a context")
    print("  peak memory:", ", ".join(f"{at} {size:.1f} MB" for at, size in memory.items()))
    print(*skipped, sep="\n")


if __name__ == "__main__":
    main()
