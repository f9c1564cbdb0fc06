"""What it costs to begin: importing the package, the first vote, and the help of the command.

    python benchmarks/imports.py [--json]

CPU time of whole processes (children included), medians of 9 runs taken in turn, so that a slow
moment of the machine meets all of them. The first row is a bare interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence

ROUNDS = 9

VOTE = """
from agent_judge import Judgment, JudgmentContext, Jury
Jury([lambda c: Judgment.passing(), lambda c: Judgment.passing()]).vote(JudgmentContext())
"""

PROGRAMS: dict[str, Sequence[str]] = {
    "bare interpreter": [sys.executable, "-c", "pass"],
    "import agent_judge": [sys.executable, "-c", "import agent_judge"],
    "import all of the core": [
        sys.executable,
        "-c",
        "import agent_judge as a; [getattr(a, name) for name in a.__all__]",
    ],
    "import asyncio, json, dataclasses": [
        sys.executable,
        "-c",
        "import asyncio, json, dataclasses",
    ],
    "first Jury.vote, imports included": [sys.executable, "-c", VOTE],
    "agent-judge --help": [sys.executable, "-m", "agent_judge.cli", "--help"],
}


def cpu_seconds(command: Sequence[str]) -> float:
    """CPU seconds of one run of a command."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    runs: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(ROUNDS + 1):
        for name, command in PROGRAMS.items():
            runs[name].append(cpu_seconds(command))
    medians = {name: statistics.median(seconds[1:]) * 1e3 for name, seconds in runs.items()}
    if as_json:
        print(json.dumps(medians))
        return
    bare = medians["bare interpreter"]
    print(f"CPU, median of {ROUNDS}, Python {sys.version.split()[0]}")
    for name, milliseconds in medians.items():
        print(f"  {name:36} {milliseconds:7.1f} ms   {milliseconds - bare:+7.1f} ms beside bare")


if __name__ == "__main__":
    main()
