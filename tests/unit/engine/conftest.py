"""What every test of the engine is held to, and worker threads of a test's own."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator

import pytest

from agent_judge.engine import workers
from agent_judge.engine.workers import Workers


@pytest.fixture(autouse=True)
def no_complaint_of_a_loop(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Asyncio logs tasks that were destroyed and exceptions that nobody looked at."""
    yield
    gc.collect()
    complaints = [
        record.getMessage()
        for when in ("setup", "call", "teardown")
        for record in caplog.get_records(when)
        if record.name == "asyncio" and record.levelno >= logging.WARNING
    ]
    assert not complaints


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Workers:
    """Worker threads that no other test has left a judge in."""
    pool = Workers()
    monkeypatch.setattr(workers, "_workers", pool)
    return pool
