"""Feedback as a JSON object."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from agent_judge.coordination.formatting.points import Points


def as_json(points: Points) -> str:
    """Write points as a JSON object.

    Its members are those of `Points`; `score`, `change`, `place` and `judge` are not there where
    nothing is known of them.
    """
    told: dict[str, Any] = {
        **asdict(points),
        "score": _rounded(points.score),
        "change": _rounded(points.change),
        "failures": [_known(asdict(one)) for one in points.failures],
    }
    return json.dumps(_known(told), ensure_ascii=False, indent=1)


def _known(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value not in ("", None)}


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
