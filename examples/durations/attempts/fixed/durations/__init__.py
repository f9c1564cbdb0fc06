"""Durations as people write them: `45s`, `2h`, `1h30m`."""

import re

SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}


def parse(text: str) -> int:
    """Seconds in a duration; ValueError for what is not one."""
    if not re.fullmatch(r"(\d+[dhms])+", text):
        raise ValueError(f"not a duration: {text!r}")
    parts = re.findall(r"(\d+)([dhms])", text)
    return sum(int(count) * SECONDS[unit] for count, unit in parts)


def write(seconds: int) -> str:
    """A number of seconds in the fewest units."""
    parts = []
    for unit, size in SECONDS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
