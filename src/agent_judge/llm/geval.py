"""G-Eval: a score as the expectation over the tokens that could have stood for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final, Literal, TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json, check_text
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Judgment, ReasonCode, check_threshold
from agent_judge.llm.concurrently import check_concurrency, concurrently
from agent_judge.llm.geval_scores import Scored, Written, read_written, schema_of
from agent_judge.llm.geval_steps import STEPS_SCHEMA, WRITE_STEPS, check_steps, read_steps
from agent_judge.llm.hearing import Hearing, UnansweredError, sample, unsampled
from agent_judge.llm.once import Once
from agent_judge.llm.questions import Defence, Example, Question, as_model
from agent_judge.llm.reading import Scale
from agent_judge.llm.sections import HEADINGS, task_with_evidence, without_asking
from agent_judge.llm.token_scores import Unusable
from agent_judge.models.model import Feature, JudgeModel, features_of
from agent_judge.models.request import ModelOptions
from agent_judge.protocol import Cost, JudgeMetadata

Ask: TypeAlias = Callable[[int | None], Awaitable[Written]]
"""Asks for a score, with so many alternatives at each token."""

ONE_TO_FIVE: Final = Scale(1, 5)

_TASK: Final = """\
Score the work below by these criteria:
{{criteria}}

Take these steps:
{{steps}}

