"""Whether an answer says what its sources say."""

from __future__ import annotations

from collections.abc import Callable
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

CLAIMS: Final = PromptTemplate(
    """\
Take the text apart into the claims of fact that it makes. Each piece is one claim, a sentence \
that can be understood and checked alone: put names in the place of pronouns, and keep every \
number, date, condition and negation as it is. Leave out greetings, questions, opinions and \
announcements. Add nothing, and judge nothing. If the text makes no claim, the list is empty.

The text:
{{text}}""",
    own=("text",),
)
SUPPORT: Final = PromptTemplate(
    """\
Compare each claim with the sources, and with nothing that you know from elsewhere. Say of each, \
by its number, one of these words:
{{words}}

The quote is the words of one source on which your word rests, exactly as they stand there; \
where there are none, it is empty.

The sources:
{{sources_shown}}

The claims:
{{pieces}}""",
    own=("words", "sources_shown", "pieces"),
)
WORDS: Final = (
    Word("supported", "a source says it, or it follows from a source", quotes=True),
    Word("contradicted", "a source says something that it cannot be true beside", quotes=True),
    Word("absent", "the sources say neither"),
)


async def compare_claims(
    panel: Panel, hearing: Hearing, text: Material, context: JudgmentContext
) -> tuple[Said, ...]:
    """What the sources say to each claim of a text; nothing where it makes none.

    Raises:
        UnansweredError: There is no answer.
    """
    claims = await panel.take_apart(hearing, CLAIMS, materials(text, context))
    if not claims:
        return ()
    sources = materials(Material.CONTEXT, context)
    quotable = [Quotable(sources)] * len(claims)
    asked = Asked(SUPPORT, WORDS, {"sources_shown": sources})
    return await panel.ask_of_each(hearing, asked, claims, quotable)


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What a claim counts.

    Args:
        degree: 1 or 0, or `None` where that is open.
        what: What the claims that count are, in words.
    """

    degree: Callable[[Said], float | None]
    what: str


async def judge_claims(
    panel: Panel,
    context: JudgmentContext,
    text: Material,
    reckoning: Reckoning,
    threshold: float,
) -> Judgment:
    """Judge a text by what the sources say to each of its claims."""
    if (missing := lacking(context, text, Material.CONTEXT)) is not None:
        return missing
    hearing = Hearing(context)
    try:
        said = await compare_claims(panel, hearing, text, context)
    except UnansweredError as unanswered:
        return hearing.fail(unanswered)
    if not said:
        none = Judgment.abstaining(f"the {text.value} makes no claim of fact: nothing to compare")
        return hearing.conclude(none)
    degrees = [reckoning.degree(one) for one in said]
    judgment = judge_pieces(said, degrees, threshold, piece="claim", what=reckoning.what)
    return hearing.conclude(judgment)


def supported(said: Said) -> float | None:
    """1 for a claim that the sources support in words that they have."""
    if said.word != "supported":
        return 0.0
    return 1.0 if said.quoted else None


def uncontradicted(said: Said) -> float | None:
    """0 for a claim that the sources contradict in words that they have."""
    if said.word != "contradicted":
        return 1.0
    return 0.0 if said.quoted else None


_SUPPORTED: Final = Reckoning(supported, "are supported")
_UNCONTRADICTED: Final = Reckoning(uncontradicted, "are not contradicted")


@dataclass(frozen=True, slots=True)
class FaithfulnessJudge:
    """Whether the sources support what the answer claims: the share of its claims that they do.

    A model takes the answer apart into claims, and says of each whether the sources support it,
    contradict it, or say neither, with a quote. A support whose quote the sources do not have
    leaves the claim open, and the score between two bounds. An answer without claims is ABSTAIN.

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

    Example:
        >>> from agent_judge import Source, evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> found = {"piece": 1, "reason": "it says so", "quote": "in 1889", "word": "supported"}
        >>> model = ScriptedModel([
        ...     {"pieces": ["The tower was opened in 1889."]}, {"findings": [found]}
        ... ])
        >>> run = JudgmentContext(
        ...     output="It opened in 1889.", sources=(Source("The tower was opened in 1889."),)
        ... )
        >>> evaluate(FaithfulnessJudge(model), run).reasoning
        '1 of 1 claims are supported, a score of 1; the mark is 1'
    """

    model: JudgeModel | str
    threshold: float = 1.0
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    batch: int = 20
    concurrency: int = 8
    _panel: Panel = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FaithfulnessJudge",
        cost=Cost.MODEL,
        type="faithfulness",
        needs=("output", "sources"),
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
        return await judge_claims(self._panel, context, Material.ANSWER, _SUPPORTED, self.threshold)


@dataclass(frozen=True, slots=True)
class HallucinationJudge:
    """Whether the answer contradicts its sources: the share of its claims that do not.

    It asks what `FaithfulnessJudge` asks, and counts otherwise: a claim of which the sources say
    nothing is not held against the answer. A contradiction whose quote the sources do not have
    leaves the claim open.

    Args:
        model: The model, or its name as `"provider:model"`.
        threshold: The share of claims that must not be contradicted, in 0..1.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        batch: How many claims a call asks about.
        concurrency: How many calls may be under way at once for one judgment.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.
    """

    model: JudgeModel | str
    threshold: float = 1.0
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    batch: int = 20
    concurrency: int = 8
    _panel: Panel = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "HallucinationJudge",
        cost=Cost.MODEL,
        type="hallucination",
        needs=("output", "sources"),
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
            self._panel, context, Material.ANSWER, _UNCONTRADICTED, self.threshold
        )
