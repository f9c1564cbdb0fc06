"""Reports that are broken, or were made to do harm, given to every reader."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
FUZZER = PROJECT / "benchmarks/fuzz_reports.py"


@pytest.mark.skipif(sys.platform == "win32", reason="memory is bounded by the limits of POSIX")
@pytest.mark.skipif(not FUZZER.exists(), reason="the benchmarks are not here")
def test_no_report_crashes_a_reader_or_makes_it_read_another_file() -> None:
    """Cut off, changed at random, with entities, deep, without end, and over and over.

    (contract: judges:O3)
    """
    command = [sys.executable, str(FUZZER), "--rounds", "3", "--megabytes", "1", "--json"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    mutated, attacked = json.loads(done.stdout)
    assert "'read'" in mutated
    assert int(attacked.split()[0]) > 60
