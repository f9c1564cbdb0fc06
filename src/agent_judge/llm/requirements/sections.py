"""The sections of a document: each heading with the blocks below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent_judge.llm.requirements.identifiers import NAMELESS, Identified, identified, plain
from agent_judge.llm.requirements.markdown import Block, BlockKind

_ONLY_A_LINK: Final = re.compile(r"\[[^\[\]]{0,400}\]\([^()]{0,400}\)")


@dataclass(slots=True)
class Section:
    """A heading and what stands below it, up to the next one.

    Args:
        head: The heading, taken apart.
        line: Where it stands; 0 for what comes before the first heading.
        level: Of the heading, 1 to 6; 0 before the first one.
        parent: The section that it is a part of.
        blocks: What stands below it.
    """

    head: Identified
    line: int
    level: int
    parent: Section | None = None
    blocks: list[Block] = field(default_factory=list[Block])
    counted: int = 0
    declared: int = 0

    @property
    def any_text(self) -> bool:
        """Whether anything stands below its heading."""
        return bool(self.blocks)

    @property
    def owner(self) -> Section | None:
        """The nearest section around it, itself first, that has an identifier."""
        section: Section | None = self
        while section is not None and section.head.id is None:
            section = section.parent
        return section

    @property
    def name(self) -> str:
        """Its identifier; empty where it has none."""
        return self.head.id or ""

    @property
    def title(self) -> str:
        """Its heading without markup."""
        return ": ".join(filter(None, (self.name, plain(self.head.text))))

    def groups(self) -> Iterator[Sequence[Block]]:
        """Its blocks, each with those behind it that are a part of it."""
        at = 0
        while at < len(self.blocks):
            taken = 1 + _belonging(self.blocks, at)
            yield self.blocks[at : at + taken]
            at += taken

    def declare(self, count: int) -> None:
        """Note that it, and so every section around it, declares so many requirements."""
        section: Section | None = self
        while section is not None:
            section.declared += count
            section = section.parent

    def next_number(self) -> int:
        """Count the requirements that have no number of their own."""
        self.counted += 1
        return self.counted


def split_sections(blocks: Iterable[Block]) -> list[Section]:
    """The sections of a document, in order; a list of links to sections is not a part of one."""
    sections = [Section(NAMELESS, 0, 0)]
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            parent: Section | None = sections[-1]
            while parent is not None and parent.level >= block.level:
                parent = parent.parent
            head = identified(block.text)
            sections.append(Section(head, block.line, block.level, parent))
        elif not _ONLY_A_LINK.fullmatch(block.text):
            sections[-1].blocks.append(block)
    return sections


def joined(blocks: Sequence[Block]) -> str:
    """A block and what belongs to it, as one text."""
    first, *others = blocks
    items = "; ".join(block.text for block in others)
    return f"{first.text} {items}" if items else first.text


def paragraphs(block: Block) -> Iterator[tuple[int, str]]:
    """The parts of a paragraph that begin with an identifier of their own, with their lines."""
    start = 0
    for number in range(1, len(block.lines) + 1):
        if number == len(block.lines) or identified(block.lines[number]).declares:
            yield block.line + start, " ".join(block.lines[start:number])
            start = number


def read_row(row: Block, states: Callable[[str], bool]) -> tuple[str | None, str | None]:
    """What a row of a table demands, and the identifier that it has.

    Args:
        row: The row.
        states: Whether a cell states a requirement. Where none does, and one is an identifier, the
            longest cell is what is declared.
    """
    cells = [identified(cell) for cell in row.lines]
    name = next((cell.id for cell in cells if cell.declares and not cell.text), None)
    said = next((cell for cell in cells if states(cell.text)), None)
    if said is not None:
        return name or said.id, said.text
    return name, None if name is None else max((cell.text for cell in cells), key=len)


def _belonging(blocks: Sequence[Block], at: int) -> int:
    """How many of the blocks behind one are a part of it: its body, or the list that it opens."""
    block = blocks[at]
    named = identified(block.text)
    bare = named.declares and not named.text
    if block.kind is BlockKind.ROW or not (bare or block.text.endswith(":")):
        return 0
    end = at + 1
    while end < len(blocks) and _is_part(blocks[end], block):
        end += 1
    if end == at + 1 and bare and end < len(blocks) and blocks[end].kind is BlockKind.TEXT:
        end += 1
    return end - at - 1


def _is_part(block: Block, of: Block) -> bool:
    """Whether a block goes on with the one before: items of its list, or what is indented more."""
    if of.kind is BlockKind.ITEM:
        return block.kind is not BlockKind.ROW and block.level > of.level
    return block.kind is BlockKind.ITEM
