from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent_judge.cli import main
from agent_judge.cli.app import app

STATUS = '[[judges]]\ntype = "status"\n'
SMOKE = f"[juries.smoke]\njudges = [{{ type = 'status' }}]\n[juries.full]\n{STATUS}".replace(
    "[[judges]]", "[[juries.full.judges]]"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder of its own, with a configuration."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent-judge.toml").write_text(STATUS)
    return tmp_path


def agent_judge(*arguments: str, stdin: str | bytes = b"") -> Any:
    """Run a command in this process."""
    return CliRunner().invoke(app, list(arguments), input=stdin)


def cases(done: Any) -> list[str]:
    """The cases in a report as JSON."""
    return [case["case"] for case in json.loads(done.stdout)["cases"]]


@pytest.mark.parametrize(
    ("stdin", "expected"),
    [
        ('{"status": "success"}', ["stdin"]),
        ('{\n "status": "success"\n}\n', ["stdin"]),
        ('[{"status": "success"}, {"id": "b", "status": "success"}]', ["stdin-1", "b"]),
        ('{"status": "success"}\n\n{"status": "success"}\n', ["stdin-1", "stdin-2"]),
    ],
)
def test_standard_input_may_hold_one_run_or_several(stdin: str, expected: list[str]) -> None:
    """JSON, a list, or JSON Lines."""
    done = agent_judge("run", "-", "--format", "json", stdin=stdin)

    assert done.exit_code == 0, done.stderr
    assert cases(done) == expected


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        ("", "stdin: is not JSON"),
        ("[]", "the files hold no run"),
        ("\xff", "stdin: is not JSON"),
        ('{"status": "success"}\n{"status": }\n', "stdin:2: is not JSON"),
        ('{"statuss": "success"}', "stdin: statuss: unknown; did you mean 'status'"),
        ('{"status": "success", "assert": []}', "stdin: assert: unknown"),
        ('[{"id": "a"}, {"id": "a"}]', "two runs have the id 'a'"),
        ('[{}, {"assert": [{"type": "equals"}]}]', "stdin-2: assert: unknown"),
    ],
)
def test_a_run_that_is_not_understood_is_no_run_that_passed(stdin: str, message: str) -> None:
    """A key in the wrong place is an error, not "all passed". (contract: cases:F13, edges:S8)"""
    done = agent_judge("run", "-", stdin=stdin.encode("latin-1"))

    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_a_jury_is_chosen_by_its_name(folder: Path) -> None:
    """And must be, where there are several."""
    (folder / "agent-judge.toml").write_text(SMOKE)
    run = '{"status": "success"}'

    assert agent_judge("run", "-", "--jury", "smoke", stdin=run).exit_code == 0
    assert "smoke, full" in agent_judge("run", "-", stdin=run).stderr
    unknown = agent_judge("run", "-", "--jury", "smok", stdin=run)
    assert unknown.exit_code == 2
    assert "did you mean 'smoke'" in unknown.stderr


def test_validate_shows_every_jury(folder: Path) -> None:
    """Each with the name it is chosen by."""
    (folder / "agent-judge.toml").write_text(STATUS + SMOKE)

    done = agent_judge("validate")

    assert done.exit_code == 0
    assert [line for line in done.stdout.splitlines() if "(jury" in line] == [
        "Jury (jury, majority)",
        "juries.smoke: smoke (jury, majority)",
        "juries.full: full (jury, majority)",
    ]


@pytest.mark.parametrize("seconds", ["0", "-1", "x"])
def test_a_timeout_that_is_none_is_refused(seconds: str) -> None:
    """Before anything runs. (contract: edges:S8)"""
    done = agent_judge("run", "--timeout", seconds)

    assert done.exit_code == 2
    assert "timeout" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [("--limit", "0"), ("-j", "0"), ("--format", "yaml"), ("-w", "a", "-w", "b", "runs.json")],
)
def test_options_out_of_their_range_are_refused(arguments: tuple[str, ...], folder: Path) -> None:
    """As any wrong call. (contract: edges:S8)"""
    (folder / "runs.json").write_text("{}")

    assert agent_judge("run", *arguments).exit_code == 2


