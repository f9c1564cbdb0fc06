"""Every record that is stored: the codec of each of its fields, in the order of writing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from agent_judge.context import ExecutionStatus, JudgmentContext, Source, ToolCall
from agent_judge.errors import WireError
from agent_judge.frozen import FrozenMap, Json
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
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    AnyJson,
    Codec,
    Converted,
    Later,
    Many,
    OneOf,
    Record,
    expect_object,
    refused_as_wire_error,
)

JSON = AnyJson()
FACTS = AnyJson(nulls=False)
MOMENT = Converted(datetime.isoformat, datetime.fromisoformat, "a moment in ISO 8601")
PATH = Converted(lambda path: Path(path).as_posix(), Path, "a path")

USAGE = Record(
    Usage,
    optional=(
        "input_tokens",
        "output_tokens",
        "total_tokens",
        "cached_tokens",
        "reasoning_tokens",
        "calls",
        "cost",
    ),
    input_tokens=COUNT,
    output_tokens=COUNT,
    total_tokens=COUNT,
    cached_tokens=COUNT,
    reasoning_tokens=COUNT,
    calls=COUNT,
    cost=NUMBER,
)


class ScoreCodec:
    """A score with its kind beside its fields."""

    kinds: Mapping[str, Record[Any]] = {
        "boolean": Record(BooleanScore, value=FLAG),
        "numerical": Record(NumericalScore, value=NUMBER, low=NUMBER, high=NUMBER),
        "categorical": Record(CategoricalScore, value=TEXT, categories=Many(TEXT), numbers=FACTS),
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
            raise WireError(f"{path}.kind: expected one of {list(self.kinds)}, found {kind!r:.80}")
        score: Score = record.read(given, path)
        return score


LOCATION = Record(Location, optional=("line", "column"), path=TEXT, line=COUNT, column=COUNT)

CHECK = Record(
    Check,
    optional=("location",),
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
        return with_evidence(judgment, cast("FrozenMap[Json]", evidence))


JUDGMENT = JudgmentCodec(
    Judgment,
    optional=("score", "label", "code", "usage", "elapsed"),
    status=OneOf(Status),
    reasoning=TEXT,
    score=ScoreCodec(),
    label=TEXT,
    checks=Many(CHECK),
    metadata=FACTS,
    code=OneOf(ReasonCode),
    usage=USAGE,
    elapsed=NUMBER,
)

TOOL_CALL = Record(
    ToolCall,
    optional=("result", "error", "id"),
    name=TEXT,
    arguments=JSON,
    result=JSON,
    error=TEXT,
    id=TEXT,
)

SOURCE = Record(
    Source,
    optional=("id", "title", "uri", "score"),
    text=TEXT,
    id=TEXT,
    title=TEXT,
    uri=TEXT,
    score=NUMBER,
    metadata=FACTS,
)

CONTEXT = Record(
    JudgmentContext,
    optional=(
        "output",
        "workspace",
        "started_at",
        "elapsed",
        "error",
        "expected",
        "baseline",
        "usage",
        "model",
        "finish_reason",
    ),
    goal=TEXT,
    output=JSON,
    workspace=PATH,
    status=OneOf(ExecutionStatus),
    started_at=MOMENT,
    elapsed=NUMBER,
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
    optional=("verdict",),
    key=TEXT,
    position=COUNT,
    judgment=JUDGMENT,
    weight=NUMBER,
    key_source=OneOf(KeySource),
    conditional=FLAG,
    verdict=Later(lambda: VERDICT),
)

SPENDING = Record(
    Spending,
    optional=("usage",),
    judges=COUNT,
    saved=COUNT,
    usage=USAGE,
    unreported=COUNT,
    elapsed=NUMBER,
)

ATTEMPT = Record(
    StageAttempt,
    optional=("verdict", "failure", "skipped", "rule"),
    name=TEXT,
    effect=OneOf(StageEffect),
    verdict=Later(lambda: VERDICT),
    failure=Record(StageFailure, code=OneOf(ReasonCode), exception=TEXT),
    skipped=TEXT,
    rule=TEXT,
    note=TEXT,
    weight=NUMBER,
)

VERDICT: Record[Verdict] = Record(
    Verdict,
    judgment=JUDGMENT,
    seats=Many(SEAT),
    decided_by=Record(Decision, stage=TEXT, rule=TEXT, computed=FLAG),
    attempts=Many(ATTEMPT),
    cost=SPENDING,
    name=TEXT,
)

BY_KIND: Mapping[str, Codec] = {
    "boolean_score": ScoreCodec(),
    "numerical_score": ScoreCodec(),
    "categorical_score": ScoreCodec(),
    "check": CHECK,
    "context": CONTEXT,
    "judgment": JUDGMENT,
    "location": LOCATION,
    "seat": SEAT,
    "source": SOURCE,
    "spending": SPENDING,
    "tool_call": TOOL_CALL,
    "usage": USAGE,
    "verdict": VERDICT,
}
"""What can be stored by itself, under the name that the stored form carries."""

KIND_OF: Mapping[type, str] = {
    BooleanScore: "boolean_score",
    NumericalScore: "numerical_score",
    CategoricalScore: "categorical_score",
    Check: "check",
    JudgmentContext: "context",
    Judgment: "judgment",
    Location: "location",
    Seat: "seat",
    Source: "source",
    Spending: "spending",
    ToolCall: "tool_call",
    Usage: "usage",
    Verdict: "verdict",
}
