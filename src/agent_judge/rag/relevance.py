"""Whether an answer, and what was retrieved for it, is about the question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.judgment import Judgment, check_threshold
from agent_judge.llm.hearing import Hearing, UnansweredError
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.llm.questions import Defence
from agent_judge.llm.quotes import Quotable
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.rag.materials import Material, lacking, materials
from agent_judge.rag.panel import Asked, Panel, Said, Word
from agent_judge.rag.shares import judge_pieces

STATEMENTS: Final = PromptTemplate(
    """\
Take the text apart into statements: everything that it says, each a sentence that can be \
understood alone. Questions, refusals and evasions are statements as well. Leave out greetings \
alone. Add nothing, and judge nothing. If the text says nothing, the list is empty.

The text:
{{text}}""",
    own=("text",),
)
ABOUT: Final = PromptTemplate(
    """\
Decide of each statement of an answer whether it is about the question. Whether it is true does \
not matter. Say of each, by its number, one of these words:
{{words}}

The quote stays empty.

The question:
{{question}}

The statements:
{{pieces}}""",
    own=("words", "question", "pieces"),
)
STATEMENT_WORDS: Final = (
    Word("relevant", "it answers the question, or a part of it, or helps to understand the answer"),
    Word("irrelevant", "it does neither, or it only evades the question"),
)
USEFUL: Final = PromptTemplate(
    """\
Decide of each passage whether it helps to answer the question. Say of each, by its number, one \
of these words:
{{words}}

The quote is the words of that very passage that help, exactly as they stand there; where there \
are none, it is empty.

The question:
{{question}}

The passages:
{{pieces}}""",
    own=("words", "question", "pieces"),
)
PASSAGE_WORDS: Final = (
    Word("relevant", "it says something that the answer needs, or can use", quotes=True),
    Word("irrelevant", "it says nothing of the kind"),
)


@dataclass(frozen=True, slots=True)
class AnswerRelevanceJudge:
    """Whether the answer is about the question: the share of its statements that are.

    A model takes the answer apart into statements and says of each whether it is about the
    question. Whether they are true is not asked. An answer without a statement is ABSTAIN.

    Args:
        model: The model, or its name as `"provider:model"`.
        threshold: The share of statements that must be relevant, in 0..1.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        batch: How many statements a call asks about.
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
        "AnswerRelevanceJudge",
        cost=Cost.MODEL,
        type="answer_relevance",
        needs=("goal", "output"),
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
        if (missing := lacking(context, Material.QUESTION, Material.ANSWER)) is not None:
            return missing
        hearing = Hearing(context)
        try:
            said = await self._ask(hearing, context)
        except UnansweredError as unanswered:
            return hearing.fail(unanswered)
        if not said:
            none = Judgment.abstaining("the answer makes no statement: nothing to judge")
            return hearing.conclude(none)
        degrees = [float(one.word == "relevant") for one in said]
        judgment = judge_pieces(
            said, degrees, self.threshold, piece="statement", what="are relevant"
        )
        return hearing.conclude(judgment)

    async def _ask(self, hearing: Hearing, context: JudgmentContext) -> tuple[Said, ...]:
        answer = materials(Material.ANSWER, context)
        statements = await self._panel.take_apart(hearing, STATEMENTS, answer)
        question = {"question": materials(Material.QUESTION, context)}
        asked = Asked(ABOUT, STATEMENT_WORDS, question)
        return await self._panel.ask_of_each(hearing, asked, statements)


@dataclass(frozen=True, slots=True)
class ContextualRelevanceJudge:
    """Whether what was retrieved is about the question: the share of the passages that are.

    A model says of each passage whether it helps to answer the question, with a quote from it. A
    passage that is called relevant by words that it does not have stays open.

    Args:
        model: The model, or its name as `"provider:model"`.
        threshold: The share of passages that must be relevant, in 0..1.
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
        "ContextualRelevanceJudge",
        cost=Cost.MODEL,
        type="contextual_relevance",
        needs=("goal", "sources"),
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
        if (missing := lacking(context, Material.QUESTION, Material.CONTEXT)) is not None:
            return missing
        hearing = Hearing(context)
        question = {"question": materials(Material.QUESTION, context)}
        try:
            said = await ask_of_passages(
                self._panel, hearing, Asked(USEFUL, PASSAGE_WORDS, question), context
            )
        except UnansweredError as unanswered:
            return hearing.fail(unanswered)
        judgment = judge_pieces(
            said,
            [relevant(one) for one in said],
            self.threshold,
            piece="passage",
            what="are relevant",
        )
        return hearing.conclude(judgment)


async def ask_of_passages(
    panel: Panel, hearing: Hearing, asked: Asked, context: JudgmentContext
) -> tuple[Said, ...]:
    """What a model says of each passage, which may quote that passage alone.

    Raises:
        UnansweredError: There is no answer, or none on some passage.
    """
    passages = materials(Material.CONTEXT, context)
    texts = [passage.text for passage in passages]
    return await panel.ask_of_each(
        hearing, asked, texts, [Quotable([passage]) for passage in passages]
    )


def relevant(said: Said) -> float | None:
    """1 for a passage that helps by words that it has."""
    if said.word != "relevant":
        return 0.0
    return 1.0 if said.quoted else None
