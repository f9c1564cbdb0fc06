"""The result, in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.coordination import (
    Contribution,
    ContributionStatus,
    Produced,
    SubTask,
    TeamFormation,
    TeamPhase,
    TeamResult,
    TeamRole,
    TeamStatus,
    TeamStop,
)
from agent_judge.errors import (
    ArgumentError,
    ArgumentTypeError,
    UnsupportedVersionError,
    WireError,
)
from agent_judge.usage import Usage
from unit.coordination.team.agents import Saying, do, working

ERROR = ValueError("no idea")


def a_result() -> TeamResult:
    """A result in which much happened."""
    plan = [SubTask("1", "Do it.", "ann"), SubTask("2", "Do it too.", "bob", after=("1",))]
    return do(
        TeamFormation.ADAPTIVE,
        (Saying("lead", "no plan", plan, "merged"), TeamRole.LEAD),
        *working(Saying("ann", Produced({"n": [1, None]}, Usage(calls=2))), Saying("bob", ERROR)),
        (Saying("rev", None), TeamRole.REVIEWER),
    )


def test_a_result_tells_everything() -> None:
    """Status, output, who contributed what and how, and why it ended. (contract: loop:T10)"""
    result = a_result()

    assert (result.status, result.output) == (TeamStatus.PARTIAL, "merged")
    assert (result.formation, result.rounds) == (TeamFormation.HIERARCHICAL, 1)
    assert result.stop_reason is TeamStop.FINISHED
    assert [one.member for one in result.transcript] == [
        "lead",
        "lead",
        "ann",
        "bob",
        "lead",
        "rev",
    ]
    ann = result.contributions[2]
    assert (ann.status, ann.error, ann.usage) == (ContributionStatus.DONE, None, Usage(calls=2))
    assert (ann.elapsed >= 0, result.elapsed >= ann.elapsed) == (True, True)
    assert [one.member for one in result.failures] == ["lead", "bob"]


def test_a_result_survives_json() -> None:
    """By way of text, and once more. (contract: loop:T10)"""
    result = a_result()

    text = json.dumps(result.to_dict(), allow_nan=False)
    read = TeamResult.from_dict(json.loads(text))

    assert read == result
    assert json.dumps(read.to_dict()) == text
    assert (read.elapsed, str(read), read.report()) == (
        result.elapsed,
        str(result),
        result.report(),
    )


@pytest.mark.parametrize("formation", [*TeamFormation])
@pytest.mark.parametrize("outcome", ["a", None, ERROR])
def test_results_of_every_formation_survive_json(formation: TeamFormation, outcome: Any) -> None:
    """Also those that failed. (contract: loop:T10)"""
    result = do(formation, (Saying("ann", outcome), TeamRole.LEAD), *working(Saying("bob", "b")))

    assert TeamResult.from_dict(result.to_dict()) == result


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
)


@given(JSON)
def test_any_json_value_survives_as_an_output(output: Any) -> None:
    """`null` is told from nothing. (contract: loop:T10)"""
    result = TeamResult(
        "id",
        "task",
        TeamStatus.COMPLETED,
        TeamStop.FINISHED,
        TeamFormation.PARALLEL,
        TeamFormation.PARALLEL,
        (
            Contribution(
                "ann",
                TeamRole.MEMBER,
                TeamPhase.WORK,
                ContributionStatus.DONE,
                1,
                1,
                Produced(output),
            ),
        ),
        1,
        output,
        has_output=True,
    )

    assert TeamResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_other_outputs_are_stored_by_a_function() -> None:
    """Without one they are refused. (contract: loop:T10)"""
    result = do(TeamFormation.SEQUENTIAL, *working(Saying("ann", Path("a/b"))))

    with pytest.raises(ArgumentTypeError, match="the output of 'ann' is of type"):
        result.to_dict()
    assert TeamResult.from_dict(result.to_dict(str), Path) == result


def stored() -> dict[str, Any]:
    """A result as JSON."""
    return a_result().to_dict()


def breaking(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Put a value at a path of a stored result; `...` takes the key away."""
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]

    def break_it(data: Any) -> None:
        for step in steps:
            data = data[step]
        if value is ...:
            del data[last]
        else:
            data[last] = value

    return break_it


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("format", ..., "team_result.format: expected the version"),
        ("format", True, "team_result.format: expected the version"),
        ("kind", "verdict", "team_result.kind: expected 'team_result'"),
        ("status", "great", "team_result.status: expected one of"),
        ("status", [], "team_result.status: expected one of"),
        ("rounds", ..., "team_result.rounds: missing"),
        ("rounds", 0, "a contribution of a later round"),
        ("rounds", -1, "team_result.rounds: expected"),
        ("surprise", 1, "team_result.surprise: unknown"),
        ("consensus", 1, "team_result.consensus: expected true or false"),
        ("elapsed", float("nan"), "team_result.elapsed: expected a finite number"),
        ("formation", "adaptive", "formation is the one that was chosen"),
        ("status", "failed", "a team that failed has no output"),
        ("plan/0/task", 5, "team_result.plan[0].task: expected a string"),
        ("contributions", {}, "team_result.contributions: expected a list"),
        ("contributions", [], "no contribution that could have made it"),
        ("contributions/0/turn", 2, "must count from 1 without a gap"),
        ("contributions/2/output", ..., "contributions[2]"),
        ("contributions/3/error", ..., "a contribution that is failed has no error"),
        ("contributions/3/output", "x", "a contribution that is failed has an output"),
        ("contributions/2/error", "x", "a contribution that is done has an error"),
        ("contributions/2/output", {"n": {1: 2}}, "keys must be strings"),
        ("contributions/2/usage/calls", -1, "contributions[2].usage.calls: expected"),
        ("contributions/0/role", "boss", "contributions[0].role: expected one of"),
    ],
)
def test_a_stored_result_with_a_fault_is_refused(path: str, value: Any, fault: str) -> None:
    """The message begins with the path. (contract: loop:T10)"""
    data = deepcopy(stored())
    breaking(path, value)(data)

    with pytest.raises(WireError, match=r"^team_result") as refused:
        TeamResult.from_dict(data)
    assert fault in str(refused.value)


