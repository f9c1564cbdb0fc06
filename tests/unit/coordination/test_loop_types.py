"""What type checkers know of a loop; the asserts are theirs, and hold at run time as well."""

from __future__ import annotations

import inspect
from typing import assert_type, get_type_hints

from agent_judge.coordination import (
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    Produced,
    judged,
)
from agent_judge.coordination.options import FurtherOptions, LoopOptions


def decide(_: str, __: str, ___: JudgeContext) -> JudgeVerdict:
    """Approve."""
    return JudgeVerdict.approve("ok", 1)


def test_the_type_of_the_output_is_that_of_what_the_executor_makes() -> None:
    """Sync or async, as it is or with what it consumed. (contract: loop:A3)"""

    def work(_: str, __: Feedback) -> str:
        return "x"

    async def awork(_: str, __: Feedback) -> str:
        return "x"

    def produce(_: str, __: Feedback) -> Produced[str]:
        return Produced("x")

    async def aproduce(_: str, __: Feedback) -> Produced[str]:
        return Produced("x")

    plain = JudgeCoordinator(policy=decide, executor=work, max_retries=2)
    awaited = JudgeCoordinator(policy=decide, executor=awork)
    produced = JudgeCoordinator(policy=decide, executor=produce)
    both = JudgeCoordinator(policy=decide, executor=aproduce)

    assert assert_type(plain.execute("a").unwrap(), str) == "x"
    assert assert_type(awaited.execute("a").unwrap(), str) == "x"
    assert assert_type(produced.execute("a").unwrap(), str) == "x"
    assert assert_type(both.execute("a").output, str | None) == "x"


def test_a_decorated_function_keeps_its_type() -> None:
    """Arguments and result."""

    @judged(decide, timeout=60)
    def work(count: int) -> str:
        return "x" * count

    assert assert_type(work(2), str) == "xx"


def test_every_option_is_one_that_type_checkers_know() -> None:
    """Those of the signature, and no others."""
    parameters = {*inspect.signature(JudgeCoordinator.__init__).parameters}

    assert parameters - {"self", "policy", "executor"} == {*get_type_hints(LoopOptions)}
    assert {*FurtherOptions.__annotations__} < {*LoopOptions.__annotations__}