The score is a whole number from {{low}} (worst) to {{high}} (best)."""
_OWN: Final = ("criteria", "steps", "low", "high")


@dataclass(frozen=True, slots=True)
class GEvalJudge:
    """Scores the work as G-Eval does (Liu et al. 2023, arXiv 2303.16634).

    The model takes the steps that are given, or that it wrote itself, once, from the criteria. Its
    score is the sum of p(s) * s over the scores s that it might have written, divided by the mass
    that was captured, the sum of p(s). Where the probabilities cannot be had, or less than
    `min_mass` was captured, the score is the mean of several samples, or the one that was written;
    the evidence then says which, and a failed advisory check why.

    Args:
        criteria: What makes work good, in words.
        model: The model, or its name as `"provider:model"`.
        threshold: The pass mark in 0..1, whatever the scale.
        steps: The steps to take; without any, the model writes them when it is first asked.
        scale: The scale of the score, between whole numbers in 0..100.
        reason: Whether the model gives its reason `"before"` the score, or none at all (`"none"`),
            as in the paper. A reason that is written first makes the score that fits it more
            probable than it was before.
        probabilities: Whether they are to be used where they can be had (`"use"`), or have to be
            (`"require"`), or are not asked for (`"ignore"`).
        min_mass: The least mass that has to be captured, above 0 and up to 1.
        alternatives: How many alternatives to ask for at each token; providers have limits.
        samples: How many scores are averaged where the probabilities are not used.
        evidence: The variables of the run that the model is shown; see `PromptTemplate`.
        optional: Those of them that may be absent; without any other the judge abstains.
        concurrency: How many calls may be under way at once for one judgment.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        examples: Runs with the replies that were right: `{"reason": …, "score": 4}`.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> model = ScriptedModel([{"reason": "Short and right.", "score": 4}])
        >>> judge = GEvalJudge("It is right and short.", model, 0.7, steps=["Check the sum."])
        >>> judgment = evaluate(judge, JudgmentContext(goal="2 + 2?", output="4"))
        >>> judgment.status.name, judgment.effective_score, judgment.evidence["method"]
        ('PASS', 0.75, 'single score')
        >>> judgment.checks[0].message
        'the model gave no probabilities; it is the single score that was written'
    """

    criteria: str
    model: JudgeModel | str
    threshold: float
    steps: tuple[str, ...] = ()
    scale: Scale = ONE_TO_FIVE
    reason: Literal["before", "none"] = "before"
    probabilities: Literal["use", "require", "ignore"] = "use"
    min_mass: float = 0.9
    alternatives: int = 20
    samples: int = 1
    evidence: tuple[str, ...] = ("goal", "output")
    optional: tuple[str, ...] = ()
    concurrency: int = 8
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    examples: tuple[Example, ...] = ()
    _question: Question = field(init=False, repr=False, compare=False)
    _writing: Question = field(init=False, repr=False, compare=False)
    _written: Once[tuple[str, ...]] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "GEvalJudge", cost=Cost.MODEL, type="geval", needs=("goal", "output"), version="1"
    )

    def __post_init__(self) -> None:
        self._check()
        template = task_with_evidence(_TASK, self.evidence, own=_OWN, optional=self.optional)
        key: dict[str, Json] = {"judge": self.metadata.type, "version": self.metadata.version}
        model = as_model(self.model)
        question = Question(
            model,
            template,
            options=self.options,
            defence=self.defence,
            examples=self.examples,
            key=key,
        )
        writing = Question(model, WRITE_STEPS, options=self.options, defence=self.defence, key=key)
        _refuse_sameness(question.options, self.samples)
        if self.probabilities == "require" and _is_without_probabilities(model):
            raise ArgumentError(
                "probabilities='require', but the model cannot be asked for any; say 'use'"
            )
        _set(self, "evidence", template.variables)
        _set(self, "_question", question)
        _set(self, "_writing", writing)
        _set(self, "_written", Once())

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        if (found := without_asking(context, self._question.template)) is not None:
            return found
        hearing = Hearing(context)
        try:
            steps = self.steps or await self._written.get(partial(self._write_steps, hearing))
            scored = await self._score(partial(self._ask, hearing, steps))
        except UnansweredError as unanswered:
            return hearing.fail(unanswered)
        made = "given" if self.steps else "written by the model"
        evidence: dict[str, Json] = {"steps": steps, "steps_are": made, **scored.evidence}
        return hearing.conclude(scored.judgment(self.scale, self.threshold), evidence)

    async def _write_steps(self, hearing: Hearing) -> tuple[str, ...]:
        """The steps, as the model writes them; whoever samples the judge gets the same ones."""
        shown = ", ".join(HEADINGS.get(name, name).lower() for name in self.evidence)
        own = {"criteria": self.criteria, "evidence": shown}
        with unsampled():
            return await hearing.ask(self._writing, read_steps, own=own, schema=STEPS_SCHEMA)

    async def _score(self, ask: Ask) -> Scored:
        """The first score with its probabilities; where they do not do, more samples of it."""
        if self.probabilities == "ignore":
            return Scored(await self._sample(ask, 0), None, self.min_mass)
        if _is_without_probabilities(self._question.model):
            without = Unusable("the model cannot be asked for probabilities")
            return Scored(await self._sample(ask, 0), without, self.min_mass)
        first = await ask(self.alternatives)
        scored = Scored([first], first.distribution(self.scale), self.min_mass)
        if scored.fallback is None:
            return scored
        if self.probabilities == "require":
            raise UnansweredError(
                f"the probabilities cannot be used: {scored.fallback}",
                ReasonCode.MODEL_FAILED,
                scored.evidence,
            )
        written = [first, *await self._sample(ask, 1)]
        return Scored(written, scored.distribution, self.min_mass)

    async def _sample(self, ask: Ask, begin: int) -> list[Written]:
        """The samples from one on, each a reply of its own."""

        async def ask_one(index: int) -> Written:
            with sample(index) if index else nullcontext():
                return await ask(None)

        indices = range(begin, self.samples)
        return await concurrently([partial(ask_one, index) for index in indices], self.concurrency)

    async def _ask(self, hearing: Hearing, steps: Iterable[str], logprobs: int | None) -> Written:
        numbered = [f"{number}. {step}" for number, step in enumerate(steps, 1)]
        own = {
            "criteria": self.criteria,
            "steps": "\n".join(numbered),
            "low": f"{self.scale.low:g}",
            "high": f"{self.scale.high:g}",
        }
        return await hearing.ask(
            self._question,
            lambda response: read_written(response, self.scale),
            own=own,
            schema=schema_of(self.scale, with_reason=self.reason == "before"),
            logprobs=logprobs,
        )

    def _check(self) -> None:
        check_text(self.criteria, "criteria")
        if not self.criteria.strip():
            raise ArgumentError("criteria must not be blank; say what makes the work good")
        _set(self, "steps", check_steps(self.steps))
        check_threshold(self.threshold)
        check_concurrency(self.concurrency)
        check_choice(self.reason, ("before", "none"), "reason")
        check_choice(self.probabilities, ("use", "require", "ignore"), "probabilities")
        _check_scale(self.scale)
        for name in ("alternatives", "samples"):
            count = getattr(self, name)
            if type(count) is not int or count < 1:
                raise ArgumentError(f"{name} must be a whole number from 1 up, got {count!r}")
        if type(self.min_mass) not in (int, float) or not 0 < self.min_mass <= 1:
            raise ArgumentError(f"min_mass must lie above 0 and up to 1, got {self.min_mass!r}")


_set = object.__setattr__


def _check_scale(scale: object) -> None:
    if type(scale) is not Scale:
        raise ArgumentTypeError(f"scale must be a Scale, not {scale!r:.80}")
    if not (scale.low == int(scale.low) >= 0 and scale.high == int(scale.high) <= 100):
        raise ArgumentError(f"the scale must lie between whole numbers in 0..100, got {scale}")


def _refuse_sameness(options: ModelOptions, samples: int) -> None:
    """At a temperature of nought, samples are the same and their variance says nothing."""
    if samples > 1 and options.temperature == 0:
        raise ArgumentError(
            f"samples={samples} at temperature=0 ask for the same reply each time; "
            "leave the temperature out"
        )


def _is_without_probabilities(model: JudgeModel) -> bool:
    """Whether a model is known to give none."""
    features = features_of(model)
    return features is not None and Feature.LOGPROBS not in features
