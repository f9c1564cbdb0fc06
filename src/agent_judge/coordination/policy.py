"""What a policy is: anything that turns an attempt's output into a `JudgeVerdict`."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol, TypeAlias, runtime_checkable

from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.verdict import JudgeVerdict


@runtime_checkable
class JudgePolicy(Protocol):
    """Decides about an attempt; a function of the same arguments is a policy as well.

    `evaluate` may be an async method. It is never told what the agent thought, only what it
    made.
    """

    def evaluate(
        self, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict | Awaitable[JudgeVerdict]:
        """Decide about an output.

        Args:
            agent_id: Who made it.
            output: What the executor returned.
            context: Which attempt it is, and what was decided about the earlier ones.
        """
        ...


class PolicyFunction(Protocol):
    """A policy that is a plain function, sync or async."""

    def __call__(
        self, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict | Awaitable[JudgeVerdict]:
        """Decide about an output."""
        ...


PolicyLike: TypeAlias = JudgePolicy | PolicyFunction
"""What is taken wherever a policy is."""
