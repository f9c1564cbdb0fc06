"""Random juries of judges that go wrong in every way, and what has to hold of each vote.

    python benchmarks/fault_run.py [--juries 10000] [--seed 0] [--only INDEX]

A jury depends on seed and index alone, so that `--only` votes once more on one that broke a rule.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

from agent_judge.combinators import all_of, any_of, negate, with_timeout
from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.engine.background import background_loop
from agent_judge.engine.workers import MAX_ABANDONED, workers
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury import (
    AllMustPass,
    Average,
    CascadedJury,
    Consensus,
    ErrorPolicy,
    Jury,
    JuryDescription,
    Majority,
    Median,
    MetaJury,
    Minimum,
    NotApplicablePolicy,
    TiePolicy,
    Tier,
    TierPolicy,
    Verdict,
    WeightedAverage,
)
from agent_judge.protocol import Cost, Judge, JudgeMetadata, named
from agent_judge.testing import a_context

DEADLINE: Final = 0.01
ENDS: Final = (KeyboardInterrupt, SystemExit, MemoryError)
FOUND: Final = {
    Status.PASS: Judgment.passing(),
    Status.FAIL: Judgment.failing(),
    Status.ABSTAIN: Judgment.abstaining("unsure"),
    Status.ERROR: Judgment.erring("boom", ReasonCode.MODEL_FAILED),
    Status.NOT_APPLICABLE: Judgment.not_applicable("nothing to judge"),
}


class HalfMade(Judgment):
    def __init__(self) -> None:
        """Forget what a judgment needs."""


class UnreadableError(Exception):
    def __str__(self) -> str:
        """Fail even at this."""
        raise RuntimeError("no message")


async def nobody() -> Any:
    """Give nothing."""


async def nobody_knows() -> Any:
    """Give something else to await."""
    return nobody()


RAISED: Final[tuple[Callable[[], BaseException], ...]] = (
    lambda: ValueError("no"),
    lambda: UnreadableError(),  # noqa: PLW0108 - all alike
    lambda: RecursionError("deep"),
    lambda: StopIteration(1),
    lambda: StopAsyncIteration(1),
    lambda: BaseException("odd"),
    lambda: ExceptionGroup("two", [ValueError("a"), KeyError("b")]),
    lambda: asyncio.CancelledError(),  # noqa: PLW0108 - all alike
    lambda: TimeoutError("of its own"),
    lambda: ValueError("\ud800" * 1000),
)
NONSENSE: Final[tuple[Callable[[], object], ...]] = (
    lambda: None,
    lambda: True,
    lambda: 0.9,
    lambda: {"status": "pass"},
    lambda: Status.PASS,
    lambda: Judgment,
    HalfMade,
    nobody_knows,
    lambda: Judgment.abstaining("skipped", code=ReasonCode.SKIPPED),
    lambda: "\ud800",
)


class Leaf:
    """One judge, what it does, and a note of what it found."""

    def __init__(self, world: World, act: Callable[[], object], *, hangs: bool = False) -> None:
        self.world = world
        self.act = act
        self.hangs = hangs
        self.said: set[Status] = set()
        self.ended = False
        name = f"leaf-{len(world.leaves)}"
        cost = world.random.choice([None, Cost.FILE, Cost.COMMAND, Cost.MODEL])
        self.metadata = JudgeMetadata(
            name, cost, explicit=True, conditional=world.random.random() < 0.5
        )
        world.leaves[name] = self

    def answer(self) -> object:
        """Do what it does."""
        try:
            found = self.act()
        except ENDS:
            self.ended = True
            raise
        if type(found) is Judgment and found.code is not ReasonCode.SKIPPED:
            self.said.add(found.status)
        return found


class Inline(Leaf):
    """A judge at MEMORY cost; it cannot hang but in what it gives to await."""

    def __init__(self, world: World, act: Callable[[], object], *, hangs: bool = False) -> None:
        super().__init__(world, act, hangs=hangs)
        self.metadata = JudgeMetadata(self.metadata.name, Cost.MEMORY, explicit=True)

    def __call__(self, _context: JudgmentContext, /) -> Any:
        """Judge one run."""
        return hang_async(self) if self.hangs else self.answer()


class Blocking(Leaf):
    """A sync judge; where it hangs, it blocks its thread until the vote is over."""

    def __call__(self, _context: JudgmentContext, /) -> Any:
        """Judge one run."""
        if self.hangs:
            self.world.over.wait(60)
        return self.answer()


class Asynchronous(Leaf):
    """An async judge; where it hangs, it may do odd things while it is cancelled."""

    async def __call__(self, _context: JudgmentContext, /) -> Any:
        """Judge one run."""
        if self.hangs:
            return await hang_async(self)
        for _ in range(self.world.random.randrange(3)):
            await asyncio.sleep(0)
        return self.answer()


async def hang_async(leaf: Leaf) -> Any:
    """Wait until cancelled, then go, raise, or find something after all."""
    try:
        await asyncio.get_running_loop().create_future()
    except asyncio.CancelledError:
        match leaf.world.random.randrange(4):
            case 0:
                raise ValueError("while cleaning up") from None
            case 1:
                return leaf.answer()
            case 2:
                await asyncio.sleep(0)
                raise
            case _:
                raise


class World:
    """All that is random about one jury.

    Attributes:
        deadline: Whether a deadline is over it all, so that a judge may hang.
        over: Set once the vote is over.
        negates: Whether a failure may become a pass.
        cancels: Whether a thread may be left behind, whose end then reaches nobody.
    """

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.leaves: dict[str, Leaf] = {}
        self.over = threading.Event()
        self.deadline = self.random.random() < 0.4
        self.may_end = self.random.random() < 0.1
        self.negates = False
        self.cancels = self.deadline
        self.root = self.stage(3, root=True)
        self.context = a_context(
            status=self.random.choice(list(ExecutionStatus) + [ExecutionStatus.SUCCESS] * 20)
        )

    def leaf(self, *, may_hang: bool) -> Judge:
        """A judge that is sane, or is not."""
        random = self.random
        kind: Any = random.choice([Inline, Blocking, Asynchronous])
        lot = random.random()
        if may_hang and lot < 0.15:
            return kind(self, lambda: FOUND[Status.PASS], hangs=True)  # type: ignore[no-any-return]
        if self.may_end and lot < 0.3:
            return kind(self, _raising(random.choice(ENDS)))  # type: ignore[no-any-return]
        if lot < 0.4:
            return kind(self, _raising(random.choice(RAISED)))  # type: ignore[no-any-return]
        if lot < 0.5:
            return kind(self, random.choice(NONSENSE))  # type: ignore[no-any-return]
        found = FOUND[random.choice([Status.PASS] * 4 + [Status.FAIL] * 2 + list(Status))]
        return kind(self, lambda: found)  # type: ignore[no-any-return]

    def judge(self, depth: int) -> Judge:
        """A leaf, a combination or a jury."""
        random = self.random
        match random.randrange(14 if depth else 9):
            case 9:
                return all_of(*self.judges(depth - 1, 3))
            case 10:
                return any_of(*self.judges(depth - 1, 3))
            case 11:
                self.negates = True
                return negate(self.judge(depth - 1))
            case 12:
                self.cancels = True
                return with_timeout(self.leaf(may_hang=True), DEADLINE)
            case 13:
                stage: Any = self.stage(depth - 1)
                name = f"stage-{random.random()}"
                return named(name, stage) if random.random() < 0.5 else stage
            case _:
                return self.leaf(may_hang=self.deadline)

    def judges(self, depth: int, most: int) -> list[Judge]:
        """One or more."""
        return [self.judge(depth) for _ in range(self.random.randint(1, most))]

    def stage(self, depth: int, *, root: bool = False) -> Any:
        """A jury, a cascade or a meta jury."""
        random = self.random
        late = random.random() < 0.2 or (root and self.deadline)
        self.cancels |= late
        options: dict[str, Any] = {
            "timeout": DEADLINE if late else None,
            "status_gate": random.random() < 0.7,
        }
        match random.randrange(6 if depth > 1 else 4):
            case 4:
                names = range(random.randint(1, 3))
                tiers = [self.tier(f"tier-{index}", depth - 1) for index in names]
                last = Tier("last", self.stage(depth - 1), TierPolicy.FINAL_TIER)
                return CascadedJury([*tiers, last], **options)
            case 5:
                members = {f"m{i}": self.stage(depth - 1) for i in range(random.randint(1, 3))}
                parallel = random.random() < 0.7
                return MetaJury(members, self.strategy(), parallel=parallel, **options)
            case _:
                strategy = self.strategy()
                stop = getattr(strategy, "monotone", False) and random.random() < 0.3
                self.cancels |= stop
                return Jury(
                    self.judges(depth, 5),
                    strategy,
                    parallel=random.random() < 0.7,
                    stop_when_decided=stop,
                    dedupe=True,
                    **options,
                )

    def tier(self, name: str, depth: int) -> Tier:
        """A gate that rejects or accepts."""
        random = self.random
        policy = random.choice([TierPolicy.REJECT_ON_ANY_FAIL, TierPolicy.ACCEPT_ON_ALL_PASS])
        return Tier(name, self.stage(depth), policy, random.choice(["hold", "waive"]))

    def strategy(self) -> Any:
        """A built-in one under any policy, or one that is broken."""
        random = self.random
        rules: dict[str, Any] = {
            "on_error": random.choice(list(ErrorPolicy)),
            "on_not_applicable": random.choice(list(NotApplicablePolicy)),
            "min_eligible": random.choice([1, 1, 1, 2]),
        }
        tie = random.choice(list(TiePolicy))
        kinds: list[Callable[[], object]] = [
            lambda: Majority(tie=tie, **rules),
            lambda: Consensus(split=tie, **rules),
            lambda: AllMustPass(**rules),
            *(
                lambda kind=kind: kind(threshold=random.random(), **rules)
                for kind in (Average, WeightedAverage, Median, Minimum)
            ),
            lambda: lambda _: 1 / 0,
            lambda: lambda _: nobody(),
        ]
        return random.choice(kinds)()


def _raising(make: Callable[[], BaseException]) -> Callable[[], object]:
    def act() -> object:
        raise make()

    return act


async def _on_a_loop(world: World, *, awaited: bool) -> Verdict | BaseException:
    """Vote on a loop of the caller's own; an end is kept, or it would stop that loop."""
    outcome: Verdict | BaseException
    try:
        outcome = (
            await world.root.avote(world.context) if awaited else world.root.vote(world.context)
        )
    except ENDS as end:
        outcome = end
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left, f"tasks are left: {left}"
    return outcome


