from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration

CONFIG = """\
[[judges]]
type = "model_backed"
prompt = "Is this polite? {{output}}\\nAnswer POLITE or RUDE."
classifier = { type = "label", labels = { polite = "pass", rude = "fail" } }
"""


class Server:
    """A server with OpenAI's protocol that finds everything polite.

    Attributes:
        url: Its address.
        asked: What it was asked.
    """

    def __init__(self) -> None:
        self.asked: list[Any] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                """Answer one question."""
                asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                message = {"role": "assistant", "content": "POLITE. It says please."}
                answer = {
                    "model": "m-1",
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010},
                }
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that runs while the test does."""
    started = Server()
    thread = threading.Thread(target=started.server.serve_forever)
    thread.start()
    yield started
    started.server.shutdown()
    thread.join()
    started.server.server_close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a configuration and two runs."""
    (tmp_path / "agent-judge.toml").write_text(CONFIG)
    runs = [{"id": str(number), "output": f"Please, {number}."} for number in range(2)]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    return tmp_path


def judge(
    folder: Path, *arguments: str, key: str | None = "sk-test-0123456789"
) -> subprocess.CompletedProcess[str]:
    """Judge the runs, in a process of its own with caches of its own."""
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("OPENAI_")}
    environment["XDG_CACHE_HOME"] = str(folder / "caches")
    if key is not None:
        environment["OPENAI_API_KEY"] = key
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "agent_judge.cli", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def run(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Judge the runs with the configured jury."""
    return judge(folder, "run", "runs.jsonl", *arguments, **options)


def test_a_model_is_asked_where_the_call_says(folder: Path, server: Server) -> None:
    """By name and address; the connection is closed without a warning."""
    ended = run(folder, "--model", "openai:m", "--base-url", server.url)

    assert ended.returncode == 0
    assert "Warning" not in ended.stderr
    assert "2 passed of 2" in ended.stdout
    assert len(server.asked) == 2


def test_replies_are_kept_until_they_are_cleared(folder: Path, server: Server) -> None:
    """The second time nobody is asked."""
    arguments = ("--model", "openai:m", "--base-url", server.url)

    assert run(folder, *arguments).returncode == 0
    assert run(folder, *arguments).returncode == 0
    assert len(server.asked) == 2

    assert run(folder, *arguments, "--no-cache").returncode == 0
    assert len(server.asked) == 4

    assert judge(folder, "cache", "clear").returncode == 0
    assert run(folder, *arguments).returncode == 0
    assert len(server.asked) == 6


def test_the_cache_lies_among_the_users_caches(folder: Path) -> None:
    """It is never in the folder that is judged."""
    ended = judge(folder, "cache", "path")

    assert Path(ended.stdout.strip()).name == "replies.sqlite"
    if sys.platform == "linux":
        assert ended.stdout.startswith(str(folder / "caches"))


def test_a_recording_is_replayed_without_a_key(folder: Path, server: Server) -> None:
    """Nobody is asked, and the verdicts are the same."""
    recorded = run(
        folder, "--model", "openai:m", "--base-url", server.url, "--record", "c.jsonl", "-j1"
    )
    replayed = run(folder, "--model", "openai:m", "--replay", "c.jsonl", key=None)

    assert (recorded.returncode, replayed.returncode) == (0, 0)
    assert "2 passed of 2" in replayed.stdout
    assert len(server.asked) == 2
    assert "sk-test" not in (folder / "c.jsonl").read_text()


def test_a_budget_with_an_unknown_price_is_an_error(folder: Path, server: Server) -> None:
    """The second run is not judged, and the message says what to do."""
    ended = run(
        folder, "--model", "openai:m", "--base-url", server.url, "--max-cost", "1", "-j1", "-v"
    )

    assert ended.returncode == 3
    assert "price of 'openai:m' is unknown" in ended.stdout
    assert len(server.asked) == 1


def test_a_budget_ends_the_asking(folder: Path, server: Server) -> None:
    """The price stands in the configuration."""
    (folder / "agent-judge.toml").write_text(
        f'model = "priced"\n[models.priced]\nname = "openai:m"\nbase_url = "{server.url}"\n'
        "price = { input = 1000, output = 1000 }\n" + CONFIG
    )

    ended = run(folder, "--max-cost", "1", "-j1", "-v")

    assert ended.returncode == 3
    assert "the budget of $1 is spent ($1.01)" in ended.stdout
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "needs a model"),
        (("--model", "gpt"), "provider:model"),
        (("--model", "openai:m", "--record", "a", "--replay", "b"), "exclude each other"),
        (("--model", "openai:m", "--replay", "nowhere.jsonl"), "nowhere.jsonl"),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    """With exit code 2, before anything is judged. (contract: edges:S8)"""
    ended = run(folder, *arguments)

    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_model_without_a_key_is_refused(folder: Path) -> None:
    """Before anything is judged, naming the variable."""
    ended = run(folder, "--model", "openai:m", key=None)

    assert ended.returncode == 2
    assert "OPENAI_API_KEY" in ended.stderr
