from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[4]
REPLIES = PROJECT.parent / "shared/data/judge_verdicts"


@pytest.mark.skipif(not REPLIES.exists(), reason="the shared data is not here")
def test_real_replies_are_read_as_their_sources_read_them() -> None:
    """Thousands of replies agree, but for misreadings of the source; none is guessed.

    (contract: judges:P8, judges:P14)
    """
    benchmark = PROJECT / "benchmarks/reply_reading.py"
    command = [sys.executable, str(benchmark), "--data", str(REPLIES), "--json"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    results = {result["name"]: result for result in json.loads(done.stdout)}
    assert results["llmbar"]["agree"] > 6_000
    assert all(result["missed"] == 0 for result in results.values())
    assert all(result["read_from_those"] == 0 for result in results.values())
    assert results["pandalm"]["one_verdict"] == results["prometheus"]["one_verdict"] == 0
    assert results["judgebench"]["conflicting"] == 9
