"""What string literals of JavaScript stand for (ECMA-262, section 12.9.4)."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(
    r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|\r\n|.)", re.DOTALL
)
_CHARACTERS: Final = {
    "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "0": "\0",
    "\n": "", "\r": "", "\r\n": "", "\u2028": "", "\u2029": "",
}  # fmt: skip
_OCTAL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[1-9]|0[0-9])")


def javascript_string(content: str) -> str | None:
    """The value of what is between the quotes; none where an escape is not certain."""
    if "\\" not in content:
        return content
    if _OCTAL.search(content):
        return None
    try:
        return _ESCAPE.sub(_character, content)
    except ValueError:
        return None


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) > 1 and code[0] in "xu":
        return chr(int(code[1:].strip("{}"), 16))
    if code in ("x", "u"):
        raise ValueError("an escape without its digits")
    return _CHARACTERS.get(code, code)
