"""What the judging loop costs beyond its executor and its policy.

    python benchmarks/loop_overhead.py [--json]

Microseconds an attempt of loops whose executor and policy do nothing, the least of ten rounds, from
plain code and from an event loop; what 1,000 loops leave behind; and, where the extra time is the
point, milliseconds of a snapshot and of a journal entry, which wait for the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from agent_judge.coordination import (
    Feedback,
    Journal,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
)
from agent_judge.coordination.workspaces import DirectoryKeeper, GitKeeper

ATTEMPTS: Final = 10
LOOPS: Final = 100
RETRY: Final = JudgeVerdict.retry("not yet", 0.5, ["again"])


def work(_: str, feedback: Feedback) -> int:
    """An executor that does nothing."""
    return feedback.attempt


def decide(_: str, __: object, ___: JudgeContext) -> JudgeVerdict:
    """A policy that does nothing."""
    return RETRY


async def awork(_: str, feedback: Feedback) -> int:
    """The same, async."""
    return feedback.attempt


async def adecide(_: str, __: object, ___: JudgeContext) -> JudgeVerdict:
    """The same, async."""
    return RETRY


def coordinator(executor: Any = work, policy: Any = decide, **options: Any) -> Any:
    """A loop that uses up its attempts."""
    return JudgeCoordinator[int](policy=policy, executor=executor, max_attempts=ATTEMPTS, **options)


def least(once: Callable[[], object], attempts: int, rounds: int = 10) -> float:
    """Seconds an attempt, the least of several rounds."""
    seconds: list[float] = []
    for _ in range(rounds):
        began = perf_counter()
        once()
        seconds.append((perf_counter() - began) / attempts)
    return min(seconds)


def plain() -> None:
    """Loops from plain code."""
    loop = coordinator()
    for _ in range(LOOPS):
        loop.execute("agent")


def on_a_loop() -> None:
    """Loops from an event loop."""
    loop = coordinator(awork, adecide)

    async def main() -> None:
        for _ in range(LOOPS):
            await loop.aexecute("agent")

    asyncio.run(main())


def left_behind() -> dict[str, int]:
    """What 1,000 loops with deadlines leave: tasks, threads and descriptors beyond before."""

    async def main() -> int:
        loop = coordinator(awork, adecide, attempt_timeout=60)
        for _ in range(1000 // ATTEMPTS):
            await asyncio.gather(*(loop.aexecute("agent") for _ in range(ATTEMPTS)))
        return len(asyncio.all_tasks()) - 1

    asyncio.run(main())
    gc.collect()
    before = threading.active_count(), descriptors()
    tasks = asyncio.run(main())
    gc.collect()
    return {
        "tasks": tasks,
        "threads": threading.active_count() - before[0],
        "descriptors": descriptors() - before[1],
    }


def descriptors() -> int:
    """Open descriptors, where the system tells."""
    folder = Path("/proc/self/fd")
    return len([*folder.iterdir()]) if folder.exists() else 0


def waiting() -> dict[str, float]:
    """Milliseconds of an attempt with a journal, and of a snapshot of 1,000 unchanged files."""
    found: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        loop = coordinator(journal=Journal(Path(folder, "runs")))
        found["journal"] = 1000 * least(lambda: loop.execute("agent"), ATTEMPTS, 3)
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        for number in range(1000):
            (workspace / f"{number}.txt").write_text(f"{number}\n" * 100)
        for kind in (DirectoryKeeper, GitKeeper):
            with kind(workspace) as keeper:
                keeper.snapshot("first")
                again = least(partial(keeper.snapshot, "again"), 1, 3)
            found[f"snapshot, {kind.__name__}"] = 1000 * again
    return found


def main() -> int:
    """Print the figures, or the same as JSON; 1 where an attempt costs more than 100 µs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    plain()
    attempt = {
        "plain code": 1e6 * least(plain, LOOPS * ATTEMPTS),
        "event loop": 1e6 * least(on_a_loop, LOOPS * ATTEMPTS),
    }
    left, slow = left_behind(), waiting()
    if arguments.json:
        print(json.dumps({"microseconds": attempt, "left": left, "milliseconds": slow}, indent=1))
    else:
        for name, cost in attempt.items():
            print(f"an attempt, {name}: {cost:.0f} µs (at most 100)")
        print(f"1,000 loops leave {', '.join(f'{n} {what}' for what, n in left.items())}")
        for name, cost in slow.items():
            print(f"{name}: {cost:.1f} ms")
    return 0 if not any(left.values()) and max(attempt.values()) <= 100 else 1


if __name__ == "__main__":
    raise SystemExit(main())
