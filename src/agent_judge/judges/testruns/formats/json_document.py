"""Reports that are one JSON document, which has to be held as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeGuard, cast

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.testruns.results import CaseResult, Counts, Faults

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile
    from agent_judge.judges.testruns.formats.report import Take

DOCUMENT_LIMIT: Final = 20_000_000
"""Characters of a document; read, it takes some ten times as much memory."""

_HUGE: Final = 1e15
"""Beyond what anything is counted or measured in."""


class JsonReport:
    """Reads one report; a subclass knows its keys.

    Attributes:
        declared: What the report sums up itself.
        faults: What it says went wrong outside of any test.
    """

    KEYS: ClassVar[tuple[str, ...]] = ()
    """What every such report holds."""

    def __init__(self) -> None:
        self.declared = Counts()
        self.faults = Faults()

    @classmethod
    def fits(cls, document: dict[str, Any]) -> bool:
        """Whether a document looks like such a report."""
        return all(key in document for key in cls.KEYS)

    def read(self, file: ReportFile, take: Take, /) -> None:
        """Hand the tests on; see `Report`."""
        document = document_of(file)
        if not self.fits(document):
            raise FormatError(f"it has not all of {', '.join(self.KEYS)}")
        for result in self.results(document):
            take(result)

    def results(self, document: dict[str, Any]) -> Iterator[CaseResult]:
        """The tests in a document that fits."""
        raise NotImplementedError


def document_of(file: ReportFile) -> dict[str, Any]:
    """The object that a document is.

    Raises:
        FormatError: It is too large to be held, or no JSON object.
    """
    text = file.text()
    if len(text) > DOCUMENT_LIMIT:
        raise FormatError(f"it holds more than {DOCUMENT_LIMIT} characters of JSON")
    try:
        value: object = json.loads(text)
    except RecursionError:
        raise FormatError("it nests too deep") from None
    except ValueError as fault:
        raise FormatError(f"it is no JSON: {fault}") from None
    if not is_object(value):
        raise FormatError("it is no JSON object")
    return value


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def objects_in(document: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """The objects in the list of that key.

    Raises:
        FormatError: There is no such list, or something else is in it.
    """
    items: object = document.get(key)
    if not isinstance(items, list):
        raise FormatError(f"it has no list {key!r}")
    for item in cast("list[object]", items):
        if not is_object(item):
            raise FormatError(f"it holds in {key!r} what is no object")
        yield item


def text_in(item: dict[str, Any], *keys: str) -> str:
    """The first of these that is a text and not empty; else an empty one."""
    for key in keys:
        value = item.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def count_in(item: dict[str, Any], key: str) -> int | None:
    """A whole number that is not negative, if it is there."""
    value = item.get(key)
    return value if type(value) is int and value >= 0 else None


def number_in(item: dict[str, Any], key: str) -> float | None:
    """A number that is not negative and finite, if it is there."""
    value: object = item.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < _HUGE else None
