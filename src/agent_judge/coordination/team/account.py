"""A team's work in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from agent_judge.coordination.team.records import ContributionStatus, TeamStatus
from agent_judge.coordination.team.result import TeamResult
from agent_judge.engine.ask import printable
from agent_judge.errors import AgentJudgeError
from agent_judge.frozen import freeze, thaw

LINE: Final = 100
"""How many characters of an output or an error a line of the account shows."""


PRINTED: Final = 10_000
"""How many characters are shown of an output that is neither text nor JSON-like."""


def as_text(result: TeamResult) -> str:
    """The output as text, below a line that says what is missing where something is."""
    parts = [] if result.status is TeamStatus.COMPLETED else [_what_is_missing(result)]
    if result.has_output:
        parts.append(_text_of(result.output))
    elif not parts:
        parts.append("(no position was held by more debaters than any other)")
    return "\n\n".join(parts)


def account(result: TeamResult) -> str:
    """The work in words, a line for each contribution in the order of asking."""
    return "\n".join(_lines(result))


def failures_in_words(result: TeamResult) -> str:
    """Who failed and how, in a few words each."""
    return "; ".join(
        f"{one.member}: {_one_line(one.complaint)}"
        for one in result.failures
        if one.status is not ContributionStatus.SKIPPED
    )


def _lines(result: TeamResult) -> Iterator[str]:
    chosen = "" if result.formation is result.configured else ", as was chosen"
    agreed = {None: "", True: ", agreed", False: ", not agreed"}[result.consensus]
    yield (
        f"{result.status.value} in {result.rounds} rounds, {result.formation.value}{chosen}: "
        f"{result.stop_reason.value}{agreed}, {result.elapsed:.3g} s"
    )
    for one in result.contributions:
        what = one.phase.value if one.subtask is None else f"{one.phase.value} {one.subtask}"
        said = _one_line(_text_of(one.output) if one.is_done else one.complaint)
        yield f"  {one.round}. {one.member} ({one.role.value}), {what}: {one.status.value}  {said}"


def _what_is_missing(result: TeamResult) -> str:
    done = sum(one.is_done for one in result.contributions)
    return (
        f"[{result.status.value}: {done} of {len(result.contributions)} contributions were done; "
        f"{failures_in_words(result) or result.stop_reason.value}]"
    )


def _text_of(output: object) -> str:
    """Text as it is, other values as JSON, or as they print."""
    if isinstance(output, str):
        return printable(output, len(output))
    try:
        return json.dumps(thaw(freeze(output, "output")), ensure_ascii=False)
    except AgentJudgeError:
        return _printed(output)


def _printed(output: object) -> str:
    try:
        return printable(str(output), PRINTED)
    except Exception:  # noqa: BLE001 - it is code of whoever made the output
        return f"(a {type(output).__qualname__} that cannot be shown)"


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LINE else f"{line[:LINE]}…"
