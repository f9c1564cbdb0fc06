from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agent_judge.judges.files.times import written_ns


def test_a_file_is_not_older_than_what_came_before_it(tmp_path: Path) -> None:
    """Though the clock that stamps files is coarser than that of programs."""
    before = time.time_ns()
    (tmp_path / "a").touch()

    assert before <= written_ns((tmp_path / "a").stat())


@pytest.mark.skipif(os.name == "nt", reason="the time of change is that of POSIX")
def test_a_time_of_modification_in_the_future_is_not_believed(tmp_path: Path) -> None:
    """Whoever left the file may have set it; the system notes when it was changed."""
    (tmp_path / "a").touch()
    os.utime(tmp_path / "a", (4e9, 4e9))

    assert written_ns((tmp_path / "a").stat()) < 4e18


def test_a_file_with_an_old_time_of_modification_is_old(tmp_path: Path) -> None:
    """It was copied, and made before; a whole second may stand for all of it, or for two."""
    (tmp_path / "a").touch()
    os.utime(tmp_path / "a", (1e9, 1e9))

    assert written_ns((tmp_path / "a").stat()) == 10**18 + 2 * 10**9
