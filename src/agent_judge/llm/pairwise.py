"""Which of two answers is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.engine import aevaluate, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json, check_text
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Check, Judgment, ReasonCode, Status, with_evidence
from agent_judge.llm.concurrently import concurrently
from agent_judge.llm.exhibits import METADATA, Exhibit, exhibits, is_variable
from agent_judge.llm.hearing import Hearing, UnansweredError, unasked
from agent_judge.llm.model_backed import hollow, is_hollow
from agent_judge.llm.pairwise_prompt import (
    CRITERION,
    NUMBERED,
    PROMPT,
    ReadPreference,
    schema_of,
    verdicts,
    with_places,
)
from agent_judge.llm.preferences import Comparison, Order
from agent_judge.llm.prompts import Own, PromptTemplate
from agent_judge.llm.questions import SYSTEM, Defence, Question, as_model
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions, ResponseSchema
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.scores import NumericalScore

MUCH_LONGER: Final = 2.0
"""How many times as long a preferred answer is when its length is pointed out."""


@dataclass(frozen=True, slots=True)
class PairwiseJudge:
    """Whether the output is better than another answer, by the word of a model.

    Models are drawn to the place that an answer is shown in, so each comparison is asked in both
    orders. Where the orders disagree, that is a flip: it is recorded, shown as a failed advisory
    check, and counts as a tie unless `on_flip` says otherwise. `first_slot_pull` sums up over many
    judgments which place the model prefers. Two answers that are the same text are a tie without a
    call, and an output that says nothing fails without one.

    The score is 1 where the output is better, 0 where the other answer is, and ½ on a tie.

    Args:
        model: The model, or its name as `"provider:model"`.
        against: Where the run has the other answer: `"expected"`, `"baseline"` or
            `"metadata.NAME"`.
        passes_when: What PASS means: the output is `"better"`, or `"not_worse"`, so that a tie
            passes too.
        criterion: What makes an answer the better one.
        order: Ask in `"both"` orders, or only with the output first (`"AB"`) or second (`"BA"`).
        on_flip: What a flip counts as: a `"tie"`; the `"average"` of the orders, in which a
            preference outweighs a tie; or open, so that one `"escalate"`s it.
        escalate_to: The model that is asked, in both orders too, about what is escalated. Without
            one, or where it flips as well, the judge abstains with the code `ORDER_FLIP`, on which
            a cascade goes on.
        classifier: What a reply prefers; a pure function of it.
        prompt: The template, or its text, with the places `{{first}}` and `{{second}}` and, as
            far as wanted, `{{criterion}}`, `{{verdicts}}` and the variables of the run.
        reply: How the model is to answer: with a JSON object of the classifier's schema
            (`"json"`), or in words (`"text"`). A classifier of your own reads words unless said
            otherwise.
        system: What the model is told to be.
        options: How it is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.

    Raises:
        ArgumentError: A value that is not allowed; an `escalate_to` that is never asked; a prompt
            that shows the output or the other answer outside of their places.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> first = {"reason": "It is right.", "verdict": "1"}
        >>> run = JudgmentContext(goal="2 + 2?", output="4", baseline="5")
        >>> judgment = evaluate(PairwiseJudge(ScriptedModel([first] * 2), "baseline"), run)
        >>> judgment.status, judgment.label, judgment.evidence["flip"]
        (<Status.FAIL: 'fail'>, 'tie', True)
    """

    model: JudgeModel | str
    against: str = "expected"
    passes_when: Literal["better", "not_worse"] = "better"
    criterion: str = CRITERION
    order: Literal["both", "AB", "BA"] = "both"
    on_flip: Literal["tie", "average", "escalate"] = "tie"
    escalate_to: JudgeModel | str | None = None
    classifier: ReadPreference = NUMBERED
    prompt: PromptTemplate | str = PROMPT
    reply: Literal["json", "text"] | None = None
    system: str = SYSTEM
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    _question: Question = field(init=False, repr=False, compare=False)
    _stronger: Question | None = field(init=False, repr=False, compare=False)
    _schema: ResponseSchema | None = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "PairwiseJudge",
        cost=Cost.MODEL,
        type="pairwise",
        needs=("goal", "output", "expected", "baseline"),
        version="1",
    )

    def __post_init__(self) -> None:
        _check_against(self.against)
        check_choice(self.passes_when, ("better", "not_worse"), "passes_when")
        check_choice(self.order, ("both", "AB", "BA"), "order")
        check_choice(self.on_flip, ("tie", "average", "escalate"), "on_flip")
        if self.reply is not None:
            check_choice(self.reply, ("json", "text"), "reply")
        self._check_escalation()
        check_text(self.criterion, "criterion")
        if not callable(self.classifier):
            raise ArgumentTypeError(
                f"classifier must be a callable that takes a ModelResponse, "
                f"not {self.classifier!r:.80}"
            )
        template = with_places(self.prompt, self.against)
        stronger = None if self.escalate_to is None else self._asking(self.escalate_to, template)
        _set(self, "prompt", template)
        _set(self, "_question", self._asking(self.model, template))
        _set(self, "_stronger", stronger)
        _set(self, "_schema", schema_of(self.classifier, self.reply))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        if (missing := unasked(context, self._question.template)) is not None:
            return missing
        output, other = _answer("output", context), _answer(self.against, context)
        if output is None or other is None:
            absent = "output" if output is None else self.against
            return Judgment.abstaining(
                f"nothing to compare: the run has no {absent}", code=ReasonCode.MISSING_INPUT
            )
        if output == other:
            same = self._found(0.5, "both answers are the same text")
            return with_evidence(same, {**self._declared, "identical": True})
        if is_hollow(context):
            return hollow(context)
        hearing = Hearing(context)
        try:
            return hearing.conclude(await self._judge(hearing, output, other))
        except UnansweredError as unanswered:
            return hearing.fail(unanswered)

    def compare(self, a: JudgmentContext, b: JudgmentContext) -> Judgment:
        """Judge one run by another: whether the output of `a` is better than that of `b`.

        The goal is that of either; all else that a prompt shows is of `a`.

        Raises:
            ArgumentError: The runs have different goals.

        Example:
            >>> from agent_judge.testing import ScriptedModel
            >>> model = ScriptedModel([{"verdict": "1"}, {"verdict": "2"}])
            >>> a, b = (JudgmentContext("2 + 2?", answer) for answer in ("4", "5"))
            >>> PairwiseJudge(model).compare(a, b).label
            'better'
        """
        return evaluate(replace(self, against="baseline"), _paired(a, b))

    async def acompare(self, a: JudgmentContext, b: JudgmentContext) -> Judgment:
        """The same as `compare`, for async code."""
        return await aevaluate(replace(self, against="baseline"), _paired(a, b))

    def _asking(self, model: JudgeModel | str, template: PromptTemplate) -> Question:
        key = {"judge": self.metadata.type, "version": self.metadata.version}
        return Question(as_model(model), template, self.system, self.options, self.defence, key=key)

    def _check_escalation(self) -> None:
        if self.on_flip == "escalate" and self.order != "both":
            raise ArgumentError(
                f"on_flip='escalate' needs order='both': with order={self.order!r} nothing flips"
            )
        if self.escalate_to is not None and self.on_flip != "escalate":
            raise ArgumentError(
                f"escalate_to is never asked with on_flip={self.on_flip!r}; "
                "give on_flip='escalate', or leave it out"
            )

    async def _judge(self, hearing: Hearing, output: str, other: str) -> Judgment:
        heard = await self._hear(hearing, self._question, output, other)
        evidence: dict[str, Json] = {
            **self._declared,
            "orders": heard.orders,
            "lengths": {"output": len(output), "other": len(other)},
        }
        checks: tuple[Check, ...] = ()
        if self.order == "both":
            evidence["flip"] = heard.flipped
            checks = (_agreement(heard),)
        if heard.flipped and self._stronger is not None:
            heard = await self._hear(hearing, self._stronger, output, other)
            evidence["escalated"] = heard.orders
        judgment = self._rule(heard, (*checks, *_length(heard.mean, output, other)))
        return with_evidence(judgment, evidence)

    async def _hear(
        self, hearing: Hearing, question: Question, output: str, other: str
    ) -> Comparison:
        """What a model says of the answers, in every order that is wanted."""
        orders = [*Order] if self.order == "both" else [Order(self.order)]
        asks = [
            partial(
                hearing.ask,
                question,
                self.classifier,
                own=self._shown(order, output, other),
                schema=self._schema,
            )
            for order in orders
        ]
        preferences = await concurrently(asks, len(asks))
        return Comparison(tuple(zip(orders, preferences, strict=True)))

    def _shown(self, order: Order, output: str, other: str) -> Mapping[str, Own]:
        """What stands in the prompt's own places; nothing there tells which answer is judged."""
        first, second = (output, other) if order is Order.AB else (other, output)
        return {
            "first": (Exhibit("answer-1", first),),
            "second": (Exhibit("answer-2", second),),
            "criterion": self.criterion,
            "verdicts": verdicts(self.classifier, self._schema),
        }

    @property
    def _declared(self) -> Mapping[str, Json]:
        return {
            "against": self.against,
            "order": self.order,
            "on_flip": self.on_flip,
            "passes_when": self.passes_when,
        }

    def _rule(self, heard: Comparison, checks: Iterable[Check]) -> Judgment:
        """What a comparison, the last that is asked for, comes to."""
        if heard.flipped and self.on_flip == "escalate":
            whose = "the" if self._stronger is None else "the stronger model's"
            return Judgment.abstaining(
                f"{whose} two orders disagree, and nobody settles it: {heard.reason}",
                checks=checks,
                code=ReasonCode.ORDER_FLIP,
            )
        as_tie = heard.flipped and self.on_flip == "tie"
        return self._found(0.5 if as_tie else heard.mean, heard.reason, checks)

    def _found(self, worth: float, reason: str, checks: Iterable[Check] = ()) -> Judgment:
        """The finding that the output is worth so much: 1 it is better, 0 worse, ½ neither."""
        label = "tie" if worth == 0.5 else "better" if worth > 0.5 else "worse"
        passed = label == "better" or (label == "tie" and self.passes_when == "not_worse")
        wanted = "better" if self.passes_when == "better" else "not worse"
        said = _SAID[label].format(_NAMES.get(self.against, self.against))
        return Judgment(
            Status.PASS if passed else Status.FAIL,
            f"the output is {said}: {reason}" if reason else f"the output is {said}",
            NumericalScore(worth),
            label,
            (Check(f"the output is {wanted}", passed, f"it is {said}"), *checks),
        )


