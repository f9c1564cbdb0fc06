"""How near the output is in meaning to what was expected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.judges.meaning import encoder
from agent_judge.judges.meaning.passages import parts
from agent_judge.judges.text.reading import (
    NonText,
    check_expected,
    check_non_text,
    expected_text,
    output_text,
)
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

if TYPE_CHECKING:
    from agent_judge.judges.meaning.encoder import Vector

MAX_TEXT: Final = 50_000
"""Characters of a text that are compared; a page takes some tenths of a second."""


@dataclass(frozen=True, slots=True)
class SimilarityJudge:
    """How near in meaning the output is to what is expected; Spearman .80 on STS (extra `local`).

    The similarity is the cosine of the two texts' vectors, made on this machine by the sentence
    encoder all-MiniLM-L6-v2; a negative one counts as 0. On the sentence pairs of the STS benchmark
    it orders as people do with a Spearman correlation of .80.

    It sees what a text is about, and not whether it says the same of it. A negation, a wrong number
    or name, another order of events hardly move it: "the invoice was issued" and "the invoice was
    not issued" have a similarity of .75, and entailed statements are told from contradicted ones no
    better than by chance (AUC .535). Where that matters, ask a model as well. It knows English. A
    text longer than 254 pieces of words gets the mean of the vectors of its parts, which the
    metadata counts.

    Args:
        expected: The text to be near to; without it, what the context expects.
        threshold: The similarity in 0..1 from which it passes. There is none that is right for
            all texts: nine in ten of the restatements in `benchmarks/encoder_pairs` have .47 to
            .88, and so have the contradictions, .40 to .92.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to compare
            its JSON text.

    Raises:
        ArgumentError: A threshold outside 0..1, a blank expected text, an unknown word.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The extra `local` is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = SimilarityJudge("The cat sat on the mat.", threshold=0.5)
        >>> evaluate(judge, JudgmentContext(output="A feline rested on a rug.")).passed
        True
    """

    expected: str | None = None
    threshold: float = field(kw_only=True)
    non_text: NonText = "error"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "SimilarityJudge",
        cost=Cost.COMMAND,
        type="similarity",
        needs=("output", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_expected(self.expected)
        check_threshold(self.threshold)
        check_non_text(self.non_text)
        encoder.require_encoder("SimilarityJudge")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output with the expected text."""
        output = output_text(context, self.non_text)
        if isinstance(output, Judgment):
            return output
        expected = expected_text(self.expected, context, self.non_text)
        if isinstance(expected, Judgment):
            return expected
        if not expected.strip():
            reason = "the expected output is blank; there is nothing to be near to"
            return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
        if max(len(output), len(expected)) > MAX_TEXT:
            reason = f"texts of more than {MAX_TEXT} characters are not compared"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        return self._judge(parts(output), parts(expected))

    def _judge(self, output: list[tuple[int, ...]], expected: list[tuple[int, ...]]) -> Judgment:
        if not expected:
            reason = "the expected output holds nothing that the encoder can read"
            return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
        cosine = _cosine(output, expected) if output else 0.0
        similarity = min(1.0, max(0.0, cosine))
        return Judgment.scored(
            similarity,
            threshold=self.threshold,
            reasoning=f"similarity of meaning is {similarity:.2f}",
            checks=[Check("similarity", similarity >= self.threshold, f"{similarity:.3f}")],
            metadata={
                "encoder": encoder.NAME,
                "parts": {"output": len(output), "expected": len(expected)},
            },
        )


def _cosine(one: list[tuple[int, ...]], other: list[tuple[int, ...]]) -> float:
    first, second = _mean(one), _mean(other)
    return float(first @ second / ((first @ first) * (second @ second)) ** 0.5)


def _mean(texts: list[tuple[int, ...]]) -> Vector:
    """The vector of a whole text: those of its parts, weighted by their lengths; of any length."""
    vectors = encoder.encoder().vectors(texts)
    weighted: Vector = [len(text) for text in texts] @ vectors
    return weighted
