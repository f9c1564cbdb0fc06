"""Judging in pytest: `assert_judged`, and the fixture `judge_run`.

pytest loads this file in every run where the package is installed. So it imports nothing of the
library before a test asks for it, adds no output, and has no effect on tests that do not use it.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

try:
    import pytest
except ModuleNotFoundError as fault:
    if fault.name != "pytest":
        raise
    from agent_judge.extras import missing

    raise missing("pytest", extra="pytest", needed_by="agent_judge.pytest_plugin") from None

if TYPE_CHECKING:
    from typing import Protocol

    from agent_judge.context import JudgmentContext
    from agent_judge.jury import CascadedJury, Jury, MetaJury, Verdict
    from agent_judge.protocol import Judge

    AnyJury = Jury | CascadedJury | MetaJury

    class JudgeRun(Protocol):
        """What the fixture `judge_run` gives."""

        def __call__(
            self,
            jury_or_judge: AnyJury | Judge | str | None = None,
            *,
            soft: bool = False,
            **run: Any,
        ) -> Verdict:
            """Judge a run that is described by the fields of a context."""
            ...


class JudgedWarning(UserWarning):
    """A run did not pass, and the test asked only to be warned."""


def assert_judged(
    context: JudgmentContext, jury_or_judge: AnyJury | Judge, *, soft: bool = False
) -> Verdict:
    """Fail the test unless the run passes.

    Args:
        context: The run.
        jury_or_judge: A jury or cascade, or a single judge.
        soft: Warn instead of failing.

    Returns:
        The verdict, for further assertions.

    Raises:
        AssertionError: The verdict is not PASS; the message shows it with the failed checks. A
            judge that could not judge is told apart from one that failed the run.

    Example:
        >>> from agent_judge import Judgment, JudgmentContext
        >>> judge = lambda context: Judgment.passing("ok")
        >>> assert_judged(JudgmentContext(output="4"), judge).passed
        True
    """
    __tracebackhide__ = True
    return _insist(_as_jury(jury_or_judge).vote(context), soft=soft)


@pytest.fixture
def judge_run(request: pytest.FixtureRequest) -> JudgeRun:
    """Judge a run, and record the verdict in the report of the test.

    It is called with a jury or judge and the fields of a `JudgmentContext`. Without a jury, or with
    its name, that of the configuration nearest to the test's file judges.
    """

    def record(name: str, value: object) -> None:
        request.node.user_properties.append((name, value))

    def judge_and_record(
        jury_or_judge: AnyJury | Judge | str | None = None, *, soft: bool = False, **run: Any
    ) -> Verdict:
        __tracebackhide__ = True
        from agent_judge.context import JudgmentContext
        from agent_judge.report.text import one_line

        if jury_or_judge is None or isinstance(jury_or_judge, str):
            jury = _configured(request, jury_or_judge)
        else:
            jury = _as_jury(jury_or_judge)
        verdict = jury.vote(JudgmentContext(**run))
        record("agent_judge_status", verdict.status.value)
        record("agent_judge_reason", one_line(verdict.reasoning, 500))
        return _insist(verdict, soft=soft)

    return judge_and_record


def explain(verdict: Verdict) -> str:
    """A verdict as the message of a failed test."""
    from agent_judge.report.model import Case, rows_of
    from agent_judge.report.text import one_line

    lines = [f"the verdict is {verdict.status.name}: {one_line(verdict.reasoning, 500)}"]
    for row in rows_of(Case("run", verdict)):
        judgment = row.judgment
        lines.append(
            f"  {judgment.status.name:8} {one_line(row.name, 80)}: {one_line(judgment.reasoning)}"
        )
        for check in judgment.failed_checks:
            where = f" at {check.location}" if check.location else ""
            lines.append(f"           - {one_line(f'{check.name}{where}: {check.message}', 300)}")
    return "\n".join(lines)


def _insist(verdict: Verdict, *, soft: bool) -> Verdict:
    __tracebackhide__ = True
    if verdict.passed:
        return verdict
    if not soft:
        raise AssertionError(explain(verdict))
    warnings.warn(JudgedWarning(explain(verdict)), stacklevel=3)
    return verdict


def _as_jury(jury_or_judge: Any) -> AnyJury:
    if hasattr(jury_or_judge, "vote"):
        jury: AnyJury = jury_or_judge
        return jury
    from agent_judge.jury import Consensus, Jury

    return Jury([jury_or_judge], Consensus())


def _configured(request: pytest.FixtureRequest, name: str | None) -> AnyJury:
    from agent_judge.config import build, find_configuration, read_configuration

    return build(read_configuration(find_configuration(request.path.parent)), name)