_set = object.__setattr__

_NAMES: Final = {"expected": "the expected answer", "baseline": "the baseline"}
_SAID: Final = {
    "better": "better than {}",
    "tie": "neither better nor worse than {}",
    "worse": "worse than {}",
}


def _check_against(against: object) -> None:
    check_text(against, "against")
    name = str(against)
    named = name.startswith(METADATA) and is_variable(name)
    if name not in ("expected", "baseline") and not named:
        raise ArgumentError(
            f"against must be 'expected', 'baseline' or 'metadata.NAME', not {name!r:.80}"
        )


def _answer(name: str, context: JudgmentContext) -> str | None:
    """An answer as a model reads it; nothing where it is absent or blank."""
    text = "\n".join(exhibit.text for exhibit in exhibits(name, context))
    return text if text.strip() else None


def _paired(a: JudgmentContext, b: JudgmentContext) -> JudgmentContext:
    if a.goal and b.goal and a.goal != b.goal:
        raise ArgumentError(
            f"two runs are compared by one goal; these have {a.goal!r:.60} and {b.goal!r:.60}"
        )
    return replace(a, goal=a.goal or b.goal, baseline=b.output)


def _agreement(heard: Comparison) -> Check:
    """The advisory check of whether both orders prefer the same."""
    told = heard.reason if heard.flipped else "the order of showing makes no difference"
    return Check("both orders agree", not heard.flipped, told, 2, advisory=True)


def _length(worth: float, output: str, other: str) -> Iterable[Check]:
    """An advisory check that points out that a preferred answer is much the longer one."""
    better, worse = (output, other) if worth > 0.5 else (other, output)
    times = len(better) / len(worse)
    if worth != 0.5 and times >= MUCH_LONGER:
        told = f"the preferred answer is {times:.1f} times as long as the other one"
        yield Check("the preferred answer is not much longer", False, told, advisory=True)