def test_one_workspace_goes_with_one_run(folder: Path) -> None:
    """A run from a file may be judged in a folder that is named beside it."""
    (folder / "agent-judge.toml").write_text('[[judges]]\ntype = "file_exists"\npath = "made"\n')
    (folder / "work").mkdir()
    (folder / "work" / "made").touch()

    assert agent_judge("run", "-", "-w", "work", stdin="{}").exit_code == 0
    two = agent_judge("run", "-", "-w", "work", stdin='[{"id": "a"}, {"id": "b"}]')
    assert two.exit_code == 2
    assert "one --workspace goes with one run" in two.stderr


def test_list_shows_the_options_of_the_judges_that_are_named() -> None:
    """With their defaults, and which must be given."""
    done = agent_judge("list", "file_exists", "command")

    assert "    path  (needed)\n" in done.stdout
    assert '    kind = "file"\n' in done.stdout
    assert "    expected_exit = 0\n" in done.stdout


def test_list_tells_machines_what_each_option_takes() -> None:
    """Name, default and schema. (contract: edges:S1)"""
    (listed,) = json.loads(agent_judge("list", "status", "--format", "json").stdout)

    assert listed["options"] == [
        {
            "name": "allowed",
            "needed": False,
            "schema": {"type": "array", "items": {"type": "string"}},
            "default": ["success"],
        }
    ]


def test_list_refuses_what_it_does_not_know() -> None:
    """With the nearest spelling. (contract: edges:S1)"""
    done = agent_judge("list", "staus")

    assert done.exit_code == 2
    assert "did you mean 'status'" in done.stderr


def test_list_goes_on_where_a_judge_of_somebody_else_is_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It says so in the place of the summary."""
    from importlib.metadata import EntryPoint, EntryPoints

    points = EntryPoints([EntryPoint("broken", "no_such_package:judge", "agent_judge.judges")])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points.select(group=group))

    done = agent_judge("list")

    assert done.exit_code == 0
    assert "'broken' cannot be imported: ModuleNotFoundError" in done.stdout
    assert "file_exists" in done.stdout


def test_a_crash_of_the_command_line_is_no_failure_of_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with 3, as any error, and shows where it happened. (contract: edges:S8)"""

    def crash() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("agent_judge.cli.app.app", crash)

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 3
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_the_template_is_a_valid_configuration(folder: Path) -> None:
    """What init writes can be used, and validated by its schema."""
    import tomllib

    import jsonschema

    from agent_judge.config.schema import configuration_schema

    (folder / "agent-judge.toml").unlink()
    assert agent_judge("init").exit_code == 0
    written = (folder / "agent-judge.toml").read_text(encoding="utf-8")

    jsonschema.validate(tomllib.loads(written), configuration_schema())
    assert agent_judge("validate").exit_code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(folder: Path) -> None:
    """With its name."""
    folder.chmod(0o500)

    done = agent_judge("init", "-c", "new.toml")

    folder.chmod(0o700)
    assert done.exit_code == 2
    assert "new.toml: Permission denied" in done.stderr


def test_a_report_that_cannot_be_written_is_said() -> None:
    """The verdict is not lost without a word. (contract: edges:S8)"""
    done = agent_judge("run", "-", "-o", "missing/out.json", stdin='{"status": "success"}')

    assert done.exit_code == 2
    assert "missing" in done.stderr


def test_a_report_is_exported_to_standard_output(folder: Path) -> None:
    """As a table, or in the format that is asked for."""
    agent_judge("run", "-", "-o", "out.json", stdin='{"id": "a", "status": "success"}')

    assert "1 passed of 1" in agent_judge("export", "out.json").stdout
    assert agent_judge("export", "out.json", "--format", "junit").stdout.startswith("<?xml")
    assert agent_judge("export", "out.json", "--format", "json").stdout == (
        folder / "out.json"
    ).read_text(encoding="utf-8")
