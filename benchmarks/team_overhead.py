"""What a team costs beside its members: a parallel team of agents that wait.

    python benchmarks/team_overhead.py [--agents 100] [--milliseconds 100] [--json]

Seconds from the call to the result, by the async and the sync door, for async agents and for sync
ones, which wait in worker threads. Beside it the same agents under a bare `asyncio.gather`. Then,
without any waiting, what each member adds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass

from agent_judge.coordination import Member, Team, TeamContext, TeamFormation, TeamStatus

MAX_MILLISECONDS = 140
"""The most that a parallel team of 100 async agents of 100 ms each may take."""


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds from the call to the result."""

    name: str
    median: float
    longest: float


class Waiting:
    """An async agent that waits."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def arun(self, task: str, _: TeamContext | None) -> str:
        """Wait, and answer."""
        await asyncio.sleep(self._seconds)
        return task


class Blocking:
    """A sync agent that waits."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def run(self, task: str, _: TeamContext) -> str:
        """Wait, and answer."""
        time.sleep(self._seconds)
        return task


def a_team(agents: Sequence[Waiting] | Sequence[Blocking]) -> Team:
    """A parallel team that was started."""
    members = [Member(agent) for agent in agents]
    parallel = TeamFormation.PARALLEL
    return Team(name="team", mission="Wait.", formation=parallel, members=members).start()


async def gathered(agents: Sequence[Waiting]) -> None:
    """The same agents without a team."""
    await asyncio.gather(*(agent.arun("task", None) for agent in agents))


async def timed(work: Callable[[], Awaitable[object]], executions: int) -> list[float]:
    """Seconds of each execution, after one that is not counted."""
    seconds: list[float] = []
    for _ in range(executions + 1):
        began = time.perf_counter()
        await work()
        seconds.append(time.perf_counter() - began)
    return seconds[1:]


def row(name: str, seconds: Sequence[float]) -> Row:
    """Median and longest, in milliseconds."""
    return Row(name, round(statistics.median(seconds) * 1e3, 2), round(max(seconds) * 1e3, 2))


def measure(agents: int, seconds: float, executions: int) -> list[Row]:
    """All rows, of waiting agents and of such as do not wait."""
    waiting = [Waiting(seconds) for _ in range(agents)]
    team, idle = a_team(waiting), a_team([Waiting(0) for _ in range(agents)])
    blocking = a_team([Blocking(seconds) for _ in range(agents)])

    async def by_the_sync_door() -> None:
        if (await asyncio.to_thread(team.execute, "task")).status is not TeamStatus.COMPLETED:
            raise SystemExit("a member failed")

    async def run() -> list[Row]:
        return [
            row("bare gather, async agents", await timed(lambda: gathered(waiting), executions)),
            row("aexecute, async agents", await timed(lambda: team.aexecute("task"), executions)),
            row("execute, async agents", await timed(by_the_sync_door, executions)),
            row(
                "aexecute, sync agents", await timed(lambda: blocking.aexecute("task"), executions)
            ),
            row("aexecute, no waiting", await timed(lambda: idle.aexecute("task"), executions)),
        ]

    return asyncio.run(run())


def main() -> None:
    """Measure, print, and fail where a team of 100 takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=100)
    parser.add_argument("--milliseconds", type=float, default=100)
    parser.add_argument("--executions", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.agents, options.milliseconds / 1e3, options.executions)
    if options.json:
        print(json.dumps([asdict(one) for one in rows]))
    else:
        for one in rows:
            print(f"{one.name:28} median {one.median:8.2f} ms   longest {one.longest:8.2f} ms")
    standard = (options.agents, options.milliseconds) == (100, 100)
    if standard and rows[1].median > MAX_MILLISECONDS:
        raise SystemExit(f"a parallel team took more than {MAX_MILLISECONDS} ms")


if __name__ == "__main__":
    main()
