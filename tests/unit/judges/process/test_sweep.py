from __future__ import annotations

import os
import subprocess
import sys
from secrets import token_hex

import pytest

from agent_judge.judges.process.sweep import RUN_COOKIE, sweep

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


def start(script: str, cookie: str) -> subprocess.Popen[str]:
    """A shell, in a session of its own, with a cookie in its environment."""
    return subprocess.Popen(
        ["sh", "-c", script],
        env={"PATH": os.environ["PATH"], RUN_COOKIE: cookie},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize(
    "script",
    [
        "echo ready; sleep 100",
        "env -i sleep 100 & echo ready; wait",
        "setsid env -i sleep 100 & echo ready; wait",
    ],
)
def test_what_carries_the_cookie_is_killed_with_its_kin(script: str) -> None:
    """Children without the cookie die, too; their stream closes. (contract: judges:X4)"""
    cookie = token_hex(16)
    with start(script, cookie) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"

        sweep(cookie, None)

        assert process.stdout.read() == ""


def test_a_session_that_is_known_is_killed() -> None:
    """Also where no process of it carries the cookie any more. (contract: judges:X4)"""
    with start("env -i sleep 100 & echo ready", token_hex(16)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.wait()

        sweep(token_hex(16), process.pid)

        assert process.stdout.read() == ""


def test_what_carries_another_cookie_is_left_alone() -> None:
    """Two commands that run at once do not meet."""
    with start("echo ready; read x; echo alive", token_hex(16)) as process:
        assert process.stdout is not None
        process.stdout.readline()

        sweep(token_hex(16), None)

        assert process.stdout.read() == "alive\n"
