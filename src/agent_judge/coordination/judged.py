"""A function whose results are judged before they are returned."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, cast

from agent_judge.coordination.asking import AnyPolicy
from agent_judge.coordination.coordinator import JudgeCoordinator
from agent_judge.coordination.feedback import Feedback
from agent_judge.protocol import is_called_async

P = ParamSpec("P")
R = TypeVar("R")


def judged(
    policy: AnyPolicy, max_retries: int = 3, *, agent_id: str | None = None, **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have every result of a function judged, and the function called again with the feedback.

    A function that has a parameter `feedback` is given the `Feedback` there; whoever calls it
    leaves that out. Only a result that was approved is returned.

    Args:
        policy: What decides: a policy, or any judge.
        max_retries: How many calls there are in all, the first included.
        agent_id: What the policy is told; the function's name unless said otherwise.
        options: Further arguments of `JudgeCoordinator`.

    Raises:
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

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        hears = "feedback" in inspect.signature(function).parameters
        name = agent_id or str(getattr(function, "__name__", type(function).__name__))

        def coordinator(*args: P.args, **kwargs: P.kwargs) -> JudgeCoordinator[Any]:
            def execute(_: str, feedback: Feedback) -> Any:
                call: Callable[..., Any] = partial(function, *args, **kwargs)
                return call(feedback=feedback) if hears else call()

            async def aexecute(_: str, feedback: Feedback) -> Any:
                return await execute(_, feedback)

            executor: Any = aexecute if is_called_async(function) else execute
            return JudgeCoordinator[Any](
                policy=policy, executor=executor, max_retries=max_retries, **options
            )

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return cast("R", coordinator(*args, **kwargs).execute(name).unwrap())

        @wraps(function)
        async def acall(*args: P.args, **kwargs: P.kwargs) -> Any:
            return (await coordinator(*args, **kwargs).aexecute(name)).unwrap()

        return cast("Callable[P, R]", acall if is_called_async(function) else call)

    return decorate
