"""A loop of five attempts in a workspace, which kills itself at a given step.

    python killed_loop.py FOLDER [STEP]

`FOLDER/workspace` is a git repository. Steps are calls of Python functions once the loop runs.
It prints the result; with STEP it is killed before that step. Run again, it goes on.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from agent_judge.coordination import (
    Feedback,
    Journal,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
)
from agent_judge.coordination.workspaces import GitKeeper, Keeping

folder = Path(sys.argv[1])
workspace = folder / "workspace"
last = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def work(_: str, feedback: Feedback) -> str:
    """Append to a file, and make and remove others."""
    log = workspace / "log.txt"
    log.write_text(log.read_text() + f"{feedback.attempt}:{len(feedback)}\n")
    (workspace / f"made-{feedback.attempt}").write_text("x" * feedback.attempt)
    for old in sorted(workspace.glob("made-*"))[:-2]:
        old.unlink()
    return log.read_text()


def decide(_: str, output: str, context: JudgeContext) -> JudgeVerdict:
    """The third attempt is the best; none is good enough."""
    (workspace / "judged").write_text(output)
    score = {1: 0.2, 2: 0.3, 3: 0.8, 4: 0.5}.get(context.iteration, 0.6)
    return JudgeVerdict.retry("not yet", score, [f"add {context.iteration}"])


class Steps:
    """Counts steps, and kills this process when the last has come."""

    taken = 0

    def count(self, _: FrameType, event: str, __: Any) -> None:
        """Take one."""
        if event == "call":
            self.taken += 1
            if self.taken == last:
                os.kill(os.getpid(), signal.SIGKILL)


steps = Steps()


with GitKeeper(workspace, keep_in=folder / "kept") as keeper:
    coordinator = JudgeCoordinator[str](
        policy=decide,
        executor=work,
        max_attempts=5,
        workspace=keeper,
        keeping=Keeping.RESET_ON_STALL,
        journal=Journal(folder / "runs"),
    )
    begun = (folder / "runs/run.jsonl").exists() and (folder / "runs/run.jsonl").stat().st_size
    sys.setprofile(steps.count)
    if begun:
        result = coordinator.resume("run")
    else:
        (folder / "runs/run.jsonl").unlink(missing_ok=True)
        result = coordinator.execute("agent", run_id="run")
    sys.setprofile(None)
summary = [[one.number, one.verdict.score, one.output] for one in result.attempts]
sys.stdout.write(json.dumps({"steps": steps.taken, "attempts": summary, "output": result.output}))
