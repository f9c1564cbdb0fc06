"""The blocks of a Markdown document, as far as requirements stand in them.

Read are headings, list items, paragraphs and rows of tables. Code, HTML comments and front matter
are left out: nothing there is a requirement. Text without any markup is paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final


class BlockKind(Enum):
    """What a block is."""

    HEADING = "heading"
    ITEM = "item"
    TEXT = "text"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document.

    Args:
        kind: What it is.
        lines: Its lines without their markers; of a row, its cells.
        line: Where it begins, counted from 1.
        level: Of a heading 1 to 6; else the columns that it is indented by.
        number: Of an item in a numbered list its number.
    """

    kind: BlockKind
    lines: tuple[str, ...]
    line: int
    level: int = 0
    number: int | None = None

    @property
    def text(self) -> str:
        """Its lines in one, with single spaces."""
        return " ".join(" ".join(self.lines).split())


_FENCE: Final = re.compile(r" {0,12}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_ITEM: Final = re.compile(r"( *)(?:[-*+\u2022]|(\d{1,9})[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?(.*))?$")
_RULE: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
_QUOTE: Final = re.compile(r"(?: {0,3}>[ \t]?)+")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_CLOSING: Final = re.compile(r"(?:^|[ \t])#+[ \t]*$")


def read_blocks(document: str) -> Iterator[Block]:
    r"""The blocks of a document, in order; takes time in proportion to its length.

    Example:
        >>> [(block.kind.value, block.text) for block in read_blocks("# A\n\n- b\n  c\n\nd")]
        [('heading', 'A'), ('item', 'b c'), ('text', 'd')]
    """
    reader = _Reader()
    for number, line in _shown_lines(document):
        yield from reader.take(number, line)
    yield from reader.close()


class _Reader:
    """Goes through the lines, and holds the block that is being read."""

    def __init__(self) -> None:
        self._open: Block | None = None
        self._behind: list[str] = []
        self._in_list = False
        self._after_blank = True

    def take(self, number: int, line: str) -> Iterator[Block]:
        """Take a line in, and give the block that it ends."""
        line = _QUOTE.sub("", line, count=1) if line.lstrip().startswith(">") else line
        if not line.strip():
            yield from self.close()
        elif (heading := self._underlined(line)) is not None:
            self._open = None
            yield heading
        elif (begun := _begin(number, line)) is not None:
            yield from self.close()
            self._open = begun
            self._in_list = begun.kind is BlockKind.ITEM
            if begun.kind in (BlockKind.HEADING, BlockKind.ROW):
                yield from self.close()
        elif not _RULE.match(line):
            self._go_on(number, line)
        self._after_blank = not line.strip()

    def close(self) -> Iterator[Block]:
        """Give the block that is being read."""
        if self._open is not None:
            yield replace(self._open, lines=(*self._open.lines, *self._behind))
        self._open, self._behind = None, []

    def _underlined(self, line: str) -> Block | None:
        """The heading that a paragraph of one line becomes by a line below it."""
        above, underline = self._open, _UNDERLINE.match(line)
        if underline is None or above is None or self._behind or above.kind is not BlockKind.TEXT:
            return None
        level = 1 if underline[1][0] == "=" else 2
        return replace(above, kind=BlockKind.HEADING, level=level)

    def _go_on(self, number: int, line: str) -> None:
        """A line of text: more of the open block, or a paragraph, unless it is indented code."""
        if self._open is not None:
            self._behind.append(line.strip())
            return
        indent = len(line) - len(line.lstrip(" "))
        self._in_list = self._in_list and indent > 0
        if self._in_list or indent < 4 or not self._after_blank:
            self._open = Block(BlockKind.TEXT, (line.strip(),), number, indent)


def _begin(number: int, line: str) -> Block | None:
    """The block that begins with a line, if it is no paragraph."""
    if heading := _HEADING.match(line):
        title = _CLOSING.sub("", heading[2] or "").strip()
        return Block(BlockKind.HEADING, (title,), number, len(heading[1]))
    if line.lstrip().startswith("|"):
        return Block(BlockKind.ROW, tuple(_cells(line)), number)
    if not _RULE.match(line) and (item := _ITEM.match(line)):
        counted = None if item[2] is None else int(item[2])
        return Block(BlockKind.ITEM, (item[3] or "",), number, len(item[1]), counted)
    return None


def _shown_lines(document: str) -> Iterator[tuple[int, str]]:
    """The lines that a reader of the rendered document sees, with their numbers."""
    text = document.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    fence, comment = "", False
    front = text.startswith("---\n") and "\n---\n" in text[3:]
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.expandtabs(4)
        if front:
            front = number == 1 or line.rstrip() != "---"
            continue
        if not comment and (mark := _FENCE.match(line)):
            opened = mark[1]
            if not fence:
                fence = opened
                yield number, ""
                continue
            if opened.startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
                continue
        if not fence:
            line, comment = _without_comments(line, comment)
            yield number, line


def _without_comments(line: str, comment: bool) -> tuple[str, bool]:
    """A line without what stands in HTML comments, and whether one goes on behind it."""
    kept: list[str] = []
    at = 0
    while at <= len(line):
        mark = "-->" if comment else "<!--"
        found = line.find(mark, at)
        if not comment:
            kept.append(line[at:] if found < 0 else line[at:found])
        if found < 0:
            break
        at, comment = found + len(mark), not comment
    return "".join(kept), comment


def _cells(line: str) -> Iterator[str]:
    for cell in _CELL_END.split(line.strip().removeprefix("|").removesuffix("|")):
        yield cell.replace("\\|", "|").strip()
