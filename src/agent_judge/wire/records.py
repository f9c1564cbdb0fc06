"""Every record that is stored: the codec of each of its fields, in the order of writing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from agent_judge.context import ExecutionStatus, JudgmentContext, Source, ToolCall
from agent_judge.errors import WireError
from agent_judge.frozen import FrozenMap, Json, check_text
from agent_judge.judgment import (
    EVIDENCE_KEY,
    Check,
    Judgment,
    Location,
    ReasonCode,
    Status,
    with_evidence,
)
from agent_judge.jury.verdict import (
    Decision,
    KeySource,
    Seat,
    Spending,
    StageAttempt,
    StageEffect,
    StageFailure,
    Verdict,
)
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore, Score
from agent_judge.usage import Usage
from agent_judge.wire.codecs import (
    AMOUNT,
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    AnyJson,
    AnyObject,
    Codec,
    Converted,
    Later,
    Many,
    OneOf,
    Record,
    brief,
    expect_object,
    refused_as_wire_error,
)
from agent_judge.wire.evidence import check_evidence


def _portable(path: Path) -> str:
    """The path as text; a name that is no text cannot be stored."""
    text = path.as_posix()
    check_text(text, "workspace")
    return text


JSON = AnyJson()
FACTS = AnyObject(nulls=False)
ARGUMENTS = AnyObject()
MOMENT = Converted(datetime.isoformat, datetime.fromisoformat, "a moment in ISO 8601")
PATH = Converted(_portable, Path, "a path")
USAGE = Record(
    Usage,
    input_tokens=COUNT,
    output_tokens=COUNT,
    total_tokens=COUNT,
    cached_tokens=COUNT,
    reasoning_tokens=COUNT,
    calls=COUNT,
    cost=AMOUNT,
)


BOOLEAN = Record(BooleanScore, value=FLAG)

NUMERICAL = Record(NumericalScore, value=NUMBER, low=NUMBER, high=NUMBER)

CATEGORICAL = Record(CategoricalScore, value=TEXT, categories=Many(TEXT), numbers=FACTS)


class ScoreCodec:
    """A score with its kind beside its fields."""

    kinds: Mapping[str, Record[Any]] = {
        "boolean": BOOLEAN,
        "numerical": NUMERICAL,
        "categorical": CATEGORICAL,
    }

    def write(self, value: Score) -> dict[str, Any]:
        """The kind, then the fields."""
        for name, record in self.kinds.items():
            if type(value) is record.kind:
                return {"kind": name, **record.write(value)}
        raise AssertionError(value)

    def read(self, data: Any, path: str) -> Score:
        """The score of the kind that is named."""
        given = dict(expect_object(data, path))
        kind = given.pop("kind", None)
        record = self.kinds.get(kind) if isinstance(kind, str) else None
        if record is None:
            raise WireError(f"{path}.kind: expected one of {list(self.kinds)}, found {brief(kind)}")
        score: Score = record.read(given, path)
        return score


LOCATION = Record(Location, path=TEXT, line=COUNT, column=COUNT)

CHECK = Record(
    Check,
    name=TEXT,
    passed=FLAG,
    message=TEXT,
    examined=COUNT,
    advisory=FLAG,
    location=LOCATION,
)


class JudgmentCodec(Record[Judgment]):
    """A judgment, whose evidence comes back past the rule that no caller may write it."""

    def read(self, data: Any, path: str) -> Judgment:
        """The judgment with its evidence."""
        fields = self.read_fields(data, path)
        facts: dict[str, Any] = dict(fields["metadata"])
        evidence: object = facts.pop(EVIDENCE_KEY, None)
        if evidence is not None and not isinstance(evidence, FrozenMap):
            raise WireError(f"{path}.metadata.{EVIDENCE_KEY}: expected an object")
        fields["metadata"] = FrozenMap(facts)
        judgment = refused_as_wire_error(path, lambda: Judgment(**fields))
        if evidence is None:
            return judgment
        recorded = with_evidence(judgment, cast("FrozenMap[Json]", evidence))
        check_evidence(recorded, path)
        return recorded


JUDGMENT = JudgmentCodec(
    Judgment,
    status=OneOf(Status),
    reasoning=TEXT,
    score=ScoreCodec(),
    label=TEXT,
    checks=Many(CHECK),
    metadata=FACTS,
    code=OneOf(ReasonCode),
    usage=USAGE,
    elapsed=AMOUNT,
)

TOOL_CALL = Record(
    ToolCall,
    name=TEXT,
    arguments=ARGUMENTS,
    result=JSON,
    error=TEXT,
    id=TEXT,
)

SOURCE = Record(
    Source,
    text=TEXT,
    id=TEXT,
    title=TEXT,
    uri=TEXT,
    score=NUMBER,
    metadata=FACTS,
)

CONTEXT = Record(
    JudgmentContext,
    goal=TEXT,
    output=JSON,
    workspace=PATH,
    status=OneOf(ExecutionStatus),
    started_at=MOMENT,
    elapsed=AMOUNT,
    error=TEXT,
    expected=JSON,
    baseline=JSON,
    sources=Many(SOURCE),
    tool_calls=Many(TOOL_CALL),
    usage=USAGE,
    model=TEXT,
    finish_reason=TEXT,
    metadata=FACTS,
)

SEAT = Record(
    Seat,
    key=TEXT,
    position=COUNT,
    judgment=JUDGMENT,
    weight=AMOUNT,
    key_source=OneOf(KeySource),
    conditional=FLAG,
    verdict=Later(lambda: VERDICT),
)

SPENDING = Record(
    Spending,
    judges=COUNT,
    saved=COUNT,
    usage=USAGE,
    unreported=COUNT,
    elapsed=AMOUNT,
)

DECISION = Record(Decision, stage=TEXT, rule=TEXT, computed=FLAG)

FAILURE = Record(StageFailure, code=OneOf(ReasonCode), exception=TEXT)

ATTEMPT = Record(
    StageAttempt,
    name=TEXT,
    effect=OneOf(StageEffect),
    verdict=Later(lambda: VERDICT),
    failure=FAILURE,
    skipped=TEXT,
    rule=TEXT,
    note=TEXT,
    weight=AMOUNT,
)


class VerdictCodec(Record[Verdict]):
    """A verdict that has lost no seat: every place is taken once, and no two are called alike."""

    def read(self, data: Any, path: str) -> Verdict:
        """The verdict with its seats in order."""
        verdict = super().read(data, path)
        if verdict.seats and verdict.attempts:
            raise WireError(f"{path}.attempts: a verdict has seats or attempts, not both")
        for index, seat in enumerate(verdict.seats):
            if seat.position != index:
                raise WireError(f"{path}.seats[{index}].position: expected {index}")
        _refuse_repeated([seat.key for seat in verdict.seats], f"{path}.seats", "key")
        _refuse_repeated([attempt.name for attempt in verdict.attempts], f"{path}.attempts", "name")
        return verdict


def _refuse_repeated(names: list[str], path: str, field: str) -> None:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            raise WireError(f"{path}[{index}].{field}: {name!r} is there twice")
        seen.add(name)


VERDICT: Codec = VerdictCodec(
    Verdict,
    judgment=JUDGMENT,
    seats=Many(SEAT),
    decided_by=DECISION,
    attempts=Many(ATTEMPT),
    cost=SPENDING,
    name=TEXT,
)

CODECS: Mapping[type, tuple[str, Codec]] = {
    BooleanScore: ("boolean", BOOLEAN),
    NumericalScore: ("numerical", NUMERICAL),
    CategoricalScore: ("categorical", CATEGORICAL),
    Check: ("check", CHECK),
    Decision: ("decision", DECISION),
    Judgment: ("judgment", JUDGMENT),
    JudgmentContext: ("context", CONTEXT),
    Location: ("location", LOCATION),
    Seat: ("seat", SEAT),
    Source: ("source", SOURCE),
    Spending: ("spending", SPENDING),
    StageAttempt: ("stage_attempt", ATTEMPT),
    StageFailure: ("stage_failure", FAILURE),
    ToolCall: ("tool_call", TOOL_CALL),
    Usage: ("usage", USAGE),
    Verdict: ("verdict", VERDICT),
}
"""What can be stored by itself: the kind that its stored form names, and how it is written."""