def test_usage_without_an_output_is_refused() -> None:
    """Nobody made what was consumed."""
    data = stored()
    data["contributions"][3]["usage"] = {"calls": 1}

    with pytest.raises(WireError, match=r"contributions\[3\]\.usage"):
        TeamResult.from_dict(data)


def test_another_version_is_refused() -> None:
    """It says which can be read. (contract: loop:T10)"""
    with pytest.raises(UnsupportedVersionError, match="version 2 cannot be read"):
        TeamResult.from_dict({**stored(), "format": 2})


@pytest.mark.parametrize("data", [None, [], "x", {5: 5}])
def test_what_is_no_object_is_refused(data: Any) -> None:
    """Whatever else it is."""
    with pytest.raises(WireError):
        TeamResult.from_dict(data)


def test_a_result_that_contradicts_itself_cannot_be_made() -> None:
    """Such as a completed team that stopped for a failure."""
    fields: dict[str, Any] = {
        "team_id": "id",
        "task": "task",
        "status": TeamStatus.COMPLETED,
        "stop_reason": TeamStop.MEMBER_FAILED,
        "formation": TeamFormation.PARALLEL,
        "configured": TeamFormation.PARALLEL,
        "contributions": (),
        "rounds": 1,
    }
    with pytest.raises(ArgumentError, match="not completed"):
        TeamResult(**fields)
    fields |= {"stop_reason": TeamStop.FINISHED, "output": 5}
    with pytest.raises(ArgumentError, match="has_output says that there is none"):
        TeamResult(**fields)


def test_a_result_reads_as_its_output() -> None:
    """Text as it is, other values as JSON."""
    assert str(do(TeamFormation.SEQUENTIAL, *working(Saying("ann", "a\nb")))) == "a\nb"
    assert str(do(TeamFormation.PARALLEL, *working(Saying("ann", "a")))) == '["a"]'


def test_a_result_with_gaps_says_so_first() -> None:
    """So that no judge takes a part for the whole."""
    result = do(TeamFormation.PARALLEL, *working(Saying("ann", "a"), Saying("bob", ERROR)))

    assert str(result) == (
        '[partial: 1 of 2 contributions were done; bob: ValueError: no idea]\n\n["a"]'
    )


def test_a_result_of_hostile_outputs_can_be_shown() -> None:
    """Surrogates, and errors whose message cannot be read."""

    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    mute = MuteError()
    agents = [Saying("ann", "\ud800"), Saying("bob", mute), Saying("cid", lambda _: mute)]
    result = do(TeamFormation.PARALLEL, *working(*agents), merge=lambda done: done[1].output)

    assert str(result).encode()
    assert result.report().encode()
    assert "its message cannot be read" in result.contributions[1].complaint
    assert str(result).endswith("MuteError that cannot be shown)")
