"""Whether the output is about what was asked at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.frozen import Json
from agent_judge.judges.meaning import encoder
from agent_judge.judges.meaning.english import MIN_WORDS, has_subject, is_english
from agent_judge.judges.meaning.passages import parts
from agent_judge.judges.text.reading import (
    NonText,
    check_expected,
    check_non_text,
    missing_input,
    output_text,
)
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

BAR: Final = 0.08
"""The cosine below which the subject is another one; `benchmarks/local_encoder.py` says why."""

MAX_TEXT: Final = 50_000
"""Characters of a text that are compared; a page takes some tenths of a second."""


@dataclass(frozen=True, slots=True)
class AnswerRelevanceScreen:
    """FAILs an output on another subject than the goal, else ABSTAINs; AUC .985 (extra `local`).

    Each part of the output is compared with each part of the goal, by the cosine of their vectors
    from the sentence encoder all-MiniLM-L6-v2 on this machine. Where the nearest two are still
    below the bar, the output is on another subject, and FAILs. Otherwise the screen ABSTAINs, so
    that a cascade goes on: an output on the subject may still not answer. On public sets, right
    answers were told from answers to other tasks with an AUC of .985. At the bar of 0.08, 70 % of
    the answers to other questions in `benchmarks/local_encoder.py` FAIL, but 6 % where all are
    functions in Python, and none of 177 outputs on their goal's subject.

    It ABSTAINs as well where there are fewer than five words to tell a subject by, such as the
    output "42" or the goal "Fix the bug", and where a text does not read as English, which is what
    the encoder knows.

    Args:
        goal: What the output should be about; without it, the run's goal.
        bar: The cosine in 0..1 below which the output FAILs.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to read its
            JSON text.

    Raises:
        ArgumentError: A bar outside 0..1, a blank goal, an unknown word.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The extra `local` is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> goal = "How long do customers have to return an item?"
        >>> run = JudgmentContext(goal=goal, output="Tides are caused by the gravity of the moon.")
        >>> evaluate(AnswerRelevanceScreen(), run).status.name
        'FAIL'
    """

    goal: str | None = None
    bar: float = BAR
    non_text: NonText = "error"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "AnswerRelevanceScreen",
        cost=Cost.COMMAND,
        type="answer_relevance_screen",
        needs=("goal", "output"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_expected(self.goal, "goal")
        check_threshold(self.bar, "bar")
        check_non_text(self.non_text)
        encoder.require_encoder("AnswerRelevanceScreen")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output with the goal."""
        output = output_text(context, self.non_text)
        if isinstance(output, Judgment):
            return output
        goal = context.goal if self.goal is None else self.goal
        if not goal.strip():
            return missing_input("the goal")
        if max(len(output), len(goal)) > MAX_TEXT:
            reason = f"texts of more than {MAX_TEXT} characters are not compared"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        for text, what in ((goal, "the goal"), (output, "the output")):
            unclear = _unclear(text, what)
            if unclear is not None:
                return unclear
        return self._judge(parts(goal), parts(output))

    def _judge(self, goal: list[tuple[int, ...]], output: list[tuple[int, ...]]) -> Judgment:
        loaded = encoder.encoder()
        cosine = float((loaded.vectors(output) @ loaded.vectors(goal).T).max())
        metadata: dict[str, Json] = {
            "encoder": encoder.NAME,
            "cosine": cosine,
            "bar": self.bar,
            "parts": {"goal": len(goal), "output": len(output)},
        }
        near = cosine >= self.bar
        found = f"nearest at {cosine:.2f}, bar {self.bar:g}"
        check = Check("on the subject of the goal", near, found, examined=len(output))
        if near:
            reason = f"the output is on the subject of the goal ({found}); whether it answers it "
            return Judgment.abstaining(
                f"{reason}is left to others", checks=[check], metadata=metadata
            )
        reason = f"the output is on another subject than the goal: {found}"
        return Judgment.failing(reason, checks=[check], metadata=metadata)


def _unclear(text: str, what: str) -> Judgment | None:
    """The judgment that a text tells too little of its subject, if it does."""
    if not has_subject(text):
        return Judgment.abstaining(f"{what} has fewer than {MIN_WORDS} words to tell a subject by")
    if not is_english(text):
        return Judgment.abstaining(f"{what} is not in English, which is what the encoder knows")
    return None
