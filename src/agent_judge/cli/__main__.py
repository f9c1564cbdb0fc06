"""`python -m agent_judge.cli` is `agent-judge`."""

from __future__ import annotations

from agent_judge.cli import main

main()
