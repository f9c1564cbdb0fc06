from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "durations"


def agent_judge(
    *arguments: str | Path, cwd: Path, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "agent_judge.cli", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        env={**os.environ, **environment},
        capture_output=True,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        timeout=60,
        check=False,
    )


def configured(folder: Path, *judges: dict[str, Any]) -> Path:
    """Write a configuration of judges, as TOML."""
    lines: list[str] = []
    for judge in judges:
        lines += ["[[judges]]", *(f"{key} = {json.dumps(value)}" for key, value in judge.items())]
    (folder / "agent-judge.toml").write_text("\n".join(lines))
    return folder


def command(line: str) -> dict[str, Any]:
    """A judge that runs a line of the shell."""
    return {"type": "command", "command": ["sh", "-c", line]}


@pytest.mark.parametrize(
    ("judges", "code"),
    [
        ([command("true")], 0),
        ([command("false")], 1),
        ([command("exit 127")], 3),
        ([{"type": "tokens", "max_total": 5}], 4),
        ([command("false"), command("exit 127")], 3),
    ],
)
def test_the_exit_code_says_how_it_went(
    tmp_path: Path, judges: list[dict[str, Any]], code: int
) -> None:
    """0 passed, 1 failed, 3 error, 4 undecided. (contract: edges:S8)"""
    done = agent_judge("run", cwd=configured(tmp_path, *judges))

    assert done.returncode == code, done.stderr
    assert tmp_path.name in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--no-such-option"],
        ["run", "missing.json"],
        ["run", "--workspace", "missing"],
        ["run", "-o", "report.pdf"],
        ["run", "--filter", "nothing"],
        ["run", "-c", "missing.toml"],
        ["export", "missing.json"],
        ["validate", "-c", "missing.toml"],
        ["no-such-command"],
    ],
    ids=" ".join,
)
def test_a_call_that_is_wrong_ends_with_2_and_a_message(
    tmp_path: Path, arguments: list[str]
) -> None:
    """Misuse is told apart from a failure, and shows no traceback. (contract: edges:S8)"""
    done = agent_judge(*arguments, cwd=configured(tmp_path, command("true")))

    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_configuration_that_is_wrong_ends_with_2_before_anything_runs(tmp_path: Path) -> None:
    """No judge is asked when one is misspelled. (contract: edges:S1, edges:S8)"""
    configured(tmp_path, command("touch ran"), {"type": "comand"})

    done = agent_judge("run", cwd=tmp_path)

    assert done.returncode == 2
    assert "did you mean 'command'" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_the_shipped_attempts_are_told_apart() -> None:
    """The one that does the job passes; the others fail for the right reason."""
    attempts = sorted((EXAMPLE / "attempts").glob("*.json"))
    done = agent_judge("run", *attempts, "--format", "json", cwd=EXAMPLE)

    cases = {case["case"]: case["verdict"] for case in json.loads(done.stdout)["cases"]}

    assert done.returncode == 1
    assert {name: verdict["judgment"]["status"] for name, verdict in cases.items()} == {
        "fixed": "pass",
        "regressed": "fail",
        "tampered": "fail",
    }
    assert cases["regressed"]["decided_by"]["stage"] == "/tests"
    assert cases["tampered"]["decided_by"]["stage"] == "/integrity"


def test_reports_are_written_and_exported(tmp_path: Path) -> None:
    """What was judged once can be shown in every format. (contract: edges:S7)"""
    configured(tmp_path, command("true"))
    outputs = ["r.json", "r.jsonl", "r.xml", "r.md", "r.sarif"]

    agent_judge("run", *[word for name in outputs for word in ("-o", name)], cwd=tmp_path)
    again = ["-o", "again.xml", "-o", "again.json", "-o", "again.sarif"]
    exported = agent_judge("export", "r.jsonl", *again, cwd=tmp_path)

    assert exported.returncode == 0, exported.stderr
    for suffix in (".xml", ".sarif"):
        first, second = (tmp_path / f"{name}{suffix}" for name in ("r", "again"))
        assert first.read_text() == second.read_text()
    assert (tmp_path / "again.json").read_text() == (tmp_path / "r.json").read_text()


def test_a_changed_report_is_not_exported(tmp_path: Path) -> None:
    """A pass that its seats do not give is refused. (contract: edges:S4)"""
    configured(tmp_path, command("false"))
    agent_judge("run", "-o", "r.json", cwd=tmp_path)
    stored = tmp_path / "r.json"
    report = json.loads(stored.read_text())
    report["cases"][0]["verdict"]["judgment"]["status"] = "pass"
    stored.write_text(json.dumps(report))

    done = agent_judge("export", "r.json", "--format", "junit", cwd=tmp_path)

    assert done.returncode == 2
    assert "cases" in done.stderr or "[0]" in done.stderr


