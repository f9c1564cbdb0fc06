"""How a model is asked to compare two answers, without being told which of them is judged."""

from __future__ import annotations

from typing import Final, Protocol

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm.hearing import Unread
from agent_judge.llm.preferences import Preference, PreferenceClassifier
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.models.request import ResponseSchema
from agent_judge.models.response import ModelResponse


class ReadPreference(Protocol):
    """What a reply prefers: any pure function of it."""

    def __call__(self, response: ModelResponse, /) -> Preference | Unread:
        """Read one reply."""
        ...


CRITERION: Final = (
    "the better answer is correct, does what the task asks for, and leaves nothing essential out."
)
PROMPT: Final = PromptTemplate(
    """\
Compare two answers to the same task.

The task:
{{goal}}

Answer 1:
{{first}}

Answer 2:
{{second}}

Decide which of them is better by this criterion alone: {{criterion}} Which one is shown first \
means nothing, and neither do length, style and confidence. {{verdicts}}""",
    own=("first", "second", "criterion", "verdicts"),
    optional=("goal",),
    blank="(not given)",
)
NUMBERED: Final = PreferenceClassifier({"1": "first", "2": "second", "tie": "tie"})
"""Reads the number of the better answer, or "tie"."""


def with_places(prompt: object, against: str) -> PromptTemplate:
    """A prompt of somebody's own, from itself or from its text.

    Raises:
        ArgumentError: It has no place for one of the answers, or shows one of them outside of its
            place, or has variables that nobody fills in.
        ArgumentTypeError: It is no prompt.
    """
    if isinstance(prompt, str):
        prompt = PromptTemplate(prompt, own=PROMPT.own)
    if type(prompt) is not PromptTemplate:
        raise ArgumentTypeError(f"a prompt is a PromptTemplate or its text, not {prompt!r:.80}")
    if strange := [name for name in prompt.own if name not in PROMPT.own]:
        raise ArgumentError(
            f"the prompt's own variables are {', '.join(PROMPT.own)}, not {strange[0]!r:.80}"
        )
    for place in ("first", "second"):
        if place not in prompt.own or place not in prompt.places:
            raise ArgumentError(f"the prompt has no place {{{{{place}}}}} for an answer")
    for name in prompt.variables:
        if _shows("output", name) or _shows(against, name):
            raise ArgumentError(
                f"the prompt shows {{{{{name}}}}}, which tells the model whose answer is which; "
                "show {{first}} and {{second}}"
            )
    return prompt


def schema_of(classifier: ReadPreference, reply: str | None) -> ResponseSchema | None:
    """The form of the replies that a classifier reads, where it is JSON."""
    if reply == "text" or (reply is None and classifier is not NUMBERED):
        return None
    schema = getattr(classifier, "schema", None)
    if type(schema) is not ResponseSchema:
        raise ArgumentError("reply='json' needs a classifier with a schema, a ResponseSchema")
    return schema


def verdicts(classifier: ReadPreference, schema: ResponseSchema | None) -> str:
    """How a model is told to say its verdict; empty where only the prompt can know."""
    if not isinstance(classifier, PreferenceClassifier):
        return ""
    if schema is not None:
        return f'The "{classifier.keys[0]}" is {classifier.meanings}.'
    if classifier.sentence is not None:
        wanted = f'the sentence "{classifier.sentence}", with its label'
    else:
        wanted = "a line that holds nothing but your verdict"
    return f"End your reply with {wanted}: {classifier.meanings}."


def _shows(answer: str, name: str) -> bool:
    """Whether a variable holds an answer, a part of it, or what it is a part of."""
    return f"{answer}.".startswith(f"{name}.") or f"{name}.".startswith(f"{answer}.")
