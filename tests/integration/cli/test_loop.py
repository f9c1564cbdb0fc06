"""`agent-judge loop` around real commands."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration

EXAMPLE = Path(__file__).parents[3] / "examples" / "loop"


def agent_judge(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "agent_judge.cli", "loop", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the shipped example."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "loop"))


def judged_by(folder: Path, line: str) -> Path:
    """A configuration of one judge that runs a line of the shell."""
    place = folder / "agent-judge.toml"
    command = json.dumps(["sh", "-c", line])
    place.write_text(f'[[judges]]\nname = "check"\ntype = "command"\ncommand = {command}\n')
    return place


def test_a_scripted_agent_mends_a_repository(example: Path) -> None:
    """In two attempts, from the feedback alone; its way is written down."""
    reports = ["t.md", "t.json", "t.html"]
    outputs = [word for name in reports for word in ("-o", name)]
    done = agent_judge(
        "-w", "repository", "-n", "5", *outputs, "--", sys.executable, "../agent.py", cwd=example
    )

    assert done.returncode == 0, done.stderr
    assert "approved after 2 attempts" in done.stdout
    assert "attempt 1: RETRY" in done.stderr
    document = json.loads((example / "t.json").read_text())
    assert (document["approved"], document["stop_reason"]) == (True, "approved")
    assert [one["kept"] for one in document["attempts"]] == [False, True]
    assert "test\\_spaces" in (example / "t.md").read_text()
    HTMLParser().feed((example / "t.html").read_text())
    assert "<script" not in (example / "t.html").read_text()
    check = [sys.executable, "-m", "unittest", "-q"]
    subprocess.run(check, cwd=example / "repository", check=True, capture_output=True)


def test_feedback_comes_in_every_way(tmp_path: Path) -> None:
    """As a file, a variable, an argument and on standard input."""
    judged_by(tmp_path, "test -e second")
    program = tmp_path / "agent.py"
    program.write_text(
        "import os, pathlib, sys\n"
        "told = [os.environ['AGENT_JUDGE_FEEDBACK'], sys.argv[1], sys.stdin.read(),\n"
        "        pathlib.Path(os.environ['AGENT_JUDGE_FEEDBACK_FILE']).read_text(), sys.argv[2]]\n"
        "attempt = os.environ['AGENT_JUDGE_ATTEMPT']\n"
        "pathlib.Path('told-' + attempt).write_text(repr(told))\n"
        "if attempt == '2':\n"
        "    pathlib.Path('second').touch()\n"
    )
    done = agent_judge(
        "--task", "Mend it.", "--stdin", "--feedback", "text", "--",
        sys.executable, "agent.py", "{feedback}", "<{prompt}>", cwd=tmp_path,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    first = eval((tmp_path / "told-1").read_text())
    second = eval((tmp_path / "told-2").read_text())
    assert first == ["", "", "Mend it.", "", "<Mend it.>"]
    told = second[0]
    assert "exit code" in told
    assert second == [told, told, f"Mend it.\n\n{told}", told, f"<Mend it.\n\n{told}>"]


@pytest.mark.parametrize(
    ("judge", "command", "code", "said"),
    [
        ("false", ["true"], 1, "not approved"),
        ("exit 127", ["true"], 3, "could not judge"),
        ("true", ["no-such-program"], 2, "cannot be started"),
        ("true", ["false"], 1, "not approved"),
        ("true", ["true"], 0, "approved"),
    ],
)
def test_the_exit_code_says_how_it_went(
    tmp_path: Path, judge: str, command: list[str], code: int, said: str
) -> None:
    """A run that failed itself is not approved, whatever the judges find."""
    judged_by(tmp_path, judge)

    done = agent_judge("-n", "2", "--", *command, cwd=tmp_path)

    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--stop-on", "boredom", "--", "true"],
        ["--run-id", "x", "--", "true"],
        ["-o", "report.pdf", "--", "true"],
        ["-w", "missing", "--", "true"],
        ["--jury", "missing", "--", "true"],
        [],
    ],
)
def test_wrong_calls_are_refused(tmp_path: Path, arguments: list[str]) -> None:
    """Before anything runs."""
    judged_by(tmp_path, "true")

    done = agent_judge(*arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert "error" in done.stderr.lower()


def test_the_best_attempt_is_left(tmp_path: Path) -> None:
    """And an unchanged one stops the loop."""
    judged_by(tmp_path, "false")
    (tmp_path / "work").mkdir()
    done = agent_judge(
        "-w", "work", "-n", "9", "--stop-on", "unchanged", "--",
        "sh", "-c", "test $AGENT_JUDGE_ATTEMPT -gt 2 || echo x >> log", cwd=tmp_path,
    )  # fmt: skip

    assert done.returncode == 1
    assert "unchanged" in done.stdout
    assert (tmp_path / "work/log").read_text() == "x\n"


def test_a_killed_loop_goes_on(tmp_path: Path) -> None:
    """From the journal, with the states of the workspace; nothing of the command is left alive."""
    judged_by(tmp_path, "test -e done")
    (tmp_path / "work").mkdir()
    agent = tmp_path / "agent.sh"
    agent.write_text(
        "echo $AGENT_JUDGE_ATTEMPT >> log\n"
        "if test $AGENT_JUDGE_ATTEMPT = 2; then\n"
        "  if test -e ../stop; then rm ../stop; echo $$ > ../pid; exec sleep 100; fi\n"
        "  touch done\nfi\n"
    )
    (tmp_path / "stop").touch()
    options = ["-w", "work", "--journal", "runs"]
    program = [sys.executable, "-m", "agent_judge.cli", "loop", *options, "--run-id", "one"]
    loop = subprocess.Popen(
        [*program, "--", "sh", "../agent.sh"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    assert loop.stderr is not None
    for line in loop.stderr:
        if "attempt 2" in line:
            break
    _wait_for(tmp_path / "pid", loop)
    loop.send_signal(signal.SIGKILL)
    loop.wait()
    loop.stderr.close()

    done = agent_judge(*options, "--resume", "one", "--", "sh", "../agent.sh", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "approved after 2 attempts" in done.stdout
    assert (tmp_path / "work/log").read_text() == "1\n2\n"


def _wait_for(file: Path, process: subprocess.Popen[Any]) -> None:
    """Until a file has a line, as long as the process lives."""
    while not (file.exists() and file.read_text().endswith("\n")):
        assert process.poll() is None
        os.sched_yield()


def test_interrupting_a_loop_kills_the_command(tmp_path: Path) -> None:
    """Ctrl-C ends it at once, and nothing is left alive."""
    judged_by(tmp_path, "true")
    program = [sys.executable, "-m", "agent_judge.cli", "loop", "--", "sh", "-c"]
    loop = subprocess.Popen([*program, "echo $$ > pid; exec sleep 100"], cwd=tmp_path)
    _wait_for(tmp_path / "pid", loop)

    loop.send_signal(signal.SIGINT)
    loop.wait(30)

    assert loop.returncode != 0
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_held_out_jury_has_to_agree(tmp_path: Path) -> None:
    """Its words do not reach the agent."""
    (tmp_path / "agent-judge.toml").write_text(
        "[juries.open]\n"
        '[[juries.open.judges]]\ntype = "command"\ncommand = "true"\n'
        "[juries.hidden]\n"
        '[[juries.hidden.judges]]\nname = "SECRET"\ntype = "command"\n'
        'command = ["test", "-e", "really-done"]\n'
    )
    agent = (
        'echo "$AGENT_JUDGE_FEEDBACK" >> ../told; '
        'test -z "$AGENT_JUDGE_FEEDBACK" || touch really-done'
    )
    (tmp_path / "work").mkdir()
    done = agent_judge(
        "--jury", "open", "--confirm-jury", "hidden", "-w", "work", "--", "sh", "-c", agent,
        cwd=tmp_path,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    told = (tmp_path / "told").read_text()
    assert "independent check" in told
    assert "SECRET" not in told
    assert "really-done" not in told
