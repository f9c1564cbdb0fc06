"""Durations as people write them: `45s`, `2h`."""

import re

SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}


def parse(text: str) -> int:
    """Seconds in a duration; ValueError for what is not one."""
    match = re.match(r"(\d+)([dhms])", text)
    if match is None:
        raise ValueError(f"not a duration: {text!r}")
    count, unit = match.groups()
    return int(count) * SECONDS[unit]


def write(seconds: int) -> str:
    """A number of seconds in the fewest units."""
    parts = []
    for unit, size in SECONDS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
