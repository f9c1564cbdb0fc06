"""Whether the counts that a vote left behind add up, and give the status that it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from agent_judge.errors import AgentJudgeError, WireError
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury.counting import AllMustPass, Consensus, Majority
from agent_judge.jury.evidence import CUSTOM
from agent_judge.jury.population import Population
from agent_judge.jury.rules import VotingRules
from agent_judge.jury.strategies import BUILT_IN
from agent_judge.jury.tally import Tally
from agent_judge.jury.verdict import Seat
from agent_judge.wire.codecs import COUNT, OneOf, brief, expect_object, step

COUNTS: Final = ("input", "eligible", "passed", "failed", "abstained", "not_applicable", "errored")
TREATED: Final = ("treated_as_fail", "treated_as_abstain", "ignored", "excluded")

MOST_SEATS: Final = 1_000
"""How many seats are made up to count a vote again; those of a larger one only have to add up."""


def check_vote(evidence: Mapping[str, Any], found: Status | None, path: str) -> None:
    """Refuse a vote whose evidence no strategy can have left behind.

    Args:
        evidence: What is stored of the vote.
        found: What it came to, where that is known.
        path: Where the judgment with the evidence is; that is in its `metadata`.

    Raises:
        WireError: A count is missing, the counts do not add up, or give another status.
    """
    place = f"{path}.metadata.agent_judge"
    lost, own = "crashed" in evidence, CUSTOM in evidence
    names = [*COUNTS, *(["crashed"] if lost else [] if own else TREATED)]
    counts = {name: _count(evidence, name, place) for name in names}
    codes = _codes(evidence, place)
    _check_sums(counts, codes, place)
    if lost and found not in (Status.ERROR, None):
        raise status_refused(path, found, "a member crashed")
    if own:
        return
    strategy = strategy_of(evidence, place)
    if not lost and counts["input"] <= MOST_SEATS:
        _count_again(strategy, counts, codes, found, path)


def status_refused(path: str, status: Status, why: str) -> WireError:
    """The refusal of a judgment whose evidence gives another status."""
    return WireError(f"{path}.status: is {status.value!r}, but {why}")


def strategy_of(evidence: Mapping[str, Any], path: str) -> VotingRules:
    """The built-in strategy that evidence names, with the options that it was told.

    Raises:
        WireError: There is none of that name, or it does not take these options.
    """
    kind = BUILT_IN.get(evidence["strategy"])
    if kind is None:
        raise WireError(f"{path}.strategy: {brief(evidence['strategy'])} is no built-in strategy")
    names = [option.name for option in fields(kind) if option.init]
    options: dict[str, Any] = {name: evidence[name] for name in names if name in evidence}
    try:
        return kind(**options)
    except (AgentJudgeError, TypeError) as fault:
        raise WireError(f"{path}: cannot be counted: {fault}") from None


def _count(evidence: Mapping[str, Any], name: str, place: str) -> int:
    if name not in evidence:
        raise WireError(f"{place}.{name}: missing")
    count: int = COUNT.read(evidence[name], f"{place}.{name}")
    return count


def _codes(evidence: Mapping[str, Any], place: str) -> dict[ReasonCode, int]:
    place = f"{place}.errors_by_code"
    given = expect_object(evidence.get("errors_by_code"), place)
    return {
        OneOf(ReasonCode).read(code, place): COUNT.read(count, f"{place}.{step(code)}")
        for code, count in given.items()
    }


def _check_sums(counts: Mapping[str, int], codes: Mapping[ReasonCode, int], place: str) -> None:
    kinds = _kinds(counts)
    if min(kinds.values()) < 0:
        raise WireError(f"{place}: policies treated more seats as others than there are of these")
    sums = {
        "eligible": counts["passed"] + counts["failed"],
        "errored": sum(codes.values()),
        "input": sum(kinds.values()) + counts.get("crashed", 0),
    }
    for name, total in sums.items():
        if counts[name] != total:
            raise WireError(f"{place}.{name}: is {counts[name]}, but the counts add up to {total}")
    if not counts["input"]:
        raise WireError(f"{place}.input: is 0; nobody voted")


def _kinds(counts: Mapping[str, int]) -> dict[Status, int]:
    """How many seats of each status there were, before policies treated some as others."""
    return {
        Status.PASS: counts["passed"],
        Status.FAIL: counts["failed"] - counts.get("treated_as_fail", 0),
        Status.ABSTAIN: counts["abstained"] - counts.get("treated_as_abstain", 0),
        Status.NOT_APPLICABLE: counts["not_applicable"],
        Status.ERROR: counts["errored"],
    }


def _count_again(
    strategy: VotingRules,
    counts: Mapping[str, int],
    codes: Mapping[ReasonCode, int],
    found: Status | None,
    path: str,
) -> None:
    """Let a made-up seat vote for each that is counted; scores and labels are not known."""
    population = Population(tuple(_seats(counts, codes)))
    tally = Tally(population, strategy)
    recorded = strategy.record(Judgment.passing(), tally).evidence
    for name in TREATED:
        if recorded[name] != counts[name]:
            said = f"is {counts[name]}, but the policies give {recorded[name]}"
            raise WireError(f"{path}.metadata.agent_judge.{name}: {said}")
    if found is None:
        return
    given = tally.ruling()
    if given is None and isinstance(strategy, Majority | Consensus | AllMustPass):
        given = strategy(population)
    if given is not None and given.status is not found:
        raise status_refused(path, found, f"the counts give {given.status.value!r}")
    if found is Status.PASS and not counts["passed"]:
        raise status_refused(path, found, "no judgment passed")


def _seats(counts: Mapping[str, int], codes: Mapping[ReasonCode, int]) -> Iterator[Seat]:
    findings = {
        Status.PASS: Judgment.passing(),
        Status.FAIL: Judgment.failing(),
        Status.ABSTAIN: Judgment.abstaining("open"),
    }
    kinds = _kinds(counts)
    for status, finding in findings.items():
        yield from (Seat("any", 0, finding) for _ in range(kinds[status]))
    elsewhere = Judgment.not_applicable("not here")
    for index in range(counts["not_applicable"]):
        yield Seat("any", 0, elsewhere, conditional=index < counts["excluded"])
    for code, count in codes.items():
        yield from (Seat("any", 0, Judgment.erring("broken", code)) for _ in range(count))
