from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import pytest

from agent_judge.judges.killable import MAX_IDLE, FailedError, OverdueError, Pool

TASK = """
import os, signal, time

def answer(request):
    match request:
        case "pid":
            return os.getpid()
        case "hang":
            while True:
                pass
        case "raise":
            raise ValueError("no such thing")
        case "end":
            os._exit(3)
        case "half":
            os.write(1, b'{"ans')
            os._exit(0)
        case "fill":
            return len(bytearray(2**40))
        case "signals":
            return signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        case {"wait": path}:
            while not os.path.exists(path):
                time.sleep(0.001)
            return os.getpid()
        case _:
            return request
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task that does whatever a child may do to its parent."""
    file = tmp_path / "task.py"
    file.write_text(TASK)
    return file


@pytest.fixture
def pool(task: Path) -> Iterator[Pool]:
    """Children for the task, which end with the test."""
    pool = Pool(task)
    yield pool
    pool.close()


def soon() -> float:
    """A deadline that only a hang can miss."""
    return monotonic() + 60


@pytest.mark.parametrize("request_", [None, "é\n\ud83d", [1, 2.5, {"a": True}], "x" * 300_000])
def test_a_request_comes_through_as_it_is(pool: Pool, request_: object) -> None:
    """Any JSON-like value, of any length and any characters, goes to the task and back."""
    assert pool.ask(request_, soon()) == request_


def test_a_child_is_used_again(pool: Pool) -> None:
    """Starting a process costs milliseconds; the second request does not pay them."""
    assert pool.ask("pid", soon()) == pool.ask("pid", soon())


def test_what_hangs_is_killed_at_the_deadline(pool: Pool) -> None:
    """The child is dead when the caller hears of it, and the next request has another."""
    pid = pool.ask("pid", soon())

    with pytest.raises(OverdueError):
        pool.ask("hang", monotonic() + 0.2)

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert pool.ask("pid", soon()) != pid


def test_a_deadline_that_has_passed_asks_nobody(pool: Pool) -> None:
    """There is no time left to do anything in."""
    with pytest.raises(OverdueError):
        pool.ask("pid", monotonic() - 1)


def test_a_deadline_may_be_as_far_as_numbers_reach(pool: Pool) -> None:
    """A wait that no system can be asked for is as good as one without end."""
    assert pool.ask(1, float("inf")) == 1


def test_a_failure_says_what_was_raised(pool: Pool) -> None:
    """The type and the message come through, and the child goes on."""
    pid = pool.ask("pid", soon())

    with pytest.raises(FailedError, match="ValueError: no such thing"):
        pool.ask("raise", soon())

    assert pool.ask("pid", soon()) == pid


@pytest.mark.parametrize("request_", ["end", "half"])
def test_a_child_that_ends_is_a_failure(pool: Pool, request_: str) -> None:
    """An answer that is cut off is no answer."""
    with pytest.raises(FailedError, match="the process that did it ended with code"):
        pool.ask(request_, soon())

    assert pool.ask("still here", soon()) == "still here"


def test_a_child_that_was_killed_while_idle_is_replaced(pool: Pool) -> None:
    """Somebody else's kill costs nobody an answer."""
    pid = pool.ask("pid", soon())
    os.kill(pid, 9)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

    assert pool.ask("pid", soon()) != pid


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
def test_memory_is_bounded(pool: Pool) -> None:
    """A request that needs more memory than there is to be had fails alone."""
    with pytest.raises(FailedError, match="MemoryError"):
        pool.ask("fill", soon())


def test_requests_of_several_threads_do_not_wait_for_each_other(pool: Pool, tmp_path: Path) -> None:
    """Each request that is under way has a child of its own, and few children stay."""
    gate = tmp_path / "open"
    count = MAX_IDLE + 2
    with ThreadPoolExecutor(count) as threads:
        answers = [threads.submit(pool.ask, {"wait": str(gate)}, soon()) for _ in range(count)]
        while len(pool._alive) < count:
            threading.Event().wait(0.001)
        gate.touch()
        pids = {answer.result() for answer in answers}

    assert len(pids) == count
    assert len(pool._alive) == MAX_IDLE


def test_an_interrupted_caller_leaves_no_answer_behind(pool: Pool) -> None:
    """The child of a call that was broken off is not asked again: its answer is another's."""
    pid = pool.ask("pid", soon())

    with pytest.raises(TypeError):
        pool.ask(object(), soon())

    assert pool.ask("pid", soon()) != pid


def test_closing_ends_every_child(pool: Pool) -> None:
    """None is left, and a later request starts a new one."""
    pid = pool.ask("pid", soon())

    pool.close()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert pool.ask("pid", soon()) != pid


def run(program: str, task: Path) -> str:
    """Run a program that uses the pool, with warnings as errors, and give what it printed."""
    source = textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source, str(task)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_has_children_of_its_own(task: Path) -> None:
    """Parent and fork never read each other's answers, and neither ends the other's children."""
    printed = run(
        """
        import os, sys
        from pathlib import Path
        from time import monotonic
        from agent_judge.judges.killable import Pool
        pool = Pool(Path(sys.argv[1]))
        before = pool.ask("pid", monotonic() + 60)
        fork = os.fork()
        if not fork:
            print(pool.ask("pid", monotonic() + 60) != before, flush=True)
            sys.exit()
        os.waitpid(fork, 0)
        print(pool.ask("pid", monotonic() + 60) == before)
        """,
        task,
    )

    assert printed == "True\nTrue\n"


def test_the_end_of_the_process_is_the_end_of_its_children(task: Path) -> None:
    """Also of one that is at work when the process ends."""
    printed = run(
        """
        import sys, threading
        from contextlib import suppress
        from pathlib import Path
        from time import monotonic
        from agent_judge.judges.killable import FailedError, Pool
        def hang():
            with suppress(FailedError):
                pool.ask("hang", monotonic() + 60)
        pool = Pool(Path(sys.argv[1]))
        threading.Thread(target=hang, daemon=True).start()
        while not pool._alive:
            pass
        pool.ask("pid", monotonic() + 60)
        print(*(child._process.pid for child in pool._alive))
        """,
        task,
    )

    assert len(printed.split()) == 2
    for pid in printed.split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no alarms here")
def test_an_alarm_ends_a_child_even_if_the_parent_ignores_alarms(task: Path) -> None:
    """Should the parent be killed, a child at work still ends."""
    printed = run(
        """
        import signal, sys
        from pathlib import Path
        from time import monotonic
        from agent_judge.judges.killable import Pool
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        print(Pool(Path(sys.argv[1])).ask("signals", monotonic() + 60))
        """,
        task,
    )

    assert printed == "True\n"


def test_without_an_interpreter_the_work_fails(task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An embedded interpreter may not know its own program."""
    monkeypatch.setattr(sys, "executable", "")

    with pytest.raises(FailedError, match="no Python interpreter"):
        Pool(task).ask(1, soon())
