"""Foreign text in Markdown and XML: it is shown, and becomes no markup of its own making."""

from __future__ import annotations

import re
from typing import Final


def escape_markdown(line: str) -> str:
    r"""A line that Markdown shows as it is, wherever in a paragraph it stands.

    Example:
        >>> escape_markdown("1. <b> *bold* [link](x)")
        '1\\. &lt;b&gt; \\*bold\\* \\[link\\]\\(x\\)'
    """
    entities = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _NUMBERED.sub(r"\1\\.", _ACTIVE.sub(r"\\\g<0>", entities))


def legal_xml(text: str) -> str:
    """Text with what XML 1.0 cannot carry replaced (section 2.2)."""
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


_ACTIVE: Final = re.compile(
    r"""
    [\\`*_{}\[\]()\#+!|~@]  # emphasis, code, links, cells, mentions
    | ^[-=]                  # rules and lists
    | :(?=//) | (?<=www)\.   # what GitHub makes links of
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"^(\d{1,9})\.")
_ILLEGAL: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
