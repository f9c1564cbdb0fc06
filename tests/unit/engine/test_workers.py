from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from agent_judge.engine import evaluate, workers
from agent_judge.engine.workers import MAX_ABANDONED, MAX_WORKERS, State, Workers
from agent_judge.errors import WorkersExhaustedError
from agent_judge.judgment import ReasonCode
from agent_judge.jury import Jury
from agent_judge.testing import BlockingJudge, a_context, passing


class Gates:
    """Jobs that wait until they are let go, and say when they began and ended."""

    def __init__(self, count: int) -> None:
        self.go = threading.Event()
        self.begun = threading.Barrier(count + 1)
        self.threads: list[threading.Thread] = []

    def job(self) -> None:
        """Begin together with the others, then wait."""
        self.threads.append(threading.current_thread())
        self.begun.wait(60)
        self.go.wait(60)

    def join(self) -> None:
        """Let all go, and wait until their threads have ended."""
        self.go.set()
        for thread in self.threads:
            thread.join(60)


def done(pool: Workers, work: Callable[[], object] = lambda: None) -> threading.Thread:
    """Have something done, and say which thread did it."""
    ended, by = threading.Event(), []

    def job() -> None:
        work()
        by.append(threading.current_thread())
        ended.set()

    pool.submit(job)
    assert ended.wait(60)
    return by[0]


def test_work_is_done_in_a_daemon_thread(pool: Workers) -> None:
    """The end of the process does not wait for it. (contract: core:J8)"""
    thread = done(pool)

    assert thread.daemon
    assert thread is not threading.current_thread()


def test_jobs_run_at_once(pool: Workers) -> None:
    """Each has a thread of its own while the others are at work. (contract: core:J14)"""
    gates = Gates(8)
    for _ in range(8):
        pool.submit(gates.job)

    gates.begun.wait(60)
    gates.go.set()

    assert len(set(gates.threads)) == 8


def test_there_are_only_so_many_threads(pool: Workers) -> None:
    """Further jobs wait for a free one, and none is lost. (contract: core:J14)"""
    gates, ended = Gates(MAX_WORKERS), threading.Semaphore(0)
    for _ in range(MAX_WORKERS):
        pool.submit(gates.job)
    gates.begun.wait(60)
    by: list[threading.Thread] = []

    def late() -> None:
        by.append(threading.current_thread())
        ended.release()

    for _ in range(100):
        pool.submit(late)
    assert not by
    gates.go.set()

    for _ in range(100):
        assert ended.acquire(timeout=60)
    assert set(by) <= set(gates.threads)


def test_a_thread_without_work_ends(pool: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while; the next job has a new one."""
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.01)
    thread = done(pool)

    thread.join(60)

    assert not thread.is_alive()
    assert done(pool) is not thread


def test_a_job_that_has_not_begun_is_taken_back(pool: Workers) -> None:
    """It never begins, and no thread is left behind for it. (contract: core:J8)"""
    gates = Gates(MAX_WORKERS)
    for _ in range(MAX_WORKERS):
        pool.submit(gates.job)
    gates.begun.wait(60)
    ran: list[int] = []
    job = pool.submit(lambda: ran.append(1))

    assert not pool.abandon(job)
    assert job.state is State.ENDED
    gates.go.set()
    done(pool)

    assert not ran
    assert pool.abandoned == 0


def test_a_job_that_ended_cannot_be_abandoned(pool: Workers) -> None:
    """There is no thread to leave behind."""
    ended = threading.Event()
    job = pool.submit(ended.set)
    assert ended.wait(60)
    done(pool)

    assert not pool.abandon(job)
    assert not pool.abandon(job)


def test_an_abandoned_thread_is_counted_until_its_judge_returns(pool: Workers) -> None:
    """Then it is gone. (contract: core:J8)"""
    gates = Gates(1)
    job = pool.submit(gates.job)
    gates.begun.wait(60)

    assert pool.abandon(job)
    assert pool.abandoned == 1

    gates.join()
    assert pool.abandoned == 0
    assert not gates.threads[0].is_alive()


def test_another_thread_takes_the_place_of_an_abandoned_one(pool: Workers) -> None:
    """Whoever waited for a free thread has one. (contract: core:J14)"""
    gates = Gates(MAX_WORKERS)
    jobs = [pool.submit(gates.job) for _ in range(MAX_WORKERS)]
    gates.begun.wait(60)
    ended = threading.Event()
    pool.submit(ended.set)
    assert not ended.is_set()

    pool.abandon(jobs[0])

    assert ended.wait(60)
    gates.go.set()


def test_there_is_a_bound_on_abandoned_threads(pool: Workers) -> None:
    """Then nothing is begun any more, until some return. (contract: core:J8)"""
    gates = Gates(MAX_ABANDONED)
    jobs = [pool.submit(gates.job) for _ in range(MAX_ABANDONED)]
    gates.begun.wait(60)
    for job in jobs:
        pool.abandon(job)

    with pytest.raises(WorkersExhaustedError, match=f"{MAX_ABANDONED} abandoned threads"):
        pool.submit(lambda: None)

    gates.join()
    assert pool.abandoned == 0
    done(pool)


def test_a_judge_without_a_thread_is_an_error(pool: Workers) -> None:
    """Its seat says that too many others hang, and the rest votes. (contract: core:J8)"""
    gates = Gates(MAX_ABANDONED)
    jobs = [pool.submit(gates.job) for _ in range(MAX_ABANDONED)]
    gates.begun.wait(60)
    for job in jobs:
        pool.abandon(job)
    with BlockingJudge() as blocking:
        verdict = Jury([blocking, passing()]).vote(a_context())
        assert not blocking.begun.is_set()
    gates.join()

    assert [seat.judgment.code for seat in verdict.seats] == [ReasonCode.WORKERS_EXHAUSTED, None]
    assert evaluate(blocking, a_context(), timeout=60).passed


def test_a_thread_that_cannot_begin_loses_no_place(
    pool: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge is an error, and as many threads as before may begin later."""

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        for _ in range(MAX_WORKERS):
            with pytest.raises(RuntimeError, match="can't start new thread"):
                pool.submit(lambda: None)

    done(pool)
