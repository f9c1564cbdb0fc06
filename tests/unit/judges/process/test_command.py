from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, Jury, ReasonCode, Status, aevaluate, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import CommandJudge
from unit.judges.process.commands import judged


def test_the_expected_exit_code_passes_with_the_evidence(tmp_path: Path) -> None:
    """Ending as expected passes, with what was run and printed. (contract: judges:X1)"""
    judgment = judged(tmp_path, ["sh", "-c", "echo out; echo err >&2"])

    assert judgment.passed
    assert judgment.metadata["command"] == ("sh", "-c", "echo out; echo err >&2")
    assert judgment.metadata["exit_code"] == 0
    assert judgment.metadata["stdout"] == "out\n"
    assert judgment.metadata["stderr"] == "err\n"
    assert float(str(judgment.metadata["elapsed"])) > 0


@pytest.mark.parametrize("expected", [3, [2, 3], (3,)])
def test_any_exit_code_or_a_set_can_be_expected(tmp_path: Path, expected: Any) -> None:
    """The code that passes need not be 0, and there may be several. (contract: judges:X1)"""
    assert judged(tmp_path, ["sh", "-c", "exit 3"], expected_exit=expected).passed


def test_another_exit_code_fails_and_says_why(tmp_path: Path) -> None:
    """An exit code that was not expected fails, with the last words. (contract: judges:X2)"""
    judgment = judged(tmp_path, ["sh", "-c", "echo it broke >&2; exit 1"])

    assert judgment.status is Status.FAIL
    assert "it broke" in judgment.reasoning
    assert [check.passed for check in judgment.checks] == [False]


def test_an_unexpected_success_fails(tmp_path: Path) -> None:
    """Where a failure is expected, exit code 0 is a failure. (contract: judges:X2)"""
    assert judged(tmp_path, "true", expected_exit=1).status is Status.FAIL


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["no-such-program-here"], ReasonCode.COMMAND_NOT_FOUND),
        (["./plain"], ReasonCode.COMMAND_NOT_EXECUTABLE),
        (["./no-interpreter"], ReasonCode.COMMAND_NOT_FOUND),
        (["sh", "-c", "exit 127"], ReasonCode.COMMAND_NOT_FOUND),
        (["sh", "-c", "exit 126"], ReasonCode.COMMAND_NOT_EXECUTABLE),
        (["sh", "-c", "kill -9 $$"], ReasonCode.COMMAND_KILLED),
    ],
)
def test_what_did_not_run_to_an_end_is_an_error(
    tmp_path: Path, command: list[str], code: ReasonCode
) -> None:
    """Not found, not executable or killed is no failure of the work. (contract: judges:X3)"""
    (tmp_path / "plain").write_text("text")
    script = tmp_path / "no-interpreter"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)

    judgment = judged(tmp_path, command)

    assert (judgment.status, judgment.code) == (Status.ERROR, code)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["sh", "-c", "exit 127"], 127),
        (["no-such-program-here"], 127),
        (["sh", "-c", "exit 126"], 126),
        (["./plain"], 126),
    ],
)
def test_a_program_that_is_not_there_can_be_expected(
    tmp_path: Path, command: list[str], code: int
) -> None:
    """127 and 126 pass where they are the expected code. (contract: judges:X3)"""
    (tmp_path / "plain").write_text("text")

    assert judged(tmp_path, command, expected_exit=code).passed


def test_a_signal_can_be_expected_as_a_shell_counts_it(tmp_path: Path) -> None:
    """A command killed by signal 9 ends with 137 for a shell. (contract: judges:X3)"""
    judgment = judged(tmp_path, ["sh", "-c", "kill -9 $$"], expected_exit=137)

    assert judgment.passed


def test_a_timeout_is_an_error_that_keeps_what_was_printed(tmp_path: Path) -> None:
    """Past its deadline a command is killed; the partial output stays. (contract: judges:X4)"""
    judgment = judged(tmp_path, ["sh", "-c", "echo begun; sleep 1000"], timeout=0.5)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.TIMEOUT)
    assert judgment.metadata["stdout"] == "begun\n"


def test_a_process_in_the_background_does_not_hold_the_judge_up(tmp_path: Path) -> None:
    """The command's own end is its end, whatever it left running. (contract: judges:X5)"""
    judgment = judged(tmp_path, ["sh", "-c", "sleep 1000 & echo hi"], timeout=20)

    assert judgment.passed
    assert judgment.metadata["stdout"] == "hi\n"
    assert judgment.metadata["processes_left_over"] == 1


def test_output_beyond_the_limit_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    """A flood is cut in the middle, and the mark says by how much. (contract: judges:X6)"""
    program = "print('first'); print('x' * 1_000_000); print('last')"

    judgment = judged(tmp_path, [sys.executable, "-c", program], output_limit=1000)

    printed = str(judgment.metadata["stdout"])
    assert judgment.passed
    assert printed.startswith("first\n")
    assert printed.endswith("last\n")
    assert "999012 bytes dropped" in printed