def test_several_workspaces_are_judged(tmp_path: Path) -> None:
    """Each folder is a case, by its name."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    configured(tmp_path, {"type": "file_exists", "path": "made"})
    (tmp_path / "one" / "made").touch()

    done = agent_judge("run", "-w", "one", "-w", "two", "--format", "json", cwd=tmp_path)

    cases = json.loads(done.stdout)["cases"]
    assert [(case["case"], case["verdict"]["judgment"]["status"]) for case in cases] == [
        ("one", "pass"),
        ("two", "fail"),
    ]


def test_a_run_may_come_from_standard_input(tmp_path: Path) -> None:
    """A dash reads a run, with the usual spellings."""
    configured(tmp_path, {"type": "status"})

    done = agent_judge("run", "-", cwd=tmp_path, stdin='{"question": "?", "status": "success"}')

    assert done.returncode == 0, done.stderr


def test_runs_are_chosen_by_name_tag_and_number(tmp_path: Path) -> None:
    """--filter and --limit choose among many."""
    configured(tmp_path, {"type": "status"})
    runs = [{"id": "a-1", "tags": ["x"]}, {"id": "a-2"}, {"id": "b-1", "tags": ["x"]}]
    (tmp_path / "runs.json").write_text(json.dumps(runs))

    def judged(*options: str) -> list[str]:
        done = agent_judge("run", "runs.json", "--format", "jsonl", *options, cwd=tmp_path)
        return [json.loads(line)["case"] for line in done.stdout.splitlines()]

    assert judged("--filter", "a-*") == ["a-1", "a-2"]
    assert judged("--filter", "x") == ["a-1", "b-1"]
    assert judged("--limit", "1") == ["a-1"]


def test_a_console_that_lacks_characters_does_not_crash(tmp_path: Path) -> None:
    """Emoji of a judged command on a cp1252 console are replaced. (contract: cases:F9)"""
    configured(tmp_path, command("printf '\\360\\237\\230\\200 \\303\\201' >&2; exit 1"))

    done = agent_judge("run", cwd=tmp_path, PYTHONIOENCODING="cp1252")

    assert done.returncode == 1
    assert "? \u00c1" in done.stdout


def test_a_broken_pipe_makes_no_traceback(tmp_path: Path) -> None:
    """Whoever stops reading does not make the command line crash."""
    configured(tmp_path, command("true"))
    line = f"{sys.executable} -m agent_judge.cli schema | head -c 1"

    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.stderr == ""


def test_an_interrupt_ends_with_130_and_kills_what_runs(tmp_path: Path) -> None:
    """Ctrl-C ends the judging and what it started."""
    configured(tmp_path, command("touch begun; exec sleep 1000"))
    with subprocess.Popen(
        [sys.executable, "-m", "agent_judge.cli", "run"], cwd=tmp_path, stderr=subprocess.PIPE
    ) as judging:
        while not (tmp_path / "begun").exists() and judging.poll() is None:
            os.sched_yield()
        judging.send_signal(signal.SIGINT)
        _, printed = judging.communicate(timeout=30)

    assert judging.returncode == 130
    assert b"Traceback" not in printed


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    """The exit code is enough for a script."""
    done = agent_judge("run", "-q", cwd=configured(tmp_path, command("false")))

    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_validate_shows_the_jury() -> None:
    """What will be asked, in order, without asking."""
    done = agent_judge("validate", cwd=EXAMPLE)

    assert done.returncode == 0
    assert done.stdout.index("integrity") < done.stdout.index("acceptance")


def test_init_writes_a_configuration_that_is_valid_and_never_overwrites(tmp_path: Path) -> None:
    """The template can be used as it is."""
    first = agent_judge("init", cwd=tmp_path)
    valid = agent_judge("validate", cwd=tmp_path)
    (tmp_path / "agent-judge.toml").write_text("mine")
    second = agent_judge("init", cwd=tmp_path)

    assert (first.returncode, valid.returncode, second.returncode) == (0, 0, 2)
    assert (tmp_path / "agent-judge.toml").read_text() == "mine"


def test_list_and_schema_speak_to_machines(tmp_path: Path) -> None:
    """Judges as JSON, and a schema that is one."""
    listed = json.loads(agent_judge("list", "--format", "json", cwd=tmp_path).stdout)
    schema = json.loads(agent_judge("schema", cwd=tmp_path).stdout)

    assert {"type", "cost", "needs", "options", "summary"} == set(listed[0])
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_version_is_shown(tmp_path: Path) -> None:
    """--version says which release this is."""
    assert agent_judge("--version", cwd=tmp_path).stdout.startswith("agent-judge ")


def test_this_repository_is_done() -> None:
    """The project's own definition of done holds for its checkout."""
    done = agent_judge("run", cwd=ROOT)

    assert done.returncode == 0, done.stdout


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    """A missing extra is named with the command that brings it."""
    program = "import sys; sys.modules['typer'] = None; from agent_judge.cli import main; main()"

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "pip install 'agent-judge[cli]'" in done.stderr
