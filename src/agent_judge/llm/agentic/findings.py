"""Whether what a model claims to have found is there: decided by looking, not by asking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent_judge.judgment import Check, Location
from agent_judge.llm.agentic.moves import Claim
from agent_judge.llm.agentic.tools import Toolbox, ToolError
from agent_judge.llm.exhibits import Exhibit
from agent_judge.llm.quotes import Quotable


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim, and whether it was verified.

    Args:
        claim: The claim.
        fault: Why it was not verified; empty where it was.
    """

    claim: Claim
    fault: str = ""

    @property
    def verified(self) -> bool:
        """Whether what it rests on is there."""
        return not self.fault


def verify(claims: Iterable[Claim], toolbox: Toolbox) -> tuple[Finding, ...]:
    """Look up what each claim rests on; it blocks while files are read."""
    return tuple(Finding(claim, _fault(claim, toolbox)) for claim in claims)


def checks_of(findings: Iterable[Finding]) -> Iterator[Check]:
    """A check for each finding that was verified; the others are dropped and counted elsewhere."""
    for finding in findings:
        claim = finding.claim
        if finding.verified:
            quote = f' "{claim.quote}"' if claim.quote else ""
            location = Location(claim.path, claim.line or None) if claim.path else None
            where = claim.path or claim.command
            yield Check(where, claim.kind == "for", f"{claim.message}{quote}", location=location)


def _fault(claim: Claim, toolbox: Toolbox) -> str:
    try:
        if claim.kind == "missing":
            return "" if toolbox.is_missing(claim.path) else f"{claim.path} is there"
        if claim.path:
            return _fault_in_file(claim, toolbox.text(claim.path))
        return _fault_in_output(claim, toolbox)
    except ToolError as fault:
        return str(fault)


def _fault_in_file(claim: Claim, text: str) -> str:
    lines = text.splitlines()
    if claim.line > len(lines):
        return f"{claim.path} has {len(lines)} lines, not {claim.line}"
    if claim.quote and not Quotable([Exhibit(claim.path, text)]).has(claim.quote):
        return f"{claim.path} has no such words"
    if not claim.quote and not claim.line:
        return "it names neither a line nor words of the file"
    return ""


def _fault_in_output(claim: Claim, toolbox: Toolbox) -> str:
    if claim.command not in toolbox.outputs:
        return "it names no file, and no command that was run"
    if not claim.quote:
        return "it quotes nothing of what the command printed"
    output = toolbox.outputs[claim.command]
    if not Quotable([Exhibit("output", output)]).has(claim.quote):
        return f"{claim.command} printed no such words"
    return ""
