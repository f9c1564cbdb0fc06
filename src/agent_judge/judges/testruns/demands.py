"""What is demanded of a test run, beyond that its tests pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from agent_judge.context import MISSING, JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.testruns.wanted import Wanted
from agent_judge.judgment import ReasonCode


@dataclass(frozen=True, slots=True)
class Demands:
    """What is demanded of a test run.

    Where tests are listed by `fail_to_pass` or `pass_to_pass`, these alone decide, as in SWE-bench
    (Jimenez et al. 2024, section 2): other tests may fail.

    Args:
        expected: Tests that must have run and passed, beside all that must not have failed.
        fail_to_pass: Tests that failed before the work and must pass.
        pass_to_pass: Tests that passed before the work and must pass still.
        baseline: How many tests ran before the work.

    Raises:
        ArgumentError: A blank or doubled name, a negative baseline, or lists beside `expected`.
        ArgumentTypeError: A value of the wrong type.
    """

    expected: Sequence[str] = ()
    fail_to_pass: Sequence[str] = ()
    pass_to_pass: Sequence[str] = ()
    baseline: int | None = None

    def __post_init__(self) -> None:
        for name in ("expected", "fail_to_pass", "pass_to_pass"):
            object.__setattr__(self, name, _names(getattr(self, name), name))
        if self.expected and self.has_lists:
            raise ArgumentError(
                "expected says that all tests must pass, and some must be there; fail_to_pass and "
                "pass_to_pass say that only these must; give one or the other"
            )
        _check_baseline(self.baseline)

    @property
    def has_lists(self) -> bool:
        """Whether only certain tests decide."""
        return bool(self.fail_to_pass or self.pass_to_pass)

    @property
    def names(self) -> tuple[str, ...]:
        """All tests that are named."""
        return (*self.expected, *self.fail_to_pass, *self.pass_to_pass)

    def wanted(self) -> Wanted:
        """The tests that are named, nothing of them found yet."""
        return Wanted(self.names)

    def baseline_in(self, context: JudgmentContext) -> int | None:
        """How many tests ran before the work: as declared, else `tests` of the context's baseline.

        Raises:
            WorkspaceError: What the context says there is no number of tests (`missing_input`).
        """
        if self.baseline is not None or context.baseline is MISSING:
            return self.baseline
        stated = context.baseline
        tests = stated.get("tests") if isinstance(stated, Mapping) else None
        if tests is None:
            return None
        if type(tests) is not int or tests < 0:
            reason = (
                f"the baseline of the context says tests={tests!r}, which is no number of tests"
            )
            raise WorkspaceError(reason, ReasonCode.MISSING_INPUT)
        return tests


def _names(names: object, argument: str) -> tuple[str, ...]:
    if not isinstance(names, list | tuple):
        raise ArgumentTypeError(f"{argument} must be names of tests in a list, not {names!r}")
    kept = tuple(cast("Sequence[object]", names))
    for name in kept:
        check_text(name, argument)
        if not str(name).strip():
            raise ArgumentError(f"{argument} holds a blank name")
    if len(set(kept)) != len(kept):
        raise ArgumentError(f"{argument} names a test twice")
    return cast("tuple[str, ...]", kept)


def _check_baseline(baseline: object) -> None:
    if baseline is not None and (type(baseline) is not int or baseline < 0):
        raise ArgumentError(f"baseline must be a number of tests, got {baseline!r}")
