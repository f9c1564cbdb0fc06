"""Whether the encoder can see the subject of a text: English, and more than a few words."""

from __future__ import annotations

import re
from typing import Final

from agent_judge.judges.meaning.wordpiece import vocabulary

MIN_WORDS: Final = 5
"""Words that a text must have for its subject to be seen."""

MIN_KNOWN: Final = 0.6
"""The share of words that must be in the vocabulary.

Of the words of English prose at least three in four are, of other languages about half or fewer;
what is below, code and records among it, is left alone.
"""

WORD: Final = re.compile(r"[^\W\d_]{2,}")
"""A word, as these counts take it: at least two letters."""


def has_subject(text: str) -> bool:
    """Whether a text has enough words for its subject to be seen."""
    return len(WORD.findall(text)) >= MIN_WORDS


def is_english(text: str) -> bool:
    """Whether most words of a text are whole words of the encoder's vocabulary."""
    words = WORD.findall(text)
    return sum(map(vocabulary().knows, words)) >= MIN_KNOWN * len(words)
