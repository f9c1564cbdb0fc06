"""What the call from outside says of all models of a configuration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agent_judge.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What the call from outside says of all models, beside what the file says of each.

    Args:
        model: The model of all judges that name none, instead of the file's.
        base_url: The address of that model's server.
        record: The cassette that requests and responses are written to.
        replay: The cassette that answers instead of the models; none of them is called.
        cache: The file in which replies are kept.
        max_cost: US dollars that all models may spend together.
        asked: Whether models will be asked; else their names are checked alone, and no key is
            needed.

    Raises:
        ArgumentError: Both `record` and `replay`.
    """

    model: str | None = None
    base_url: str | None = None
    record: Path | None = None
    replay: Path | None = None
    cache: Path | None = None
    max_cost: float | None = None
    asked: bool = True

    def __post_init__(self) -> None:
        if self.record is not None and self.replay is not None:
            raise ArgumentError("record and replay exclude each other: a replay asks no model")