def test_output_that_is_not_text_is_decoded_with_replacement(tmp_path: Path) -> None:
    """Bytes that are no UTF-8, and NUL, do no harm. (contract: judges:X6, cases:E5)"""
    program = "import sys; sys.stdout.buffer.write(bytes([0xFF, 0xFE, 0x00]) + b'!')"

    judgment = judged(tmp_path, [sys.executable, "-c", program])

    assert judgment.passed
    assert judgment.metadata["stdout"] == "\ufffd\ufffd\ufffd!"


def test_both_streams_may_flood_at_once(tmp_path: Path) -> None:
    """Neither stream blocks the other. (contract: judges:X6)"""
    command = "head -c 3000000 /dev/zero & head -c 3000000 /dev/zero >&2; wait"

    assert judged(tmp_path, ["sh", "-c", command]).passed


def test_a_string_is_split_and_no_shell_runs(tmp_path: Path) -> None:
    """What a shell would act on stays an argument. (contract: judges:X7)"""
    judgment = judged(tmp_path, "printf '%s|' 'a b' ; $HOME > made")

    assert judgment.metadata["stdout"] == "a b|;|$HOME|>|made|"
    assert not (tmp_path / "made").exists()


def test_a_shell_must_be_asked_for(tmp_path: Path) -> None:
    """With shell=True the string is a shell's. (contract: judges:X7)"""
    judgment = judged(tmp_path, "echo one | tr o 0 > made; cat made", shell=True)

    assert judgment.metadata["stdout"] == "0ne\n"


def test_secrets_of_the_parent_are_not_inherited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command sees a short list of variables and those it is given. (contract: judges:X8)"""
    monkeypatch.setenv("MY_API_KEY", "secret")
    monkeypatch.setenv("JAVA_HOME", "/jdk")

    judgment = judged(tmp_path, "env", env={"EXTRA": "1"}, inherit=["JAVA_HOME"])

    names = {line.partition("=")[0] for line in str(judgment.metadata["stdout"]).splitlines()}
    assert {"PATH", "EXTRA", "JAVA_HOME"} <= names
    assert "MY_API_KEY" not in names


def test_a_program_planted_in_the_workspace_does_not_stand_in_for_a_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PATH loses what is relative or leads into the workspace. (contract: judges:X8)"""
    planted = tmp_path / "bin" / "true"
    planted.parent.mkdir()
    planted.write_text("#!/bin/sh\necho planted\n")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", f".:bin:{planted.parent}:{os.environ['PATH']}")

    judgment = judged(tmp_path, "true")

    assert judgment.metadata["stdout"] == ""


