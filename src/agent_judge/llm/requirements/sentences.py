"""Sentences of a paragraph of requirements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_END: Final = re.compile(r"[.!?][\"'”’)\]*_]{0,3}\s+(?=[\"'“‘(\[*_`]{0,3}[A-Z0-9])")  # noqa: RUF001 - quotation marks as documents have them
_ABBREVIATED: Final = re.compile(r"(?:\b(?:e\.g|i\.e|etc|cf|vs|resp|No|Sec|Fig|approx)|\b[A-Z])\.$")


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text, in order.

    Example:
        >>> list(split_sentences("It MUST stop, e.g. Fast. It SHOULD log (at 3.5 s)."))
        ['It MUST stop, e.g. Fast.', 'It SHOULD log (at 3.5 s).']
    """
    start = 0
    for end in _END.finditer(text):
        if not _ABBREVIATED.search(text, max(start, end.start() - 8), end.start() + 1):
            yield text[start : end.end()].strip()
            start = end.end()
    if rest := text[start:].strip():
        yield rest
