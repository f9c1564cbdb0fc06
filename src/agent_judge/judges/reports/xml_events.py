"""XML that may be hostile, element by element, by the standard library's Expat.

Nothing is ever expanded or fetched: a document that declares an entity, or uses one that it does
not declare, is refused, and an external document type is not read. Where it is asked for, entities
that lie outside of the document are left out instead. What is kept at a time is
bounded: the depth of elements, the length of one tag, and the text of one element. Expat before
2.6 takes quadratic time over a tag that never ends, which the bound on its length prevents, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NoReturn, TypeAlias
from xml.parsers import expat

from agent_judge.frozen import EMPTY
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

MAX_DEPTH: Final = 100
"""Elements within elements."""

MAX_TOKEN: Final = 1 << 20
"""Bytes of one tag, comment or declaration."""

MAX_TEXT: Final = 1 << 16
"""Characters of an element's text that are kept; the rest is left out."""

Attributes: TypeAlias = dict[str, str]


@dataclass(frozen=True, slots=True)
class Elements:
    """What is done with the elements of a document, by their names.

    Attributes:
        begin: Called with the attributes where an element begins, also one whose text is wanted.
        text: Called where an element ends with the text in it; that of other elements is dropped.
            What begins and ends inside of it must not be wanted, too.
        end: Called where an element ends.
    """

    begin: Mapping[str, Callable[[Attributes], None]] = EMPTY
    text: Mapping[str, Callable[[str], None]] = EMPTY
    end: Mapping[str, Callable[[], None]] = EMPTY


def read_xml(
    report: ReportFile,
    recognise: Callable[[str, Attributes], Elements],
    *,
    external: Literal["refuse", "leave_out"] = "refuse",
) -> None:
    """Read an XML document, once and without keeping it.

    Args:
        report: The document.
        recognise: Called with the name and the attributes of the outermost element; it says what
            is done with the elements inside, or raises where that is no document it reads.
        external: What becomes of entities that lie outside of the document; none is ever fetched.

    Raises:
        WorkspaceError: It is not well-formed, declares or uses entities (`malformed_evidence`), or
            is beyond a bound (`too_large`).
    """
    reader = _Reader(report, recognise)
    if external == "leave_out":
        reader.leave_out_external()
    fed = 0
    try:
        for chunk in report.chunks():
            fed += len(chunk)
            reader.parser.Parse(chunk)
            if fed - reader.parser.CurrentByteIndex > MAX_TOKEN:
                raise reader.too_large(f"a tag or declaration is longer than {MAX_TOKEN} bytes")
        reader.parser.Parse(b"", True)
    except expat.ExpatError as fault:
        why = expat.ErrorString(fault.code)
        raise report.malformed(
            f"it is not well-formed XML: {why}, line {fault.lineno}, column {fault.offset + 1}"
        ) from None
    except (ValueError, LookupError) as fault:  # an encoding that is unknown or has several bytes
        raise report.malformed(f"it cannot be read as XML: {shown(str(fault))}") from None
    finally:
        reader.close()


class _Reader:
    """The callbacks of the parser, and what they have in common."""

    def __init__(
        self, report: ReportFile, recognise: Callable[[str, Attributes], Elements]
    ) -> None:
        self._report = report
        self._recognise = recognise
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin_document
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.UnparsedEntityDeclHandler = self._refuse_entity
        self.parser.ExternalEntityRefHandler = self._refuse_entity
        self.parser.SkippedEntityHandler = self._refuse_entity

    def leave_out_external(self) -> None:
        """Pass over entities that lie outside of the document, and refuse those in it."""
        self.parser.EntityDeclHandler = self._refuse_internal
        self.parser.ExternalEntityRefHandler = _pass_over

    def close(self) -> None:
        """Let the callbacks go: they hold the parser, which holds them."""
        for name in _CALLBACKS:
            setattr(self.parser, name, None)

    def too_large(self, why: str) -> WorkspaceError:
        """The ERROR that a bound is passed."""
        return WorkspaceError(f"{self._report.name}: {why}", ReasonCode.TOO_LARGE)

    def _begin_document(self, name: str, attributes: Attributes) -> None:
        elements = self._recognise(name, attributes)
        begin, end = dict(elements.begin), dict(elements.end)
        for wanted, take in elements.text.items():
            begin[wanted], end[wanted] = self._text_of(take, begin.get(wanted))
        self._follow(begin, end)

    def _follow(
        self,
        begin: Mapping[str, Callable[[Attributes], None]],
        end: Mapping[str, Callable[[], None]],
    ) -> None:
        """Set what is called for each element: a large report has millions, so it is kept short."""
        depth = 1

        def begin_element(name: str, attributes: Attributes) -> None:
            nonlocal depth
            depth += 1
            if depth > MAX_DEPTH:
                raise self.too_large(f"elements nest deeper than {MAX_DEPTH} levels")
            if name in begin:
                begin[name](attributes)

        def end_element(name: str) -> None:
            nonlocal depth
            depth -= 1
            if name in end:
                end[name]()

        self.parser.StartElementHandler = begin_element
        self.parser.EndElementHandler = end_element

    def _text_of(
        self, take: Callable[[str], None], begins: Callable[[Attributes], None] | None
    ) -> tuple[Callable[[Attributes], None], Callable[[], None]]:
        """What is called where an element whose text is wanted begins and ends."""
        parts: list[str] = []
        room = MAX_TEXT

        def keep(text: str) -> None:
            nonlocal room
            if room > 0:
                parts.append(text[:room])
                room -= len(text)

        def begin(attributes: Attributes) -> None:
            nonlocal room
            if begins is not None:
                begins(attributes)
            parts.clear()
            room = MAX_TEXT
            self.parser.CharacterDataHandler = keep

        def end() -> None:
            self.parser.CharacterDataHandler = None
            take("".join(parts))

        return begin, end

    def _refuse_internal(self, _name: str, parameter: int, value: str | None, *_: object) -> None:
        if parameter or value is not None:
            self._refuse_entity()

    def _refuse_entity(self, *_declaration: object) -> NoReturn:
        raise self._report.malformed("it declares or uses an entity, and none is expanded")


def _pass_over(*_reference: object) -> int:
    """Say of an entity that it is dealt with."""
    return 1


_CALLBACKS: Final = (
    "StartElementHandler",
    "EndElementHandler",
    "CharacterDataHandler",
    "EntityDeclHandler",
    "UnparsedEntityDeclHandler",
    "ExternalEntityRefHandler",
    "SkippedEntityHandler",
)
