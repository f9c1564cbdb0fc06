"""What is wrong with a report."""

from __future__ import annotations

from collections.abc import Mapping


class FormatError(Exception):
    """Something in a report is not as its format has it; the message says what.

    It is for those who read a format; who asked them adds the name of the report.
    """


def whole_number(text: object, what: str) -> int:
    """A whole number that a report states.

    Args:
        text: The digits; `None` where there are none.
        what: How a message calls it.

    Raises:
        FormatError: It is none.
    """
    try:
        if isinstance(text, str):
            return int(text)
        if type(text) is int:
            return text
    except ValueError:  # no digits, or thousands of them
        pass
    raise FormatError(f"{what} is {_quoted(text)}, which is no whole number")


def whole_numbers(fields: Mapping[str, str], *names: str) -> list[int]:
    """Several whole numbers that an element or record states, by the names of its fields.

    Raises:
        FormatError: One of them is missing, or is none.
    """
    try:
        return [int(fields[name]) for name in names]
    except (KeyError, ValueError):
        return [whole_number(fields.get(name), name) for name in names]


def _quoted(value: object) -> str:
    if value is None:
        return "missing"
    return repr(value) if len(repr(value)) <= 80 else f"{value!r:.80}…"
