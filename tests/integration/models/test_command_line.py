from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from agent_judge.errors import ArgumentError
from agent_judge.judgment import ReasonCode
from agent_judge.models import (
    CommandLineModel,
    FinishReason,
    MalformedReplyError,
    Message,
    ModelError,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitedError,
    ResponseSchema,
    TruncatedReplyError,
    UnsupportedOptionError,
    require_complete,
)
from agent_judge.usage import Usage

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(sys.platform == "win32", reason="the programs are scripts"),
]

SCHEMA = ResponseSchema("verdict", {"type": "object", "properties": {"pass": {"type": "boolean"}}})

REQUEST = ModelRequest([Message.system("Judge."), Message.user("Is 2 + 2 = 4?")])

CLAUDE = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "api_error_status": None,
    "num_turns": 1,
    "result": "PASS",
    "stop_reason": "end_turn",
    "total_cost_usd": 0.25,
    "usage": {"input_tokens": 10, "output_tokens": 3, "cache_read_input_tokens": 5},
}

CODEX: list[dict[str, Any]] = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"type": "reasoning", "text": "FAIL"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "Let me see."}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "PASS"}},
    {
        "type": "turn.completed",
        "usage": {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 3},
    },
]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A place for a program."""
    return tmp_path / "program"


def write(path: Path, code: str) -> Path:
    """Write a program in Python."""
    path.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{code}\n")
    path.chmod(0o700)
    return path


def prints(path: Path, *objects: object, code: int = 0) -> Path:
    """A program that notes how it was called, and prints JSON, one object a line."""
    notes = path.with_suffix(".json")
    return write(
        path,
        f"""
notes = {{"arguments": sys.argv[1:], "input": sys.stdin.read(), "folder": os.getcwd(),
         "files": {{a: open(a).read() for a in sys.argv if os.path.isfile(a) and a != sys.argv[0]}},
         "listing": os.listdir()}}
json.dump(notes, open({str(notes)!r}, "w"))
print("a warning", file=sys.stderr)
for entry in json.loads({json.dumps(objects)!r}):
    print(json.dumps(entry))
