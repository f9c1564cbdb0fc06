"""The plugin by which a judge sees what pytest does.

A test has passed if its setup, its body and its clean-up were called and none of them raised, as
seen next to the test itself; what hooks and reports make of that is compared with it. Before and
after the tests, one that must fail is put through the hooks that decide how a test ended, and the
functions of pytest are compared with what they were at the beginning.
"""

from __future__ import annotations

import contextlib
import fnmatch
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

TEXT_LIMIT = 2000
"""Characters of a text that are told."""

IDS_LIMIT = 200
"""Names of tests that are told at once; how many there are is told with them."""

NEVER_SEARCHED = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")
"""Directories in which pytest looks for no tests unless it is told to."""

if TYPE_CHECKING:
    Place = tuple[str | None, int | None]
    """A file, relative to the folder of the run where it is in it, and a line."""


class Phase:
    """What was seen of the setup, the body or the clean-up of a test.

    Attributes:
        when: Which of them.
        raised: What it raised, as the framework caught it; `None` where nothing.
        outcome: What the report makes of it.
        is_expected: Whether the report says that it was expected to fail.
        message: What the report says of its end.
    """

    def __init__(self, call: Any) -> None:
        self.when: str = call.when
        self.raised: Any = call.excinfo
        self.outcome = "failed"
        self.is_expected = False
        self.message = ""

    def take(self, report: Any, call: Any) -> None:
        """Take in what the hooks made of it."""
        self.raised = call.excinfo or self.raised
        self.outcome = str(report.outcome)
        self.is_expected = hasattr(report, "wasxfail")
        self.message = message_of(report)

    def hides_a_failure(self, item: Any) -> bool:
        """Whether it raised what is a failure, and the report says something else."""
        if self.raised is None or self.outcome in ("failed", "rerun"):
            return False
        if self.outcome != "skipped":
            return True
        if self.is_expected:
            marked = item.get_closest_marker("xfail") is not None
            return not (marked or self.raised.errisinstance(pytest.xfail.Exception))
        return not self.raised.errisinstance(skips())


class Found:
    """A test as it was found, before any hook could change it."""

    def __init__(self, item: Any) -> None:
        self._code = code_of(item)
        self._marks = marks_of(item)

    def changed_marks(self, item: Any) -> list[str]:
        """The marks that leave a test out, or expect it to fail, and that it did not have."""
        return sorted(marks_of(item) - self._marks)

    def is_replaced(self, item: Any, is_inside: Callable[[str], bool]) -> bool:
        """Whether the work has put another function in the place of its body."""
        code = code_of(item)
        return code is not self._code and code is not None and is_inside(code.co_filename)


class Running:
    """The test that runs, watched from right beside it."""

    def __init__(self, item: Any) -> None:
        self.item = item
        self._tries: list[list[Phase]] = []
        self._called = False
        self._raised: BaseException | None = None
        self._watch()

    @property
    def is_repeated(self) -> bool:
        """Whether it was tried more than once, as a plugin does with tests that failed."""
        return len(self._tries) > 1

    @property
    def raised(self) -> Any:
        """What the last try raised, as the framework caught it."""
        found = [phase.raised for phase in self._phases if phase.raised is not None]
        return found[0] if found else None

    def begin(self, call: Any) -> Phase:
        """Take a phase in; a setup begins a new try."""
        if call.when == "setup" or not self._tries:
            self._tries.append([])
        phase = Phase(call)
        self._tries[-1].append(phase)
        return phase

    def verdict(self) -> tuple[str, str, bool]:
        """How it ended, why, and whether somebody tried to have it look better."""
        for phase in self._phases:
            if phase.hides_a_failure(self.item):
                return bad(phase.when), describe(phase.raised.value), True
        for phase in self._phases:
            if phase.outcome == "failed":
                return bad(phase.when), phase.message, False
        for phase in self._phases:
            if phase.outcome == "skipped":
                return (
                    ("expected failure" if phase.is_expected else "skipped"),
                    phase.message,
                    False,
                )
        return self._unraised()

    def _unraised(self) -> tuple[str, str, bool]:
        """How a test ended of which no phase raised anything."""
        whens = [phase.when for phase in self._phases]
        if whens[:1] != ["setup"] or whens[-1:] != ["teardown"] or "call" not in whens:
            return "errored", "it was not set up, called and cleaned up", True
        if self._raised is not None:
            return "failed", describe(self._raised), True
        if not self._called:
            return "errored", "its body was never called", True
        expected = any(phase.is_expected for phase in self._phases)
        return ("unexpected pass" if expected else "passed"), "", False

    @property
    def _phases(self) -> list[Phase]:
        return self._tries[-1] if self._tries else []

    def _watch(self) -> None:
        """Notice when the body is called, and what it raises."""
        body: Callable[[], object] = self.item.runtest

        def runtest() -> None:
            self._called, self._raised = True, None
            try:
                body()
            except BaseException as raised:
                self._raised = raised
                raise

        self.item.runtest = runtest


