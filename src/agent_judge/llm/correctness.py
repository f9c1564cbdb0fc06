"""Whether an answer is right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.judgment import Judgment, Status
from agent_judge.llm.classifiers import LabelClassifier
from agent_judge.llm.model_backed import ModelBackedJudge
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.llm.questions import Defence, Example, as_model
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions
from agent_judge.protocol import Cost, JudgeMetadata

_AGAINST: Final = PromptTemplate(
    """\
Decide whether the output answers the task correctly.

The task:
{{goal}}

What a correct answer says:
{{expected}}

The output to judge:
{{output}}

It is "correct" if it says what the correct answer says, in whatever words, and nothing that \
contradicts it. It is "incorrect" if anything essential is missing, wrong or contradicted. It is \
"undecided" only if the evidence does not allow to tell.""",
    optional=("goal",),
)
_ALONE: Final = PromptTemplate(
    """\
Decide whether the output answers the task correctly and completely.

The task:
{{goal}}

The output to judge:
{{output}}

Work the task out yourself before you compare. It is "correct" if everything that the task asks \
for is there and right. It is "incorrect" if anything is missing or wrong. It is "undecided" only \
if the evidence does not allow to tell."""
)
_LABELS: Final = LabelClassifier(
    {"correct": Status.PASS, "incorrect": Status.FAIL, "undecided": Status.ABSTAIN}
)


@dataclass(frozen=True, slots=True)
class CorrectnessJudge:
    """Whether the output is a correct answer, by the word of a model.

    Args:
        model: The model, or its name as `"provider:model"`.
        reference: Whether the run's `expected` says what is correct: `"use"` it where it is there,
            `"require"` it, so that the judge abstains without one, or `"ignore"` it.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        examples: Runs with the replies that were right: `{"reason": …, "verdict": "correct"}`.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> model = ScriptedModel([{"reason": "It is 4.", "verdict": "incorrect"}])
        >>> run = JudgmentContext(goal="2 + 2?", output="5", expected="4")
        >>> evaluate(CorrectnessJudge(model), run).status
        <Status.FAIL: 'fail'>
    """

    model: JudgeModel | str
    reference: Literal["use", "require", "ignore"] = "use"
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    examples: tuple[Example, ...] = ()
    _against: ModelBackedJudge = field(init=False, repr=False, compare=False)
    _alone: ModelBackedJudge = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CorrectnessJudge",
        cost=Cost.MODEL,
        type="correctness",
        needs=("goal", "output", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        if self.reference not in ("use", "require", "ignore"):
            raise ArgumentError(
                f"reference must be 'use', 'require' or 'ignore', not {self.reference!r}"
            )
        model = as_model(self.model)
        for name, template in (("_against", _AGAINST), ("_alone", _ALONE)):
            judge = ModelBackedJudge(
                template,
                model,
                _LABELS,
                "json",
                options=self.options,
                defence=self.defence,
                examples=self.examples,
            )
            object.__setattr__(self, name, judge)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        expected = not _AGAINST.absent(context)
        against = self.reference == "require" or (self.reference == "use" and expected)
        return await (self._against if against else self._alone)(context)
