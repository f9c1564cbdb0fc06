"""Whether the evidence of a stored judgment can be what the library recorded.

No caller can write evidence, but whoever writes a file can. A judgment that stands by itself has no
seats from which it could be counted again. So this looks at what it says of itself: whether that
has the form that the library gives it, adds up, and agrees with the status. That is no proof; a
verdict with its seats is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.errors import WireError
from agent_judge.frozen import thaw
from agent_judge.judgment import EVIDENCE_KEY, HOLLOW, Judgment, ReasonCode, Status
from agent_judge.jury.evidence import CUSTOM, RETURNED
from agent_judge.jury.stage import gate_status
from agent_judge.jury.verdict import Decision
from agent_judge.scores import reaches
from agent_judge.wire.codecs import (
    AMOUNT,
    FLAG,
    SHARE,
    TEXT,
    Always,
    AnyObject,
    Codec,
    Many,
    Number,
    OneOf,
    Record,
)
from agent_judge.wire.votes import check_vote, status_refused

CHILD: Final = Record[dict[str, Any]](
    dict, optional=("code",), name=TEXT, status=OneOf(Status), code=OneOf(ReasonCode)
)

EARLY_STOP: Final = Record[dict[str, Any]](
    dict, not_asked=Number(whole=True, low=1), errors_foreseen=Always(False)
)

SHAPES: Final[Mapping[str, Codec]] = {
    "strategy": TEXT,
    CUSTOM: Always(True),
    HOLLOW: Always(True),
    RETURNED: AnyObject(),
    "threshold": SHARE,
    "abandoned": Always(True),
    "late_by": AMOUNT,
    "children": Many(CHILD),
    "early_stop": EARLY_STOP,
    "decided_by": TEXT,
    "computed": FLAG,
    "gates_not_established": Many(TEXT),
    "gates_not_exercised": Many(TEXT),
    "run_status": OneOf(ExecutionStatus),
    "judges_found": OneOf(Status),
    "judges_rule": TEXT,
}
"""The form of what juries, combinators and the engine record, by its name."""


def check_evidence(judgment: Judgment, path: str) -> None:
    """Refuse evidence that the library cannot have recorded of this judgment.

    Raises:
        WireError: It has another form, or contradicts itself or the status.
    """
    said, place = judgment.evidence, f"{path}.metadata.{EVIDENCE_KEY}"
    for name in [name for name in said if name in SHAPES]:
        SHAPES[name].read(thaw(said[name]), f"{place}.{name}")
    found = _found(judgment, path)
    if HOLLOW in said and found not in (Status.FAIL, None):
        raise status_refused(path, found, f"{HOLLOW!r} is said of a failure")
    if {"abandoned", "late_by"} & said.keys() and judgment.code is not ReasonCode.TIMEOUT:
        raise WireError(f"{path}.code: is not that of a judge that was late, which evidence says")
    _check_children(judgment, path)
    _check_mark(judgment, path)
    if "strategy" in said:
        check_vote(said, found, path)
    elif said.keys() & {CUSTOM, "eligible", "early_stop"}:
        raise WireError(f"{place}.strategy: missing")


def _found(judgment: Judgment, path: str) -> Status | None:
    """The status that the judges gave, before that of the run laid another one down.

    Where it did so in a tier of a cascade as well as in the cascade, nothing is left of it.
    """
    said: Mapping[str, Any] = judgment.evidence
    if "run_status" not in said:
        return judgment.status
    run = JudgmentContext(status=ExecutionStatus(said["run_status"]))
    ruled, decision = gate_status(run, judgment, Decision("", "", computed=True))
    if decision.computed or ruled.status is not judgment.status:
        raise status_refused(path, judgment.status, f"the run ended as {said['run_status']!r}")
    if "judges_found" not in said:
        raise WireError(f"{path}.metadata.{EVIDENCE_KEY}.judges_found: missing")
    return None if "decided_by" in said else Status(said["judges_found"])


def _check_children(judgment: Judgment, path: str) -> None:
    """A combination has the status of one of the judges in it."""
    children: Any = judgment.evidence.get("children")
    if children is not None and judgment.status.value not in {one["status"] for one in children}:
        raise status_refused(path, judgment.status, "none of the judges inside found that")


def _check_mark(judgment: Judgment, path: str) -> None:
    """What passed reaches the mark that was applied; what a custom strategy applies is its own."""
    mark: Any = judgment.evidence.get("threshold")
    score = judgment.effective_score
    if mark is None or score is None or not judgment.passed or CUSTOM in judgment.evidence:
        return
    if not reaches(score, mark):
        why = f"its score {score:.4g} does not reach the mark {mark:g}"
        raise status_refused(path, judgment.status, why)