def vote(world: World) -> Verdict | None:
    """Vote by one of the doors; `None` where a judge ended it, as it must."""
    outcome: Verdict | BaseException
    door = world.random.choice(["sync", "awaited", "sync on a loop"])
    try:
        if door == "sync":
            outcome = world.root.vote(world.context)
        else:
            outcome = asyncio.run(_on_a_loop(world, awaited=door == "awaited"))
    except ENDS as end:
        outcome = end
    finally:
        world.over.set()
    if isinstance(outcome, Verdict):
        return outcome
    assert any(leaf.ended for leaf in world.leaves.values()), "nobody asked for this end"
    return None


def check(world: World, verdict: Verdict) -> None:
    """Hold a verdict to the rules."""
    ended = [
        name
        for name, leaf in world.leaves.items()
        if leaf.ended and not (world.cancels and isinstance(leaf, Blocking))
    ]
    assert not ended, f"{ended} ended the process, and there is a verdict"
    _check_seats(world.root.describe(), verdict)
    for _, seat in verdict.all_seats():
        leaf = world.leaves.get(seat.key)
        if leaf is not None and seat.judgment.status is not Status.ERROR and not seat.skipped:
            assert seat.judgment.status in leaf.said, f"{seat.key} never found {seat.judgment}"
    if verdict.passed:
        _check_pass(world, verdict)


