"""From the scores that a G-Eval model wrote, and their probabilities, to a judgment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, variance
from typing import Final

from agent_judge.frozen import Json
from agent_judge.judgment import Check, Judgment
from agent_judge.llm.hearing import Unread
from agent_judge.llm.reading import Scale, Unreadable, read_score
from agent_judge.llm.token_scores import ScoreDistribution, Unusable, read_distribution
from agent_judge.models.request import ResponseSchema
from agent_judge.models.response import ModelResponse, TokenLogprob
from agent_judge.scores import NumericalScore, normalize, reaches

SCORE: Final = "score"
EXPECTED: Final = "the score is the expectation over its tokens"


@dataclass(frozen=True, slots=True)
class Written:
    """A score as a model wrote it.

    Args:
        score: The score.
        reason: Why, in the model's words.
        claimed: What the reply says about passing beside it; it decides nothing.
        tokens: The tokens of the reply, where their probabilities are known.
    """

    score: float
    reason: str = ""
    claimed: bool | None = None
    tokens: tuple[TokenLogprob, ...] | None = None

    def distribution(self, scale: Scale) -> ScoreDistribution | Unusable:
        """How probable each score was in its place."""
        scores = range(int(scale.low), int(scale.high) + 1)
        return read_distribution(self.tokens, SCORE, scores, self.score)


@lru_cache(maxsize=256)
def schema_of(scale: Scale, *, with_reason: bool) -> ResponseSchema:
    """The reply that gives a score, its reason first where there is one."""
    bounds = f"from {scale.low:g} to {scale.high:g}"
    score: Json = {"type": "integer", "description": bounds}
    members: dict[str, Json] = {"reason": {"type": "string"}} if with_reason else {}
    return ResponseSchema(
        SCORE,
        {
            "type": "object",
            "properties": {**members, SCORE: score},
            "required": (*members, SCORE),
            "additionalProperties": False,
        },
    )


def read_written(response: ModelResponse, scale: Scale) -> Written | Unread:
    """The score that a reply gives."""
    reading = read_score(
        response.text,
        scale,
        keys=(SCORE,),
        finish_reason=response.finish_reason,
        structured=response.structured,
    )
    if isinstance(reading, Unreadable):
        return Unread.of(reading)
    return Written(reading.value, reading.rationale, reading.claimed, response.logprobs)


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of a run, and how it came about.

    Args:
        written: What was written, in each sample.
        distribution: The probabilities that it is the expectation over, or, where it is not, why;
            `None` where they were not wanted.
        mass: The least mass that has to be captured.
    """

    written: Sequence[Written]
    distribution: ScoreDistribution | Unusable | None
    mass: float

    @property
    def fallback(self) -> str | None:
        """Why the score is no expectation, though one was wanted."""
        match self.distribution:
            case ScoreDistribution(mass=mass) if mass < self.mass:
                return f"only {mass:.3g} of the probability was captured, {self.mass:g} is wanted"
            case Unusable(reason):
                return reason
            case _:
                return None

    @property
    def method(self) -> str:
        """How the score came about, in a few words."""
        if self.distribution is not None and self.fallback is None:
            return "expectation"
        return "mean of samples" if len(self.written) > 1 else "single score"

    def score(self, scale: Scale) -> float:
        """The score on its scale."""
        if self.method == "expectation" and isinstance(self.distribution, ScoreDistribution):
            score = self.distribution.expectation
        else:
            score = fmean(one.score for one in self.written)
        return min(max(score, scale.low), scale.high)

    def judgment(self, scale: Scale, threshold: float) -> Judgment:
        """The judgment by the score and its mark; a fallback is a failed advisory check."""
        score = self.score(scale)
        told = f"{self.method}: {score:.4g} on {scale}; the mark is {threshold:g}"
        reason = self.written[0].reason
        reached = normalize(NumericalScore(score, scale.low, scale.high))
        assert reached is not None
        checks = (*self._fallback_check(), *self._contradictions(reaches(reached, threshold)))
        return Judgment.scored(
            score,
            threshold=threshold,
            low=scale.low,
            high=scale.high,
            reasoning=f"{told}. {reason}" if reason else told,
            checks=checks,
        )

    @property
    def evidence(self) -> dict[str, Json]:
        """How the score came about."""
        scores = [one.score for one in self.written]
        told: dict[str, Json] = {"method": self.method, "scores": scores}
        if len(scores) > 1:
            told["variance"] = variance(scores)
        if self.fallback is not None:
            told["fallback"] = self.fallback
        if isinstance(self.distribution, ScoreDistribution):
            told["mass"] = self.distribution.mass
            told["probabilities"] = self.distribution.probabilities
        return told

    def _fallback_check(self) -> Iterator[Check]:
        if self.fallback is not None:
            said = f"{self.fallback}; it is the {self._instead}"
            yield Check(EXPECTED, False, said, len(self.written), advisory=True)

    @property
    def _instead(self) -> str:
        count = len(self.written)
        return f"mean of {count} samples" if count > 1 else "single score that was written"

    def _contradictions(self, passed: bool) -> Iterator[Check]:
        contradicting = [one for one in self.written if one.claimed not in (None, passed)]
        if contradicting:
            said = f"{len(contradicting)} of {len(self.written)} say otherwise than the mark"
            yield Check("the reply agrees with its score", False, said, advisory=True)