sys.exit({code})
""",
    )


def called(path: Path) -> Any:
    """How the program was called."""
    return json.loads(path.with_suffix(".json").read_text())


def ask(
    name: str, executable: Path, request: ModelRequest = REQUEST, **options: Any
) -> ModelResponse:
    """Ask a program once."""
    model = CommandLineModel(name, executable=executable, **options)
    return asyncio.run(model(request))


def test_claude_code_is_asked_without_its_tools(program: Path) -> None:
    """Task and question go in, and its answer, usage and price come out. (contract: judges:P12)"""
    response = ask("claude", prints(program, CLAUDE), model="opus")

    assert response == ModelResponse(
        "PASS",
        finish_reason=FinishReason.STOP,
        finish_detail="end_turn",
        usage=Usage(input_tokens=15, output_tokens=3, cached_tokens=5, cost=0.25),
    )
    how = called(program)
    assert how["input"] == "Is 2 + 2 = 4?"
    assert list(how["files"].values()) == ["Judge."]
    assert how["arguments"][:3] == ["--print", "--output-format", "json"]
    assert how["arguments"][how["arguments"].index("--tools") + 1] == ""
    assert how["arguments"][-2:] == ["--model", "opus"]


def test_codex_is_asked_in_its_sandbox(program: Path) -> None:
    """The last message of its turn is the answer."""
    response = ask("codex", prints(program, *CODEX))

    assert response.text == "PASS"
    assert response.complete
    assert response.usage == Usage(input_tokens=10, output_tokens=3, cached_tokens=4)
    how = called(program)
    assert how["input"] == "Judge.\n\nIs 2 + 2 = 4?"
    assert how["arguments"][how["arguments"].index("--sandbox") + 1] == "read-only"


def test_gemini_is_asked_in_its_read_only_mode(program: Path) -> None:
    """Its answer comes without a reason for its end."""
    response = ask("gemini", prints(program, {"response": "PASS", "stats": {}}))

    assert response == ModelResponse("PASS")
    how = called(program)
    assert how["input"] == "Judge.\n\nIs 2 + 2 = 4?"
    assert how["arguments"][how["arguments"].index("--approval-mode") + 1] == "plan"


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("claude", [{**CLAUDE, "result": '{"pass": true}', "stop_reason": "tool_use"}]),
        (
            "codex",
            [
                {
                    "type": "item.completed",
                    "item": {"type": "agent_message", "text": '{"pass": 1}'},
                },
                CODEX[-1],
            ],
        ),
    ],
)
def test_json_of_a_schema_can_be_asked_for(
    program: Path, name: str, output: list[dict[str, Any]]
) -> None:
    """The schema reaches the program, and the answer is a value. (contract: judges:P14)"""
    request = ModelRequest(REQUEST.messages, schema=SCHEMA)

    response = ask(name, prints(program, *output), request)

    assert response.structured == {"pass": True}
    how = called(program)
    assert json.dumps(SCHEMA.plain) in [*how["arguments"], *how["files"].values()]


def test_a_program_runs_in_an_empty_folder(program: Path, tmp_path: Path) -> None:
    """It finds no instructions of those who are judged, unless a folder is named."""
    ask("claude", prints(program, CLAUDE))

    assert called(program)["listing"] == []
    assert not Path(called(program)["folder"]).exists()
    ask("claude", program, directory=tmp_path)
    assert called(program)["folder"] == str(tmp_path)


def test_further_arguments_come_last(program: Path) -> None:
    """They can change what was said before them, and make another model of it."""
    ask("claude", prints(program, CLAUDE), arguments=["--tools", "Read"])

    assert called(program)["arguments"][-2:] == ["--tools", "Read"]
    assert CommandLineModel("claude", arguments=["--tools", "Read"]).identity == (
        "cli:claude --tools Read"
    )


def test_turns_are_told_apart(program: Path) -> None:
    """A conversation becomes one text that says who speaks."""
    turns = [Message.user("2 + 2?"), Message.assistant("5"), Message.user("Really?")]

    ask("claude", prints(program, CLAUDE), ModelRequest(turns))

    assert called(program)["input"] == "[user]\n2 + 2?\n\n[assistant]\n5\n\n[user]\nReally?"


@pytest.mark.parametrize(
    ("name", "output", "kind", "words"),
    [
        ("claude", [{**CLAUDE, "is_error": True, "result": "no login"}], ModelError, "no login"),
        ("claude", [{**CLAUDE, "subtype": "error_max_turns"}], ModelError, "PASS"),
        (
            "claude",
            [{**CLAUDE, "is_error": True, "api_error_status": 429, "result": "limit"}],
            RateLimitedError,
            "limit",
        ),
        ("claude", [], MalformedReplyError, "no JSON"),
        ("codex", CODEX[:-1], ModelError, "nothing that can be read"),
        ("codex", [{"type": "turn.failed", "error": {"message": "limit"}}], ModelError, "limit"),
        ("codex", [{"type": "error", "message": "no login"}], ModelError, "no login"),
        ("gemini", [{"error": {"message": "no login"}}], ModelError, "no login"),
        ("gemini", [{"stats": {}}], ModelError, "nothing that can be read"),
    ],
)
def test_a_program_that_fails_says_why(
    program: Path, name: str, output: list[object], kind: type[ModelError], words: str
) -> None:
    """Its own words, its exit code and its standard error are in the message.

    (contract: judges:P11)
    """
    with pytest.raises(kind, match=rf"{words}.*exit code 3; standard error: a warning"):
        ask(name, prints(program, *output, code=3))


def test_a_cut_reply_is_told_apart(program: Path) -> None:
    """A reply cut at its limit is an error. (contract: judges:P11)"""
    response = ask("claude", prints(program, {**CLAUDE, "stop_reason": "max_tokens"}))

    with pytest.raises(TruncatedReplyError):
        require_complete(response)


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (ModelRequest(REQUEST.messages, ModelOptions(temperature=0)), "temperature"),
        (ModelRequest(REQUEST.messages, schema=SCHEMA), "schema"),
        (ModelRequest(REQUEST.messages, logprobs=1), "logprobs"),
    ],
)
def test_what_a_program_cannot_be_asked_is_refused_before_it_runs(
    program: Path, request_: ModelRequest, named: str
) -> None:
    """Nothing is silently left out. (contract: judges:P13)"""
    with pytest.raises(UnsupportedOptionError, match=named):
        ask("gemini", prints(program, {"response": "PASS"}), request_)

    assert not program.with_suffix(".json").exists()


def test_a_program_that_is_not_there_is_named(program: Path) -> None:
    """The error says what could not be started. (contract: judges:P11)"""
    with pytest.raises(ModelUnavailableError, match="program' cannot be started: No such file"):
        ask("claude", program)


def test_a_program_that_does_not_read_its_input_is_no_fault(program: Path) -> None:
    """A prompt larger than a pipe, and a program that does not want it."""
    long = ModelRequest([Message.user("x" * 2**20)])

    response = ask("claude", write(program, f"print({json.dumps(CLAUDE)!r})"), long)

    assert response.text == "PASS"


def test_a_program_that_prints_without_end_is_stopped(program: Path) -> None:
    """What it prints is read up to a bound."""
    with pytest.raises(MalformedReplyError, match="printed more than"):
        ask("claude", write(program, "while True: sys.stdout.write('x' * 65536)"))


def test_a_program_that_hangs_is_stopped_with_its_children(program: Path) -> None:
    """When the deadline passes nothing goes on running, also not what it started itself.

    (contract: judges:P11)
    """
    alive = program.with_suffix(".fifo")
    os.mkfifo(alive)
    closed = threading.Event()

    def watch() -> None:
        with alive.open("rb") as pipe:
            pipe.read()  # ends when nobody holds the other end any more
        closed.set()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    code = f"""
import subprocess
end = open({str(alive)!r}, "wb")
subprocess.Popen(["sleep", "60"], pass_fds=[end.fileno()])
time.sleep(60)
"""

    with pytest.raises(ModelTimeoutError) as raised:
        ask("claude", write(program, code), timeout=1.5)

    assert closed.wait(20)
    assert raised.value.code is ReasonCode.TIMEOUT


@pytest.mark.parametrize(
    ("program_", "options"),
    [
        ("vim", {}),
        ("claude", {"model": ""}),
        ("claude", {"model": "-x"}),
        ("claude", {"timeout": 0}),
    ],
)
def test_what_cannot_be_is_refused(program_: str, options: dict[str, Any]) -> None:
    """A name that could be taken for an option is none."""
    with pytest.raises(ArgumentError):
        CommandLineModel(program_, **options)
