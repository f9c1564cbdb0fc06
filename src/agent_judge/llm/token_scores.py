"""The distribution of a score over the tokens that could have stood for it.

A reply shows one score; the probabilities of its tokens show what else the model might have said
(G-Eval, Liu et al. 2023, arXiv 2303.16634), given all that it wrote before its score. A score may
be one token or several: `10` is one to some tokenizers and `1`, `0` to others. So the tokens are
walked along the digits of the score that was written, and each alternative on the way is counted
for the score that it spells. What cannot be told is counted for none, and lowers the mass that was
captured: an alternative `1` where the model might have gone on to `10`, for example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, fsum
from typing import Final

from agent_judge.frozen import FrozenMap
from agent_judge.llm.reading import Unreadable, read_object
from agent_judge.models.response import TokenLogprob

TOLERANCE: Final = 0.01
"""By how much probabilities may exceed one: servers round them."""

_ENDS: Final = re.compile(r"[0-9.eE+-]")
_DIGITS: Final = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class ScoreDistribution:
    """How probable each score was.

    Args:
        probabilities: The probability of each score, by its digits; what was not captured is not
            in it.
    """

    probabilities: FrozenMap[float]

    @property
    def mass(self) -> float:
        """The probability of all scores that were captured together, up to 1."""
        return min(1.0, fsum(self.probabilities.values()))

    @property
    def expectation(self) -> float:
        """The expected score: the mean of the scores, weighed by their probabilities."""
        seen = {int(score): weight for score, weight in self.probabilities.items()}
        total = fsum(score * weight for score, weight in seen.items())
        return min(max(total / fsum(seen.values()), min(seen)), max(seen))


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why the probabilities of a reply say nothing of its score."""

    reason: str


def read_distribution(
    tokens: Sequence[TokenLogprob] | None, key: str, scores: range, written: float
) -> ScoreDistribution | Unusable:
    r"""Read how probable each score was in place of the one that was written.

    Args:
        tokens: The tokens of the reply, a JSON object, with their probabilities.
        key: The member that is the score.
        scores: The scores that were allowed, none of them negative.
        written: The score that was written.

    Example:
        >>> from math import log
        >>> def token(text: str, **others: float) -> TokenLogprob:
        ...     seen = [TokenLogprob(other[1:], log(share)) for other, share in others.items()]
        ...     return TokenLogprob(text, seen[0].logprob if seen else 0.0, tuple(seen))
        >>> reply = [token('{"score": '), token("4", _4=0.6, _5=0.3, _x=0.1), token("}")]
        >>> found = read_distribution(reply, "score", range(1, 6), 4)
        >>> round(found.expectation, 3), round(found.mass, 3)
        (4.333, 0.9)
    """
    if not tokens:
        return Unusable("the model gave no probabilities")
    if any(one.logprob > TOLERANCE for token in tokens for one in (token, *token.alternatives)):
        return Unusable("a probability is greater than one")
    if written not in scores:
        return Unusable("the score that was written is no whole number on the scale")
    place = _place("".join(token.token for token in tokens), key, f"{written:.0f}")
    if isinstance(place, Unusable):
        return place
    probabilities = _Walk(tokens, scores, place).probabilities()
    mass = fsum(probabilities.values())
    if mass > 1 + TOLERANCE:
        return Unusable("the probabilities add up to more than one")
    if not mass:
        return Unusable("no probability can be told from that of another score")
    return ScoreDistribution(FrozenMap(probabilities))


def _place(text: str, key: str, written: str) -> int | Unusable:
    """Where the digits of the score begin in the text that the tokens spell.

    What comes after the object, as the token that ends the reply, is none of it.
    """
    reading = read_object(text[: text.rfind("}") + 1])
    if isinstance(reading, Unreadable) or reading.span is None:
        return Unusable("the tokens do not spell a reply that can be read")
    start, end = reading.span
    member = re.compile(rf'(?<!\\)"{re.escape(key)}"[ \t\r\n]*:[ \t\r\n]*"?', re.IGNORECASE)
    found = [*member.finditer(text, start, end)]
    if len(found) != 1:
        return Unusable("the tokens do not spell one score")
    digits = _DIGITS.match(text, found[0].end(), end)
    if digits is None or _ENDS.match(text, digits.end()) or digits[0] != written:
        return Unusable("the tokens do not spell the score that was read")
    return digits.start()


class _Walk:
    """A walk along the tokens of the score that was written."""

    def __init__(self, tokens: Sequence[TokenLogprob], scores: range, place: int) -> None:
        self._tokens = tokens
        self._place = place
        self._names = {str(score) for score in scores}

    def probabilities(self) -> dict[str, float]:
        """The probability of each score that can be told from all others."""
        found: dict[str, list[float]] = {}
        for score, probability in self._spelled():
            if score in self._names:
                found.setdefault(score, []).append(probability)
        return {score: fsum(shares) for score, shares in found.items()}

    def _spelled(self) -> Iterator[tuple[str, float]]:
        """Each score that some tokens spell, with their probability."""
        first, lead = self._first()
        prefix, reached = "", 1.0
        for token in self._tokens[first:]:
            for other in token.alternatives:
                if other.token != token.token:
                    spelled = self._spell(prefix, other.token, lead, token)
                    if spelled is not None:
                        yield spelled, reached * _probability(other)
            reached *= _probability(token)
            rest = token.token.removeprefix(lead)
            digits = _leading_digits(rest)
            prefix, lead = prefix + digits, ""
            if len(rest) > len(digits) or not self._goes_on(prefix):
                yield prefix, reached
                return

    def _first(self) -> tuple[int, str]:
        """The token in which the score begins, and what of it stands before the score."""
        at = 0
        for index, token in enumerate(self._tokens):
            if at + len(token.token) > self._place:
                return index, token.token[: self._place - at]
            at += len(token.token)
        raise AssertionError("the score begins behind the last token")

    def _spell(self, prefix: str, text: str, lead: str, chosen: TokenLogprob) -> str | None:
        """The score that an alternative spells after a prefix; `None` where that cannot be told."""
        if not text.startswith(lead.strip() and lead):
            return None
        rest = text if prefix else text.removeprefix(lead).lstrip()
        digits = _leading_digits(rest)
        spelled, after = prefix + digits, rest[len(digits) :]
        if not spelled or _ENDS.match(after):
            return None
        if not after and self._goes_on(spelled) and not _keeps_together(spelled, prefix, chosen):
            return None
        return spelled

    def _goes_on(self, digits: str) -> bool:
        """Whether a longer score begins with these digits."""
        return any(name != digits and name.startswith(digits) for name in self._names)


def _keeps_together(spelled: str, prefix: str, chosen: TokenLogprob) -> bool:
    """Whether the tokenizer shows here that it would have written a longer score as one token."""
    seen = (chosen, *chosen.alternatives)
    return any(len(prefix + _leading_digits(one.token.lstrip())) > len(spelled) for one in seen)


def _leading_digits(text: str) -> str:
    digits = _DIGITS.match(text)
    return digits[0] if digits else ""


def _probability(token: TokenLogprob) -> float:
    return exp(min(0.0, token.logprob))
