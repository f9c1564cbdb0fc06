"""A team's result as plain JSON, and back; strict when reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from agent_judge.context import MISSING
from agent_judge.coordination.attempts import Produced
from agent_judge.coordination.team.plans import SubTask
from agent_judge.coordination.team.records import (
    Contribution,
    ContributionStatus,
    MemberError,
    TeamStatus,
    TeamStop,
)
from agent_judge.coordination.team.result import TeamResult
from agent_judge.coordination.team.roles import TeamFormation, TeamPhase, TeamRole
from agent_judge.errors import UnsupportedVersionError, WireError
from agent_judge.frozen import freeze, thaw
from agent_judge.usage import Usage
from agent_judge.wire.codecs import (
    AMOUNT,
    FLAG,
    TEXT,
    AnyJson,
    Many,
    Number,
    OneOf,
    Record,
    brief,
    expect_object,
    refused_as_wire_error,
)
from agent_judge.wire.records import USAGE

FORMAT: Final = 1
"""The version of the stored form that this release writes and reads."""

KIND: Final = "team_result"

Convert: TypeAlias = Callable[[Any], Any]
"""Makes JSON of an output, or an output of JSON."""


class _PlainJson(AnyJson):
    """Any JSON value, in plain lists and dicts when it is read."""

    __slots__ = ()

    def read(self, data: Any, path: str) -> Any:
        return thaw(AnyJson.read(self, data, path))


@dataclass(frozen=True, slots=True)
class _StoredContribution:
    """A contribution as it is stored: its output as JSON, its error in words."""

    member: str
    role: TeamRole
    phase: TeamPhase
    status: ContributionStatus
    round: int
    turn: int
    elapsed: float
    abandoned: bool
    output: Any = MISSING
    usage: Usage | None = None
    error: str | None = None
    subtask: str | None = None


@dataclass(frozen=True, slots=True)
class _StoredResult:
    """A result as it is stored."""

    team_id: str
    task: str
    status: TeamStatus
    stop_reason: TeamStop
    formation: TeamFormation
    configured: TeamFormation
    contributions: tuple[_StoredContribution, ...]
    rounds: int
    revised: bool
    elapsed: float
    plan: tuple[SubTask, ...]
    output: Any = MISSING
    consensus: bool | None = None


_FROM_ONE: Final = Number(whole=True, low=1)
_FROM_ZERO: Final = Number(whole=True, low=0)

_CONTRIBUTION: Final = Record(
    _StoredContribution,
    member=TEXT,
    role=OneOf(TeamRole),
    phase=OneOf(TeamPhase),
    status=OneOf(ContributionStatus),
    round=_FROM_ONE,
    turn=_FROM_ONE,
    elapsed=AMOUNT,
    abandoned=FLAG,
    output=_PlainJson(),
    usage=USAGE,
    error=TEXT,
    subtask=TEXT,
)

_RESULT: Final = Record(
    _StoredResult,
    team_id=TEXT,
    task=TEXT,
    status=OneOf(TeamStatus),
    stop_reason=OneOf(TeamStop),
    formation=OneOf(TeamFormation),
    configured=OneOf(TeamFormation),
    contributions=Many(_CONTRIBUTION),
    rounds=_FROM_ZERO,
    revised=FLAG,
    elapsed=AMOUNT,
    plan=Many(
        Record(SubTask, optional=("after",), id=TEXT, task=TEXT, member=TEXT, after=Many(TEXT))
    ),
    output=_PlainJson(),
    consensus=FLAG,
)


def to_dict(result: TeamResult, encode: Convert | None) -> dict[str, Any]:
    """A result as plain JSON values."""
    stored = _StoredResult(
        result.team_id,
        result.task,
        result.status,
        result.stop_reason,
        result.formation,
        result.configured,
        tuple([_stored(one, encode) for one in result.contributions]),
        result.rounds,
        result.revised,
        result.elapsed,
        result.plan,
        _plain(result.output, encode, "output") if result.has_output else MISSING,
        result.consensus,
    )
    return {"format": FORMAT, "kind": KIND, **_RESULT.write(stored)}


def from_dict(data: Mapping[str, Any], decode: Convert | None) -> TeamResult:
    """Read a result back."""
    fields = dict(expect_object(data, KIND))
    version, kind = fields.pop("format", None), fields.pop("kind", None)
    if type(version) is not int:
        raise WireError(
            f"{KIND}.format: expected the version of the format, found {brief(version)}"
        )
    if version != FORMAT:
        raise UnsupportedVersionError(
            f"{KIND}.format: version {brief(version)} cannot be read; this release reads {FORMAT}"
        )
    if kind != KIND:
        raise WireError(f"{KIND}.kind: expected {KIND!r}, found {brief(kind)}")
    stored = _RESULT.read(fields, KIND)
    contributions = tuple(
        [
            _contribution(one, decode, f"{KIND}.contributions[{index}]")
            for index, one in enumerate(stored.contributions)
        ]
    )
    return refused_as_wire_error(KIND, lambda: _result(stored, contributions, decode))


def _result(
    stored: _StoredResult, contributions: tuple[Contribution, ...], decode: Convert | None
) -> TeamResult:
    has_output = stored.output is not MISSING
    return TeamResult(
        stored.team_id,
        stored.task,
        stored.status,
        stored.stop_reason,
        stored.formation,
        stored.configured,
        contributions,
        stored.rounds,
        _decoded(stored.output, decode) if has_output else None,
        has_output,
        stored.consensus,
        stored.plan,
        stored.revised,
        stored.elapsed,
    )


def _stored(one: Contribution, encode: Convert | None) -> _StoredContribution:
    where = f"the output of {one.member!r:.120}"
    return _StoredContribution(
        one.member,
        one.role,
        one.phase,
        one.status,
        one.round,
        one.turn,
        one.elapsed,
        one.abandoned,
        _plain(one.output, encode, where) if one.has_output else MISSING,
        one.usage,
        None if one.error is None else one.complaint,
        one.subtask,
    )


def _contribution(stored: _StoredContribution, decode: Convert | None, path: str) -> Contribution:
    has_output = stored.output is not MISSING
    if stored.usage is not None and not has_output:
        raise WireError(f"{path}.usage: is there without an output")
    made = Produced(_decoded(stored.output, decode), stored.usage) if has_output else None
    error = None if stored.error is None else MemberError(stored.error)
    return refused_as_wire_error(
        path,
        lambda: Contribution(
            stored.member,
            stored.role,
            stored.phase,
            stored.status,
            stored.round,
            stored.turn,
            made,
            error,
            stored.elapsed,
            stored.subtask,
            stored.abandoned,
        ),
    )


def _plain(output: object, encode: Convert | None, where: str) -> Any:
    return thaw(freeze(output if encode is None else encode(output), where))


def _decoded(value: Any, decode: Convert | None) -> Any:
    return value if decode is None else decode(value)