def _check_seats(description: JuryDescription, verdict: Verdict) -> None:
    described = [seat.key for seat in description.seats]
    assert [seat.key for seat in verdict.seats] == described, "a seat is lost"
    assert [seat.position for seat in verdict.seats] == list(range(len(described)))
    assert [attempt.name for attempt in verdict.attempts] == [
        stage.name for stage in description.stages
    ], "a stage is lost"
    inner = [
        *(
            (seat.jury, found.verdict)
            for seat, found in zip(description.seats, verdict.seats, strict=True)
        ),
        *((s.jury, a.verdict) for s, a in zip(description.stages, verdict.attempts, strict=True)),
    ]
    for jury, found in inner:
        if jury is not None and found is not None:
            _check_seats(jury, found)


def _check_pass(world: World, verdict: Verdict) -> None:
    said = {status for leaf in world.leaves.values() for status in leaf.said}
    grounds = {Status.PASS, Status.FAIL} if world.negates else {Status.PASS}
    assert said & grounds, "a pass that no judge gave"
    assert any(seat.judgment.passed for _, seat in verdict.all_seats()), "no seat passed"


@contextmanager
def no_complaints() -> Generator[None]:
    """Nothing is warned of, logged by asyncio, or raised where nobody can catch it."""
    complaints: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: complaints.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("asyncio").addHandler(handler)
    before = sys.unraisablehook, threading.excepthook
    sys.unraisablehook = lambda said: complaints.append(f"unraisable: {said.exc_value!r}")
    threading.excepthook = lambda said: complaints.append(f"in a thread: {said.exc_value!r}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
            gc.collect()
    finally:
        sys.unraisablehook, threading.excepthook = before
        logging.getLogger("asyncio").removeHandler(handler)
    assert not complaints, complaints


def try_one(seed: int, index: int, seen: Counter[str]) -> None:
    """Vote on one random jury and hold the outcome to the rules."""
    world = World(f"{seed}/{index}")
    verdict = vote(world)
    seen["judges"] += len(world.leaves)
    seen["judges that hang"] += sum(leaf.hangs for leaf in world.leaves.values())
    assert workers().abandoned <= MAX_ABANDONED
    if verdict is None:
        seen["ended by a judge"] += 1
        return
    check(world, verdict)
    seen[f"verdict {verdict.status.name}"] += 1
    for _, seat in verdict.all_seats():
        code = seat.judgment.code
        seen[f"seat {seat.judgment.status.name} {code.value if code else ''}".rstrip()] += 1


def run(juries: int, seed: int = 0) -> Counter[str]:
    """Vote on many random juries.

    Raises:
        AssertionError: A rule was broken; the message names the jury.
    """
    seen: Counter[str] = Counter()
    logging.getLogger("agent_judge").setLevel(logging.CRITICAL)
    try:
        for begin in range(0, juries, 100):
            with no_complaints():
                for index in range(begin, min(begin + 100, juries)):
                    _named(seed, index, seen)
    finally:
        logging.getLogger("agent_judge").setLevel(logging.NOTSET)
    left = asyncio.all_tasks(background_loop()._loop)
    assert not left, f"tasks are left on the background loop: {left}"
    return seen


def _named(seed: int, index: int, seen: Counter[str]) -> None:
    try:
        try_one(seed, index, seen)
    except BaseException as broken:
        broken.add_note(
            f"on jury {index}: python benchmarks/fault_run.py --only {index} --seed {seed}"
        )
        raise


def main() -> None:
    """Run, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--juries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    if arguments.only is not None:
        world = World(f"{arguments.seed}/{arguments.only}")
        _say(world.root.describe())
        _say(verdict := vote(world))
        if verdict is not None:
            check(world, verdict)
        return
    began = time.perf_counter()
    seen = run(arguments.juries, arguments.seed)
    _say(f"{arguments.juries} juries in {time.perf_counter() - began:.0f} s, no rule broken")
    for what, count in sorted(seen.items()):
        _say(f"  {count:8}  {what}")
    _say(f"  {workers().abandoned:8}  abandoned threads still running")


def _say(what: object) -> None:
    sys.stdout.write(f"{what}\n")


if __name__ == "__main__":
    main()
