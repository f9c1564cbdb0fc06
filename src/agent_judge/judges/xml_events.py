"""Reading XML that may be hostile, as it comes, and keeping none of it.

The parser is expat, which the standard library brings. It is told to read nothing but the bytes it
is given: a DOCTYPE is passed over, a document that declares an entity within itself is refused
(expanding one is how a small file fills the memory), and a reference to one outside of it is left
out. Nesting, the size of one tag and the text that is collected are bounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from xml.parsers import expat

MAX_DEPTH: Final = 200
"""How deep elements may nest."""

TAG_LIMIT: Final = 4_000_000
"""Bytes of a single tag, comment or declaration, which the parser has to hold as a whole."""

TEXT_LIMIT: Final = 100_000
"""Characters that are collected of the text of one element."""


class XmlError(ValueError):
    """Why a document cannot be read."""


class XmlEvents:
    """A reader of one document: a subclass says what to do where an element starts and ends.

    Tags and attributes come without the prefix of their namespace.
    """

    def __init__(self) -> None:
        self.path: list[str] = []
        """The tags of the elements that are open, the outermost first."""
        self._collecting: list[_Text] = []
        self._parser = _parser()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def start(self, tag: str, attributes: dict[str, str]) -> bool | None:
        """An element starts, and is not on the path yet; true to have its text collected."""
        raise NotImplementedError

    def end(self, tag: str, text: str) -> None:
        """An element has ended, and is off the path; the text is empty unless it was collected."""
        raise NotImplementedError

    def feed(self, chunks: Iterable[bytes]) -> Iterable[None]:
        """Read a document; yields after each chunk, so that what was found can be handed on.

        Raises:
            XmlError: It is not well-formed, or is refused.
        """
        fed = 0
        for chunk in chunks:
            fed += len(chunk)
            self._parse(chunk, last=False)
            if fed - self._parser.CurrentByteIndex > TAG_LIMIT:
                raise XmlError(f"holds a tag of more than {TAG_LIMIT} bytes")
            yield
        self._parse(b"", last=True)
        yield

    def _parse(self, chunk: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as fault:
            raise XmlError(f"is not well-formed XML: {fault}") from None
        except (LookupError, ValueError) as fault:  # an encoding that there is not
            if isinstance(fault, XmlError):
                raise
            raise XmlError(f"cannot be decoded: {fault}") from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.path) >= MAX_DEPTH:
            raise XmlError(f"nests deeper than {MAX_DEPTH} elements")
        if ":" in tag:
            tag = tag.rpartition(":")[2]
        if self.start(tag, attributes):
            self._collecting.append(_Text(len(self.path)))
            self._parser.CharacterDataHandler = self._collecting[-1].add
        self.path.append(tag)

    def _end(self, _tag: str) -> None:
        tag = self.path.pop()
        if not self._collecting or self._collecting[-1].depth != len(self.path):
            self.end(tag, "")
            return
        text = self._collecting.pop()
        self._parser.CharacterDataHandler = self._collecting[-1].add if self._collecting else None
        self.end(tag, text.collected)


class _Text:
    """The text of one element, without that of elements in it whose text is collected too."""

    __slots__ = ("_left", "_parts", "depth")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._left = TEXT_LIMIT
        self._parts: list[str] = []

    def add(self, part: str) -> None:
        if self._left:
            self._parts.append(part[: self._left])
            self._left -= len(self._parts[-1])

    @property
    def collected(self) -> str:
        return "".join(self._parts)


def _parser() -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.EntityDeclHandler = _refuse_entity
    parser.buffer_text = True
    return parser


def _refuse_entity(
    name: str,
    is_parameter: int,
    value: str | None,
    _base: str | None,
    _system: str | None,
    _public: str | None,
    _notation: str | None,
) -> None:
    """Refuse what could be expanded; what lies outside of the document is never fetched."""
    if is_parameter or value is not None:
        raise XmlError(f"declares the entity {name!r}; a report needs none")
