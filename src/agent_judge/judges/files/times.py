"""When files were written."""

from __future__ import annotations

import os
from typing import Final

TICK_NS: Final = 20_000_000
"""How far the clock that stamps files may be behind that of programs: Linux ticks 100 to 1,000
times a second, and a file system may be another machine's."""

_COARSE_NS: Final = 2_000_000_000
"""Some file systems keep whole seconds, or every other one."""

_SECOND_NS: Final = 1_000_000_000


def written_ns(status: os.stat_result) -> int:
    """The last moment at which a file may have been written, in nanoseconds since 1970.

    Whoever wrote it can set the time of modification at will. The time of change of its entry is
    the system's on POSIX, so that the earlier of the two is no later than the truth, but for the
    coarseness of the clock.
    """
    if os.name == "nt":
        return _latest(status.st_mtime_ns)
    return min(_latest(status.st_mtime_ns), _latest(status.st_ctime_ns))


def _latest(stamp: int) -> int:
    """The end of the span that a stamp stands for."""
    return stamp + (TICK_NS if stamp % _SECOND_NS else _COARSE_NS)
