"""Identifiers of requirements, as documents give them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Identified(NamedTuple):
    """A text taken apart.

    Args:
        id: The identifier that it begins with; `None` where there is none.
        text: The rest.
        declares: Whether the identifier is one of a requirement; a mere number such as `3.2`
            may as well be that of a section.
    """

    id: str | None
    text: str
    declares: bool


NAMELESS: Final = Identified(None, "", declares=False)

_ID: Final = (
    r"(?P<id>(?P<prefix>[A-Za-z]{1,16})(?:[-_.][A-Za-z]{1,16}){0,4}[-_.]?\d{1,6}(?:[.-]\d{1,4}){0,4}[a-z]?"
    r"|(?P<dotted>\d{1,4}(?:\.\d{1,4}){1,4}))"
)
_LEADING: Final = re.compile(
    rf"[*_`\[(]{{0,4}}{_ID}"
    r"(?P<tail>[*_`\])]{0,4}(?P<mark>[ \t]*[:|]|\.|[ \t]+[-\u2013\u2014])?[*_`\])]{0,4})(?=\s|$)"
    r"(?P<rest>.*)$",
    re.DOTALL,
)
_KNOWN_PREFIXES: Final = frozenset(
    {"AC", "BR", "CR", "EARS", "FR", "NFR", "REQ", "RULE", "SR", "SRS", "SYS", "UC", "US"}
)
_NUMBERED: Final = re.compile(
    r"(?:(?:acceptance[ ])?criteri(?:on|a)|requirement|rule)[ \t]+(?P<id>\d{1,4}(?:\.\d{1,4}){0,4})"
    r"[*_]{0,3}(?:[ \t]*[:.\u2013\u2014-][*_]{0,3}(?=\s|$)|(?=[ \t]*$))(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_MARKUP: Final = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|~~")
_LINK: Final = re.compile(r"\[([^\[\]]{1,400})\](?:\([^()\s]{0,400}\)|\[[^\[\]]{0,80}\])")


def identified(text: str) -> Identified:
    """The identifier that a text begins with, and the rest.

    Example:
        >>> identified("**REQ-1**: It shall work.")
        Identified(id='REQ-1', text='It shall work.', declares=True)
        >>> identified("Requirement 2: Login")[:2], identified("3.2 Scope")
        (('2', 'Login'), Identified(id='3.2', text='Scope', declares=False))
        >>> identified("UTF-8 is an encoding.").id is None
        True
    """
    text = _LINK.sub(r"\1", text).strip()
    if numbered := _NUMBERED.match(text.lstrip("*_ ")):
        return Identified(numbered["id"], numbered["rest"].strip(" *_\t"), declares=True)
    leading = _LEADING.match(text)
    if leading is None or not _is_set_off(leading):
        return Identified(None, text, declares=False)
    return Identified(leading["id"], leading["rest"].strip(), declares=not leading["dotted"])


def plain(text: str) -> str:
    """A text without the marks of emphasis and with links as their words.

    Example:
        >>> plain("The **server** [shall](#shall) keep `a_b`.")
        'The server shall keep `a_b`.'
    """
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", text)).split())


def _is_set_off(leading: re.Match[str]) -> bool:
    """Whether what looks like an identifier is one, and no word such as `S3` or `UTF-8`."""
    rest = leading["rest"].strip()
    if leading["mark"] or not rest:
        return True
    if leading["dotted"]:
        return bool(leading["tail"]) or not rest[0].islower()
    if leading["prefix"].upper() in _KNOWN_PREFIXES:
        return True
    return bool(leading["tail"]) and not leading["id"].isalnum()
