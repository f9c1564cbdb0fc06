"""Make a virtual environment that holds this project, at the versions of constraints.txt.

Run it with the system's Python: nothing but the standard library is needed. The packages are
installed by uv, which itself is installed into the new environment.

Example:
    python3 scripts/environment.py .venv --extra all --group dev
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from ssl import get_default_verify_paths

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PYPROJECT = ROOT / "pyproject.toml"


def main() -> None:
    """Make or refresh the environment that the command line names."""
    arguments = argparse.ArgumentParser(description="Make the project's virtual environment.")
    arguments.add_argument("directory", type=Path)
    arguments.add_argument("--extra", action="append", default=[], help="an extra of the package")
    arguments.add_argument("--group", action="append", default=[], help="a dependency group")
    options = arguments.parse_args()
    if sys.version_info < OLDEST:
        raise SystemExit(
            f"Agent Judge needs Python 3.11 or newer, but this is {sys.version.split()[0]}; "
            "name another one, for example: make test PYTHON=python3.12"
        )
    interpreter = create(options.directory)
    install(interpreter, options.extra, options.group)


def create(directory: Path) -> Path:
    """Create the environment unless it works already, with uv in it; give its interpreter."""
    interpreter = directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if works(interpreter, "-m", "uv", "--version"):
        return interpreter
    if find_spec("ensurepip"):
        run(sys.executable, "-m", "venv", "--clear", str(directory))
        installer = [str(interpreter), "-m", "pip"]
    elif find_spec("pip"):
        run(sys.executable, "-m", "venv", "--clear", "--without-pip", str(directory))
        installer = [sys.executable, "-m", "pip", "--python", str(interpreter)]
    else:
        raise SystemExit(
            f"{sys.executable} can make no virtual environment: it has neither ensurepip nor pip; "
            "on Debian and Ubuntu install them with: sudo apt-get install python3-venv"
        )
    run(*installer, "install", "--quiet", "--constraint", str(CONSTRAINTS), "uv")
    return interpreter


def install(interpreter: Path, extras: list[str], groups: list[str]) -> None:
    """Install the project, editable, with the extras and dependency groups that were asked for."""
    project = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    chosen = [argument for group in groups for argument in ("--group", f"{PYPROJECT}:{group}")]
    run(
        *(str(interpreter), "-m", "uv", "pip", "install", "--quiet"),
        *("--python", str(interpreter), "--constraint", str(CONSTRAINTS)),
        *("--build-constraint", str(CONSTRAINTS), *chosen, "--editable", project),
    )


def works(*command: str | Path) -> bool:
    """Say whether a program can be started and succeeds, without a word on the terminal."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run(*command: str) -> None:
    """Run an installer; let uv use the index and the certificates that pip would use."""
    environment = dict(os.environ)
    if "PIP_INDEX_URL" in environment:
        environment.setdefault("UV_DEFAULT_INDEX", environment["PIP_INDEX_URL"])
    if get_default_verify_paths().cafile:
        environment.setdefault("UV_SYSTEM_CERTS", "true")
    finished = subprocess.run(command, env=environment, check=False)
    if finished.returncode:
        raise SystemExit(f"failed with exit code {finished.returncode}: {' '.join(command)}")


if __name__ == "__main__":
    main()
