"""The steps by which a G-Eval judges, written once from its criteria by the model itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text
from agent_judge.llm.hearing import Unread
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.llm.reading import Unreadable, read_object
from agent_judge.models.request import ResponseSchema
from agent_judge.models.response import ModelResponse

MAX_STEPS: Final = 20
MAX_STEP: Final = 2_000

WRITE_STEPS: Final = PromptTemplate(
    """\
Write down the steps by which a judge is to score some work. It is to be scored by these criteria:

{{criteria}}

The judge will be shown: {{evidence}}. Give three to six steps, in the order in which they are \
best taken, each in a sentence that says what to look at or to compare. Do not score anything \
yet.""",
    own=("criteria", "evidence"),
)

STEPS_SCHEMA: Final = ResponseSchema(
    "steps",
    {
        "type": "object",
        "properties": {"steps": {"type": "array", "items": {"type": "string"}}},
        "required": ["steps"],
        "additionalProperties": False,
    },
)


def check_steps(steps: Iterable[str]) -> tuple[str, ...]:
    """Refuse what are no steps.

    Raises:
        ArgumentError: Too many, or one that is blank or too long.
        ArgumentTypeError: Something else than a sequence of texts.
    """
    if isinstance(steps, str) or not isinstance(steps, Iterable):
        raise ArgumentTypeError(f"steps must be a sequence of texts, not {steps!r:.80}")
    kept = tuple(steps)
    if len(kept) > MAX_STEPS:
        raise ArgumentError(f"there may be at most {MAX_STEPS} steps, got {len(kept)}")
    for number, step in enumerate(kept, 1):
        check_text(step, f"step {number}")
        if not step.strip() or len(step) > MAX_STEP:
            raise ArgumentError(f"step {number} must have 1 to {MAX_STEP:,} characters")
    return kept


def read_steps(response: ModelResponse) -> tuple[str, ...] | Unread:
    """The steps that a model wrote."""
    reading = read_object(
        response.text, finish_reason=response.finish_reason, structured=response.structured
    )
    if isinstance(reading, Unreadable):
        return Unread.of(reading)
    given = reading.value("steps")
    if not isinstance(given, list | tuple) or not given:
        return Unread("it gives no list of steps", "no_steps")
    try:
        return tuple(step.strip() for step in check_steps(cast("Iterable[str]", given)))
    except (ArgumentError, ArgumentTypeError) as fault:
        return Unread(str(fault), "no_steps")
