"""A task with the evidence below it, each piece under a heading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text
from agent_judge.judgment import Judgment
from agent_judge.llm.exhibits import METADATA, VARIABLES, is_variable
from agent_judge.llm.hearing import unasked
from agent_judge.llm.model_backed import hollow, is_hollow
from agent_judge.llm.prompts import PromptTemplate

HEADINGS: Final[Mapping[str, str]] = {
    "goal": "The task that the work was to do",
    "output": "The output to judge",
    "expected": "What a correct output says",
    "baseline": "The baseline",
    "sources": "The sources",
    "tool_calls": "The calls of tools that were made",
    "status": "How the run ended",
    "error": "The error that the run ended with",
    "finish_reason": "Why the model stopped",
}


def task_with_evidence(
    task: str, evidence: Iterable[str], *, own: tuple[str, ...] = (), optional: Iterable[str] = ()
) -> PromptTemplate:
    """A prompt of a task and of what a run has, in this order.

    Args:
        task: What the model is to do; it may use variables of the judge's own.
        evidence: The variables of the run that are shown.
        own: The variables of the judge's own.
        optional: Those of the evidence that may be absent; the prompt then says so.

    Raises:
        ArgumentError: No evidence, a name twice, or one that is no variable of a run.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> print(task_with_evidence("Judge.", ["output"]).text)
        Judge.
        <BLANKLINE>
        The output to judge:
        {{output}}
    """
    names = _names(evidence, "evidence")
    sections = [f"{HEADINGS.get(name, name)}:\n{{{{{name}}}}}" for name in names]
    text = "\n\n".join((task, *sections))
    return PromptTemplate(text, own, _names(optional, "optional", names), blank="(there is none)")


def without_asking(context: JudgmentContext, template: PromptTemplate) -> Judgment | None:
    """What is found without a call: FAIL of an output that says nothing, ABSTAIN of a gap."""
    if "output" in template.variables and is_hollow(context):
        return hollow(context)
    return unasked(context, template)


def _names(
    given: Iterable[str], what: str, known: tuple[str, ...] | None = None
) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ArgumentTypeError(f"{what} must be a sequence of names, not {given!r:.80}")
    names = tuple(given)
    for index, name in enumerate(names):
        check_text(name, what)
        if not is_variable(name):
            raise ArgumentError(
                f"{what} names {name!r}, which no run has; known are {', '.join(VARIABLES)} "
                f"and {METADATA}NAME"
            )
        if name in names[:index]:
            raise ArgumentError(f"{what} names {name!r} twice")
        if known is not None and name not in known:
            raise ArgumentError(f"{what} names {name!r}, which is not shown as evidence")
    if known is None and not names:
        raise ArgumentError(f"{what} must name something to judge by, such as 'output'")
    return names
