"""What a process that votes does when it is interrupted, ends or forks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from agent_judge.engine import evaluate
from agent_judge.jury import Jury
from agent_judge.testing import a_context, passing

pytestmark = [pytest.mark.integration, pytest.mark.skipif(os.name != "posix", reason="signals")]

IN_LOOP = """
import asyncio, sys, threading
from agent_judge.engine import evaluate
from agent_judge.judgment import Judgment
from agent_judge.jury import Jury
from agent_judge.testing import BlockingJudge, HangingJudge, a_context, passing

async def yielding(context):
    await asyncio.sleep(0)
    return Judgment.passing("yielded")

def say(word):
    print(word, flush=True)

def announced(judge):
    def announce():
        judge.begun.wait()
        say("begun")
    threading.Thread(target=announce, daemon=True).start()
    return judge
"""

INTERRUPTED = (
    IN_LOOP
    + """
class Cleaning:
    def __init__(self, name):
        self.name = name

    async def __call__(self, context):
        say("begun " + self.name)
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await asyncio.sleep(0.01)
            say("cleaned " + self.name)

try:
    Jury([Cleaning("a"), Cleaning("b"), passing()]).vote(a_context())
except KeyboardInterrupt:
    say("interrupted")
say("again " + Jury([yielding, yielding]).vote(a_context()).status.name)
"""
)


def test_an_interrupt_lets_the_judges_clean_up() -> None:
    """Ctrl-C during a vote: each has cleaned up when the caller sees it. (contract: core:J10)"""
    with _process(INTERRUPTED) as process:
        assert {_line(process), _line(process)} == {"begun a", "begun b"}
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)

    assert sorted(output.split("\n")[:2]) == ["cleaned a", "cleaned b"]
    assert output.split("\n")[2:] == ["interrupted", "again PASS", ""]
    assert errors == ""


@pytest.mark.parametrize("judge", ["HangingJudge()", "BlockingJudge()"])
def test_an_interrupt_that_nobody_catches_ends_the_process(judge: str) -> None:
    """By that very signal, as shells expect it; a hung thread is left. (contract: core:J10)"""
    program = IN_LOOP + f"\nJury([announced({judge}), passing()]).vote(a_context())"
    with _process(program) as process:
        assert _line(process) == "begun"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)

    assert process.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.parametrize(
    "judges",
    [
        "[BlockingJudge(), passing()]",
        "[BlockingJudge(), yielding]",
        "[BlockingJudge() for _ in range(8)]",
    ],
)
def test_a_process_ends_although_a_judge_hangs(judges: str) -> None:
    """The vote is over at its deadline, and nobody waits for the thread. (contract: core:J8)"""
    program = (
        IN_LOOP + f"\nsay(Jury({judges}, timeout=0.2).vote(a_context()).status.name)\n"
        "import atexit; atexit.register(say, 'at exit')"
    )

    assert _run(program) == ["ERROR", "at exit"]


def test_a_process_ends_although_a_thread_of_it_votes() -> None:
    """A daemon thread that votes is no reason to stay; its judges clean up. (contract: core:J9)"""
    program = (
        IN_LOOP
        + """
hanging = HangingJudge()
import atexit
atexit.register(lambda: say(hanging.cancelled.wait(60)))
jury = Jury([hanging, passing()])
threading.Thread(target=lambda: jury.vote(a_context()), daemon=True).start()
hanging.begun.wait(60)
threading.excepthook = lambda _: None
"""
    )

    assert _run(program) == ["True"]


def test_what_lives_on_the_loop_is_closed_at_exit() -> None:
    """So that no connection is left open, and nothing complains. (contract: core:J9)"""
    program = (
        IN_LOOP
        + """
from agent_judge.engine.background import close_with_loop

async def close():
    await asyncio.sleep(0)
    say("closed on " + threading.current_thread().name)

async def opening(context):
    await asyncio.sleep(0)
    close_with_loop(close)
    return Judgment.passing()

say(evaluate(opening, a_context()).status.name)
"""
    )

    assert _run(program) == ["PASS", "closed on agent-judge-loop"]


def test_a_forked_child_votes() -> None:
    """It has none of its parent's threads, and begins anew. (contract: core:J13)"""
    program = (
        IN_LOOP
        + """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # the parent has threads: that is the point

def blocking(context):
    return Judgment.passing()

jury = Jury([yielding, blocking, passing()], timeout=60)
say(jury.vote(a_context()).status.name)
child = os.fork()
if not child:
    say("child " + jury.vote(a_context()).status.name)
    sys.exit(7)
_, how = os.waitpid(child, 0)
say(f"child ended with {os.waitstatus_to_exitcode(how)}")
say("parent " + jury.vote(a_context()).status.name)
"""
    )

    assert _run(program) == ["PASS", "child PASS", "child ended with 7", "parent PASS"]


def test_a_judge_that_forks_votes_in_the_child() -> None:
    """Also from a worker thread, while the parent's loop waits for it. (contract: core:J13)"""
    program = (
        IN_LOOP
        + """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)

def forking(context):
    child = os.fork()
    if not child:
        code = 1
        try:
            code = 0 if Jury([yielding, passing()], timeout=60).vote(context).passed else 2
        finally:
            os._exit(code)
    _, how = os.waitpid(child, 0)
    return Judgment.passing(str(os.waitstatus_to_exitcode(how)))

say(Jury([forking, yielding]).vote(a_context()).seats[0].judgment.reasoning)
"""
    )

    assert _run(program) == ["0"]


def test_threads_of_many_processes_do_not_meet() -> None:
    """Multiprocessing's fork context, several children at once. (contract: core:J13, core:J15)"""
    program = (
        IN_LOOP
        + """
import multiprocessing, warnings
warnings.simplefilter("ignore", DeprecationWarning)

def vote(index):
    return Jury([yielding, lambda c: Judgment.passing()], timeout=60).vote(a_context()).status.name

if __name__ == "__main__":
    vote(0)
    with multiprocessing.get_context("fork").Pool(3) as pool:
        say(sorted(set(pool.map(vote, range(9)))))
"""
    )

    assert _run(program) == ["['PASS']"]


def test_a_vote_writes_to_neither_stream(capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever is to be said is in the verdict."""
    Jury([passing(), lambda _: 1 / 0]).vote(a_context())  # type: ignore[list-item]
    evaluate(lambda _: None, a_context())  # type: ignore[arg-type]

    assert capfd.readouterr() == ("", "")


def _process(program: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-X", "dev", "-c", program]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def _run(program: str) -> list[str]:
    with _process(program) as process:
        output, errors = process.communicate(timeout=60)
    assert (errors, process.returncode) == ("", 0)
    return output.splitlines()
