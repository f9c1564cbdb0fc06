"""Rules in the words of RFC 2119, which RFC 8174 reads in capitals only.

| words | level |
|---|---|
| MUST, MUST NOT, REQUIRED, SHALL, SHALL NOT | MUST |
| SHOULD, SHOULD NOT, RECOMMENDED, NOT RECOMMENDED | SHOULD |
| MAY, OPTIONAL | MAY |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent_judge.llm.requirements.collecting import Collector
from agent_judge.llm.requirements.identifiers import Identified, identified, plain
from agent_judge.llm.requirements.markdown import Block, BlockKind, read_blocks
from agent_judge.llm.requirements.roster import (
    Level,
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

_KEYWORD: Final = re.compile(
    r"\b(?:(?:MUST|SHALL|SHOULD)(?:\s+NOT)?|REQUIRED|(?:NOT\s+)?RECOMMENDED|MAY|OPTIONAL)\b"
)
_MENTIONED: Final = re.compile(rf"[\"'“‘`]{{1,2}}{_KEYWORD.pattern}[\"'”’`]{{1,2}}")  # noqa: RUF001 - quotation marks as documents have them
_BOILERPLATE: Final = re.compile(
    r"\bkey\s?words\b|\bRFC\s?(?:2119|8174)\b|\bBCP\s?14\b", re.IGNORECASE
)
_LEVELS: Final = {
    "MUST": Level.MUST,
    "REQUIRED": Level.MUST,
    "SHALL": Level.MUST,
    "SHOULD": Level.SHOULD,
    "RECOMMENDED": Level.SHOULD,
    "NOT": Level.SHOULD,
    "MAY": Level.MAY,
    "OPTIONAL": Level.MAY,
}


def parse_rfc2119(document: str) -> Roster:
    r"""The roster of a document whose rules use the key words of RFC 2119, in capitals.

    Each sentence with a key word is a rule; one with words of several levels is a rule of each.
    The items of a list that such a sentence opens are rules of its level, unless they have a word
    of their own. Key words in quotation marks or code are not used, but spoken of, and the sentence
    that refers to the RFC is no rule. A rule with an identifier keeps it; others are numbered.

    Args:
        document: Markdown, or plain text.

    Raises:
        ArgumentError: The document is too long.
        ArgumentTypeError: It is no text.

    Example:
        >>> roster = parse_rfc2119(
        ...     "Clients MUST retry, and SHOULD log it. They must be nice.\n"
        ...     "- R-7: Servers MUST NOT guess.\n"
        ...     "- R-8: Servers are kind.\n"
        ... )
        >>> [(one.id, one.keyword, one.level.value) for one in roster.requirements]
        [('R1', 'MUST', 'MUST'), ('R2', 'SHOULD', 'SHOULD'), ('R-7', 'MUST NOT', 'MUST')]
        >>> roster.declared, str(roster.unreadable[0])
        (4, "line 3: 'R-8: Servers are kind.': it has none of the key words")
    """
    sections = split_sections(read_blocks(check_document(document)))
    parser = _Parser(Collector())
    for section in sections:
        parser.read_section(section)
    return parser.found.roster(document, sections, "none of its text has a key word")


def find_levels(sentence: str) -> dict[Level, str]:
    """The levels that a sentence uses, each with the first word for it.

    Example:
        >>> find_levels('It MUST NOT say "MUST" and MAY stop; it must, too.')
        {<Level.MUST: 'MUST'>: 'MUST NOT', <Level.MAY: 'MAY'>: 'MAY'}
    """
    used = _MENTIONED.sub("", sentence)
    found: dict[Level, str] = {}
    for keyword in _KEYWORD.finditer(used):
        words = " ".join(keyword[0].split())
        found.setdefault(_LEVELS[words.split()[0]], words)
    return found


@dataclass(frozen=True, slots=True)
class _Parser:
    """Goes through the sections of a document, and keeps what they declare."""

    found: Collector

    def read_section(self, section: Section) -> None:
        """Read a heading and what stands below it."""
        if rules := _rules_of(section.head.text, section.line):
            self.found.add(section, rules, id=section.head.id)
        for blocks in section.groups():
            self._read_blocks(section, blocks)

    def _read_blocks(self, section: Section, blocks: Sequence[Block]) -> None:
        """A block and what belongs to it: its body, or the list that its last sentence opens."""
        block, behind = blocks[0], blocks[1:]
        if block.kind is BlockKind.ROW:
            name, text = read_row(block, lambda cell: bool(_rules_of(cell, block.line)))
            if text is not None:
                self._declare(section, Identified(name, text, declares=True), block.line)
            return
        *above, (line, text) = paragraphs(block)
        for place, part in above:
            self._declare(section, identified(part), place)
        said = identified(text)
        if behind and said.declares and not said.text:
            self._declare(section, identified(f"{text} {joined(behind)}"), line)
        elif behind:
            self._read_list(section, said, line, behind)
        else:
            self._declare(section, said, line, block.number)

    def _read_list(
        self, section: Section, said: Identified, line: int, items: Sequence[Block]
    ) -> None:
        """A list and what opens it: items without a word of their own go by the opening one."""
        *before, opening = split_sentences(said.text)
        opened = _rules_of(opening, line)[:1]
        rules = [rule for sentence in before for rule in _rules_of(sentence, line)]
        for item in items:
            listed = identified(item.text)
            if find_levels(item.text) or not opened:
                self._declare(section, listed, item.line, item.number)
                continue
            text = f"{opened[0].text} {plain(listed.text)}"
            rule = replace(opened[0], text=text, line=item.line)
            if listed.declares or not said.declares:
                self.found.add(section, [rule], id=listed.id)
            else:
                rules.append(rule)
        if rules:
            self.found.add(section, rules, id=said.id if said.declares else None)

    def _declare(
        self, section: Section, said: Identified, line: int, number: int | None = None
    ) -> None:
        """What an identifier names, or else each sentence with a key word."""
        found = [_rules_of(sentence, line) for sentence in split_sentences(said.text)]
        rules = [rule for of_one in found for rule in of_one]
        shown = ": ".join(filter(None, (said.id, plain(said.text))))
        if any(_is_bare(rule) for rule in rules):
            self.found.refuse(section, shown, line, "it says nothing but its key word")
        elif rules and said.declares:
            self.found.add(section, rules, id=said.id, number=number)
        elif said.declares:
            why = "it has none of the key words" if said.text else "it has no body"
            self.found.refuse(section, shown, line, why)
        else:
            for of_one in filter(None, found):
                self.found.add(section, of_one)


def _rules_of(sentence: str, line: int) -> list[Requirement]:
    """The rules that a sentence states, one for each level that it has a word of."""
    if _BOILERPLATE.search(sentence):
        return []
    return [
        Requirement("", plain(sentence), line, level, keyword)
        for level, keyword in find_levels(sentence).items()
    ]


def _is_bare(rule: Requirement) -> bool:
    return not re.search(r"\w", _KEYWORD.sub("", rule.text))
