"""How the tests of two outlines differ: what is gone, skipped, or says less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from agent_judge.judges.diff.kept.outlines import FunctionOutline, Outline
from agent_judge.judges.diff.kept.statements import Assertion, Marker
from agent_judge.judges.diff.kept.strength import Lost

T = TypeVar("T")

_QUOTED: Final = 100
"""Characters of code in a message."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A place at which tests say less than before.

    Attributes:
        path: The file.
        line: The line in it, after the change where the file is still there.
        message: What is wrong.
        decides: Whether it is a weakening, or only worth a look.
    """

    path: str
    line: int
    message: str
    decides: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """A function before or after the change, and the file that it is in."""

    path: str
    function: FunctionOutline


@dataclass(frozen=True, slots=True)
class Pair:
    """A file before and after the change, as far as it is there.

    Attributes:
        old: Its path before.
        new: Its path after.
        before: Its outline before; its tests are those that were run.
        after: Its outline after; likewise.
        line_after: The line after the change at which a line from before was.
    """

    old: str | None
    new: str | None
    before: Outline
    after: Outline
    line_after: Callable[[int], int]


def weakenings(pairs: Sequence[Pair]) -> Iterator[Finding]:
    """Everything that tests no longer do."""
    moved = _Moves(pairs)
    for pair in pairs:
        if pair.after.fault is not None and None not in (pair.old, pair.new):
            assert pair.new is not None
            message = f"does not parse, so that none of its tests runs: {pair.after.fault}"
            yield Finding(pair.new, pair.after.line, message)
            continue
        path = pair.new or pair.old or ""
        markers = pair.after.markers if pair.old else _for_others(path, pair.after.markers)
        yield from _markers(path, pair.before.markers, markers)
        for function in pair.before.functions.values():
            yield from _of_function(pair, function, moved)


def _for_others(path: str, markers: Iterable[Marker]) -> list[Marker]:
    """What a new file says that holds for tests in others, too."""
    conftest = path.rpartition("/")[2] == "conftest.py"
    return [marker for marker in markers if conftest or marker.text == "func TestMain"]


def _of_function(pair: Pair, before: FunctionOutline, moved: _Moves) -> Iterator[Finding]:
    after = pair.after.functions.get(before.name)
    if not before.is_test:
        if after is not None and pair.new is not None:
            yield from _says_less(pair.new, before, after)
        return
    if after is not None and after.is_test:
        assert pair.new is not None
        yield from _compared(pair.new, before, after)
        return
    place = moved.of(pair, before)
    if place is None:
        yield _removed(pair, before)
        return
    message = f"{before.name} of {pair.old} is now {place.function.name}"
    yield Finding(place.path, place.function.line, message, decides=False)
    yield from _compared(place.path, before, place.function)


def _removed(pair: Pair, test: FunctionOutline) -> Finding:
    if pair.new is None:
        return Finding(pair.old or "", test.line, f"the test {test.name} was deleted with its file")
    if pair.old == pair.new:
        still = pair.after.functions.get(test.name)
        line = max(1, pair.line_after(test.line)) if still is None else still.line
        return Finding(pair.new, line, f"the test {test.name} is gone; it was at line {test.line}")
    message = f"the test {test.name} of {pair.old}, line {test.line}, is no test here"
    return Finding(pair.new, max(1, pair.line_after(test.line)), message)


class _Moves:
    """Tests that are new where they are, and so may be others that are gone elsewhere."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._new = [
            Place(pair.new, test)
            for pair in pairs
            if pair.new is not None
            for name, test in pair.after.tests.items()
            if name not in pair.before.tests
        ]

    def of(self, pair: Pair, test: FunctionOutline) -> Place | None:
        """Where a test is now: under its name elsewhere, or under another name with its code."""
        last = test.name.rpartition(".")[2]
        for place in self._new:
            found = place.function
            same_name = found.name == test.name or (
                place.path == pair.new and found.name.rpartition(".")[2] == last
            )
            if same_name or (place.path == pair.new and found.shape == test.shape):
                self._new.remove(place)
                return place
        return None


def _compared(path: str, before: FunctionOutline, after: FunctionOutline) -> Iterator[Finding]:
    yield from _markers(path, before.markers, after.markers, after.name)
    known = before.cases is not None and after.cases is not None
    if known and after.cases < before.cases and after.weight < before.weight:  # type: ignore[operator]
        message = f"{after.name} has {after.cases} cases, and had {before.cases}"
        yield Finding(path, after.line, message)
    yield from _says_less(path, before, after)


def _says_less(path: str, before: FunctionOutline, after: FunctionOutline) -> Iterator[Finding]:
    weaker = [*_weaker(path, before, after), *_dead(path, before, after)]
    yield from weaker
    by_cases = before.cases == 1 and after.cases not in (1, None)
    if after.total < before.total and not (by_cases and after.weight >= before.weight):
        yield from _fewer(path, before, after)
    elif after.surely < before.surely and not (by_cases and after.sure_weight >= before.surely):
        yield from _conditional(path, before, after)
    elif not weaker:
        yield from _changed(path, before, after)


