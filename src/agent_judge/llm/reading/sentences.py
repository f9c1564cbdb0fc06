"""Verdicts in sentences, as `Therefore, Output (b) is better.` or `I rate this 8 out of 10.`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_judge.llm.reading.leads import LOOK_BACK, is_quoting, last_sentence
from agent_judge.llm.reading.numbers import NUMBER, Amount, read_amount
from agent_judge.llm.reading.records import Fault, Span
from agent_judge.llm.reading.statements import doubt, is_conditional, last_clause, line_before

_CONNECTIVES = re.compile(
    r"""(?:\W*\b(?:therefore|thus|hence|so|overall|consequently|accordingly|however|and|but|then|yet
    |furthermore|moreover|finally|ultimately|nevertheless|clearly|again|also
    |in[ ](?:conclusion|summary|short|sum|contrast|this[ ]case|my[ ](?:view|opinion|evaluation))
    |to[ ](?:conclude|sum[ ]up)|for[ ](?:this|these|that)[ ]reasons?)\b)*\W*""",
    re.IGNORECASE | re.VERBOSE,
)
_EMBEDDED = re.compile(r"\b(?:that|believe|think|find|conclude|say)\W*$", re.IGNORECASE)
_FIRST_PERSON = re.compile(
    r"\b(?:I|me|my|we|us|our)\b|\bit is (?:\w+ )?\w+ that\W*$", re.IGNORECASE
)
_GOES_ON = re.compile(
    r"""["”\u2019*_`)]*(?:[.!]|$|[,;:—]|\s+[-\u2013—]
    |\s+(?:because|since|as|due[ ]to|than|overall|for[ ](?:the|this)(?:[ ]given)?[ ]\w+)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_ON_CONDITION = re.compile(
    r"\W*(?:but |only |and )*(?:if|unless|when|provided|assuming)\b", re.IGNORECASE
)
_SCORED = re.compile(
    rf"""(?:^|(?<=[.!?,]\s))[*_#\s]{{0,4}}
    (?:(?:I|we)(?:['\u2019]d|['\u2019]ll|[ ]would|[ ]will|[ ]must)?
        [ ](?:rate|score|give|grade|assign|award)
      |(?:my|the)[ ](?:overall[ ]|final[ ])?(?:score|rating|grade))\b
    [^.!?\n0-9]{{0,100}}?\s[*_`]{{0,3}}
    (?P<amount>{NUMBER}(?:\s?%|\s+percent|\s*(?:/|out[ ]of|of)\s*{NUMBER})?)
    (?:\s+(?:points?|stars?))?
    (?=["”*_`)]*(?:[.!](?![0-9])|\s*$|,?\s+(?:because|since|as)\b))""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


def find_scores(text: str) -> Iterator[tuple[Amount, Span, Fault | None]]:
    """The numbers that a judge says to give, where, and why one is none of its own."""
    for match in _SCORED.finditer(text):
        amount = read_amount(match["amount"])
        if amount is not None:
            before = last_sentence(line_before(text, match.start("amount")))
            conditional = Fault.QUALIFIED if is_conditional(before) else None
            yield amount, match.span(), doubt(before) or conditional


def doubt_of_sentence(text: str, span: Span) -> Fault | None:
    """Why a sentence that names a verdict does not state it.

    It states it where the judge says so in a main clause, or says that it finds so, and sets no
    condition before or behind it.
    """
    start, end = span
    before, rest = line_before(text, start), text[end : end + LOOK_BACK].partition("\n")[0]
    sentence, clause = last_sentence(before), last_clause(before)
    if is_conditional(sentence) or not _GOES_ON.match(rest) or _ON_CONDITION.match(rest):
        return Fault.QUALIFIED
    if found := doubt(clause):
        return found
    if _FIRST_PERSON.search(clause):
        return None if _EMBEDDED.search(clause) else Fault.QUALIFIED
    plain = _CONNECTIVES.fullmatch(clause) and not is_quoting(sentence)
    return None if plain else Fault.ATTRIBUTED
