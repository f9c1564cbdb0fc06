"""What lets a judge see what unittest does."""

from __future__ import annotations

import os
import sys
import unittest
from collections.abc import Callable
from typing import Any

TEXT_LIMIT = 2000
"""Characters of a text that are told."""

NO_TESTS = 5
"""The exit code where there was no test, as unittest has it since Python 3.12."""


class Observer(unittest.TestResult):
    """Tells of each test as it ends."""

    def __init__(self, tell: Callable[..., None]) -> None:
        super().__init__()
        self.told = 0
        self._tell = tell

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 - unittest's name
        """A test begins."""
        super().startTest(test)
        self._tell("started", id=test.id()[:TEXT_LIMIT])

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802 - unittest's name
        """It ended, whatever was said of it; of a test with parts that failed, nothing is."""
        super().stopTest(test)
        self._tell("stopped", id=test.id()[:TEXT_LIMIT])

    def addSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802 - unittest's name
        """It passed."""
        super().addSuccess(test)
        self._end(test, "passed")

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802 - as above
        """It failed."""
        super().addFailure(test, err)
        self._end(test, "failed", err)

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802 - as above
        """It, or the setup of its class or module, raised something else."""
        super().addError(test, err)
        self._end(test, "errored", err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802 - as above
        """It was skipped."""
        super().addSkip(test, reason)
        self._end(test, "skipped", message=reason)

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """It failed, as it was expected to."""
        super().addExpectedFailure(test, err)
        self._end(test, "expected failure", err)

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802 - as above
        """It passed, and was expected to fail, which unittest counts as a failure."""
        super().addUnexpectedSuccess(test)
        self._end(test, "failed", message="it passed, and was expected to fail")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802 - as above
        """A part of it failed; of those that passed the test itself tells."""
        super().addSubTest(test, subtest, err)
        if err is not None:
            is_failure = issubclass(err[0], test.failureException)
            self._end(subtest, "failed" if is_failure else "errored", err)

    def _end(self, test: Any, outcome: str, err: Any = None, message: str = "") -> None:
        file, line = place_of(test, err)
        if err is not None:
            message = describe(err[1])
        self._tell(
            "result",
            id=test.id()[:TEXT_LIMIT],
            outcome=outcome,
            message=str(message)[:TEXT_LIMIT],
            file=file,
            line=line,
            flaky=False,
        )
        self.told += 1


class Canary(unittest.TestCase):
    """Tests that must fail, each in another way."""

    def test_equal(self) -> None:
        """Fail by an assertion of unittest."""
        self.assertEqual(1, 2)

    def test_true(self) -> None:
        """Fail by another one."""
        self.assertTrue(False)

    def test_raise(self) -> None:
        """Fail by an exception."""
        raise AssertionError("this test must fail")


def run(channel: Any, remember: Callable[[], Any]) -> int:
    """Run the tests; the exit code that says how they ended."""
    machinery = remember()
    version = sys.version.split()[0]
    channel.tell("began", tool="unittest " + version, python=version)
    sys.path[:0] = channel.order["path"]
    observer = Observer(channel.tell)
    suite = find_tests(channel.order["arguments"])
    suite(observer)
    for what in (*challenge(), *(name + " was replaced" for name in machinery.changed())):
        channel.tell("tampered", what=what[:TEXT_LIMIT])
    channel.tell("counted", results=observer.told)
    if not observer.told:
        return NO_TESTS
    return 0 if observer.wasSuccessful() else 1


def find_tests(arguments: list[str]) -> unittest.TestSuite:
    """The tests that are named, by module, class or method; else all that are discovered."""
    loader = unittest.TestLoader()
    if arguments:
        return loader.loadTestsFromNames(arguments)
    return loader.discover(".")


def challenge() -> list[str]:
    """What became of the tests that must fail, where they do not."""
    names = ("test_equal", "test_true", "test_raise")
    result = unittest.TestResult()
    for name in names:
        Canary(name)(result)
    passed = len(names) - len(result.failures)
    return [f"{passed} of {len(names)} tests that must fail were made to pass"] if passed else []


def place_of(test: Any, err: Any) -> tuple[str | None, int | None]:
    """Where in the project it failed, as deep as the trace goes there."""
    place: tuple[str | None, int | None] = (None, None)
    root = os.path.realpath(".") + os.sep
    trace = err[2] if err is not None else None
    while trace is not None:
        file = os.path.realpath(trace.tb_frame.f_code.co_filename)
        if file.startswith(root) and "site-packages" not in file:
            place = os.path.relpath(file, root), trace.tb_lineno
        trace = trace.tb_next
    if place == (None, None):
        module = sys.modules.get(type(test).__module__)
        file = os.path.realpath(getattr(module, "__file__", None) or "")
        if file.startswith(root):
            place = os.path.relpath(file, root), None
    return place


def describe(raised: BaseException) -> str:
    """What was raised, in a line."""
    try:
        return f"{type(raised).__name__}: {raised}"
    except Exception:  # noqa: BLE001 - an exception of the project that cannot be printed
        return type(raised).__name__
