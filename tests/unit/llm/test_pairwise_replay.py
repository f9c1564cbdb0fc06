from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]
DATA = PROJECT.parent / "shared/data"


@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")
def test_recorded_comparisons_come_to_what_their_studies_stored() -> None:
    """Accuracies are the very same in either order, and averaged over both.

    (contract: judges:P21)
    """
    benchmark = PROJECT / "benchmarks/pairwise_replay.py"
    command = [sys.executable, str(benchmark), "--data", str(DATA), "--json"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    llmbar, judgebench = json.loads(done.stdout)
    in_one_order = [one for one in llmbar["figures"] if one["order"] in ("AB", "BA")]
    assert sum(one["compared"] for one in in_one_order) > 6_000
    assert all(one["correct"] == one["correct_by_labels"] for one in llmbar["figures"])
    averaged = [one for one in judgebench["figures"] if one["order"] == "average"]
    assert [one["elsewhere"] for one in averaged] == [0.296774, 0.605634]
    assert len(llmbar["left_out"]) < 100
    assert len(judgebench["left_out"]) == 10
