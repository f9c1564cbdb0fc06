"""Build the distributions, and use the wheel in an environment that holds nothing else.

Example:
    .venv/bin/python scripts/check_wheel.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parent.parent
UV = [sys.executable, "-m", "uv"]
REQUIRED = (
    "agent_judge/py.typed",
    "agent_judge/judges/meaning/vocabulary.txt",
    ".dist-info/licenses/LICENSE",
    ".dist-info/licenses/NOTICE",
)
USE = """
import importlib.metadata as metadata
import agent_judge
from agent_judge import *

installed = sorted(found.metadata["Name"] for found in metadata.distributions())
assert installed == ["agent-judge"], f"an empty environment was asked for, not {installed}"
assert "site-packages" in agent_judge.__file__, agent_judge.__file__
print(f"agent-judge {metadata.version('agent-judge')} imports from its wheel alone")
"""


def main() -> None:
    """Build from the sdist, look into the wheel, and import it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "dist")
        check_contents(wheel)
        use(wheel, folder / "empty")


def build(target: Path) -> Path:
    """Build the sdist, and from it the wheel, as an installer would that has only the sdist."""
    run(*UV, "build", "--quiet", "--no-build-isolation", "--out-dir", str(target), ROOT)
    (wheel,) = target.glob("*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """Refuse a wheel that lacks its type marker, data or licences, or holds a stray file."""
    with ZipFile(wheel) as archive:
        files = archive.namelist()
    stray = [file for file in files if not file.startswith(("agent_judge/", "agent_judge-"))]
    missing = [ending for ending in REQUIRED if not any(file.endswith(ending) for file in files)]
    if stray or missing:
        raise SystemExit(f"{wheel.name} holds {stray} beside the package and lacks {missing}")


def use(wheel: Path, environment: Path) -> None:
    """Import every public name, with warnings as errors, where nothing else is installed."""
    run(*UV, "venv", "--quiet", "--python", sys.executable, str(environment))
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(*UV, "pip", "install", "--quiet", "--no-index", "--python", str(python), str(wheel))
    run(python, "-I", "-W", "error", "-c", USE)


def run(*command: str | Path) -> None:
    """Run a program, and end with its exit code when it fails."""
    finished = subprocess.run(command, check=False)
    if finished.returncode:
        raise SystemExit(finished.returncode)


if __name__ == "__main__":
    main()