class Observer:
    """The plugin.

    Args:
        channel: The way to the judge.
        remember: Remembers what pytest is made of.

    Attributes:
        told: How many tests were told of.
    """

    def __init__(self, channel: Any, remember: Callable[[], Any]) -> None:
        self.told = 0
        self._channel = channel
        self._remember = remember
        self._machinery: Any = None
        self._found: dict[str, Found] = {}
        self._deselected: dict[str, None] = {}
        self._waiting: dict[str, None] = {}
        self._running: Running | None = None
        self._tampered: dict[str, None] = {}

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self) -> Iterator[None]:
        """Remember pytest as it is, and let the project be imported: what it needs is loaded."""
        self._machinery = self._remember()
        sys.path[:0] = self._channel.order["path"]
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: Any) -> None:
        """Keep all tests in this process, and notice settings from outside of the work."""
        alone: dict[str, Any] = {"dist": "no", "numprocesses": None, "tx": [], "forked": False}
        for name, value in alone.items():
            if hasattr(config.option, name):
                setattr(config.option, name, value)
        settings = str(config.inipath or "")
        if (
            settings
            and not self._is_inside(settings)
            and settings != self._channel.order["settings"]
        ):
            self._tamper(f"settings were read from {settings}, outside of the work")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Any) -> Iterator[None]:
        """Notice tests that are left out by their files."""
        outcome: Any = yield
        path = str(collection_path)
        if outcome.get_result() and holds_tests(path):
            self._leave_out([self._relative(path)], "ignored")

    def pytest_itemcollected(self, item: Any) -> None:
        """Remember every test that was found, before anybody can take it out."""
        self._found[item.nodeid] = Found(item)

    def pytest_deselected(self, items: Any) -> None:
        """Remember tests that are left out by their name, a marker or a hook."""
        self._deselected.update(dict.fromkeys(item.nodeid for item in items))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: Any) -> None:
        """Tell of the tests that were found and will not run."""
        self._waiting = dict.fromkeys(item.nodeid for item in session.items)
        left_out = [name for name in self._found if name not in self._waiting]
        announced = [name for name in left_out if name in self._deselected]
        self._leave_out(announced, "deselected")
        silent = [name for name in left_out if name not in self._deselected]
        self._leave_out(silent, "taken out without a word")
        marked = [item.nodeid for item in session.items if self._is_marked(item)]
        self._leave_out(marked, "marked by a hook to be skipped or to fail")
        if session.items:
            self._challenge(session.items[0])

    def _is_marked(self, item: Any) -> bool:
        found = self._found.get(item.nodeid)
        return found is not None and bool(found.changed_marks(item))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: Any) -> None:
        """Tell of modules that cannot be imported, or that skip themselves."""
        if report.outcome != "passed":
            outcome = "errored" if report.failed else "skipped"
            file = report.nodeid.partition("::")[0] or None
            self._tell(report.nodeid or ".", outcome, message_of(report), (file, None))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        """Tell of a test that begins, and of how it ended."""
        self._channel.tell("started", id=item.nodeid[:TEXT_LIMIT])
        found = self._found.get(item.nodeid)
        if found is not None and found.is_replaced(item, self._is_inside):
            self._tamper(f"the body of {item.nodeid} was replaced")
        self._running = running = Running(item)
        yield
        self._running = None
        self._waiting.pop(item.nodeid, None)
        outcome, message, is_hidden = running.verdict()
        if is_hidden:
            self._tamper(f"{item.nodeid} {outcome}, and was made to look as if it had not")
        place = self._place_of(item, running.raised)
        self._tell(item.nodeid, outcome, message, place, flaky=running.is_repeated)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[None]:
        """See what a phase raised, and what the hooks make of it."""
        running = self._running
        is_watched = running is not None and running.item is item
        phase = running.begin(call) if running is not None and is_watched else None
        outcome: Any = yield
        if phase is not None:
            phase.take(outcome.get_result(), call)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Notice reports on a test that does not run."""
        running = self._running
        if running is None or not report.nodeid.startswith(running.item.nodeid):
            self._tamper(f"a report on {report.nodeid} came while it did not run")

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> None:
        """See whether a test that must fail still does, and which tests never ran."""
        items = getattr(session, "items", [])
        if items:
            self._challenge(items[-1])
        self._leave_out(list(self._waiting), "never run")

    def check_machinery(self) -> None:
        """Tell of parts of pytest that were replaced."""
        for name in self._machinery.changed() if self._machinery is not None else ():
            self._tamper(f"{name} was replaced")

    def _challenge(self, item: Any) -> None:
        """Put a test that must fail through the hooks that decide how a test ended."""
        canary = Canary.from_parent(
            item.session, name=item.name, nodeid=item.nodeid, path=item.path
        )
        hook = item.ihook
        call = pytest.CallInfo.from_call(lambda: hook.pytest_pyfunc_call(pyfuncitem=canary), "call")
        if call.excinfo is None:
            self._tamper("a test that must fail was not run, or was made to pass")
            return
        try:
            report = hook.pytest_runtest_makereport(item=canary, call=call)
        except Exception:  # noqa: BLE001 - a hook of the project that takes it for one of its tests
            return
        if report.outcome != "failed":
            self._tamper(f"a test that must fail was reported as {report.outcome}")

    def _leave_out(self, ids: list[str], how: str) -> None:
        if ids:
            told = [name[:TEXT_LIMIT] for name in ids[:IDS_LIMIT]]
            self._channel.tell("left_out", ids=told, count=len(ids), how=how)

    def _tamper(self, what: str) -> None:
        if what not in self._tampered and len(self._tampered) < IDS_LIMIT:
            self._tampered[what] = None
            self._channel.tell("tampered", what=what[:TEXT_LIMIT])

    def _tell(
        self, name: str, outcome: str, message: str, place: Place, *, flaky: bool = False
    ) -> None:
        file, line = place
        self._channel.tell(
            "result",
            id=name[:TEXT_LIMIT],
            outcome=outcome,
            message=message[:TEXT_LIMIT],
            file=file,
            line=line,
            flaky=flaky,
        )
        self.told += 1

    def _place_of(self, item: Any, raised: Any) -> Place:
        """Where in the work it failed, as deep as the trace goes there; else where the test is."""
        for entry in reversed(raised.traceback if raised is not None else ()):
            if self._is_inside(str(entry.path)) and "site-packages" not in str(entry.path):
                return self._relative(str(entry.path)), entry.lineno + 1
        file, line, _ = item.location
        path = os.path.join(str(item.config.rootpath), file)
        return self._relative(path), (line or 0) + 1

    def _relative(self, path: str) -> str:
        return os.path.relpath(path)[:TEXT_LIMIT] if self._is_inside(path) else path[:TEXT_LIMIT]

    def _is_inside(self, path: str) -> bool:
        root = os.path.realpath(self._channel.order["workspace"])
        return os.path.realpath(path).startswith(root + os.sep)


def run(channel: Any, remember: Callable[[], Any]) -> int:
    """Run pytest; the exit code that it ends with."""
    ignore_compiled(channel.order["workspace"])
    observer = Observer(channel, remember)
    channel.tell("began", tool="pytest " + pytest.__version__, python=sys.version.split()[0])
    arguments = channel.order["arguments"]
    sys.argv[:] = ["pytest", *arguments]
    code = int(pytest.main(arguments, plugins=[observer]))
    observer.check_machinery()
    channel.tell("counted", results=observer.told)
    return code


def ignore_compiled(workspace: str) -> None:
    """Have pytest rewrite the tests of the work anew, and not take what lies beside them for it."""
    from _pytest.assertion import rewrite

    original: Any = rewrite._read_pyc
    root = os.path.realpath(workspace) + os.sep

    def read_pyc(source: Any, *arguments: Any, **options: Any) -> Any:
        if os.path.realpath(str(source)).startswith(root):
            return None
        return original(source, *arguments, **options)

    rewrite._read_pyc = read_pyc


class Canary(pytest.Item):
    """A test that must fail."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.obj = must_fail
        self.funcargs: dict[str, Any] = {}
        self._fixtureinfo = SimpleNamespace(argnames=())

    def runtest(self) -> None:
        """Fail."""
        self.obj()


