"""What must not look like a pass, seen from outside: by the exit code and what is printed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[3]
JUDGED = ["LICENSE", "README.md", "CHANGELOG.md", "agent-judge.toml"]


def agent_judge(
    *arguments: str, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "agent_judge.cli", *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("module", "code", "message"),
    [
        ("import sys\nsys.exit(0)\n", 2, b"SystemExit: 0"),
        ("def (\n", 2, b"SyntaxError"),
        ("import sys\ndef own(context): sys.exit(0)\n", 3, b"a judge ended the program"),
        ("async def own(context): raise SystemExit\n", 3, b"a judge ended the program"),
        ("def own(context): raise ValueError('no')\n", 3, b""),
        ("def own(context): return 'pass'\n", 3, b""),
    ],
)
def test_no_judge_of_ones_own_passes_by_ending_the_program(
    tmp_path: Path, module: str, code: int, message: bytes
) -> None:
    """Whatever its code does, nobody judged. (contract: edges:S8)"""
    (tmp_path / "own_module.py").write_text(module)
    (tmp_path / "agent-judge.toml").write_text(
        'python_path = ["."]\n[[judges]]\ntype = "own_module:own"\n'
    )

    done = agent_judge("run", cwd=tmp_path)

    assert done.returncode == code
    assert message in done.stderr


@pytest.mark.parametrize("content", ["[]", ""])
def test_a_file_without_a_run_does_not_pass(tmp_path: Path, content: str) -> None:
    """Nor is the folder one happens to be in judged instead. (contract: edges:S8)"""
    (tmp_path / "agent-judge.toml").write_text('[[judges]]\ntype = "command"\ncommand = "true"\n')
    (tmp_path / "runs.jsonl").write_text("\n" if not content else "")
    (tmp_path / "runs.json").write_text(content or "[]")

    for arguments in (["runs.json"], ["runs.jsonl"], ["runs.json", "-w", "."]):
        done = agent_judge("run", *arguments, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, b"error: the files hold no run\n")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_documents_are_utf8_on_any_console(tmp_path: Path, encoding: str) -> None:
    """JUnit XML of a command that prints emoji is XML. (contract: edges:S7, cases:F9)"""
    (tmp_path / "agent-judge.toml").write_text(
        "[[judges]]\ntype = 'command'\n"
        "command = ['sh', '-c', 'printf \"\\303\\201 \\360\\237\\230\\200\" >&2; exit 1']\n"
    )

    done = agent_judge("run", "--format", "junit", cwd=tmp_path, PYTHONIOENCODING=encoding)

    assert done.returncode == 1, done.stderr
    assert "Á \N{GRINNING FACE}" in ET.tostring(ET.fromstring(done.stdout), encoding="unicode")


@pytest.mark.parametrize(("status", "code"), [("success", 0), ("failed", 1)])
def test_whoever_stops_reading_does_not_change_the_exit_code(
    tmp_path: Path, status: str, code: int
) -> None:
    """The verdict is the same, however much of it was read. (contract: edges:S8)"""
    (tmp_path / "agent-judge.toml").write_text('[[judges]]\ntype = "status"\n')
    (tmp_path / "runs.jsonl").write_text(f'{{"status": "{status}"}}\n' * 2_000)
    reader, writer = os.pipe()
    os.close(reader)

    with os.fdopen(writer, "wb") as nobody:
        done = subprocess.run(
            [sys.executable, "-m", "agent_judge.cli", "run", "runs.jsonl"],
            cwd=tmp_path,
            stdout=nobody,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (done.returncode, done.stderr) == (code, b"")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the project's own configuration looks at."""
    for name in JUDGED:
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("LICENSE", ""),
        ("README.md", ""),
        ("CHANGELOG.md", ""),
        ("src/agent_judge/cli/added.py", "x = 1\n<<<<<<< ours\n"),
        ("src/agent_judge/__init__.py", "import typer\n"),
    ],
)
def test_this_repository_would_be_refused(checkout: Path, path: str, content: str) -> None:
    """Each thing that the project's own configuration looks at can fail."""
    (checkout / path).write_text(content)

    assert agent_judge("run", "-q", cwd=checkout).returncode == 1
