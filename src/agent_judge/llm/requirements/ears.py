"""Requirements in EARS, the Easy Approach to Requirements Syntax.

Source of the patterns: A. Mavin, P. Wilkinson, A. Harwood, M. Novak, "Easy Approach to Requirements
Syntax (EARS)", RE 2009:

| pattern | template |
|---|---|
| ubiquitous | The *system* shall *response* |
| event | WHEN *trigger*, the *system* shall *response* |
| state | WHILE *in a state*, the *system* shall *response* |
| unwanted | IF *trigger*, THEN the *system* shall *response* |
| optional | WHERE *a feature is included*, the *system* shall *response* |
| complex | several of these before one *shall* |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent_judge.llm.requirements.collecting import Collector
from agent_judge.llm.requirements.identifiers import Identified, identified, plain
from agent_judge.llm.requirements.markdown import Block, BlockKind, read_blocks
from agent_judge.llm.requirements.roster import (
    Pattern,
    Requirement,
    Roster,
    check_document,
)
from agent_judge.llm.requirements.sections import (
    Section,
    joined,
    paragraphs,
    read_row,
    split_sections,
)
from agent_judge.llm.requirements.sentences import split_sentences

_SHALL: Final = re.compile(r"\b(?:[Ss]hall|SHALL|MUST)\b")
_INSTEAD: Final = re.compile(r"\b(should|will|may|can|must)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"(?:^|[,;]\s*(?:and\s+|then\s+)?|\b(?:and|then)\s+)(when|while|if|where)\b", re.IGNORECASE
)
_OPENS: Final = re.compile(r"(?:when|while|if|where)\b", re.IGNORECASE)
_PATTERNS: Final = {
    "when": Pattern.EVENT,
    "while": Pattern.STATE,
    "if": Pattern.UNWANTED,
    "where": Pattern.OPTIONAL,
}
_CRITERIA: Final = re.compile(r"(?:acceptance )?criteri(?:a|on)\b", re.IGNORECASE)


def parse_ears(document: str) -> Roster:
    r"""The roster of a document whose requirements are written in EARS.

    A requirement is declared by an identifier at the head of a heading, list item, paragraph or
    row of a table; by an item below a heading such as "Acceptance criteria", or a numbered one
    below a heading with an identifier; or by "shall". Without an identifier of its own it gets
    that of its section with its number, or a number.

    Args:
        document: Markdown, or plain text.

    Raises:
        ArgumentError: The document is too long.
        ArgumentTypeError: It is no text.

    Example:
        >>> roster = parse_ears(
        ...     "# REQ-1: Login\n"
        ...     "1. WHEN the password is wrong THE system SHALL say so\n"
        ...     "2. The system shall lock an account after five attempts.\n"
        ...     "# REQ-2: Logout\n"
        ... )
        >>> [(one.id, one.pattern.value) for one in roster.requirements]
        [('REQ-1.1', 'event'), ('REQ-1.2', 'ubiquitous')]
        >>> roster.declared, roster.unreadable[0].reason
        (3, 'it has no body')
    """
    sections = split_sections(read_blocks(check_document(document)))
    parser = _Parser(Collector())
    for section in sections:
        parser.read_section(section)
    return parser.found.roster(document, sections, "none of its text says 'shall'")


def read_criterion(text: str) -> Pattern | str:
    """The pattern of a criterion, or why it cannot be read.

    Example:
        >>> read_criterion("While it is idle, when a key is pressed, the system shall wake up.")
        <Pattern.COMPLEX: 'complex'>
        >>> read_criterion("The system should be fast.")
        "it says 'should', not 'shall'"
    """
    words = plain(text)
    shall = _SHALL.search(words)
    if shall is None:
        instead = _INSTEAD.search(words)
        return f"it says {instead[1]!r}, not 'shall'" if instead else "it says nowhere 'shall'"
    before, after = words[: shall.start()], words[shall.end() :]
    if not re.search(r"\w", after):
        return "it does not say what shall be"
    subject = _OPENS.sub("", before, count=1) if _OPENS.match(before) else before
    if not re.search(r"\w", subject):
        return "it does not say which system shall do it"
    found = {_PATTERNS[clause[1].casefold()] for clause in _CLAUSE.finditer(before)}
    if len(found) > 1:
        return Pattern.COMPLEX
    return found.pop() if found else Pattern.UBIQUITOUS


@dataclass(frozen=True, slots=True)
class _Parser:
    """Goes through the sections of a document, and keeps what they declare."""

    found: Collector

    def read_section(self, section: Section) -> None:
        """Read a heading and what stands below it."""
        if _SHALL.search(section.head.text):
            self._declare(section, section.head, section.line)
        listed = bool(_CRITERIA.match(plain(section.head.text)))
        for blocks in section.groups():
            self._read_blocks(section, blocks, listed=listed)

    def _read_blocks(self, section: Section, blocks: Sequence[Block], *, listed: bool) -> None:
        """A block and what belongs to it; each item of a list of criteria declares one."""
        block = blocks[0]
        if block.kind is BlockKind.ROW:
            self._read_row(section, block)
        elif block.kind is BlockKind.TEXT and len(blocks) == 1:
            self._read_text(section, block)
        else:
            said = identified(joined(blocks))
            counted = section.head.declares and block.number is not None
            if listed or counted or said.declares or _SHALL.search(said.text):
                self._declare(section, said, block.line, block.number)

    def _read_text(self, section: Section, block: Block) -> None:
        """A paragraph: what each identifier in it names, or each sentence that says "shall"."""
        for line, text in paragraphs(block):
            said = identified(text)
            if said.declares:
                self._declare(section, said, line)
                continue
            for sentence in split_sentences(text):
                if _SHALL.search(sentence):
                    self._declare(section, Identified(None, sentence, declares=False), line)

    def _read_row(self, section: Section, row: Block) -> None:
        """A row of a table: a cell that says "shall", or a cell that is an identifier, or both."""
        name, text = read_row(row, lambda cell: bool(_SHALL.search(cell)))
        if text is not None:
            self._declare(section, Identified(name, text, declares=True), row.line)

    def _declare(
        self, section: Section, said: Identified, line: int, number: int | None = None
    ) -> None:
        pattern = read_criterion(said.text) if said.text else "it has no body"
        if isinstance(pattern, str):
            shown = ": ".join(filter(None, (said.id, plain(said.text))))
            self.found.refuse(section, shown, line, pattern)
            return
        requirement = Requirement("", plain(said.text), line, pattern=pattern)
        self.found.add(section, [requirement], id=said.id, number=number)
