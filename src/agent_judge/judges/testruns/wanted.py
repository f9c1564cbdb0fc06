"""Tests that are named beforehand, and must be found in a report and have passed.

Tools write the identity of a test in different ways. A name is looked for in each way in which a
report may mean it: `tests/test_a.py::TestB::test_c` of pytest is `tests.test_a.TestB` and `test_c`
in JUnit XML, and `test_c (tests.test_a.TestB)` for unittest. A name may also stand for several
tests: `test_d` for `test_d[1]` and `test_d[2]`, `tests/test_a.py` for all that are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from agent_judge.judges.testruns.results import CaseResult, Outcome

_DEPTH: Final = 12
"""Components of the dotted name of a class that are tried as the path of a file."""

_PASSES: Final = frozenset({Outcome.PASSED, Outcome.EXPECTED_FAILURE, Outcome.UNEXPECTED_PASS})


class Found:
    """What a report said of the tests that one name stands for.

    Attributes:
        matched: How many tests it stood for.
        passed: How many of them passed, as their author meant them to end.
        bad: The first that did not, if there is one.
        result: The first of them all.
    """

    __slots__ = ("bad", "matched", "passed", "result")

    def __init__(self) -> None:
        self.matched = 0
        self.passed = 0
        self.bad: CaseResult | None = None
        self.result: CaseResult | None = None

    def add(self, result: CaseResult, *, alone: bool) -> None:
        """Take a test in; `alone` where the name is that of this very test."""
        self.matched += 1
        self.result = self.result or result
        if result.outcome in _PASSES:
            self.passed += 1
        elif self.bad is None and (alone or result.outcome.is_bad):
            self.bad = result

    @property
    def is_met(self) -> bool:
        """Whether it passed: at least one test did, and none that had to did not."""
        return self.bad is None and self.passed > 0


class Wanted:
    """Names of tests, and what was found of each."""

    def __init__(self, names: Iterable[str]) -> None:
        self.found = {name: Found() for name in names}

    def add(self, result: CaseResult) -> bool:
        """Take a test in; whether one of the names stands for it."""
        if not self.found:
            return False
        seen: set[str] = set()
        for name, alone in names_of(result):
            if name in self.found and name not in seen:
                seen.add(name)
                self.found[name].add(result, alone=alone)
        return bool(seen)


def names_of(result: CaseResult) -> Iterator[tuple[str, bool]]:
    """The names that may stand for a test, and of each whether it stands for this test alone."""
    plain = _without_parameters(result.name)
    places = list(_places(result))
    for name in (result.name, plain) if plain else (result.name,):
        alone = name == result.name
        yield name, alone
        for place in places:
            yield f"{place}::{name}", alone
        if result.class_name:
            yield f"{result.class_name}.{name}", alone
            yield f"{result.class_name}#{name}", alone
            yield f"{result.class_name} {name}", alone
            yield f"{name} ({result.class_name})", alone
    yield from ((place, False) for place in _around(result, places))


def _places(result: CaseResult) -> Iterator[str]:
    """Where a test is, in the ways in which tools write it before `::`."""
    if result.class_name:
        yield result.class_name
        parts = result.class_name.split(".", _DEPTH)
        if len(parts) <= _DEPTH and all(part.isidentifier() for part in parts):
            for depth in range(1, len(parts) + 1):
                yield "::".join(["/".join(parts[:depth]) + ".py", *parts[depth:]])
    if result.file:
        yield result.file
        simple = result.class_name.rpartition(".")[2]
        if simple:
            yield f"{result.file}::{simple}"


def _around(result: CaseResult, places: Iterable[str]) -> Iterator[str]:
    """What a test is in: files, classes, and in Go the tests above it."""
    for place in places:
        yield place
        while "::" in place:
            place = place.rpartition("::")[0]  # noqa: PLW2901 - from the inside to the outside
            yield place
    outer = result.name
    while "/" in outer:
        outer = outer.rpartition("/")[0]
        yield outer
        if result.class_name:
            yield f"{result.class_name}::{outer}"
            yield f"{result.class_name}.{outer}"


def _without_parameters(name: str) -> str | None:
    """The name of a test without its parameters in brackets, where it has some."""
    plain, bracket, _ = name.partition("[")
    return plain if bracket and plain and name.endswith("]") else None
