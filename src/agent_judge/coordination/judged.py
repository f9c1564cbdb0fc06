"""A function whose results are judged before they are returned."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar, Unpack, cast

from agent_judge.coordination.asking import AnyPolicy
from agent_judge.coordination.coordinator import JudgeCoordinator
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.options import FurtherOptions
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.protocol import is_called_async

P = ParamSpec("P")
R = TypeVar("R")

HEARS: Final = "feedback"
"""The name of the parameter by which a function hears what was said of its last result."""


def judged(
    policy: AnyPolicy,
    max_retries: int = 3,
    *,
    agent_id: str | None = None,
    **options: Unpack[FurtherOptions],
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have every result of a function judged, and the function called again with the feedback.

    A function that has a parameter `feedback` is given the `Feedback` there; whoever calls it
    leaves that out. Only a result that was approved is returned. Arguments that the function does
    not take are the caller's mistake, and raise `TypeError` at once.

    Args:
        policy: What decides: a policy, or any judge.
        max_retries: How many calls there are in all, the first included.
        agent_id: What the policy is told; the function's name unless said otherwise.
        options: Further arguments of `JudgeCoordinator`.

    Raises:
        ArgumentError: A wrong option, or a `feedback` that cannot be given by name.
        NotApprovedError: When the function is called, and nothing it returned was approved; the
            error carries the whole result.

    Example:
        >>> from agent_judge.judges.text import ContainsJudge
        >>> @judged(ContainsJudge("sorry"))
        ... def answer(question: str, feedback: Feedback = Feedback()) -> str:
        ...     return "We are sorry." if feedback else "No."
        >>> answer("Why?")
        'We are sorry.'
    """
    given: dict[str, Any] = {"policy": policy, "max_retries": max_retries, **options}
    JudgeCoordinator[Any](executor=_nothing, **given)  # refuses wrong options here, not at a call

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = _signature(function)
        hears = HEARS in signature.parameters
        name = agent_id or str(getattr(function, "__name__", type(function).__name__))
        is_async = is_called_async(function)

        def coordinator(args: tuple[Any, ...], kwargs: dict[str, Any]) -> JudgeCoordinator[Any]:
            signature.bind(*args, **kwargs, **({HEARS: Feedback()} if hears else {}))

            def execute(_: str, feedback: Feedback) -> Any:
                told = {HEARS: feedback} if hears else {}
                return cast("Any", function)(*args, **kwargs, **told)

            async def aexecute(_: str, feedback: Feedback) -> Any:
                return await execute(_, feedback)

            return JudgeCoordinator[Any](executor=aexecute if is_async else execute, **given)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return cast("R", coordinator(args, kwargs).execute(name).unwrap())

        @wraps(function)
        async def acall(*args: P.args, **kwargs: P.kwargs) -> Any:
            return (await coordinator(args, kwargs).aexecute(name)).unwrap()

        return cast("Callable[P, R]", acall if is_async else call)

    return decorate


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    if not callable(function) or isinstance(function, type):
        raise ArgumentTypeError(f"@judged(policy) decorates a function, not {function!r:.120}")
    signature = inspect.signature(function)
    parameter = signature.parameters.get(HEARS)
    if parameter is not None and parameter.kind is parameter.POSITIONAL_ONLY:
        raise ArgumentError("the parameter feedback is given by name; do not make it positional")
    return signature


def _nothing(_: str, __: Feedback) -> None:
    """An executor that is never called."""
