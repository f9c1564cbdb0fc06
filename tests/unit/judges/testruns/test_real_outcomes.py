from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[4]
OUTCOMES = PROJECT.parent / "shared/data/swe_outcomes"


@pytest.mark.skipif(not OUTCOMES.exists(), reason="the shared data is not here")
def test_real_runs_are_judged_as_they_were_recorded() -> None:
    """No run passes that was not resolved, and each difference has a reason.

    (contract: judges:X10)
    """
    benchmark = PROJECT / "benchmarks/swe_outcomes.py"
    command = [sys.executable, str(benchmark), "--data", str(OUTCOMES), "--json"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert sum(row["agrees"] for row in rows) / len(rows) > 0.9
    assert not [row for row in rows if row["passed"] and not row["resolved"]]
