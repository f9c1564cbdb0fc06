"""Which assertions of a test run: surely, or under a condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, assert_never

from agent_judge.judges.diff.kept.statements import (
    Assertion,
    Attempting,
    Block,
    Branching,
    Calling,
    Failing,
    Function,
    Leaving,
    Looping,
    Marker,
    Skipping,
    Statement,
)


class Reach(IntEnum):
    """Whether a statement is reached."""

    NEVER = 0
    MAYBE = 1
    SURELY = 2


@dataclass(frozen=True, slots=True)
class Lost:
    """An assertion that is there and says nothing, and why."""

    line: int
    text: str
    why: str


@dataclass(slots=True)
class Strength:
    """What was found on the way through a test.

    Attributes:
        live: The assertions that can fail.
        sure: How many of them run whenever the test does.
        called: Those of the functions that it calls.
        called_surely: How many of these run whenever the test does.
        lost: Assertions that cannot fail.
        conditional: Assertions that run only under a condition.
        skips: Statements that end the test without a verdict.
    """

    live: list[Assertion] = field(default_factory=list[Assertion])
    sure: int = 0
    called: int = 0
    called_surely: int = 0
    lost: list[Lost] = field(default_factory=list[Lost])
    conditional: list[Lost] = field(default_factory=list[Lost])
    skips: list[Marker] = field(default_factory=list[Marker])


MAX_CALLS: Final = 1_000
"""Calls of functions of the file that are followed for one test."""


@dataclass(frozen=True, slots=True)
class _Passage:
    """How a block goes once it was begun.

    Attributes:
        end: How what follows it is reached.
        sure: How many of its assertions run in any case.
        called: How many of the functions that it calls do.
    """

    end: Reach = Reach.SURELY
    sure: int = 0
    called: int = 0


def measure(function: Function, helpers: Mapping[str, Function]) -> Strength:
    """Go through a function, and the functions of the file that it calls."""
    walk = _Walk(helpers)
    passage = walk.block(function.body, Reach.SURELY, "")
    walk.found.sure, walk.found.called_surely = passage.sure, passage.called
    return walk.found


class _Walk:
    """One way through a function; each statement is looked at once."""

    def __init__(self, helpers: Mapping[str, Function]) -> None:
        self.found = Strength()
        self._helpers = helpers
        self._within: list[str] = []
        self._calls = MAX_CALLS

    def block(self, block: Block, reach: Reach, why: str) -> _Passage:
        """Go through the statements of a block.

        Args:
            block: The statements.
            reach: How the block is reached.
            why: Why it is not surely reached, where it is not.
        """
        end, sure, called = Reach.SURELY, 0, 0
        for statement in block:
            passage = self._statement(statement, min(reach, end), why)
            if end is Reach.SURELY:
                sure += passage.sure
                called += passage.called
            if passage.end < end:
                end = passage.end
                why = _reason(statement, end) if min(reach, end) < reach else why
        return _Passage(end, sure, called)

    def _statement(self, statement: Statement, reach: Reach, why: str) -> _Passage:
        match statement:
            case Assertion():
                return self._assertion(statement, reach, why)
            case Failing(line, text, leaves):
                passage = self._assertion(Assertion(line, text), reach, why)
                end = Reach.NEVER if leaves else Reach.SURELY
                return _Passage(end, passage.sure, passage.called)
            case Skipping(line, text):
                if reach is not Reach.NEVER:
                    self.found.skips.append(Marker(line, text))
                return _Passage(Reach.NEVER)
            case Leaving():
                return _Passage(Reach.NEVER)
            case Branching():
                return self._branching(statement, reach, why)
            case Looping():
                return self._looping(statement, reach, why)
            case Attempting():
                return self._attempting(statement, reach, why)
            case Calling(_, name):
                return self._calling(name, reach)
            case _:
                assert_never(statement)

    def _assertion(self, assertion: Assertion, reach: Reach, why: str) -> _Passage:
        line, text = assertion.line, assertion.text
        live = reach is not Reach.NEVER and not assertion.always
        if self._within:
            self.found.called += live
            return _Passage(called=int(live))
        if live:
            self.found.live.append(assertion)
            if reach is Reach.MAYBE:
                self.found.conditional.append(Lost(line, text, why))
        else:
            reason = "holds whatever happens" if assertion.always else why
            self.found.lost.append(Lost(line, text, reason))
        return _Passage(sure=int(live))

    def _branching(self, statement: Branching, reach: Reach, why: str) -> _Passage:
        if statement.taken is not None:
            return self._decided(statement, reach, why)
        own = _Passage()
        passages: list[_Passage] = []
        for arm in statement.arms:
            if _fails(arm):
                text = f"fail when {statement.text}"
                own = self._assertion(Assertion(statement.line, text), reach, why)
                continue
            condition = f"runs only when {statement.text}"
            passages.append(self.block(arm, min(reach, Reach.MAYBE), condition))
        if not statement.complete or not passages:
            passages.append(_Passage())
        ends = {passage.end for passage in passages}
        return _Passage(
            ends.pop() if len(ends) == 1 else Reach.MAYBE,
            own.sure + min(passage.sure for passage in passages),
            own.called + min(passage.called for passage in passages),
        )

    def _decided(self, statement: Branching, reach: Reach, why: str) -> _Passage:
        """A choice whose condition is a constant."""
        taken = _Passage()
        for index, arm in enumerate(statement.arms):
            if index == statement.taken:
                taken = self.block(arm, reach, why)
            else:
                never = f"is in an arm of {statement.text} that never runs"
                self.block(arm, Reach.NEVER, never)
        return taken

    def _looping(self, statement: Looping, reach: Reach, why: str) -> _Passage:
        if statement.never:
            self.block(
                statement.body, Reach.NEVER, f"is in a loop that never runs: {statement.text}"
            )
            return _Passage()
        passage = self.block(statement.body, reach, why)
        end = Reach.MAYBE if _leaves_far(statement.body) else Reach.SURELY
        return _Passage(end, passage.sure, passage.called)

    def _attempting(self, statement: Attempting, reach: Reach, why: str) -> _Passage:
        if statement.swallows:
            caught = f"fails unseen: {statement.text}"
            self.block(statement.body, Reach.NEVER, caught)
            body = _Passage()
        else:
            body = self.block(statement.body, reach, why)
        ends = [body.end]
        for handler in statement.handlers:
            if _fails(handler):  # what is caught fails the test all the same
                continue
            within = self.block(handler, min(reach, Reach.MAYBE), f"runs only in {statement.text}")
            ends.append(within.end)
        last = self.block(statement.last, reach, why)
        end = body.end if len(set(ends)) == 1 else Reach.MAYBE
        sure, called = body.sure + last.sure, body.called + last.called
        return _Passage(min(end, last.end), sure, called)

    def _calling(self, name: str, reach: Reach) -> _Passage:
        helper = self._helpers.get(name)
        if helper is None or name in self._within or not self._calls:
            return _Passage()
        self._calls -= 1
        self._within.append(name)
        passage = self.block(helper.body, reach, "")
        self._within.pop()
        return _Passage(called=passage.called)


def skips_in(block: Block) -> Iterator[Marker]:
    """Every skip in some statements that can be reached, whatever it is in."""
    for statement in block:
        match statement:
            case Skipping(line, text):
                yield Marker(line, text)
            case Branching(arms=arms, taken=taken):
                for index, arm in enumerate(arms):
                    if taken in (None, index):
                        yield from skips_in(arm)
            case Looping(body=body, never=never):
                yield from () if never else skips_in(body)
            case Attempting(body=body, handlers=handlers, last=last):
                for part in (body, *handlers, last):
                    yield from skips_in(part)
            case _:
                pass


def _fails(arm: Block) -> bool:
    """Whether an arm fails the test, so that its condition is an assertion."""
    return any(isinstance(statement, Failing) for statement in arm)


def _leaves_far(block: Block) -> bool:
    """Whether something in a loop can leave the whole test."""
    for statement in block:
        match statement:
            case Leaving(far=far) if far:
                return True
            case Skipping():
                return True
            case Branching(arms=arms):
                if any(_leaves_far(arm) for arm in arms if not _fails(arm)):
                    return True
            case Looping(body=body):
                if _leaves_far(body):
                    return True
            case Attempting(body=body, handlers=handlers, last=last):
                if any(map(_leaves_far, (body, last, *handlers))):
                    return True
            case _:
                pass
    return False


def _reason(statement: Statement, after: Reach) -> str:
    """Why what follows a statement is not, or not surely, reached."""
    text = getattr(statement, "text", "")
    if after is Reach.NEVER:
        return f"comes after {text} in line {statement.line}"
    return f"runs only unless line {statement.line} leaves: {text}"
