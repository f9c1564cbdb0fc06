"""XML as a tree of elements, read without entities, without network, without recursion."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import ParseError

from agent_judge.extras import load
from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import NotComparedError, SyntaxFaultError
from agent_judge.judges.compare.formats.values import Counter
from agent_judge.judges.compare.node import Node
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from collections.abc import Mapping

SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
BLANKS: Final = " \t\r\n"
_QNAME: Final = re.compile(r"([A-Za-z_][\w.-]*):([A-Za-z_][\w.-]*)")


def parse_xml_tree(document: Document) -> Build:
    """Read XML whose entities are the predefined ones; an external document type is not read.

    Raises:
        SyntaxFaultError: It is not well-formed.
        NotComparedError: It declares entities, refers to an external one, or holds too much.
    """
    # A text that was decoded is no longer in the encoding that it declares.
    encoding = "utf-8" if document.path is None else None
    _read(document.data, encoding)
    return lambda: _read(document.data, encoding)


def _read(data: bytes, encoding: str | None) -> Node:
    defused = load("defusedxml.ElementTree", extra="compare", needed_by="comparing XML")
    common = load("defusedxml.common", extra="compare", needed_by="comparing XML")
    reader = _Reader()
    parser = defused.DefusedXMLParser(target=reader, encoding=encoding)
    reader.parser = parser.parser
    try:
        parser.feed(data)
        parser.close()
    except common.DefusedXmlException as fault:
        raise NotComparedError(f"it is refused: {fault}", ReasonCode.REFUSED) from None
    except ParseError as fault:
        line, _ = fault.position
        raise SyntaxFaultError(str(fault), line) from None
    except (ValueError, LookupError) as fault:
        raise SyntaxFaultError(str(fault)) from None
    return reader.root


class _Reader:
    """Takes what the parser finds, and makes nodes of it."""

    def __init__(self) -> None:
        self.root = Node("document", line=1)
        self.parser: Any = None
        self._open = [self.root]
        self._text: list[str] = []
        self._text_line = 1
        self._prefixes: dict[str, list[str]] = {}
        self._counter = Counter()

    def start_ns(self, prefix: str, uri: str) -> None:
        """A prefix stands for a namespace from here on."""
        self._prefixes.setdefault(prefix, []).append(uri)

    def end_ns(self, prefix: str) -> None:
        """It stands for what it stood for before."""
        self._prefixes[prefix].pop()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self._flush()
        node = Node("element", tag, name=tag.rpartition("}")[2], line=self._line())
        for name, value in sorted(attributes.items()):
            said = (name, *self._named(value))
            label = f"@{name.rpartition('}')[2]}"
            node.children.append(Node("attribute", said, name=label, line=node.line))
        self._add(node)
        self._open.append(node)

    def end(self, _tag: str) -> None:
        """An element ends."""
        self._flush()
        self._open.pop()

    def data(self, text: str) -> None:
        """Text, or a part of one."""
        if not self._text:
            self._text_line = self._line()
        self._text.append(text)

    def pi(self, target: str, text: str | None = None) -> None:
        """An instruction to whoever processes the document."""
        self._flush()
        self._add(Node("instruction", (target, text or ""), name=f"?{target}", line=self._line()))

    def comment(self, _text: str) -> None:
        """A comment is no part of the tree; the text around it is one."""

    def close(self) -> Node:
        """All of it has been read."""
        return self.root

    def _line(self) -> int:
        line: int = self.parser.CurrentLineNumber
        return line

    def _flush(self) -> None:
        if self._text:
            text = "".join(self._text)
            self._text = []
            said = self._named(text)
            node = Node("text", said, line=self._text_line)
            self._add(node)

    def _add(self, node: Node) -> None:
        self._counter.count(1 + len(node.children))
        self._open[-1].children.append(node)

    def _named(self, value: str) -> tuple[str, ...]:
        """A value; one that is a name with a declared prefix, by its namespace."""
        match = _QNAME.fullmatch(value.strip(BLANKS))
        declared = self._prefixes.get(match[1]) if match is not None else None
        if match is None or not declared:
            return (value,)
        return (f"{{{declared[-1]}}}{match[2]}", "")
