"""Asking a policy, whatever it is made of, and always getting a `JudgeVerdict`."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias, TypeGuard, cast, runtime_checkable

from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.errors import PolicyContractError
from agent_judge.coordination.policy import PolicyLike
from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.engine import in_worker
from agent_judge.engine.ask import bounded_repr, is_awaitable
from agent_judge.engine.doors import aenter, enter, needs_loop
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentTypeError
from agent_judge.protocol import MAX_NAME, Cost, Judge, JudgeMetadata, describe, is_called_async


@runtime_checkable
class BuiltInPolicy(Protocol):
    """A policy of this library: it asks its judges within the run that it belongs to."""

    async def evaluate_in(
        self, run: Run, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict:
        """Decide about an output, within a run."""
        ...


class Evaluating(ABC):
    """The two doors of a policy that is asked within a run."""

    __slots__ = ()

    def evaluate(self, agent_id: str, output: Any, context: JudgeContext, /) -> JudgeVerdict:
        """Decide about an output.

        Args:
            agent_id: Who made it.
            output: What was made.
            context: Which attempt it is, for example `JudgeContext.first(3)`.
        """
        run = Run()
        return enter(run, self.evaluate_in(run, agent_id, output, context))

    async def aevaluate(self, agent_id: str, output: Any, context: JudgeContext, /) -> JudgeVerdict:
        """`evaluate` for callers that run an event loop."""
        run = Run()
        return await aenter(run, self.evaluate_in(run, agent_id, output, context))

    @abstractmethod
    async def evaluate_in(
        self, run: Run, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict:
        """Decide within a run that others belong to as well."""


AnyPolicy: TypeAlias = PolicyLike | Judge
"""What is taken as a policy: one, a function of three arguments, or any judge or jury."""


class AskedPolicy:
    """A policy, and how it is called.

    Args:
        policy: An object with `evaluate`, a function of three arguments, or any judge.
        what: How messages name it.

    Raises:
        ArgumentTypeError: It is none of these.
    """

    __slots__ = ("_built_in", "_call", "_policy", "cost")

    def __init__(self, policy: AnyPolicy, what: str = "policy") -> None:
        taken: Any = _as_policy(policy, what)
        self._policy = taken
        self._call: Callable[..., object] = getattr(taken, "evaluate", taken)
        self._built_in: BuiltInPolicy | None = taken if _is_built_in(taken) else None
        self.cost: Final[Cost | None] = getattr(taken, "cost", None)

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of it: of the judge that it asks, or else its name in code."""
        policy: Any = self._policy
        if isinstance(known := getattr(policy, "metadata", None), JudgeMetadata):
            return known
        if callable(policy):
            return describe(cast("Judge", policy))
        return JudgeMetadata(policy.__class__.__name__[:MAX_NAME], cost=self.cost, type="policy")

    @property
    def criteria(self) -> str:
        """What it decides by: what it says of that itself, or else the name of its code."""
        stated = getattr(self._policy, "fingerprint", None)
        if isinstance(stated, str):
            return stated
        policy: Any = self._policy
        code: Any = policy if hasattr(policy, "__qualname__") else policy.__class__
        return f"{code.__module__}.{code.__qualname__}"

    async def ask(
        self, run: Run, agent_id: str, output: object, context: JudgeContext
    ) -> JudgeVerdict:
        """Ask once.

        Raises:
            PolicyContractError: The answer is not a `JudgeVerdict`.
        """
        if self._built_in is not None:
            answer: object = await self._built_in.evaluate_in(run, agent_id, output, context)
        else:
            answer = await called(run, lambda: self._call(agent_id, output, context), self._call)
        if not isinstance(answer, JudgeVerdict):
            raise PolicyContractError(
                f"the policy returned {bounded_repr(answer)}, which is not a JudgeVerdict; return "
                "JudgeVerdict.approve(…), .retry(…) or .reject(…)"
            )
        return answer


def _is_built_in(policy: object) -> TypeGuard[BuiltInPolicy]:
    return hasattr(type(policy), "evaluate_in")


def _as_policy(policy: Any, what: str) -> Any:
    """The policy itself, or the one that a judge makes."""
    if isinstance(policy, type):
        raise ArgumentTypeError(f"{what} is the class {policy!r}; give an instance of it")
    if callable(getattr(policy, "evaluate", None)):
        return policy
    if not callable(policy):
        raise ArgumentTypeError(f"{what} must be a policy or a judge, not {policy!r:.120}")
    if isinstance(getattr(policy, "metadata", None), JudgeMetadata) or _takes(policy) == 1:
        from agent_judge.coordination.policies.jury import JuryPolicy

        return JuryPolicy(cast("Judge", policy))
    if _takes(policy) not in (_ARGUMENTS, None):
        raise ArgumentTypeError(
            f"{what} {policy!r:.120} takes neither (agent_id, output, context), as a policy does, "
            "nor (context), as a judge does"
        )
    return policy


_ARGUMENTS: Final = 3


def _takes(function: Callable[..., Any]) -> int | None:
    """How many arguments by position a function needs; `None` where that cannot be told."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(
        parameter.kind in by_position and parameter.default is parameter.empty
        for parameter in parameters
    )


async def called(run: Run, call: Callable[[], object], function: Callable[..., object]) -> object:
    """What a function of the user gives: called here, or in a thread where an event loop waits.

    Args:
        run: The call from outside that this belongs to.
        call: Calls it.
        function: The function, which says whether it is async.
    """
    here = not run.on_loop or is_called_async(function)
    answer = call() if here else await in_worker(call)
    if is_awaitable(answer):
        await needs_loop(run)
        answer = await answer
    return answer
