"""Commands to run in tests."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent_judge import Judgment, JudgmentContext, evaluate
from agent_judge.judges import CommandJudge
from agent_judge.judges.process.records import Command


def a_command(workspace: Path, *argv: str, **fields: Any) -> Command:
    """A command that runs in a workspace, with the PATH of the tests."""
    path = {"PATH": os.environ["PATH"]}
    command = Command(argv=argv, workspace=workspace, cwd=workspace, env=path, timeout=20.0)
    return replace(command, **fields)


def judged(workspace: Path, command: Any, **options: Any) -> Judgment:
    """The judgment on a command."""
    return evaluate(CommandJudge(command, **options), JudgmentContext(workspace=workspace))
