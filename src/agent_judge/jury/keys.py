"""The keys of seats: what a person chose, else the judge's own name, else its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent_judge.errors import ArgumentError
from agent_judge.jury.verdict import KeySource
from agent_judge.protocol import MAX_NAME, NAMELESS, JudgeMetadata


def seat_keys(
    known: Sequence[JudgeMetadata], *, dedupe: bool = False
) -> tuple[tuple[str, KeySource], ...]:
    """A distinct key for every judge of a jury, in order.

    Names that come from code and repeat are numbered, `-1`, `-2` and so on; one that a person
    chose stays as it is.

    Args:
        known: What is known of each judge.
        dedupe: Number explicit names that repeat, too.

    Raises:
        ArgumentError: Two explicit names are equal and `dedupe` is off.
    """
    wanted = [_wanted(metadata, position) for position, metadata in enumerate(known)]
    explicit = [name for name, source in wanted if source is KeySource.EXPLICIT]
    repeated = [name for name, count in Counter(explicit).items() if count > 1]
    if repeated and not dedupe:
        raise ArgumentError(
            f"two judges are named {repeated[0]!r}; give them different names, "
            "or number them with dedupe=True"
        )
    return _numbered(wanted)


def _wanted(metadata: JudgeMetadata, position: int) -> tuple[str, KeySource]:
    if metadata.explicit:
        return metadata.name, KeySource.EXPLICIT
    if metadata.name == NAMELESS:
        return f"judge-{position + 1}", KeySource.POSITIONAL
    return metadata.name, KeySource.DERIVED


def _numbered(wanted: Sequence[tuple[str, KeySource]]) -> tuple[tuple[str, KeySource], ...]:
    counts = Counter(name for name, _ in wanted)
    explicit = Counter(name for name, source in wanted if source is KeySource.EXPLICIT)
    taken = {name for name, count in counts.items() if count == 1 or explicit[name] == 1}
    reached: Counter[str] = Counter()
    keys: list[tuple[str, KeySource]] = []
    for name, source in wanted:
        key = name
        chosen = source is KeySource.EXPLICIT and explicit[name] == 1
        while counts[name] > 1 and not chosen and (key == name or key in taken):
            reached[name] += 1
            key = _with_number(name, reached[name])
        taken.add(key)
        keys.append((key, source))
    return tuple(keys)


def _with_number(name: str, number: int) -> str:
    ending = f"-{number}"
    return f"{name[: MAX_NAME - len(ending)]}{ending}"
