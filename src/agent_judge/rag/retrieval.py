"""Whether the right passages were retrieved, and stand first; both need an expected answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.judgment import Judgment, check_threshold
from agent_judge.llm.hearing import Hearing, UnansweredError
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.llm.questions import Defence
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.rag.grounding import Reckoning, judge_claims, supported
from agent_judge.rag.materials import Material, lacking, materials
from agent_judge.rag.panel import Asked, Panel
from agent_judge.rag.relevance import PASSAGE_WORDS, ask_of_passages, relevant
from agent_judge.rag.shares import average_precision, judge_pieces

NEEDED: Final = PromptTemplate(
    """\
Decide of each passage whether the expected answer to the question rests on it. Say of each, by \
its number, one of these words:
{{words}}

The quote is the words of that very passage that the expected answer rests on, exactly as they \
stand there; where there are none, it is empty.

The question:
{{question}}

The expected answer:
{{reference}}

The passages:
{{pieces}}""",
    own=("words", "question", "reference", "pieces"),
)
_SUPPORTED: Final = Reckoning(supported, "are in the passages")


@dataclass(frozen=True, slots=True)
class ContextPrecisionJudge:
    """Whether the passages that the expected answer rests on stand first.

    The score is the average precision of the ranking; without any such passage it is 0. A model
    says of each passage whether the expected answer rests on it, with a quote from it.

    Args:
        model: The model, or its name as `"provider:model"`.
        threshold: The average precision that must be reached, in 0..1.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        batch: How many passages a call asks about.
        concurrency: How many calls may be under way at once for one judgment.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.
    """

    model: JudgeModel | str
    threshold: float
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    batch: int = 20
    concurrency: int = 8
    _panel: Panel = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ContextPrecisionJudge",
        cost=Cost.MODEL,
        type="context_precision",
        needs=("goal", "expected", "sources"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        panel = Panel(
            self.model, self.metadata, self.options, self.defence, self.batch, self.concurrency
        )
        object.__setattr__(self, "_panel", panel)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        needed = (Material.QUESTION, Material.REFERENCE, Material.CONTEXT)
        if (missing := lacking(context, *needed)) is not None:
            return missing
        hearing = Hearing(context)
        evidence = {
            "question": materials(Material.QUESTION, context),
            "reference": materials(Material.REFERENCE, context),
        }
        try:
            said = await ask_of_passages(
                self._panel, hearing, Asked(NEEDED, PASSAGE_WORDS, evidence), context
            )
        except UnansweredError as unanswered:
            return hearing.fail(unanswered)
        judgment = judge_pieces(
            said,
            [relevant(one) for one in said],
            self.threshold,
            piece="passage",
            what="are needed",
            score=average_precision,
        )
        return hearing.conclude(judgment)


@dataclass(frozen=True, slots=True)
class ContextRecallJudge:
    """Whether all that the expected answer says was retrieved: the share of its claims that was.

    A model takes the expected answer apart into claims and says of each whether the passages
    support it, with a quote. The answer that was given is not looked at.

    Args:
        model: The model, or its name as `"provider:model"`.
        threshold: The share of claims that must be supported, in 0..1.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        batch: How many claims a call asks about.
        concurrency: How many calls may be under way at once for one judgment.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.
    """

    model: JudgeModel | str
    threshold: float
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    batch: int = 20
    concurrency: int = 8
    _panel: Panel = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ContextRecallJudge",
        cost=Cost.MODEL,
        type="context_recall",
        needs=("expected", "sources"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        panel = Panel(
            self.model, self.metadata, self.options, self.defence, self.batch, self.concurrency
        )
        object.__setattr__(self, "_panel", panel)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        return await judge_claims(
            self._panel, context, Material.REFERENCE, _SUPPORTED, self.threshold
        )
