"""A JSON reader for what models write: strict about values, lenient about four slips.

Tolerated, each with a note: `//` and `/* */` comments, a comma before a closing bracket, raw line
breaks and tabs inside a string, and a backslash that escapes nothing, which is kept as it stands.
Everything else that RFC 8259 does not allow is a fault, and so are a key that occurs twice and a
number that no float can hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from json import JSONDecoder
from math import isfinite
from typing import Any, Final, NoReturn, cast

from agent_judge.frozen import MAX_INTEGER, FrozenMap, Json
from agent_judge.llm.reading.records import Fault, Note

MAX_DEPTH: Final = 64
"""How deep objects and arrays may nest: more than a verdict ever does."""
_LONGEST_COMMENT: Final = 2_000

_SPACE = re.compile(r"[ \t\r\n]*+")
_LINE_COMMENT = re.compile(r"//[^\n]*+")
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")
_NOT_FINITE = re.compile(r"[-+]?(?:NaN|Infinity|inf)\b", re.IGNORECASE)
_CUT = re.compile(r"[-+.\w]{0,20}\Z")
_WORDS: Final = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"true|false|null")
_ESCAPES: Final = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


@dataclass(frozen=True, slots=True)
class Parsed:
    """An object, where it ends in the text, and what was tolerated in it."""

    value: FrozenMap[Json]
    end: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a text is no object, where that shows, and how many objects are open there."""

    fault: Fault
    at: int
    depth: int


def parse_object(text: str, start: int = 0) -> Parsed | Broken:
    r"""Read the object that begins at an index of a text.

    It takes time in proportion to what it reads, whatever the text.

    Example:
        >>> parsed = parse_object('{"score": 1.0 // fully accurate\n}')
        >>> assert isinstance(parsed, Parsed)
        >>> dict(parsed.value), parsed.notes
        ({'score': 1.0}, (<Note.COMMENT: 'comment'>,))
    """
    parser = _Parser(text, start)
    try:
        value = parser.read_object()
    except _BrokenError as broken:
        return Broken(broken.fault, parser.at, parser.objects)
    return Parsed(value, parser.at, tuple(parser.notes))


def parse_plain_object(text: str) -> FrozenMap[Json] | None:
    r"""The object that a text is, where it is one of plain JSON and nothing else.

    It gives what `parse_object` gives without a note, and gives `None` wherever that could differ;
    it is here because most replies are of this kind, and the parser of the interpreter is fast.

    Example:
        >>> dict(parse_plain_object('{"score": 1.0}') or {})
        {'score': 1.0}
        >>> parse_plain_object('{"score": 1.0,}') is None
        True
    """
    if not (text.startswith("{") and text.endswith("}")) or "\\u" in text:
        return None
    if text.count("{") + text.count("[") > _PLAIN_DEPTH:
        return None
    try:
        value: FrozenMap[Json] = _PLAIN.decode(text)
    except (ValueError, RecursionError, _BrokenError):
        return None
    return value


