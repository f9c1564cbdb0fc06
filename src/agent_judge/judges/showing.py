"""Showing text that the judged work chose: names and values that may hold anything."""

from __future__ import annotations


def shown(text: str) -> str:
    """A text as a one-line message may hold it: what cannot be printed or encoded is escaped.

    Control characters could rewrite a terminal, and a lone surrogate cannot be stored.
    """
    if text.isprintable() and text.strip(" "):
        return text
    escaped = (
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
    return "".join(escaped) if text.strip(" ") else repr(text)
