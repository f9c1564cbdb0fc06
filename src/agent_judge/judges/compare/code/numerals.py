"""Numbers in source code by their value, where their notation changes nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from agent_judge.judges.compare.node import Node
from agent_judge.judges.compare.rules import Rule, each_node

_BASES: Final = {"0x": 16, "0o": 8, "0b": 2}
_C_INTEGER: Final = re.compile(r"(0x[0-9a-f]+|0b[01]+|0[0-7]*|[1-9][0-9]*)([ul]*)")
_C_DOUBLE: Final = re.compile(r"[0-9]*\.?[0-9]*(e[+-]?[0-9]+)?")
_RUST_NUMBER: Final = re.compile(
    r"(0x[0-9a-f]+|0o[0-7]+|0b[01]+|[0-9]+)([iu](?:8|16|32|64|128|size))?"
)
_GO_FLOAT: Final = re.compile(r"[0-9]*\.?[0-9]*(e[+-]?[0-9]+)?")
_C_INT: Final = 2**31
_LONGEST: Final = 4000
"""Digits of a number that are read; Python refuses to convert longer ones."""


def number_notation(kinds: tuple[str, ...], read: Callable[[str], str | None], says: str) -> Rule:
    """The rule that numbers are compared by their value.

    Args:
        kinds: The kinds of nodes that are numbers.
        read: Gives the value and type of a number, written in one way only; or nothing.
        says: What the rule says.
    """

    def visit(node: Node) -> bool:
        if node.kind not in kinds or not isinstance(node.value, str) or len(node.value) > _LONGEST:
            return False
        value = read(node.value.lower())
        changed = value is not None and value != node.value
        if value is not None:
            node.value = value
        return changed

    return Rule("number_notation", says, each_node(visit))


def javascript_number(text: str) -> str | None:
    """A number of JavaScript, all of which are doubles, or a big integer."""
    digits = text.replace("_", "")
    big = digits.endswith("n")
    digits = digits.rstrip("n") if big else digits
    try:
        if digits[:2] in _BASES:
            value = int(digits[2:], _BASES[digits[:2]])
            return f"{value}n" if big else repr(float(value))
        if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
            return None  # an old octal number, or not: that depends on its digits
        return f"{int(digits)}n" if big else repr(float(digits))
    except (ValueError, OverflowError):
        return None


def go_number(text: str) -> str | None:
    """An integer of Go, or a decimal floating-point number; each stays of its kind."""
    digits = text.replace("_", "")
    try:
        if digits[:2] in _BASES and not ("p" in digits and digits.startswith("0x")):
            return str(int(digits[2:], _BASES[digits[:2]]))
        if digits.isdigit():
            return str(int(digits, 8 if len(digits) > 1 and digits[0] == "0" else 10))
    except ValueError:
        return None
    return _decimal(digits) if _GO_FLOAT.fullmatch(digits) else None


def rust_number(text: str) -> str | None:
    """An integer of Rust with its suffix, or a float without underscores."""
    digits = text.replace("_", "")
    match = _RUST_NUMBER.fullmatch(digits)
    if match is None:
        return digits
    number = match[1]
    base = _BASES.get(number[:2])
    value = int(number[2:], base) if base else int(number)
    return f"{value}{match[2] or ''}"


def c_number(text: str) -> str | None:
    """An integer of C that is an `int` in every notation, or a double.

    A hexadecimal number that is too large for `int` may be unsigned where the same number in
    decimal is `long` (C17 6.4.4.1), so larger ones keep their notation.
    """
    digits = text.replace("'", "")
    match = _C_INTEGER.fullmatch(digits)
    if match is not None:
        number, suffix = match[1], "".join(sorted(match[2]))
        base = _BASES.get(number[:2]) or (8 if number[0] == "0" else 10)
        value = int(number[2:] if base in (2, 16) else number, base)
        return f"{value}{suffix}" if value < _C_INT else None
    return _decimal(digits) if _C_DOUBLE.fullmatch(digits) else None


def _decimal(digits: str) -> str | None:
    """A decimal fraction, exactly: its digits without outer zeros, and its power of ten."""
    mantissa, _, exponent = digits.partition("e")
    whole, _, fraction = mantissa.partition(".")
    if not whole + fraction:
        return None
    significant = (whole + fraction).lstrip("0")
    stripped = significant.rstrip("0")
    power = int(exponent or 0) - len(fraction) + len(significant) - len(stripped)
    return f"{stripped}e{power}" if stripped else "0e0"
