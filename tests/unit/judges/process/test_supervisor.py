from __future__ import annotations

import os
import subprocess
import sys

import pytest

if sys.platform != "linux":
    pytest.skip("the supervisor needs Linux", allow_module_level=True)

from agent_judge.judges.process.supervisor import (
    Order,
    descendants,
    how_it_ended,
    is_below,
    parent_of,
)


def test_an_order_is_read_field_by_field() -> None:
    """Values may hold what separates names from values, and bytes that are no text."""
    fields = [b"nonce", b"17", b"0.5", b"", b"/bin/tool", b"/work \xff"]
    fields += [b"2", b"tool", b"a=b c", b"1", b"NAME=a=b", b"1", b"RLIMIT_CORE=0"]

    order = Order(b"".join(field + b"\0" for field in fields))

    assert (order.nonce, order.judge, order.timeout, order.sandboxed) == (b"nonce", 17, 0.5, False)
    assert (order.executable, order.cwd) == (b"/bin/tool", b"/work \xff")
    assert order.argv == [b"tool", b"a=b c"]
    assert (order.env, order.limits) == ({b"NAME": b"a=b"}, {b"RLIMIT_CORE": b"0"})


def test_an_order_that_was_cut_short_is_refused() -> None:
    """Half an order runs nothing."""
    with pytest.raises(StopIteration):
        Order(b"nonce\x0017\x000.5\x00")


@pytest.mark.parametrize(
    ("status", "words"),
    [(0, [b"exited", b"0"]), (256, [b"exited", b"1"]), (9, [b"signalled", b"9"])],
)
def test_a_wait_status_is_put_into_words(status: int, words: list[bytes]) -> None:
    """The kernel's number holds either an exit code or a signal. (contract: judges:X3)"""
    assert how_it_ended(status) == words


def test_kinship_is_followed_to_the_end() -> None:
    """A process is below its parents' parents, and not below a stranger. (contract: judges:X4)"""
    parents = {5: 4, 4: 3, 3: 1, 9: 1}

    assert is_below(5, 3, parents)
    assert not is_below(9, 3, parents)


def test_a_circle_of_parents_ends() -> None:
    """Numbers that were used again while they were read may form one."""
    assert not is_below(2, 1, {2: 3, 3: 2})


def test_the_parent_of_a_process_is_read() -> None:
    """It stands behind a name that may hold anything; what is gone has none."""
    assert parent_of(str(os.getpid())) == os.getppid()
    assert parent_of("0") is None


def test_a_process_finds_what_it_has_started() -> None:
    """One that has ended counts until it is reaped. (contract: judges:X4)"""
    with subprocess.Popen(["sleep", "100"]) as child:
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

        assert child.pid in descendants()

    assert child.pid not in descendants()
