"""A jury as an indented list of its tiers and judges."""

from __future__ import annotations

from collections.abc import Iterator

from agent_judge.jury.description import JuryDescription, SeatDescription


def outline(description: JuryDescription, indent: str = "", label: str = "") -> Iterator[str]:
    """The lines that show a jury, cascade or meta jury; the label stands before its name."""
    strategy = f", {description.strategy}" if description.strategy else ""
    kind = description.kind.replace("_", " ")
    yield f"{indent}{label}{description.name} ({kind}{strategy})"
    for seat in description.seats:
        yield from _seat(seat, f"{indent}  ")
    for stage in description.stages:
        policy = f": {stage.policy}" if stage.policy else ""
        yield f"{indent}  {stage.name}{policy}"
        if stage.jury is not None:
            yield from outline(stage.jury, f"{indent}    ")


def _seat(seat: SeatDescription, indent: str) -> Iterator[str]:
    if seat.jury is not None:
        yield from outline(seat.jury, indent)
        return
    cost = seat.metadata.cost.name.lower() if seat.metadata.cost is not None else "unknown cost"
    weight = f", weight {seat.weight:g}" if seat.weight != 1 else ""
    yield f"{indent}{seat.key} ({seat.metadata.type}, {cost}{weight})"
