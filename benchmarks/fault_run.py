"""Vote on thousands of random juries whose judges go wrong in every way, and print what was seen.

    python benchmarks/fault_run.py [--juries 10000] [--seed 0] [--only INDEX]

The juries and the rules they are held to are those of the tests.
"""

from __future__ import annotations

import runpy
from pathlib import Path

if __name__ == "__main__":
    faults = Path(__file__).resolve().parents[1] / "tests" / "integration" / "faults.py"
    runpy.run_path(str(faults), run_name="__main__")
