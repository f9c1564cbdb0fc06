"""Running a command so that nothing of it is left alive afterwards.

On Linux a supervisor of our own stands between (see `supervisor`): it reaps and kills every process
that the command started, also one that forked twice and left its session. Elsewhere the command
gets a process group of its own, which is killed as a whole; a process that leaves the group gets
away there.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from errno import EACCES, ENOENT
from time import perf_counter, time_ns
from typing import Final

from agent_judge.judges.process.environment import find_program
from agent_judge.judges.process.grouped import run_in_group
from agent_judge.judges.process.records import Command, Completed, NotStarted
from agent_judge.judges.process.supervised import run_supervised

SUPERVISED: Final = sys.platform == "linux"


async def run(command: Command) -> Completed:
    """Run a command; when this is cancelled, everything it started is killed first.

    Raises:
        IsolationUnavailableError: The isolation that was asked for cannot be had.
    """
    started, started_ns = perf_counter(), time_ns()
    program = find_program(command.argv[0], command.env.get("PATH", ""), command.cwd)
    if program is None:
        return Completed(command, NotStarted(ENOENT))
    if not os.access(program, os.X_OK):
        return Completed(command, NotStarted(EACCES))
    how = run_supervised if SUPERVISED else run_in_group
    completed = await how(command, program)
    return replace(completed, elapsed=perf_counter() - started, started_ns=started_ns)