def _dead(path: str, before: FunctionOutline, after: FunctionOutline) -> Iterator[Finding]:
    """Each assertion that could fail and cannot any more."""
    gone = _texts(before) - _texts(after)
    for item in _new_losses(before.lost, after.lost):
        if _take(gone, item.text):
            yield Finding(path, item.line, f"in {after.name}, {_quoted(item.text)} {item.why}")


def _fewer(path: str, before: FunctionOutline, after: FunctionOutline) -> Iterator[Finding]:
    """What stands where assertions were, and how many are gone altogether."""
    gone = _texts(before) - _texts(after)
    dead, idle = 0, 0
    for item in _new_losses(before.lost, after.lost):
        if _take(gone, item.text):
            dead += 1
        else:
            idle += 1
            yield Finding(path, item.line, f"in {after.name}, {_quoted(item.text)} {item.why}")
    if before.total - after.total > dead + idle:
        counts = f"{after.total} assertions that can fail, and had {before.total}"
        yield Finding(path, after.line, f"{after.name} has {counts}{_gone(before, after)}")


def _texts(outline: FunctionOutline) -> Counter[str]:
    return Counter(item.text for item in outline.assertions)


def _gone(before: FunctionOutline, after: FunctionOutline) -> str:
    left = Counter(item.text for item in after.assertions)
    left.update(item.text for item in after.lost)
    gone = [item.text for item in before.assertions if not _take(left, item.text)]
    return f"; gone is {_quoted(gone[0])}" if gone else ""


def _conditional(path: str, before: FunctionOutline, after: FunctionOutline) -> Iterator[Finding]:
    found = list(_new_losses(before.conditional, after.conditional))
    for item in found:
        yield Finding(path, item.line, f"in {after.name}, {_quoted(item.text)} {item.why}")
    if not found:
        counts = f"{after.surely} assertions that run in any case, and had {before.surely}"
        message = f"{after.name} has {counts}"
        yield Finding(path, after.line, message)


def _new_losses(before: Iterable[Lost], after: Iterable[Lost]) -> Iterator[Lost]:
    known = Counter((item.text, _kind(item.why)) for item in before)
    for item in after:
        if not _take(known, (item.text, _kind(item.why))):
            yield item


def _kind(why: str) -> str:
    """A reason without the number of a line in it, which other changes move."""
    return " ".join(word for word in why.split(" ") if not word.isdigit())


def _weaker(path: str, before: FunctionOutline, after: FunctionOutline) -> Iterator[Finding]:
    """Assertions that stand where stronger ones did, and tolerances that grew."""
    gone = list(before.assertions)
    new: list[Assertion] = []
    for item in after.assertions:
        same = next((old for old in gone if old.text == item.text), None)
        if same is None:
            new.append(item)
            continue
        gone.remove(same)
        looser = [
            f"{name} is {tolerance:g}, and was {same.tolerances.get(name, 0.0):g}"
            for name, tolerance in item.tolerances.items()
            if tolerance > same.tolerances.get(name, 0.0)
            and not (name not in same.tolerances and _is_tighter(item, same))
        ]
        if looser:
            message = f"in {after.name}, {_quoted(item.text)} is looser: {'; '.join(looser)}"
            yield Finding(path, item.line, message)
    for item in new:
        old = next((old for old in gone if old.subject == item.subject), None)
        if old is not None and old.rank > item.rank:
            gone.remove(old)
            message = f"in {after.name}, {_quoted(item.text)} says less than {_quoted(old.text)}"
            yield Finding(path, item.line, message)


def _is_tighter(after: Assertion, before: Assertion) -> bool:
    """Whether one tolerance took the place of another, larger one."""
    if not before.tolerances:
        return False
    return max(after.tolerances.values()) <= max(before.tolerances.values())


def _changed(path: str, before: FunctionOutline, after: FunctionOutline) -> Iterator[Finding]:
    """Assertions that stand where others did, and are neither known to be weaker nor stronger."""
    left = Counter(item.text for item in before.assertions)
    new = [item for item in after.assertions if not _take(left, item.text)]
    gone = [text for text, count in left.items() for _ in range(count)]
    for item, text in zip(new, gone, strict=False):
        message = f"{after.name} expects {_quoted(item.text)}, and expected {_quoted(text)}"
        yield Finding(path, item.line, message, decides=False)


def _markers(
    path: str, before: Iterable[Marker], after: Iterable[Marker], name: str = "every test of it"
) -> Iterator[Finding]:
    known = Counter(marker.text for marker in before)
    for marker in after:
        if not _take(known, marker.text):
            message = f"{name} may no longer be run, or fail: {_quoted(marker.text)}"
            yield Finding(path, marker.line, message)


def _take(counts: Counter[T], item: T) -> bool:
    """Whether there is one of these left, which is taken."""
    if not counts.get(item):
        return False
    counts[item] -= 1
    return True


def _quoted(text: str) -> str:
    return f"'{text if len(text) <= _QUOTED else text[: _QUOTED - 1] + '…'}'"
