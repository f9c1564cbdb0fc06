"""How much of the expected wording is in the output: BLEU and chrF, computed by `sacrebleu`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal

from agent_judge.context import MISSING, JudgmentContext
from agent_judge.errors import AgentJudgeError, ArgumentError
from agent_judge.extras import load, require
from agent_judge.judges.text.form import Case
from agent_judge.judges.text.reading import (
    NonText,
    check_choice,
    check_non_text,
    check_texts,
    missing_input,
    output_text,
)
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

MAX_TEXT: Final = 100_000
"""Characters of a text that are compared."""


@dataclass(frozen=True, slots=True)
class BleuJudge:
    """Sentence-level BLEU of the output against one or several references (extra `metrics`).

    BLEU (Papineni et al., 2002) is made for whole corpora; of one text it is rough. It is computed
    by `sacrebleu` with exponential smoothing and effective order, as that library advises for
    sentences, and the signature that makes it comparable is in the metadata.

    Args:
        expected: The reference or references; without any, what the context expects.
        threshold: The share of the full 100 points from which it passes, in 0..1.
        tokenize: How words are told apart: `"13a"`, `"intl"`, `"char"`, `"zh"` or `"none"`.
        case: `"ignore"` folds case.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to compare
            its JSON text.

    Raises:
        ArgumentError: A threshold outside 0..1, a blank reference, an unknown word.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = BleuJudge("The cat sat on the mat.", threshold=0.4)
        >>> evaluate(judge, JudgmentContext(output="The cat sat on a mat.")).reasoning
        'BLEU is 48.9 of 100'
    """

    expected: str | Sequence[str] | None = None
    threshold: float = field(kw_only=True)
    tokenize: Literal["13a", "intl", "char", "zh", "none"] = "13a"
    case: Case = "exact"
    non_text: NonText = "error"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "BleuJudge", cost=Cost.MEMORY, type="bleu", needs=("output", "expected"), version="1"
    )

    def __post_init__(self) -> None:
        _check_common(self)
        check_choice(self.tokenize, ("13a", "intl", "char", "zh", "none"), "tokenize")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output with the references."""
        return _judge(self, context, lambda: _bleu(self.tokenize, self.case == "ignore"))


@dataclass(frozen=True, slots=True)
class ChrfJudge:
    """chrF of the output against one or several references, on characters (extra `metrics`).

    chrF (Popović, 2015) is computed by `sacrebleu` with the usual six characters and beta 2; the
    signature that makes it comparable is in the metadata.

    Args:
        expected: The reference or references; without any, what the context expects.
        threshold: The share of the full 100 points from which it passes, in 0..1.
        word_order: Words that count together besides characters; 2 makes it chrF++.
        case: `"ignore"` folds case.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to compare
            its JSON text.

    Raises:
        ArgumentError: A threshold outside 0..1, a blank reference, an unknown word or order.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = ChrfJudge("The cat sat on the mat.", threshold=0.4)
        >>> evaluate(judge, JudgmentContext(output="The cat sat on a mat.")).reasoning
        'chrF2 is 65.8 of 100'
    """

    expected: str | Sequence[str] | None = None
    threshold: float = field(kw_only=True)
    word_order: Literal[0, 1, 2] = 0
    case: Case = "exact"
    non_text: NonText = "error"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ChrfJudge", cost=Cost.MEMORY, type="chrf", needs=("output", "expected"), version="1"
    )

    def __post_init__(self) -> None:
        _check_common(self)
        if type(self.word_order) is not int or self.word_order not in (0, 1, 2):
            raise ArgumentError(f"word_order must be 0, 1 or 2, not {self.word_order!r}")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output with the references."""
        return _judge(self, context, lambda: _chrf(self.word_order, self.case == "ignore"))


def _check_common(judge: BleuJudge | ChrfJudge) -> None:
    require("sacrebleu", extra="metrics", needed_by=type(judge).__name__)
    if judge.expected is not None:
        object.__setattr__(judge, "expected", _check_references(judge.expected, "expected"))
    check_threshold(judge.threshold)
    check_choice(judge.case, ("exact", "ignore"), "case")
    check_non_text(judge.non_text)


def _check_references(references: object, name: str) -> tuple[str, ...]:
    kept = check_texts(references, name)
    if not all(reference.strip() for reference in kept):
        raise ArgumentError(f"{name} is blank; there is nothing to compare with")
    return kept


def _judge(
    judge: BleuJudge | ChrfJudge, context: JudgmentContext, metric: Callable[[], Any]
) -> Judgment:
    output = output_text(context, judge.non_text)
    if isinstance(output, Judgment):
        return output
    references = _references(judge, context)
    if isinstance(references, Judgment):
        return references
    if max(map(len, (output, *references))) > MAX_TEXT:
        reason = f"texts of more than {MAX_TEXT} characters are not compared"
        return Judgment.erring(reason, ReasonCode.TOO_LARGE)
    return _score(metric(), output, references, judge.threshold)


def _references(judge: BleuJudge | ChrfJudge, context: JudgmentContext) -> Sequence[str] | Judgment:
    if judge.expected is not None:
        return judge.expected
    if context.expected is MISSING:
        return missing_input("the expected output")
    try:
        return _check_references(context.expected, "context.expected")
    except AgentJudgeError as fault:
        return Judgment.erring(str(fault), ReasonCode.MALFORMED_EVIDENCE)


def _score(metric: Any, output: str, references: Sequence[str], threshold: float) -> Judgment:
    result = metric.sentence_score(output, references)
    points = min(float(result.score), 100.0)  # rounding can lift a full score above 100
    check = Check(result.name, points / 100 >= threshold, f"{points:.1f} of 100")
    return Judgment.scored(
        points,
        low=0,
        high=100,
        threshold=threshold,
        reasoning=f"{result.name} is {points:.1f} of 100",
        checks=(check,),
        metadata={"signature": str(metric.get_signature()), "references": len(references)},
    )


@lru_cache(maxsize=32)
def _bleu(tokenize: str, lowercase: bool) -> Any:
    sacrebleu = load("sacrebleu.metrics", extra="metrics", needed_by="BleuJudge")
    return sacrebleu.BLEU(lowercase=lowercase, tokenize=tokenize, effective_order=True)


@lru_cache(maxsize=32)
def _chrf(word_order: int, lowercase: bool) -> Any:
    sacrebleu = load("sacrebleu.metrics", extra="metrics", needed_by="ChrfJudge")
    return sacrebleu.CHRF(word_order=word_order, lowercase=lowercase)
