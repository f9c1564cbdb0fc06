"""The formulas of the loop hold, and every reason to stop is reached."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

PROGRAM = Path(__file__).parents[3] / "benchmarks" / "loop_simulation.py"


@pytest.mark.skipif(not PROGRAM.exists(), reason="the benchmarks are not part of the distribution")
def test_the_simulation_agrees_with_the_formulas() -> None:
    """Within the binomial interval, in a smaller number of runs. (contract: loop:F3)"""
    command = [sys.executable, str(PROGRAM), "--runs", "300", "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout
    document = json.loads(done.stdout)
    assert all(document["stop_reasons"].values())
    assert len(document["cases"]) == 8
