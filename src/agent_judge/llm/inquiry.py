"""Asking a model about criteria: one by one, or all of them in one batch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.llm.concurrently import check_concurrency, concurrently
from agent_judge.llm.criteria import Criterion, digest_of
from agent_judge.llm.exhibits import Exhibit, exhibits
from agent_judge.llm.findings import (
    UNANSWERED,
    Finding,
    read_all,
    read_one,
    schema_of_all,
    schema_of_one,
    shown,
)
from agent_judge.llm.hearing import Hearing, UnansweredError, Unread, current_sample, sample
from agent_judge.llm.marking import Sheet
from agent_judge.llm.orders import balanced_order
from agent_judge.llm.questions import Defence, Example, Question, as_model
from agent_judge.llm.quotes import Quotable
from agent_judge.llm.reading import Unreadable, read_object
from agent_judge.llm.sections import task_with_evidence
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions
from agent_judge.models.response import ModelResponse

Mode: TypeAlias = Literal["each", "batch"]

TASK: Final = """\
Judge the work below by these criteria, one at a time, and by nothing else.

{{criteria}}

Think first: give the reason, then the words of the evidence that show it, copied exactly (an \
empty text where there are none), and only then the finding. "met" means that what the criterion \
says is so; "unmet" that it is not so, or that the evidence does not show it; "undecided" that the \
evidence contradicts itself, or that it is cut off where it would tell."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a model said of all criteria, in each sample.

    Args:
        sheets: A sheet of findings for each sample.
        orders: The names of the criteria in the order of asking, for each call of several.
        failures: Why answers are missing, where some are.
    """

    sheets: tuple[Sheet, ...]
    orders: tuple[tuple[str, ...], ...] = ()
    failures: tuple[UnansweredError, ...] = ()


@dataclass(frozen=True, slots=True)
class Inquiry:
    """How a judge asks about its criteria.

    Args:
        kind: The type of the judge and its version; part of the key of a stored reply.
        criteria: The criteria.
        model: The model, or its name as `"provider:model"`.
        mode: One call for each criterion (`"each"`), or one call for all of them (`"batch"`).
        samples: How often everything is asked.
        evidence: The variables of the run that the model is shown.
        optional: Those of them that may be absent.
        seed: Another seed gives other orders in a batch.
        concurrency: How many calls may be under way at once for one judgment.
        options: How the model is to answer.
        defence: How the judge protects itself from the evidence.
        examples: Runs with the findings that were right, by the names of the criteria.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.
    """

    kind: Mapping[str, Json]
    criteria: tuple[Criterion, ...]
    model: JudgeModel | str
    mode: Mode
    samples: int
    evidence: Iterable[str]
    optional: Iterable[str]
    seed: int
    concurrency: int
    options: ModelOptions
    defence: Defence
    examples: tuple[Example, ...]
    digest: str = field(init=False)
    """The SHA-256 of the criteria, in hexadecimal."""
    question: Question = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.mode not in ("each", "batch"):
            raise ArgumentError(f"mode must be 'each' or 'batch', not {self.mode!r}")
        check_concurrency(self.concurrency)
        for name, least in (("samples", 1), ("seed", 0)):
            number = getattr(self, name)
            if type(number) is not int or number < least:
                raise ArgumentError(
                    f"{name} must be a whole number from {least} up, got {number!r}"
                )
        _set(self, "digest", digest_of(self.criteria))
        question = Question(
            as_model(self.model),
            task_with_evidence(TASK, self.evidence, own=("criteria",), optional=self.optional),
            options=self.options,
            defence=self.defence,
            examples=self.examples,
            key={**self.kind, "rubric": self.digest},
        )
        for number, example in enumerate(question.examples):
            self._check_example(example, f"examples[{number}]")
        _set(self, "question", question)

    async def ask(self, hearing: Hearing) -> Answers:
        """Ask about all criteria, in each of the samples."""
        calls = [*self._calls(hearing.context)]
        evidence = Quotable(self._evidence(hearing.context))
        answers = await concurrently(
            [partial(self._answer, hearing, evidence, call) for call in calls], self.concurrency
        )
        sheets: list[dict[int, Finding]] = [{} for _ in range(self.samples)]
        for call, answer in zip(calls, answers, strict=True):
            sheets[call.sample].update(zip(call.order, _findings(call, answer), strict=True))
        orders = [[self.criteria[index].name for index in call.order] for call in calls]
        return Answers(
            tuple(tuple(sheet[index] for index in sorted(sheet)) for sheet in sheets),
            tuple(tuple(order) for order in orders if len(order) > 1),
            tuple(answer for answer in answers if isinstance(answer, UnansweredError)),
        )

    def _calls(self, context: JudgmentContext) -> Iterable[_Call]:
        count = len(self.criteria)
        if self.mode == "each":
            return (_Call(n, (index,)) for n in range(self.samples) for index in range(count))
        first = self._first_order(context) + self.samples * sum(current_sample())
        return (_Call(n, balanced_order(count, first + n)) for n in range(self.samples))

    def _first_order(self, context: JudgmentContext) -> int:
        """Where this run begins in the orders: anywhere, and the same each time."""
        seen = [(one.label, one.text) for one in self._evidence(context)]
        content = json.dumps([self.seed, self.digest, seen]).encode()
        return int.from_bytes(sha256(content).digest()[:4], "big")

    def _evidence(self, context: JudgmentContext) -> tuple[Exhibit, ...]:
        names = self.question.template.variables
        return tuple(exhibit for name in names for exhibit in exhibits(name, context))

    async def _answer(
        self, hearing: Hearing, evidence: Quotable, call: _Call
    ) -> Sheet | UnansweredError:
        """What one call gives for the criteria that it asks about, in their order."""
        asked = {f"c{index + 1}": self.criteria[index] for index in call.order}
        one = next(iter(asked.values())) if len(asked) == 1 else None

        def read(response: ModelResponse) -> Sheet | Unread:
            reading = read_object(
                response.text,
                finish_reason=response.finish_reason,
                structured=response.structured,
            )
            if isinstance(reading, Unreadable):
                return Unread.of(reading)
            if one is None:
                return read_all(reading, asked, evidence)
            finding = read_one(reading.members, one, evidence)
            return finding if isinstance(finding, Unread) else (finding,)

        told = "\n\n".join(shown(criterion, name) for name, criterion in asked.items())
        schema = schema_of_all(tuple(sorted(asked))) if one is None else schema_of_one(one)
        with sample(call.sample) if self.samples > 1 else nullcontext():
            try:
                return await hearing.ask(
                    self._question_with_examples(asked), read, own={"criteria": told}, schema=schema
                )
            except UnansweredError as unanswered:
                return unanswered

    def _question_with_examples(self, asked: Mapping[str, Criterion]) -> Question:
        if not self.question.examples:
            return self.question
        examples = tuple(
            Example(example.context, _exemplary(example, asked))
            for example in self.question.examples
        )
        return replace(self.question, examples=examples)

    def _check_example(self, example: Example, place: str) -> None:
        names = [criterion.name for criterion in self.criteria]
        if not isinstance(example.reply, Mapping) or sorted(example.reply) != sorted(names):
            raise ArgumentError(
                f"the reply of {place} must be a table with a finding for each of: "
                f"{', '.join(names)}"
            )
        for criterion in self.criteria:
            entry = example.reply[criterion.name]
            if not isinstance(entry, Mapping):
                raise ArgumentError(f"the finding {criterion.name!r} of {place} is no table")
            found = read_one(entry, criterion, Quotable(()))
            if isinstance(found, Unread):
                raise ArgumentError(f"{place}: {found.detail}")


_set = object.__setattr__


@dataclass(frozen=True, slots=True)
class _Call:
    """One call: the sample that it belongs to, and the criteria in the order of asking."""

    sample: int
    order: tuple[int, ...]


def _findings(call: _Call, answer: Sheet | UnansweredError) -> Sheet:
    """What a call gave; where it gave nothing, each of its criteria is unanswered."""
    if not isinstance(answer, UnansweredError):
        return answer
    return (Finding(UNANSWERED, None, str(answer)),) * len(call.order)


def _exemplary(example: Example, asked: Mapping[str, Criterion]) -> Mapping[str, Json]:
    """The reply that would have been right, in the form that is asked for."""
    assert isinstance(example.reply, Mapping)
    found: list[dict[str, Json]] = []
    for identifier, criterion in asked.items():
        entry = example.reply[criterion.name]
        assert isinstance(entry, Mapping)
        members: dict[str, Json] = {
            "reason": entry["reason"],
            "quote": entry.get("quote", ""),
            "finding": entry["finding"],
        }
        found.append({"id": identifier, **members} if len(asked) > 1 else members)
    return {"findings": found} if len(asked) > 1 else found[0]