def test_every_category_of_the_locale_is_inherited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What programs print depends on more than LANG. (contract: judges:X8)"""
    monkeypatch.setenv("LC_COLLATE", "C")

    assert judged(tmp_path, ["sh", "-c", "echo $LC_COLLATE"]).metadata["stdout"] == "C\n"


def test_a_path_that_was_asked_for_is_taken_as_it_is(tmp_path: Path) -> None:
    """Tools of the workspace are used where a person says so. (contract: judges:X8)"""
    tool = tmp_path / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho found\n")
    tool.chmod(0o755)

    judgment = judged(tmp_path, "tool", env={"PATH": "bin"})

    assert judgment.metadata["stdout"] == "found\n"


def test_standard_input_is_what_it_is_given_or_nothing(tmp_path: Path) -> None:
    """A command never reads the terminal of whoever judges. (contract: judges:X8)"""
    assert judged(tmp_path, "cat", stdin="hello").metadata["stdout"] == "hello"
    assert judged(tmp_path, "cat").metadata["stdout"] == ""


@pytest.mark.parametrize("workspace", [None, "missing", "file"])
def test_without_a_workspace_nothing_runs(tmp_path: Path, workspace: str | None) -> None:
    """No workspace, one that is not there or is a file is an error. (contract: judges:F4)"""
    (tmp_path / "file").touch()
    place = None if workspace is None else tmp_path / workspace

    judgment = evaluate(CommandJudge("true"), JudgmentContext(workspace=place))

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.NO_WORKSPACE)
    assert not (tmp_path / "missing").exists()


def test_it_runs_in_a_folder_of_the_workspace(tmp_path: Path) -> None:
    """The working directory can be a folder below."""
    (tmp_path / "app").mkdir()

    judgment = judged(tmp_path, "pwd", cwd="app")

    assert judgment.metadata["stdout"] == f"{tmp_path / 'app'}\n"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """Nothing runs elsewhere instead. (contract: judges:F4)"""
    assert judged(tmp_path, "true", cwd="app").code is ReasonCode.NO_WORKSPACE


def test_a_link_does_not_lead_the_command_out_of_the_workspace(tmp_path: Path) -> None:
    """A working directory behind a link that leaves is an error. (contract: judges:F3)"""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "out").symlink_to(tmp_path)

    judgment = judged(workspace, "true", cwd="out")

    assert judgment.code is ReasonCode.OUTSIDE_WORKSPACE


def test_two_judges_of_one_vote_run_the_same_command_once(tmp_path: Path) -> None:
    """The same command in the same place runs once; both get its end. (contract: judges:X16)"""
    command = ["sh", "-c", "echo run >> runs; exit 3"]
    jury = Jury([CommandJudge(command), CommandJudge(command, expected_exit=3)])

    verdict = jury.vote(JudgmentContext(workspace=tmp_path))

    assert [seat.judgment.status for seat in verdict.seats] == [Status.FAIL, Status.PASS]
    assert (tmp_path / "runs").read_text() == "run\n"


def test_the_next_vote_runs_the_command_again(tmp_path: Path) -> None:
    """What a vote shares ends with it. (contract: judges:X16)"""
    jury = Jury([CommandJudge(["sh", "-c", "echo run >> runs"])] * 2)

    for _ in range(2):
        jury.vote(JudgmentContext(workspace=tmp_path))

    assert (tmp_path / "runs").read_text() == "run\n" * 2


def test_a_judge_that_gives_up_leaves_the_command_to_the_other(tmp_path: Path) -> None:
    """What is shared runs on while one of them waits for it. (contract: judges:X16)"""
    command = CommandJudge(["sh", "-c", "touch begun; until test -e go; do sleep 0.01; done"])

    async def impatient(context: JudgmentContext) -> Judgment:
        waiting = asyncio.ensure_future(aevaluate(command, context))
        while not (tmp_path / "begun").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        (tmp_path / "go").touch()
        return Judgment.passing()

    verdict = Jury([command, impatient]).vote(JudgmentContext(workspace=tmp_path))

    assert [seat.judgment.status for seat in verdict.seats] == [Status.PASS, Status.PASS]


def test_other_variables_make_another_command(tmp_path: Path) -> None:
    """Commands are the same only when everything is that matters. (contract: judges:X16)"""
    command = ["sh", "-c", 'echo "$WHO" >> runs']
    jury = Jury([CommandJudge(command, env={"WHO": who}) for who in ("a", "b")])

    jury.vote(JudgmentContext(workspace=tmp_path))

    assert sorted((tmp_path / "runs").read_text().split()) == ["a", "b"]


def test_it_runs_on_the_loop_of_the_caller(tmp_path: Path) -> None:
    """Awaited directly, it is a judge like any other."""
    judge = CommandJudge("echo hi")

    judgment = asyncio.run(judge(JudgmentContext(workspace=tmp_path)))

    assert judgment.metadata["stdout"] == "hi\n"


@pytest.mark.parametrize(
    "options",
    [
        {"command": ""},
        {"command": "   "},
        {"command": []},
        {"command": "echo 'open"},
        {"command": ["echo", "a\x00b"]},
        {"command": "true", "timeout": 0},
        {"command": "true", "timeout": float("nan")},
        {"command": "true", "cwd": "../elsewhere"},
        {"command": "true", "cwd": "/tmp"},
        {"command": "true", "expected_exit": []},
        {"command": "true", "expected_exit": 256},
        {"command": "true", "isolation": "docker"},
        {"command": "true", "limits": {"cpu": 3}},
        {"command": "true", "limits": {"cpu_seconds": 0}},
        {"command": "true", "env": {"A=B": "1"}},
        {"command": "true", "output_limit": 1},
        {"command": "true", "timeout": None},
        {"command": "true", "cwd": ""},
        {"command": "true", "limits": {"memory_mb": 2**62}},
        {"command": "true", "readable": ["relative"]},
        {"command": "true", "stdin": "\udc80"},
        {"command": ["echo", "\udc80"]},
        {"command": "true", "env": {"A": "\x00"}},
    ],
)
def test_a_value_that_is_not_allowed_is_refused_early(options: dict[str, Any]) -> None:
    """What can be known wrong at construction is refused there. (contract: judges:X7)"""
    with pytest.raises(ArgumentError):
        CommandJudge(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"command": 3},
        {"command": ["echo", 3]},
        {"command": ["echo"], "shell": True},
        {"command": "true", "env": {"A": 1}},
        {"command": "true", "inherit": "HOME"},
        {"command": "true", "expected_exit": "0"},
        {"command": "true", "cwd": 3},
        {"command": "true", "stdin": 3},
        {"command": "true", "shell": "yes"},
        {"command": "true", "limits": 3},
        {"command": "true", "env": 3},
    ],
)
def test_a_type_that_is_not_allowed_is_refused_early(options: dict[str, Any]) -> None:
    """A list of words where a shell is asked for, too, is refused. (contract: judges:X7)"""
    with pytest.raises(ArgumentTypeError):
        CommandJudge(**options)
