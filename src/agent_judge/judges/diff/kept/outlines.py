"""The outline of a file of tests, as a child process makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Final

from agent_judge.judges.diff.kept.statements import Assertion, Marker, Rank
from agent_judge.judges.diff.kept.strength import Lost
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.killable import FailedError, OverdueError, Pool
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

SOURCE_LIMIT: Final = 2_000_000
"""Bytes of a source file that are parsed."""

_CHILDREN: Final = Pool(Path(__file__).with_name("outline_task.py"))


@dataclass(frozen=True, slots=True)
class FunctionOutline:
    """A function of a file of tests, and how much it asserts.

    Attributes:
        name: Its name, with those of what it is in.
        line: Where it begins.
        is_test: Whether it is run as a test.
        shape: A hash of its code, without its name.
        cases: How many times it is run with other parameters; `None` where that is not known.
        markers: What keeps it from being run to its end.
        live: Assertions in it that can fail.
        sure: How many of these run whenever it does.
        called: Assertions that can fail in functions of the file that it calls.
        called_surely: How many of these run whenever it does.
        assertions: The assertions that can fail.
        lost: Assertions that cannot.
        conditional: Assertions that run only under a condition.
    """

    name: str
    line: int
    is_test: bool
    shape: str
    cases: int | None
    markers: tuple[Marker, ...]
    live: int
    sure: int
    called: int
    called_surely: int
    assertions: tuple[Assertion, ...]
    lost: tuple[Lost, ...]
    conditional: tuple[Lost, ...]

    @property
    def total(self) -> int:
        """Assertions that can fail, those of functions that it calls included."""
        return self.live + self.called

    @property
    def surely(self) -> int:
        """The same of those that run in any case."""
        return self.sure + self.called_surely

    @property
    def weight(self) -> int:
        """Assertions that can fail, over all cases."""
        return self.total * (1 if self.cases is None else self.cases)

    @property
    def sure_weight(self) -> int:
        """The same of those that run in any case."""
        return self.surely * (1 if self.cases is None else self.cases)


@dataclass(frozen=True, slots=True)
class Outline:
    """A file of tests.

    Attributes:
        functions: Its functions by name.
        markers: What keeps all its tests from being run.
        fault: Why it cannot be parsed, where it cannot.
        line: Where that is.
    """

    functions: Mapping[str, FunctionOutline] = field(default_factory=dict[str, FunctionOutline])
    markers: tuple[Marker, ...] = ()
    fault: str | None = None
    line: int = 1

    @property
    def tests(self) -> Mapping[str, FunctionOutline]:
        """The functions that are run as tests."""
        return {name: function for name, function in self.functions.items() if function.is_test}


def outline_of(path: str, content: bytes, language: str, seconds: float) -> Outline:
    """The outline of a file.

    Args:
        path: Where it is, for messages.
        content: Its bytes.
        language: One of `languages.LANGUAGES`.
        seconds: How long that may take.

    Raises:
        WorkspaceError: It is too large, or cannot be parsed in time or memory.
    """
    if len(content) > SOURCE_LIMIT:
        raise WorkspaceError(
            f"{shown(path)} holds {len(content)} bytes, too many to parse", ReasonCode.TOO_LARGE
        )
    request = {"content": content.decode("latin-1"), "language": language}
    try:
        answer = _CHILDREN.ask(request, monotonic() + seconds)
    except OverdueError:
        reason = f"{shown(path)} could not be parsed within {seconds:.3g} s"
        raise WorkspaceError(reason, ReasonCode.TIMEOUT) from None
    except FailedError as fault:
        reason = f"{shown(path)} could not be parsed: {shown(str(fault))[:200]}"
        raise WorkspaceError(reason, ReasonCode.TOO_LARGE) from None
    return outline_from(answer)


def outline_from(answer: dict[str, Any]) -> Outline:
    """The outline in an answer of `outline_task`."""
    if "fault" in answer:
        return Outline(fault=shown(answer["fault"])[:200], line=max(1, answer["line"]))
    functions = [_function(item) for item in answer["functions"]]
    return Outline({item.name: item for item in functions}, _markers(answer["markers"]))


def _function(item: dict[str, Any]) -> FunctionOutline:
    assertions = tuple(
        Assertion(line, text, subject, Rank(rank), tolerances)
        for line, text, subject, rank, tolerances in item["assertions"]
    )
    read: dict[str, Any] = {
        **item,
        "markers": _markers(item["markers"]),
        "assertions": assertions,
        "lost": _lost(item["lost"]),
        "conditional": _lost(item["conditional"]),
    }
    return FunctionOutline(**read)


def _markers(items: list[list[Any]]) -> tuple[Marker, ...]:
    return tuple(Marker(line, text) for line, text in items)


def _lost(items: list[list[Any]]) -> tuple[Lost, ...]:
    return tuple(Lost(line, text, why) for line, text, why in items)
