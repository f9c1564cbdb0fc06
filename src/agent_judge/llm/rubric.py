"""Judging by a rubric: weighted criteria, penalties and gates, each found by a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.judgment import Judgment, Status, check_threshold
from agent_judge.llm.account import checks_of, evidence_of, listed, open_or_lost, quoted, span
from agent_judge.llm.criteria import Criterion, as_criteria
from agent_judge.llm.hearing import Hearing
from agent_judge.llm.inquiry import Inquiry, Mode
from agent_judge.llm.marking import Marks, Ruling, Standing
from agent_judge.llm.questions import Defence, Example
from agent_judge.llm.sections import without_asking
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.scores import NumericalScore


@dataclass(frozen=True, slots=True)
class RubricJudge:
    """Whether the work earns enough points by weighted criteria, each found by a model.

    The score is what was earned of what was possible, held within 0..1: the weights of the
    criteria that are met (on a scale: times how far), less the penalties, by the weights of all
    criteria that apply and earn points. What the model leaves undecided may count either way, so
    the score lies between two bounds: it passes when the lower one reaches the threshold and no
    gate is open, fails when the upper one does not, and is ABSTAIN otherwise. The lower one is the
    score of the judgment. A lost gate fails whatever the score. An answer that is missing is
    undecided as well, but then nothing passes and nothing is left open: it is ERROR, unless the
    work fails whatever the answer.

    Args:
        criteria: The criteria, or tables of their fields; at least one has a positive weight.
        model: The model, or its name as `"provider:model"`.
        threshold: The pass mark in 0..1.
        mode: One call for each criterion (`"each"`), or one call for all (`"batch"`), in an order
            that differs from run to run and from sample to sample, so that no criterion always
            comes first.
        samples: How often everything is asked; the score is then the mean, with its variance, and
            a gate is lost when it is lost in more than half of the samples.
        evidence: The variables of the run that the model is shown; see `PromptTemplate`.
        optional: Those of them that may be absent; without any other the judge abstains.
        seed: Another seed gives other orders in a batch.
        concurrency: How many calls may be under way at once for one judgment.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        examples: Runs with the findings that were right:
            `{"tests": {"reason": …, "quote": …, "finding": "met"}, …}` with all criteria.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> criteria = [
        ...     {"name": "right", "description": "The sum is right.", "weight": 3},
        ...     {"name": "shown", "description": "It shows the steps."},
        ... ]
        >>> model = ScriptedModel([
        ...     {"reason": "2 + 2 is 4.", "quote": "4", "finding": "met"},
        ...     {"reason": "No steps.", "quote": "", "finding": "unmet"},
        ... ])
        >>> run = JudgmentContext(goal="2 + 2?", output="4")
        >>> judgment = evaluate(RubricJudge(criteria, model, 0.7), run)
        >>> judgment.status.name, judgment.reasoning
        ('PASS', "3 of 4 points are earned, a score of 0.75; the mark is 0.7. Lost: 'shown'")
    """

    criteria: tuple[Criterion | Mapping[str, Json], ...]
    model: JudgeModel | str
    threshold: float
    mode: Mode = "each"
    samples: int = 1
    evidence: tuple[str, ...] = ("goal", "output")
    optional: tuple[str, ...] = ()
    seed: int = 0
    concurrency: int = 8
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    examples: tuple[Example, ...] = ()
    _inquiry: Inquiry = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "RubricJudge", cost=Cost.MODEL, type="rubric", needs=("goal", "output"), version="1"
    )

    def __post_init__(self) -> None:
        criteria = as_criteria(self.criteria)
        check_threshold(self.threshold)
        if not any(criterion.weight > 0 for criterion in criteria):
            raise ArgumentError(
                "no criterion has a positive weight, so that no points can be earned; "
                "say what good work is like, too"
            )
        inquiry = Inquiry(
            {"judge": self.metadata.type, "version": self.metadata.version},
            criteria,
            self.model,
            self.mode,
            self.samples,
            self.evidence,
            self.optional,
            self.seed,
            self.concurrency,
            self.options,
            self.defence,
            self.examples,
        )
        object.__setattr__(self, "criteria", criteria)
        object.__setattr__(self, "_inquiry", inquiry)

    @property
    def digest(self) -> str:
        """The SHA-256 of the criteria, in hexadecimal."""
        return self._inquiry.digest

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        return await assess(self._inquiry, context, self.threshold, _told)


async def assess(
    inquiry: Inquiry, context: JudgmentContext, threshold: float, tell: Callable[[Marks], str]
) -> Judgment:
    """Ask about a run, and judge by the findings.

    Args:
        inquiry: How to ask, and about what.
        context: The run.
        threshold: The mark in 0..1.
        tell: Says in words how the work stands.
    """
    if (found := without_asking(context, inquiry.question.template)) is not None:
        return found
    hearing = Hearing(context)
    answers = await inquiry.ask(hearing)
    marks = Marks(inquiry.criteria, answers.sheets, threshold)
    evidence: dict[str, Json] = {
        "rubric": inquiry.digest,
        "mode": inquiry.mode,
        **evidence_of(marks, answers),
    }
    if marks.ruling is Ruling.UNANSWERED:
        failure = answers.failures[0]
        error = Judgment.erring(f"no answer on {quoted(marks.unanswered)}: {failure}", failure.code)
        return hearing.conclude(error, {**failure.evidence, **evidence})
    return hearing.conclude(_judgment(marks, tell(marks)), evidence)


def _judgment(marks: Marks, told: str) -> Judgment:
    """What follows from the findings; the score is the lower one of its bounds."""
    checks = tuple(checks_of(marks))
    match marks.ruling:
        case Ruling.PASSED:
            assert marks.score is not None
            return Judgment.scored(
                marks.score.low, threshold=marks.threshold, reasoning=told, checks=checks
            )
        case Ruling.FAILED:
            score = None if marks.score is None else NumericalScore(marks.score.low)
            return Judgment(Status.FAIL, told, score, checks=checks)
        case _:
            return Judgment.abstaining(told, checks=[check.as_advisory() for check in checks])


def _told(marks: Marks) -> str:
    gates = {"Lost gates": tuple(marks.gates(Standing.LOST))}
    return ". ".join((_scored(marks), *listed({**gates, **open_or_lost(marks)})))


def _scored(marks: Marks) -> str:
    score = marks.score
    if score is None:
        return "no criterion that earns points applies, so there is no score"
    mark = f"the mark is {marks.threshold:g}"
    if len(marks.sheets) == 1:
        (points,) = marks.points
        return (
            f"{span(points.earned)} of {points.possible:g} points are earned, "
            f"a score of {span(score)}; {mark}"
        )
    spread = "" if marks.variance is None else f" with a variance of {marks.variance:.3g}"
    return f"the mean score of {len(marks.sheets)} samples is {span(score)}{spread}; {mark}"
