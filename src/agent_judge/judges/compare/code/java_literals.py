"""What the literals of Java stand for (Java Language Specification, section 3.10)."""

from __future__ import annotations

import re
from struct import error, pack, unpack
from typing import Final

from agent_judge.judges.compare.node import Value

_ESCAPE: Final = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|\r\n|.)", re.DOTALL)
_CHARACTERS: Final = {
    "b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "s": " ", "\n": "", "\r\n": "",
}  # fmt: skip
_LINE: Final = re.compile(r"\r\n|\r|\n")
_BASES: Final = {"0x": 16, "0b": 2}


def java_string(text: str) -> Value:
    """The value of a string literal or text block, from how it is written."""
    block = text.startswith('"""')
    return ("String", _unescaped(_text_block(text[3:-3]) if block else text[1:-1]))


def java_character(text: str) -> Value:
    """The value of a character literal."""
    return ("char", _unescaped(text[1:-1]))


def java_number(text: str) -> Value:
    """The value of a number with its type; how it is written where it is none that fits."""
    digits = text.replace("_", "").lower()
    try:
        return _float(digits) if _is_float(digits) else _integer(digits)
    except (ValueError, OverflowError, error):
        return digits


def _is_float(digits: str) -> bool:
    if digits.startswith("0x"):
        return "p" in digits
    return not digits.startswith("0b") and any(sign in digits for sign in ".efd")


def _integer(digits: str) -> Value:
    kind = "long" if digits.endswith("l") else "int"
    digits = digits.rstrip("l")
    base = _BASES.get(digits[:2]) or (8 if len(digits) > 1 and digits[0] == "0" else 10)
    return (kind, hex(int(digits[2:] if base in (2, 16) else digits, base)))


def _float(digits: str) -> Value:
    single = digits.endswith("f")
    plain = digits.rstrip("fd")
    value = float.fromhex(plain) if plain.startswith("0x") else float(plain)
    if single:
        (value,) = unpack("f", pack("f", value))
    return ("float" if single else "double", repr(value))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] == "u" and len(code) > 1:
        return chr(int(code.lstrip("u"), 16))
    if code[0].isdigit():
        return chr(int(code, 8))
    return _CHARACTERS.get(code, code)


def _text_block(content: str) -> str:
    """A text block without its incidental white space (JLS 3.10.6), escapes as they are."""
    lines = _LINE.split(content)[1:]
    counted = [line for line in lines[:-1] if line.strip()] + lines[-1:]
    indent = min((len(line) - len(line.lstrip()) for line in counted), default=0)
    return "\n".join(line[indent:].rstrip(" \t\f") for line in lines)
