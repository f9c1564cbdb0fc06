"""JSON that may be hostile, entry by entry: a large document is never built as a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from enum import Enum
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias, TypeGuard

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

MAX_VALUES: Final = 5_000_000
"""Values in a document, which bounds the memory that any entry of it can take."""

MAX_KEYS: Final = 1_000_000
"""Keys of an object that is entered."""

Keys: TypeAlias = "tuple[str | int, ...]"
"""The keys and indices that lead to a value."""


Shape: TypeAlias = "tuple[str | EllipsisType, ...]"
"""Such keys with `...` for any index of an array."""


class Begin(Enum):
    """That an object or an array begins whose entries follow one by one."""

    OBJECT = "{"
    ARRAY = "["


def read_entries(report: ReportFile, entered: Collection[Shape]) -> Iterator[tuple[Keys, Any]]:
    """Every value of a document that is not entered, with the keys that lead to it.

    Args:
        report: The document.
        entered: The values whose entries are wanted one by one. Where one is an object or an array,
            a `Begin` comes in its place and then its entries.

    Raises:
        WorkspaceError: It is no JSON (RFC 8259), or holds a key twice where it is entered
            (`malformed_evidence`); it is beyond a bound (`too_large`).
    """
    text = report.text()
    values = text.count(",") + text.count("[") + text.count("{")
    if values > MAX_VALUES:
        raise WorkspaceError(
            f"{report.name} holds more than {MAX_VALUES} values", ReasonCode.TOO_LARGE
        )
    reader = _Reader(text, entered)
    try:
        yield from reader.value((), (), reader.skip_blanks(0))
        reader.expect_end()
    except _FaultError as fault:
        raise report.malformed(f"it is no JSON: {fault}") from None
    except RecursionError:
        raise report.malformed("its values nest too deep") from None


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value of a document is an object."""
    return type(value) is dict


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a value of a document is an array."""
    return type(value) is list


class _FaultError(ValueError):
    """Why a text is no JSON."""


_BLANKS: Final = re.compile(r"[ \t\r\n]*")


def _refuse_constant(constant: str) -> NoReturn:
    raise _FaultError(f"{constant} is no JSON number")


class _Reader:
    """Goes through the text; `at` is the place behind what was read."""

    def __init__(self, text: str, entered: Collection[Shape]) -> None:
        self._text = text
        self._entered = frozenset(entered)
        self._decode = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode
        self._at = 0

    def skip_blanks(self, at: int) -> int:
        """The next place that is not white space; in compact documents, mostly this one."""
        if self._text[at : at + 1] > " ":
            return at
        found = _BLANKS.match(self._text, at)
        assert found is not None
        return found.end()

    def expect_end(self) -> None:
        """Refuse what stands behind the document."""
        if self.skip_blanks(self._at) != len(self._text):
            raise _FaultError(f"there is more behind it, at character {self._at}")

    def value(self, keys: Keys, shape: Shape, at: int) -> Iterator[tuple[Keys, Any]]:
        """The value at a place, or its entries where it is entered."""
        begins = self._text[at : at + 1]
        if begins == "{" and shape in self._entered:
            yield keys, Begin.OBJECT
            yield from self._members(keys, shape, at + 1)
        elif begins == "[" and shape in self._entered:
            yield keys, Begin.ARRAY
            yield from self._items(keys, shape, at + 1)
        else:
            yield keys, self._decoded(at)

    def _decoded(self, at: int) -> Any:
        try:
            value, self._at = self._decode(self._text, at)
        except json.JSONDecodeError as fault:
            raise _FaultError(f"{fault.msg}, line {fault.lineno}, column {fault.colno}") from None
        except ValueError as fault:  # a number of thousands of digits
            raise _FaultError(str(fault)) from None
        return value

    def _members(self, keys: Keys, shape: Shape, at: int) -> Iterator[tuple[Keys, Any]]:
        seen: set[str] = set()
        at = self.skip_blanks(at)
        if self._text[at : at + 1] == "}":
            self._at = at + 1
            return
        while True:
            key = self._decoded(at)
            if not isinstance(key, str) or key in seen or len(seen) >= MAX_KEYS:
                raise _FaultError(
                    f"{str(key)[:80]!r} is no key, stands there twice, or is one too many"
                )
            seen.add(key)
            at = self._behind(":", self._at)
            yield from self.value((*keys, key), (*shape, key), at)
            at = self.skip_blanks(self._at)
            if self._text[at : at + 1] == "}":
                self._at = at + 1
                return
            at = self._behind(",", at)

    def _items(self, keys: Keys, shape: Shape, at: int) -> Iterator[tuple[Keys, Any]]:
        """The items of an array, of which a large document has many: those are not asked about."""
        index, inner = 0, (*shape, ...)
        entered = inner in self._entered
        at = self.skip_blanks(at)
        if self._text[at : at + 1] == "]":
            self._at = at + 1
            return
        while True:
            if entered:
                yield from self.value((*keys, index), inner, at)
            else:
                yield (*keys, index), self._decoded(at)
            index += 1
            at = self.skip_blanks(self._at)
            if self._text[at : at + 1] == "]":
                self._at = at + 1
                return
            at = self._behind(",", at)

    def _behind(self, mark: str, at: int) -> int:
        """The place behind a mark that has to come next."""
        at = self.skip_blanks(at)
        if self._text[at : at + 1] != mark:
            raise _FaultError(f"{mark!r} is missing at character {at}")
        return self.skip_blanks(at + 1)
