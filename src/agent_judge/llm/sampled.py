"""Asking one judge several times, since a model does not always say the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.engine.ask import Asked, Mode
from agent_judge.engine.doors import aenter, needs_loop
from agent_judge.engine.run import Run
from agent_judge.engine.together import ask_all
from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Judgment, check_threshold, with_evidence
from agent_judge.llm.concurrently import check_concurrency
from agent_judge.llm.hearing import sample
from agent_judge.llm.samples import Samples
from agent_judge.llm.stopping import chance_of_majority
from agent_judge.protocol import Judge, JudgeMetadata

MAX_SAMPLES: Final = 1_000


@dataclass(frozen=True, slots=True)
class SampledJudge:
    """A judge that asks another one several times, and finds what more than half of them find.

    Each sample is a reply of its own, also where replies are kept: the k-th one finds the k-th
    kept reply again. Where no finding has more than half of the samples, the judge abstains; an
    abstention counts for none. With a threshold the mean of the scores decides instead; a sample
    without a score may have had any, so that the mean has bounds, and has to reach or miss the mark
    by both of them. What each sample said is in the evidence, with the spread of the scores.

    Args:
        judge: The judge to ask.
        samples: How often, from 2 up.
        threshold: The mark in 0..1 for the mean of the scores; without one the majority decides.
        stop: Ask one sample after the other, and no more once the chance that the majority so far
            is that of all samples reaches this bar, above ½ and up to 1; see `chance_of_majority`.
        errors: What samples that err make of the rest: it counts where the outcome is `"certain"`
            whatever they would have said, and is ERROR else; or `"any"` of them is ERROR.
        concurrency: How many samples may be under way at once; all of them unless given, or one
            where there is a bar to stop at.

    Raises:
        ArgumentError: A value that is not allowed; a bar to stop at together with a threshold.
        ArgumentTypeError: What was given as a judge cannot be called.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.llm import CorrectnessJudge
        >>> from agent_judge.testing import ScriptedModel
        >>> said = ["correct", "incorrect", "correct"]
        >>> model = ScriptedModel([{"reason": "So.", "verdict": verdict} for verdict in said])
        >>> judge = SampledJudge(CorrectnessJudge(model), samples=3)
        >>> judgment = evaluate(judge, JudgmentContext(goal="2 + 2?", output="4"))
        >>> judgment.status.name, judgment.reasoning
        ('PASS', '3 samples: 2 pass, 1 fail. So.')
    """

    judge: Judge
    samples: int = 5
    threshold: float | None = None
    stop: float | None = None
    errors: Literal["certain", "any"] = "certain"
    concurrency: int | None = None
    children: tuple[Asked, ...] = field(init=False, repr=False, compare=False)
    """The samples, as the engine asks them."""

    def __post_init__(self) -> None:
        if type(self.samples) is not int or not 2 <= self.samples <= MAX_SAMPLES:
            raise ArgumentError(
                f"samples must be a whole number in 2..{MAX_SAMPLES}, got {self.samples!r}"
            )
        check_choice(self.errors, ("certain", "any"), "errors")
        if self.concurrency is not None:
            check_concurrency(self.concurrency)
        if self.threshold is not None:
            check_threshold(self.threshold)
        _check_stop(self.stop, self.threshold)
        inner = Asked(self.judge)
        children = tuple(
            Asked(_Sample((inner,), index), f"sample {index + 1}") for index in range(self.samples)
        )
        object.__setattr__(self, "children", children)

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of the judge that is asked, under the name of this one."""
        inner = self.children[0].metadata
        return JudgeMetadata(
            "SampledJudge",
            inner.cost,
            "sampled",
            inner.needs,
            f"1+{inner.version}",
            conditional=inner.conditional,
        )

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Judge one run."""
        run = Run()
        return await aenter(run, self.judge_in(run, context))

    async def judge_in(self, run: Run, context: JudgmentContext) -> Judgment:
        """Ask the samples within a run."""
        found: list[Judgment] = []
        chance = 0.0
        while len(found) < self.samples and not self._settles(chance):
            more = self.children[len(found) : len(found) + self._at_once]
            turns = await ask_all(run, more, context)
            found += [turn.judgment for turn in turns if turn.judgment is not None]
            chance = self._chance(found)
        judgment = Samples(found, self.threshold, self.errors == "certain").judgment()
        told: dict[str, Json] = {"wanted": self.samples}
        if self.stop is not None:
            told |= {"stop": self.stop, "chance_of_majority": chance}
        return with_evidence(judgment, {**judgment.evidence, **told})

    @property
    def _at_once(self) -> int:
        if self.concurrency is not None:
            return self.concurrency
        return self.samples if self.stop is None else 1

    def _settles(self, chance: float) -> bool:
        return self.stop is not None and chance >= self.stop

    def _chance(self, found: list[Judgment]) -> float:
        """The chance that what leads now is the majority of all samples."""
        samples = Samples(found)
        leading = samples.count(samples.leading)
        return chance_of_majority(leading, len(found) - leading, self.samples - len(found))


@dataclass(frozen=True, slots=True)
class _Sample:
    """One of several samples of a judge."""

    children: tuple[Asked, ...]
    index: int

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of the judge."""
        return self.children[0].metadata

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Judge one run."""
        run = Run()
        return await aenter(run, self.judge_in(run, context))

    async def judge_in(self, run: Run, context: JudgmentContext) -> Judgment:
        """Ask the judge within a run, as this sample."""
        (child,) = self.children
        if child.mode is not Mode.INLINE:
            await needs_loop(run)
        with sample(self.index):
            (turn,) = await ask_all(run, self.children, context)
        assert turn.judgment is not None
        return turn.judgment


def _check_stop(stop: float | None, threshold: float | None) -> None:
    if stop is None:
        return
    if type(stop) not in (int, float) or not 0.5 < stop <= 1:
        raise ArgumentError(f"stop must lie above 0.5 and up to 1, got {stop!r}")
    if threshold is not None:
        raise ArgumentError(
            "stop looks at the majority, threshold at the mean: leave one of them out"
        )