def code_of(item: Any) -> Any:
    """The code of the body of a test, beneath what it is wrapped in."""
    function: Any = getattr(item, "obj", None)
    with contextlib.suppress(ValueError):
        function = inspect.unwrap(getattr(function, "__func__", function))
    return getattr(function, "__code__", None)


def marks_of(item: Any) -> set[str]:
    """Which of the marks that leave a test out, or expect it to fail, a test has."""
    return {mark.name for mark in item.iter_markers() if mark.name in ("skip", "skipif", "xfail")}


def must_fail() -> None:
    """Fail, as tests do."""
    raise AssertionError("this test must fail")


def bad(when: str) -> str:
    """What it is called that a phase of a test failed."""
    return "failed" if when == "call" else "errored"


def describe(raised: BaseException) -> str:
    """What was raised, in a line."""
    try:
        return f"{type(raised).__name__}: {raised}"[:TEXT_LIMIT]
    except Exception:  # noqa: BLE001 - an exception of the project that cannot be printed
        return type(raised).__name__


def skips() -> tuple[Any, ...]:
    """The exceptions by which a test skips itself."""
    import unittest

    return (pytest.skip.Exception, unittest.SkipTest)


def message_of(report: Any) -> str:
    """What a report says of an end: the exception in a line where it has one, else its text."""
    told = report.longrepr
    crash = getattr(told, "reprcrash", None)
    if crash is not None:
        return str(crash.message)[:TEXT_LIMIT]
    if isinstance(told, tuple):
        return str(told[-1])[:TEXT_LIMIT]
    text = str(getattr(report, "wasxfail", "") or told or "")
    marked = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    return (marked[-1] if marked else text)[-TEXT_LIMIT:]


def holds_tests(path: str) -> bool:
    """Whether pytest would look for tests there, were it not told to leave it out."""
    if os.path.isfile(path):
        return is_test_file(os.path.basename(path))
    name = os.path.basename(path)
    if any(fnmatch.fnmatch(name, pattern) for pattern in NEVER_SEARCHED) or not os.path.isdir(path):
        return False
    if os.path.exists(os.path.join(path, "pyvenv.cfg")):
        return False
    return any(is_test_file(file) for _, _, files in os.walk(path) for file in files)


def is_test_file(name: str) -> bool:
    """Whether a file is named as tests are."""
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
