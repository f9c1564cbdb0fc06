"""HIERARCHICAL: the lead plans sub-tasks, members do them, the lead merges what they made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent_judge.coordination.team.events import PlanAccepted
from agent_judge.coordination.team.formations.formation import done
from agent_judge.coordination.team.graph import carried_out
from agent_judge.coordination.team.members import AskedMember
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.plans import SubTask, faults_of
from agent_judge.coordination.team.reading import PlanError, as_values, read_plan
from agent_judge.coordination.team.records import Contribution, ContributionStatus, TeamStop
from agent_judge.coordination.team.roles import TeamPhase, TeamRole
from agent_judge.coordination.team.session import Request, Session


class Hierarchical:
    """The lead plans and merges; where it fails, the co-leads take over, in order."""

    __slots__ = ()

    def faults(self, roles: Sequence[TeamRole]) -> Iterator[str]:
        """None or several who lead."""
        leads = roles.count(TeamRole.LEAD)
        if leads != 1:
            yield f"HIERARCHICAL needs exactly one LEAD, and there are {leads}"

    async def work(self, session: Session) -> Outcome:
        """Plan, do, merge."""
        return await _Command(session, [*session.blueprint.leaders]).carried_out()


@dataclass(slots=True)
class _Command:
    """One task under a lead.

    Attributes:
        session: The execution it belongs to.
        leaders: Who leads, then those who would take over.
        plan: What the lead planned.
    """

    session: Session
    leaders: list[AskedMember]
    plan: tuple[SubTask, ...] = field(default=())

    async def carried_out(self) -> Outcome:
        self.session.begin_round()
        planned = await self._led(self._planned)
        if not planned.is_done:
            return Outcome((planned,), TeamStop.LEAD_FAILED)
        self.session.tell(PlanAccepted(planned.member, self.plan))
        pieces = await carried_out(self.session, self.plan)
        outcome = Outcome((planned, *pieces), plan=self.plan)
        if not (given := done(pieces)):
            return replace(outcome, stop=TeamStop.MEMBER_FAILED)
        merged = await self._led(
            lambda leader: self.session.ask(Request(leader, TeamPhase.MERGE, given))
        )
        outcome = outcome.with_pieces(merged)
        if not merged.is_done:
            return replace(outcome, stop=TeamStop.LEAD_FAILED)
        return outcome.giving(merged.output)

    async def _led(self, ask: Callable[[AskedMember], Awaitable[Contribution]]) -> Contribution:
        """What whoever leads makes of it; one who fails leads no longer."""
        piece = await ask(self.leaders[0])
        while not piece.is_done and len(self.leaders) > 1:
            del self.leaders[0]
            piece = await ask(self.leaders[0])
        return piece

    async def _planned(self, leader: AskedMember) -> Contribution:
        """Have a leader plan, and once more where the plan has a fault, which it is told."""
        request = Request(leader, TeamPhase.PLAN, keep=as_values, check=self._take)
        piece = await self.session.ask(request)
        if piece.status is ContributionStatus.REFUSED:
            piece = await self.session.ask(replace(request, fault=piece.complaint))
        return piece

    def _take(self, said: object) -> None:
        """Read the plan out of what a leader said.

        Raises:
            PlanError: It cannot be carried out; every fault is named.
        """
        plan = read_plan(said)
        faults = [*faults_of(plan, [member.name for member in self.session.blueprint.workers])]
        if faults:
            raise PlanError(f"the plan cannot be carried out: {'; '.join(faults[:10])}")
        self.plan = plan
