"""The judge that asks a model: a prompt, a model, and a classifier that reads the reply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, check_text
from agent_judge.judgment import Check, Judgment, Status
from agent_judge.llm.classifiers import Classifier, JsonClassifier
from agent_judge.llm.emptiness import says_nothing
from agent_judge.llm.hearing import Hearing, UnansweredError, Unread, unasked
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.llm.questions import SYSTEM, Defence, Example, Question, as_model
from agent_judge.models.messages import Part
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions, ResponseSchema
from agent_judge.models.response import ModelResponse
from agent_judge.protocol import Cost, JudgeMetadata

EMPTY_ANSWER: Final = "the output says something"


@dataclass(frozen=True, slots=True)
class ModelBackedJudge:
    """A prompt, a model, and a classifier that makes a judgment of the reply.

    The evidence stands in the prompt between random marks, so that nothing in it is taken for an
    instruction; what tries is reported by an advisory check. Without the evidence that the prompt
    needs the judge abstains, and an output that says nothing fails, both without a call. A reply
    that cannot be read is sent back once and is ERROR then, with the prompt and the raw reply.

    Args:
        prompt: The template, or its text; see `PromptTemplate` for its variables.
        model: The model, or its name as `"provider:model"`.
        classifier: What the reply means.
        reply: How the model is to answer: as the prompt says (`"text"`), or with a JSON object of
            the classifier's schema, which the prompt is then told (`"json"`). A `JsonClassifier`
            reads JSON, any other text, unless said otherwise.
        values: What the prompt's own variables stand for; they are part of the task, not evidence.
        system: What the model is told to be.
        options: How it is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        examples: Runs with the replies that were right, shown before the question.
        attach: Makes images and files of the run, for models that read them.
        hollow: What becomes of an output that says nothing: `"fail"`, or `"ask"` the model still.
        repairs: How often a reply that cannot be read is sent back.
        limit: The most characters that the prompt may have.

    Raises:
        ArgumentError: A prompt, a model's name or a value that cannot be used.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.llm import LabelClassifier
        >>> from agent_judge.testing import ScriptedModel
        >>> judge = ModelBackedJudge(
        ...     "Does the answer {{output}} fit the question {{goal}}? Answer YES or NO.",
        ...     ScriptedModel(["YES. It does."]),
        ...     LabelClassifier({"yes": Status.PASS, "no": Status.FAIL}),
        ... )
        >>> evaluate(judge, JudgmentContext(goal="2 + 2?", output="4")).status
        <Status.PASS: 'pass'>
    """

    prompt: PromptTemplate | str
    model: JudgeModel | str
    classifier: Classifier
    reply: Literal["text", "json"] | None = None
    values: Mapping[str, str] = EMPTY
    system: str = SYSTEM
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    examples: tuple[Example, ...] = ()
    attach: Callable[[JudgmentContext], Iterable[Part]] | None = None
    hollow: Literal["fail", "ask"] = "fail"
    repairs: int = 1
    limit: int = 400_000
    _question: Question = field(init=False, repr=False, compare=False)
    _schema: ResponseSchema | None = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ModelBackedJudge", cost=Cost.MODEL, type="model_backed", needs=("output",), version="1"
    )

    def __post_init__(self) -> None:
        if not callable(self.classifier):
            raise ArgumentTypeError(
                f"classifier must be a callable that takes a ModelResponse, "
                f"not {self.classifier!r:.80}"
            )
        if self.hollow not in ("fail", "ask"):
            raise ArgumentError(f"hollow must be 'fail' or 'ask', not {self.hollow!r}")
        for name, value in self.values.items():
            check_text(value, f"values[{name!r}]")
        _set(self, "values", FrozenMap(self.values))
        _set(self, "_schema", _schema_of(self.classifier, self.reply))
        question = Question(
            as_model(self.model),
            _with_own(self.prompt, self.values),
            self.system,
            self.options,
            self.defence,
            self.examples,
            self.attach,
            self.repairs,
            self.limit,
            {"judge": self.metadata.type, "version": self.metadata.version},
        )
        _set(self, "_question", question)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        question = self._question
        if (found := self._without_asking(context)) is not None:
            return found
        hearing = Hearing(context)
        try:
            judgment = await hearing.ask(question, self._read, own=self.values, schema=self._schema)
        except UnansweredError as unanswered:
            return hearing.fail(unanswered)
        return hearing.conclude(judgment)

    def _without_asking(self, context: JudgmentContext) -> Judgment | None:
        template = self._question.template
        if self.hollow == "fail" and "output" in template.variables and is_hollow(context):
            return hollow(context)
        return unasked(context, template)

    def _read(self, response: ModelResponse) -> Judgment | Unread:
        judgment = self.classifier(response)
        if judgment.status is not Status.ERROR or judgment.code is None:
            return judgment
        fault = judgment.evidence.get("fault")
        return Unread(judgment.reasoning, str(fault or judgment.code.value), judgment.code)


_set = object.__setattr__


def is_hollow(context: JudgmentContext) -> bool:
    """Whether the run has an output that says nothing, and that nobody expected."""
    output = context.output
    return isinstance(output, str) and output != context.expected and says_nothing(output)


def hollow(context: JudgmentContext) -> Judgment:
    """FAIL for an output that says nothing."""
    shown = f"{context.output!r:.80}"
    check = Check(EMPTY_ANSWER, False, f"the output is {shown}")
    return Judgment.failing(f"the output says nothing: {shown}", checks=[check])


def _with_own(prompt: object, values: Mapping[str, str]) -> PromptTemplate:
    if isinstance(prompt, str):
        return PromptTemplate(prompt, own=tuple(values))
    if not isinstance(prompt, PromptTemplate):
        raise ArgumentTypeError(f"a prompt is a PromptTemplate or its text, not {prompt!r:.80}")
    missing = [name for name in prompt.own if name not in values]
    if missing:
        raise ArgumentError(f"the prompt's own variables have no value: {', '.join(missing)}")
    return prompt


def _schema_of(classifier: Classifier, reply: str | None) -> ResponseSchema | None:
    schema = getattr(classifier, "schema", None)
    match reply:
        case None:
            wanted = isinstance(classifier, JsonClassifier)
        case "text":
            wanted = False
        case "json":
            wanted = True
        case _:
            raise ArgumentError(f"reply must be 'text', 'json' or None, not {reply!r}")
    if not wanted:
        return None
    if type(schema) is not ResponseSchema:
        raise ArgumentError("reply='json' needs a classifier with a schema, a ResponseSchema")
    return schema
