"""What leads up to a passage: whether it is the judge's own, or quoted from somebody else.

A *lead* is what introduces the passage: the text before it on its line, or else the line above, if
that ends with a colon, points at what follows, is a heading, or stands directly above without an
end mark. A passage is *quoted* when its lead says that somebody said, wrote or returned it, or
speaks of another's verdict; it is *another's* also when the lead is merely the name of one, as in
`Candidate answer:`. A lead that names the judge's own act (`My verdict:`) makes it the judge's own.
"""

from __future__ import annotations

import re
from typing import Final

from agent_judge.llm.reading.words import MARKUP, bare

LOOK_BACK: Final = 400
"""How far before a passage its lead may begin."""

VERDICT_WORDS: Final = (
    r"verdict|decision|judge?ment|score|rating|grade|label|result|evaluation|assessment|"
    r"conclusion|classification"
)

_SAYING = re.compile(
    r"\b(?:said|says|wrote|writes|written|claim(?:s|ed)|stat(?:es|ed)|assert(?:s|ed)|"
    r"argu(?:es|ed)|reported|repl(?:ies|ied)|answered|return(?:s|ed)|print(?:s|ed)|"
    r"outputted|quot(?:e|es|ed|ing)|quotation|contain(?:s|ed)|includ(?:es|ed|ing)|"
    r"insist(?:s|ed)|demand(?:s|ed)|inject(?:s|ed)|instruct(?:s|ed)|produc(?:es|ed)|"
    r"submit(?:s|ted)|suggest(?:s|ed)|mention(?:s|ed)|maintain(?:s|ed)|contend(?:s|ed)|"
    r"reads|holds|(?:ends|begins|starts) with|example|for instance|e\.g\.)(?!\w)",
    re.IGNORECASE,
)
_THEIRS = re.compile(
    r"(?:(?<!here)(?<!that)['\u2019]s|s['\u2019]|\b(?:its|their|his|her))\s+"
    r"(?:(?!my|our)\w+\s+)?"
    r"(?:verdict|decision|judge?ment|evaluation|assessment|conclusion|classification)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:candidate|agent|assistant|model|student|user|author|submission|response|output|answer|"
    r"input|prompt|source|context|document|reference|transcript|log|file|text)\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    rf"\b(?:I|we|my|our|final|rate[sd]?|winner|choice|feedback|review|json|{VERDICT_WORDS})\b|^\W*answer\W*$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;][\"”\u2019)\]*_]*\s")
_POINTING = re.compile(r"\b(?:follows|following|below|this)[.!]?$", re.IGNORECASE)
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]|\*\*[^*\n]+\*\*[ \t]*$)")
_BULLET = re.compile(r"[ \t]*(?:[-+*•]|\d{1,2}[.)])[ \t]")


def lead_in(text: str, start: int) -> str:
    """What introduces the passage at an index; empty where nothing does."""
    window = text[max(0, start - LOOK_BACK) : start]
    above, _, before = window.rpartition("\n")
    if bare(before):
        return last_sentence(bare(before))
    blank = not above.rpartition("\n")[2].strip()
    line = above.rstrip().rpartition("\n")[2]
    return last_sentence(bare(line)) if _introduces(line, apart=blank) else ""


def last_sentence(line: str) -> str:
    """What follows the last end mark inside a line."""
    start = 0
    for end in _SENTENCE_END.finditer(line):
        start = end.end()
    return line[start:]


def is_quoting(lead: str) -> bool:
    """Whether a lead introduces what somebody else said, or their verdict."""
    return bool(_SAYING.search(lead) or _THEIRS.search(lead))


def is_own(lead: str) -> bool:
    """Whether a lead, or its last clause, names the judge's own act and nobody else's."""
    return _names_own(lead) or _names_own(lead.rpartition(", ")[2])


def is_of_another(lead: str) -> bool:
    """Whether a lead introduces what is not the judge's."""
    names_other = _OTHER.search(lead) and not _OWN.search(lead)
    return not is_own(lead) and (is_quoting(lead) or bool(names_other))


def _names_own(words: str) -> bool:
    return bool(_OWN.search(words)) and not is_quoting(words)


def _introduces(line: str, *, apart: bool) -> bool:
    words = line.strip(MARKUP)
    if words.endswith(":") or _POINTING.search(words) or _HEADING.match(line):
        return True
    return not apart and bool(words) and words[-1] not in ".!?" and not _BULLET.match(line)
