"""How a judge asks its model: what is decided once, when the judge is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, cast

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, Json, check_text, thaw
from agent_judge.llm.fence import Fence
from agent_judge.llm.prompts import Own, PromptTemplate
from agent_judge.models.messages import Message, Part, TextPart
from agent_judge.models.model import Feature, JudgeModel, features_of
from agent_judge.models.naming import parse_model
from agent_judge.models.request import ModelOptions, ModelRequest, ResponseSchema

SYSTEM: Final = (
    "You are an impartial judge of work that an AI agent did. Judge only what is shown to you, by "
    "the task that you are given; length, tone and confidence are no merits. Where the evidence "
    "does not show that something was done, it was not."
)
"""What a model is told to be, unless a judge says otherwise."""

TOKEN: Final = "token"
"""The member of a JSON reply, or the label of a line, that repeats the token."""

MAX_CHARACTERS: Final = 400_000


@dataclass(frozen=True, slots=True)
class Defence:
    """How a judge protects itself from what it judges.

    Args:
        fence: Put the evidence between random marks, and neutralise what could leave them.
        token: Demand that the reply repeats a random text, so that a verdict that was copied from
            the evidence is not taken for the judge's. `None`: where the reply is JSON.
        scan: Look for signs that the evidence addresses the judge, and report them as an advisory
            check.
    """

    fence: bool = True
    token: bool | None = None
    scan: bool = True

    def __post_init__(self) -> None:
        if self.token and not self.fence:
            raise ArgumentError("token=True needs fence=True: both are made of one random text")


@dataclass(frozen=True, slots=True)
class Example:
    """A run that a model is shown with the reply that it should have given.

    Args:
        context: The run.
        reply: The reply: text, or the members of a JSON object.
    """

    context: JudgmentContext
    reply: str | Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Question:
    """How a judge asks its model.

    Args:
        model: The model, or its name as `"provider:model"`.
        template: The prompt; a string is a template without variables of the judge's own.
        system: What the model is told to be.
        options: How it is to answer.
        defence: How the judge protects itself from the evidence.
        examples: Runs with the replies that were right, shown before the question.
        attach: Images and files of the run, for models that read them.
        repairs: How often a reply that cannot be read is sent back.
        limit: The most characters that the prompt may have; a longer one is ERROR `too_large`.
        key: What else a stored reply depends on.

    Raises:
        ArgumentError: A value out of range, or a model's name that `parse_model` refuses.
        ArgumentTypeError: A value of the wrong type.
    """

    model: JudgeModel
    template: PromptTemplate
    system: str = SYSTEM
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    examples: tuple[Example, ...] = ()
    attach: Callable[[JudgmentContext], Iterable[Part]] | None = None
    repairs: int = 1
    limit: int = MAX_CHARACTERS
    key: Mapping[str, Json] = EMPTY

    def __post_init__(self) -> None:
        _set(self, "model", as_model(self.model))
        _set(self, "template", as_template(self.template))
        check_text(self.system, "system")
        if type(self.options) is not ModelOptions:
            raise ArgumentTypeError(f"options must be ModelOptions, not {self.options!r:.80}")
        if type(self.defence) is not Defence:
            raise ArgumentTypeError(f"defence must be a Defence, not {self.defence!r:.80}")
        _set(self, "examples", tuple(self.examples))
        for example in self.examples:
            if type(example) is not Example:
                raise ArgumentTypeError(f"examples must be Examples, not {example!r:.80}")
        for name, least in (("repairs", 0), ("limit", 1)):
            count = getattr(self, name)
            if type(count) is not int or count < least:
                raise ArgumentError(f"{name} must be a whole number from {least} up, got {count!r}")

    def demands_token(self, schema: ResponseSchema | None) -> bool:
        """Whether a reply of this form has to repeat the token."""
        if not self.defence.fence:
            return False
        return schema is not None if self.defence.token is None else self.defence.token

    def request(
        self,
        context: JudgmentContext,
        fence: Fence | None,
        own: Mapping[str, Own] = EMPTY,
        schema: ResponseSchema | None = None,
        key: Mapping[str, Json] = EMPTY,
        *,
        logprobs: int | None = None,
    ) -> ModelRequest:
        """The request that asks about one run.

        Args:
            context: The run.
            fence: The marks around its evidence.
            own: The values of the template's own variables.
            schema: The form of the reply, where it is JSON.
            key: What else a stored reply depends on.
            logprobs: How many alternatives to give for each token of the reply, as in
                `ModelRequest`.
        """
        token = fence.token if fence is not None and self.demands_token(schema) else None
        asked = schema if schema is None or token is None else _with_token(schema)
        form = _form(asked, token)

        def prompt(of: JudgmentContext, own: Mapping[str, Own]) -> str:
            filled = self.template.fill(of, own, *(() if fence is None else (fence.wrap,)))
            return f"{filled}\n\n{form}" if form else filled

        messages = [Message.system(_told(self.system, fence))] if self.system or fence else []
        for example in self.examples:
            messages.append(Message.user(prompt(example.context, own)))
            messages.append(Message.assistant(_exemplary(example.reply, token)))
        attached = () if self.attach is None else tuple(self.attach(context))
        messages.append(Message.user(TextPart(prompt(context, own)), *attached))
        return ModelRequest(
            messages,
            self.options,
            schema=asked if takes_schema(self.model) else None,
            logprobs=logprobs,
            nonce=None if fence is None else fence.nonce,
            cache_key={**self.key, "template": self.template.digest, **key},
        )


_set = object.__setattr__


def as_model(model: object) -> JudgeModel:
    """A model, from itself or from its name.

    Raises:
        ArgumentTypeError: It is neither.
    """
    if isinstance(model, str):
        return parse_model(model)
    if not callable(model) or isinstance(model, type):
        raise ArgumentTypeError(
            f"model must be a name such as 'openai:…' or a callable that takes a ModelRequest, "
            f"not {model!r:.80}"
        )
    return cast("JudgeModel", model)


def as_template(template: object) -> PromptTemplate:
    """A template, from itself or from its text.

    Raises:
        ArgumentTypeError: It is neither.
    """
    if isinstance(template, str):
        return PromptTemplate(template)
    if type(template) is not PromptTemplate:
        raise ArgumentTypeError(f"a prompt is a PromptTemplate or its text, not {template!r:.80}")
    return template


def takes_schema(model: JudgeModel) -> bool:
    """Whether a model can be given a schema; one that does not say is given it."""
    features = features_of(model)
    return features is None or Feature.SCHEMA in features


def _told(system: str, fence: Fence | None) -> str:
    return "\n\n".join(filter(None, (system, "" if fence is None else fence.notice)))


@lru_cache(maxsize=256)
def _with_token(schema: ResponseSchema) -> ResponseSchema:
    """The schema with the token as its first member."""
    plain = schema.plain
    properties = {TOKEN: {"type": "string"}, **plain.get("properties", {})}
    required = [TOKEN, *plain.get("required", ())]
    return ResponseSchema(
        schema.name,
        {**plain, "properties": properties, "required": required},
        schema.description,
        schema.strict,
    )


def _form(schema: ResponseSchema | None, token: str | None) -> str:
    """What a model is told of the form of its reply, as far as it is not the template's to say."""
    if schema is None:
        return "" if token is None else f"Begin your reply with the line `{TOKEN}: {token}`."
    told = _told_schema(schema)
    return told if token is None else f'{told}\nIts "{TOKEN}" is "{token}".'


@lru_cache(maxsize=256)
def _told_schema(schema: ResponseSchema) -> str:
    shown = json.dumps(schema.plain, ensure_ascii=False)
    return f"Reply with one JSON object and nothing else. It satisfies this JSON Schema:\n{shown}"


def _exemplary(reply: str | Mapping[str, Json], token: str | None) -> str:
    if isinstance(reply, str):
        return reply if token is None else f"{TOKEN}: {token}\n{reply}"
    members = reply if token is None else {TOKEN: token, **reply}
    return json.dumps(thaw(members), ensure_ascii=False)