class _BrokenError(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class _Parser:
    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.depth = 0
        self.objects = 0
        self.notes: dict[Note, None] = {}

    def read_object(self) -> FrozenMap[Json]:
        members: dict[str, Json] = {}
        self.open("{")
        self.objects += 1
        while not self.closes("}", first=not members):
            key = self.read_string()
            if key in members:
                raise _BrokenError(Fault.DUPLICATE_KEY)
            self.skip()
            self.expect(":")
            self.skip()
            members[key] = self.read_value()
        self.objects -= 1
        return FrozenMap(members)

    def read_array(self) -> tuple[Json, ...]:
        items: list[Json] = []
        self.open("[")
        while not self.closes("]", first=not items):
            items.append(self.read_value())
        return tuple(items)

    def read_value(self) -> Json:
        match self.text[self.at : self.at + 1]:
            case "{":
                return self.read_object()
            case "[":
                return self.read_array()
            case '"':
                return self.read_string()
            case _:
                return self.read_scalar()

    def read_scalar(self) -> Json:
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return _number(number[0])
        if word := _WORD.match(self.text, self.at):
            self.at = word.end()
            return _WORDS[word[0]]
        if _NOT_FINITE.match(self.text, self.at):
            raise _BrokenError(Fault.NOT_FINITE)
        raise self.unexpected()

    def read_string(self) -> str:
        string = _STRING.match(self.text, self.at)
        if string is None:
            if self.text[self.at : self.at + 1] == '"':
                self.at = len(self.text)
            raise self.unexpected()
        self.at = string.end()
        raw = string[1]
        if _CONTROL.search(raw):
            self.notes[Note.RAW_CONTROL] = None
        return self.unescape(raw)

    def unescape(self, raw: str) -> str:
        """The string that is meant; half a surrogate pair becomes U+FFFD."""
        string = _ESCAPE.sub(self.escaped, raw) if "\\" in raw else raw
        if not _SURROGATE.search(string):
            return string
        return string.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def escaped(self, escape: re.Match[str]) -> str:
        if escape[1]:
            return chr(int(escape[1], 16))
        plain = _ESCAPES.get(escape[2])
        if plain is None:
            self.notes[Note.UNKNOWN_ESCAPE] = None
            return escape[0]
        return plain

    def open(self, bracket: str) -> None:
        self.expect(bracket)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _BrokenError(Fault.MALFORMED)

    def closes(self, bracket: str, *, first: bool) -> bool:
        """Whether the bracket closes here; if not, the comma before the next item is skipped."""
        self.skip()
        comma = not first and self.text.startswith(",", self.at)
        if comma:
            self.at += 1
            self.skip()
        if self.text.startswith(bracket, self.at):
            if comma:
                self.notes[Note.TRAILING_COMMA] = None
            self.at += 1
            self.depth -= 1
            return True
        if not first and not comma:
            raise self.unexpected()
        return False

    def skip(self) -> None:
        """Skip white space and comments."""
        self.skip_space()
        while end := self.end_of_comment():
            self.notes[Note.COMMENT] = None
            self.at = end
            self.skip_space()

    def end_of_comment(self) -> int:
        """Where the comment that begins here ends; 0 where none does."""
        if self.text.startswith("/*", self.at):
            end = self.text.find("*/", self.at + 2, self.at + _LONGEST_COMMENT)
            return end + 2 if end >= 0 else 0
        line = _LINE_COMMENT.match(self.text, self.at)
        return line.end() if line else 0

    def skip_space(self) -> None:
        space = _SPACE.match(self.text, self.at)
        assert space is not None
        self.at = space.end()

    def expect(self, sign: str) -> None:
        if not self.text.startswith(sign, self.at):
            raise self.unexpected()
        self.at += len(sign)

    def unexpected(self) -> _BrokenError:
        cut = _CUT.match(self.text, self.at)
        return _BrokenError(Fault.TRUNCATED if cut else Fault.MALFORMED)


def _number(literal: str) -> int | float:
    """An integer where every reader of JSON keeps it, else the nearest float."""
    if len(literal) < len(str(MAX_INTEGER)) and literal.lstrip("-").isdigit():
        return int(literal)
    number = float(literal)
    if not isfinite(number):
        raise _BrokenError(Fault.NOT_FINITE)
    return number


def _members(pairs: list[tuple[str, Any]]) -> FrozenMap[Json]:
    members = {key: _fixed(value) for key, value in pairs}
    if len(members) != len(pairs):
        raise _BrokenError(Fault.DUPLICATE_KEY)
    return FrozenMap(members)


def _fixed(value: object) -> Json:
    if isinstance(value, list):
        return tuple(map(_fixed, cast("list[object]", value)))
    return cast("Json", value)


def _not_finite(_word: str) -> NoReturn:
    raise _BrokenError(Fault.NOT_FINITE)


_PLAIN_DEPTH: Final = 50
_PLAIN: Final = JSONDecoder(
    object_pairs_hook=_members, parse_float=_number, parse_int=_number, parse_constant=_not_finite
)
