"""Stages: what gives a verdict (juries, cascades, meta juries), and how one is run in another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.engine.ask import Asked, Turn
from agent_judge.engine.doors import needs_loop
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap, Json
from agent_judge.judgment import Judgment, ReasonCode, with_evidence
from agent_judge.jury.verdict import Decision, Spending, StageFailure, Verdict
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.usage import Usage

MAX_DEPTH: Final = 8
"""How deep stages may nest, unless said otherwise."""

MAX_STAGES: Final = 32
"""How many stages one cascade or meta jury may have, unless said otherwise."""


@runtime_checkable
class Stage(Protocol):
    """Anything that gives a verdict on a run; `Jury`, `CascadedJury` and `MetaJury` do."""

    async def avote(self, context: JudgmentContext, /) -> Verdict:
        """Judge one run."""
        ...


class StageDepth(Protocol):
    """A stage that knows how deep the stages in it nest."""

    @property
    def depth(self) -> int:
        """1 for a jury of plain judges."""
        ...


@dataclass(frozen=True, slots=True)
class ForeignStage:
    """A stage of somebody else's making, asked through its one public method."""

    stage: Stage
    metadata: JudgeMetadata

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Judge one run."""
        return (await self.stage.avote(context)).judgment

    @property
    def children(self) -> tuple[Asked, ...]:
        """Unknown: whatever is inside, the stage asks by itself."""
        return ()

    async def judge_in(self, run: Run, context: JudgmentContext) -> Verdict:
        """Ask the stage within a run."""
        await needs_loop(run)
        verdict: object = await self.stage.avote(context)
        if not isinstance(verdict, Verdict):
            raise ArgumentTypeError(f"a stage gives a Verdict, not {type(verdict).__name__}")
        return verdict


def asked_stage(name: str, stage: object) -> Asked:
    """A stage as the engine asks it.

    Raises:
        ArgumentTypeError: It gives no verdicts.
    """
    if hasattr(stage, "judge_in") and hasattr(stage, "depth"):
        return Asked(stage, name)  # type: ignore[arg-type]
    if isinstance(stage, Stage):
        metadata = JudgeMetadata(type(stage).__name__, type="stage", conditional=True)
        return Asked(ForeignStage(stage, metadata), name)
    raise ArgumentTypeError(
        f"stage {name!r} must be a Jury, CascadedJury, MetaJury or another object with avote(), "
        f"not {type(stage).__name__}"
    )


def failure_of_stage(turn: Turn) -> StageFailure:
    """How a stage crashed. What its exception says may hold secrets: that goes to the log only."""
    import logging

    raised = turn.raised
    assert turn.judgment is not None
    logging.getLogger("agent_judge").error(
        "stage %r failed: %s", turn.asked.name, turn.judgment.reasoning, exc_info=raised
    )
    if raised is None:
        code = turn.judgment.code or ReasonCode.INTERNAL
        return StageFailure(code, "")
    return StageFailure(ReasonCode.STAGE_FAILED, type(raised).__name__)


def depth_of(judges: Iterable[Asked]) -> int:
    """How deep the stages among these judges nest, looking into combinators too."""
    return max((_depth(judge.call) for judge in judges), default=0)


def _depth(judge: Any) -> int:
    own = getattr(judge, "depth", None)
    if isinstance(own, int):
        return own
    if isinstance(judge, ForeignStage):
        return 1
    children = getattr(judge, "children", ())
    return max((_depth(child.call) for child in children if isinstance(child, Asked)), default=0)


def check_depth(depth: int, limit: int, what: str) -> None:
    """Refuse stages that nest too deep.

    Raises:
        ArgumentError: They do.
    """
    if depth > limit:
        raise ArgumentError(
            f"{what} nests {depth} stages deep, and max_depth={limit} are allowed; "
            "flatten it, or raise max_depth"
        )


def joint_cost(judges: Iterable[Asked]) -> Cost | None:
    """The highest cost class among judges; unknown when one is."""
    costs = [judge.metadata.cost for judge in judges]
    known = [cost for cost in costs if cost is not None]
    return max(known) if len(known) == len(costs) else None


def changed_options(**options: tuple[Json, Json]) -> Mapping[str, Json]:
    """Those of the options, given as (value, default), whose value is not the default."""
    return FrozenMap(
        {name: value for name, (value, default) in options.items() if value != default}
    )


def count_judges(asked: Asked) -> int:
    """How many seats asking a judge fills: those inside, where it is a jury."""
    return getattr(asked.call, "seat_count", 1)


_RUN_FAILED: Final = frozenset(
    {
        ExecutionStatus.FAILED,
        ExecutionStatus.TIMEOUT,
        ExecutionStatus.TRUNCATED,
        ExecutionStatus.REFUSED,
    }
)


def gate_status(
    context: JudgmentContext, judgment: Judgment, decision: Decision
) -> tuple[Judgment, Decision]:
    """Lay down the judgment of a run that did not end well, whatever its judges found.

    Files that an earlier run left behind can satisfy every check. A run that failed, timed out,
    was cut or refused is FAIL; one that was cancelled is ABSTAIN.
    """
    status = context.status
    if status in _RUN_FAILED:
        error = f": {context.error}" if context.error else ""
        ruled = Judgment.failing(
            f"the run itself ended as {status.value}{error}", code=ReasonCode.RUN_FAILED
        )
    elif status is ExecutionStatus.CANCELLED:
        ruled = Judgment.abstaining("the run was cancelled", code=ReasonCode.RUN_CANCELLED)
    else:
        return judgment, decision
    evidence = {
        **judgment.evidence,
        "rule": "status_gate",
        "run_status": status.value,
        "judges_found": judgment.status.value,
        "judges_rule": decision.rule,
    }
    return with_evidence(ruled, evidence), Decision("", "status_gate", computed=False)


def total_spending(parts: Iterable[Spending], elapsed: float) -> Spending:
    """Spendings added up over the time that passed."""
    known = tuple(parts)
    usages = [part.usage for part in known if part.usage is not None]
    return Spending(
        judges=sum(part.judges for part in known),
        saved=sum(part.saved for part in known),
        usage=Usage.total(usages) if usages else None,
        unreported=sum(part.unreported for part in known),
        elapsed=elapsed,
    )
