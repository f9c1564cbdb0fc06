"""How alike the output and the expected text are, character by character or word by word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.extras import load, require
from agent_judge.judges.text.form import Case, TextForm, Unicode, Whitespace
from agent_judge.judges.text.reading import (
    NonText,
    check_choice,
    check_expected,
    check_non_text,
    expected_text,
    output_text,
)
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

MAX_TEXT: Final = 50_000
"""Characters of a text that are compared; the time grows with the product of both lengths."""

_FUNCTIONS: Final = {
    "levenshtein": ("rapidfuzz.distance.Levenshtein", "normalized_similarity", 1.0),
    "indel": ("rapidfuzz.distance.Indel", "normalized_similarity", 1.0),
    "jaro_winkler": ("rapidfuzz.distance.JaroWinkler", "normalized_similarity", 1.0),
    "token_sort": ("rapidfuzz.fuzz", "token_sort_ratio", 100.0),
    "token_set": ("rapidfuzz.fuzz", "token_set_ratio", 100.0),
}
"""Of each metric, the module and function of `rapidfuzz`, and what the function calls equal."""


@dataclass(frozen=True, slots=True)
class TextSimilarityJudge:
    """How alike the output and the expected text are in spelling, between 0 and 1 (extra `text`).

    Args:
        expected: The text to be like; without it, what the context expects.
        threshold: The similarity from which it passes.
        metric: `"levenshtein"`: the share of characters that need not be inserted, deleted or
            replaced. `"indel"`: the same without replacing, also known as ratio. `"jaro_winkler"`:
            for names, weighs a common beginning. `"token_sort"`: indel of the words in
            alphabetical order. `"token_set"`: repeated words count once, and one text whose words
            are all in the other is its equal.
        case: `"ignore"` folds case.
        whitespace: `"trim"` ignores what is around the text, `"collapse"` also how much is within.
        unicode: The normalisation form that both texts are brought into, for example `"NFC"`.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to compare
            its JSON text.

    Raises:
        ArgumentError: A threshold outside 0..1, a blank expected text, an unknown word.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = TextSimilarityJudge("kitten", threshold=0.5)
        >>> evaluate(judge, JudgmentContext(output="sitting")).reasoning
        'levenshtein similarity is 0.571'
    """

    expected: str | None = None
    threshold: float = field(kw_only=True)
    metric: Literal["levenshtein", "indel", "jaro_winkler", "token_sort", "token_set"] = (
        "levenshtein"
    )
    case: Case = "exact"
    whitespace: Whitespace = "exact"
    unicode: Unicode = "exact"
    non_text: NonText = "error"
    _form: TextForm = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "TextSimilarityJudge",
        cost=Cost.MEMORY,
        type="text_similarity",
        needs=("output", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_expected(self.expected)
        check_threshold(self.threshold)
        check_choice(self.metric, tuple(_FUNCTIONS), "metric")
        require("rapidfuzz", extra="text", needed_by="TextSimilarityJudge")
        check_non_text(self.non_text)
        form = TextForm(self.case, self.whitespace, self.unicode)
        object.__setattr__(self, "_form", form)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output with the expected text."""
        output = output_text(context, self.non_text)
        if isinstance(output, Judgment):
            return output
        expected = expected_text(self.expected, context, self.non_text)
        if isinstance(expected, Judgment):
            return expected
        if not expected.strip():
            reason = "the expected output is blank; there is nothing to be like"
            return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
        if max(len(output), len(expected)) > MAX_TEXT:
            reason = f"texts of more than {MAX_TEXT} characters are not compared"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        return self._judge(self._form(output), self._form(expected))

    def _judge(self, output: str, expected: str) -> Judgment:
        module, function, full = _FUNCTIONS[self.metric]
        loaded: Any = load(module, extra="text", needed_by="TextSimilarityJudge")
        similarity = float(getattr(loaded, function)(output, expected)) / full
        check = Check(self.metric, similarity >= self.threshold, f"{similarity:.3f}")
        return Judgment.scored(
            similarity,
            threshold=self.threshold,
            reasoning=f"{self.metric} similarity is {similarity:.3f}",
            checks=(check,),
            metadata={"metric": self.metric},
        )
