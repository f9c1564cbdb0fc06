"""Criteria: what a rubric asks about some work, and what each answer is worth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from math import isfinite
from typing import Any, Final, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json, check_text
from agent_judge.judgment import check_threshold
from agent_judge.llm.reading import Scale
from agent_judge.protocol import check_name
from agent_judge.scores import NumericalScore, reaches

MAX_WEIGHT: Final = 1_000_000
MAX_CRITERIA: Final = 500


@dataclass(frozen=True, slots=True)
class Criterion:
    """Something that is true of good work, or of bad work.

    Args:
        name: What people call it; it names the check in the judgment.
        description: What the model is to find out, for example `"The change comes with tests."`
        weight: The points that it earns when it is met; a negative weight is a penalty, which is
            taken away when it is met.
        gate: Whether the work fails, whatever its score, when the criterion is not met (a penalty:
            when it is met).
        applies_when: The condition, in words, under which it applies at all. The model says whether
            it holds. Without one it always applies, and cannot be left out.
        scale: The scale on which it is met more or less; without one it is met or not.
        threshold: How far up its scale, in 0..1, it counts as met, as a check and as a gate. The
            mark of the whole rubric, unless given; a gate with a scale needs one of its own.

    Raises:
        ArgumentError: A blank text; a weight that is not finite, beyond a million, or nought
            without a gate; a threshold without a scale, or a gate with a scale and no threshold.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> Criterion("deletes tests", "It deletes a test.", weight=-2, gate=True).penalty
        True
    """

    name: str
    description: str
    weight: float = 1.0
    gate: bool = False
    applies_when: str | None = None
    scale: Scale | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        check_name(self.name, "a criterion's name")
        _check_words(self.description, f"the description of criterion {self.name!r}")
        if self.applies_when is not None:
            _check_words(self.applies_when, f"applies_when of criterion {self.name!r}")
        self._check_weight()
        self._check_scale()

    @property
    def penalty(self) -> bool:
        """Whether meeting it is bad."""
        return self.weight < 0

    def holds(self, degree: float, threshold: float) -> bool:
        """Whether the work is as it should be, in this respect.

        Args:
            degree: How far the criterion is met, in 0..1.
            threshold: The mark of the whole rubric.
        """
        mark = 1.0 if self.scale is None else threshold
        return reaches(degree, mark if self.threshold is None else self.threshold) != self.penalty

    def _check_weight(self) -> None:
        weight = self.weight
        if type(self.gate) is not bool:
            raise ArgumentTypeError(f"gate of {self.name!r} is True or False, not {self.gate!r}")
        if type(weight) not in (int, float):
            raise ArgumentTypeError(f"the weight of {self.name!r} is no number: {weight!r:.80}")
        if not isfinite(weight) or abs(weight) > MAX_WEIGHT:
            raise ArgumentError(
                f"the weight of {self.name!r} must lie in -{MAX_WEIGHT:,}..{MAX_WEIGHT:,}, "
                f"got {weight}"
            )
        if not weight and not self.gate:
            raise ArgumentError(
                f"criterion {self.name!r} weighs nothing; make it a gate, or leave it out"
            )

    def _check_scale(self) -> None:
        if self.scale is None:
            if self.threshold is not None:
                raise ArgumentError(
                    f"criterion {self.name!r} has a threshold but no scale: it is met or not"
                )
            return
        if type(self.scale) is not Scale:
            raise ArgumentTypeError(f"scale of {self.name!r} is no Scale: {self.scale!r:.80}")
        NumericalScore(self.scale.low, self.scale.low, self.scale.high)
        if self.threshold is not None:
            check_threshold(self.threshold, f"the threshold of criterion {self.name!r}")
        elif self.gate:
            raise ArgumentError(
                f"criterion {self.name!r} is a gate with a scale; give the threshold in 0..1 "
                "from which it counts as met"
            )


def as_criteria(given: Iterable[Criterion | Mapping[str, Any]]) -> tuple[Criterion, ...]:
    """Criteria, from themselves or from tables of their fields.

    In a table, `scale` may be a list or a table of its two bounds.

    Raises:
        ArgumentError: None, too many, two of one name, or a table that is no criterion.
        ArgumentTypeError: Something else than criteria and tables.

    Example:
        >>> (depth,) = as_criteria([{"name": "depth", "description": "Deep.", "scale": [1, 5]}])
        >>> depth.scale
        Scale(low=1, high=5)
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ArgumentTypeError(f"criteria must be a sequence of criteria, not {given!r:.80}")
    criteria = tuple(_as_criterion(one, f"criteria[{i}]") for i, one in enumerate(given))
    if not 0 < len(criteria) <= MAX_CRITERIA:
        raise ArgumentError(f"there must be 1 to {MAX_CRITERIA} criteria, got {len(criteria)}")
    names = [criterion.name.casefold() for criterion in criteria]
    for index, criterion in enumerate(criteria):
        if names.index(names[index]) < index:
            raise ArgumentError(f"two criteria have the name {criterion.name!r}")
    return criteria


def digest_of(criteria: Iterable[Criterion]) -> str:
    """The SHA-256 of all that criteria say, in hexadecimal; the same for the same criteria."""
    said = [_said(criterion) for criterion in criteria]
    return sha256(json.dumps(said).encode()).hexdigest()


_FIELDS: Final = tuple(field.name for field in fields(Criterion))


def _as_criterion(given: object, place: str) -> Criterion:
    if type(given) is Criterion:
        return given
    if not isinstance(given, Mapping):
        raise ArgumentTypeError(f"{place} must be a Criterion or a table, not {given!r:.80}")
    members: dict[str, Any] = dict(given)  # pyright: ignore[reportUnknownArgumentType]
    for key in members:
        if key not in _FIELDS:
            raise ArgumentError(f"{place} has the key {key!r}; known are {', '.join(_FIELDS)}")
    for key in ("name", "description"):
        if key not in members:
            raise ArgumentError(f"{place} needs the key {key!r}")
    if "scale" in members:
        members["scale"] = _as_scale(members["scale"], f"{place}.scale")
    return Criterion(**members)


def _as_scale(given: Any, place: str) -> Scale | None:
    """A scale from its bounds."""
    if given is None or type(given) is Scale:
        return given
    match given:
        case Mapping() if given.keys() <= {"low", "high"}:
            return Scale(**cast("Mapping[str, Any]", given))
        case [low, high]:
            return Scale(low, high)
        case _:
            raise ArgumentError(f"{place} must be a list of two bounds, not {given!r:.80}")


def _said(criterion: Criterion) -> list[Json]:
    """All that a criterion says; 1 and 1.0 are the same."""
    scale, threshold = criterion.scale, criterion.threshold
    return [
        criterion.name,
        criterion.description,
        float(criterion.weight),
        criterion.gate,
        criterion.applies_when,
        None if scale is None else [float(scale.low), float(scale.high)],
        None if threshold is None else float(threshold),
    ]


def _check_words(text: object, what: str) -> None:
    check_text(text, what)
    if not str(text).strip():
        raise ArgumentError(f"{what} must not be blank")
