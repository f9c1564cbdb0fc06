"""Blanking passages of a text without moving anything else in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

Blank: TypeAlias = tuple[int, int, str]
"""From where, up to where, and with which sign."""

SILENT: Final = " "
"""In the place of what counts as not there: reasoning, comments, the lines of a fence."""
QUOTED: Final = "\ufffc"
"""In the place of what somebody else said: it stands on its line, and is no word of a verdict."""
OBJECT: Final = "\ufffb"
"""In the place of a JSON object."""

_SIGN = re.compile(r"[^\n]")


def blanked(text: str, blanks: Iterable[Blank]) -> str:
    """The text with passages blanked; line breaks stay.

    The passages come in the order in which they begin; of two that overlap, the first has the
    common part.
    """
    parts: list[str] = []
    at = 0
    for first, end, sign in blanks:
        if end > at:
            start = max(first, at)
            parts += text[at:start], _SIGN.sub(sign, text[start:end])
            at = end
    return "".join([*parts, text[at:]])
