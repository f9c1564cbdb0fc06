"""Asking a model about a roster of requirements, in batches, and judging by what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY
from agent_judge.judges.files.globs import check_patterns
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.files.reading import check_limit
from agent_judge.judgment import Judgment, ReasonCode
from agent_judge.llm.concurrently import check_concurrency, concurrently
from agent_judge.llm.exhibits import Exhibit, exhibits
from agent_judge.llm.hearing import Hearing, UnansweredError, unasked
from agent_judge.llm.model_backed import hollow, is_hollow
from agent_judge.llm.prompts import Own, PromptTemplate
from agent_judge.llm.questions import Question
from agent_judge.llm.requirements.answers import LINES, SCHEMA, Answer, Answers, Reader
from agent_judge.llm.requirements.citations import (
    Checked,
    Citation,
    check_citations,
    find_citations,
)
from agent_judge.llm.requirements.documents import Document
from agent_judge.llm.requirements.outcome import Gap, decide, record, rule
from agent_judge.llm.requirements.roster import Level, Requirement, Roster
from agent_judge.llm.requirements.shown_files import ShownFiles, show_files

PROMPT: Final = PromptTemplate(
    """\
Decide for each requirement whether the work meets it.

The task:
{{goal}}

The requirements, each with its id and, in brackets, the key word that it is judged by, if any:
{{requirements}}

The output of the work:
{{output}}

The calls of tools that were made:
{{tool_calls}}

Files of the work, each with its path and its lines numbered:
{{files}}

Give every id exactly one finding, and before it the evidence: what shows it and where, as \
file:line where that is in a file. The finding is "pass" if the evidence shows that the \
requirement is met; "fail" if it shows that it is not, or if what should show it is missing; \
"undetermined" if the evidence does not allow to tell; "excluded" if the condition of the \
requirement cannot hold here, and then the evidence says why.

{{form}}""",
    own=("requirements", "files", "form"),
    optional=("goal", "output", "tool_calls"),
    blank="(none)",
)


@dataclass(frozen=True, slots=True)
class Examination:
    """How the work is held against a roster.

    Args:
        document: Where the requirements are.
        question: How to ask.
        rejects: The levels of which a violation rejects the work.
        files: Paths and patterns of files in the workspace that the model is shown.
        batch: How many requirements it is asked about at once.
        concurrency: How many calls may be under way at once.
        lines: Whether it is to answer in lines instead of JSON.

    Raises:
        ArgumentError: A value out of range, a path that could leave the workspace, or a document
            that states no requirement of a level that rejects.
        ArgumentTypeError: A value of the wrong type.
    """

    document: Document
    question: Question
    rejects: tuple[Level, ...] = (Level.MUST,)
    files: tuple[str, ...] = ()
    batch: int = 20
    concurrency: int = 4
    lines: bool = False

    def __post_init__(self) -> None:
        if self.files != ():
            object.__setattr__(self, "files", check_patterns(self.files, "files"))
        check_limit(self.batch, "batch")
        check_concurrency(self.concurrency)
        roster = self.document.roster
        toothless = None if roster is None else self._toothless(roster)
        if toothless is not None:
            raise ArgumentError(f"{toothless}; name one of its levels in rejects")

    async def judge(self, context: JudgmentContext) -> Judgment:
        """Hold one run against the requirements."""
        if (missing := unasked(context, self.question.template)) is not None:
            return missing
        try:
            roster = await self.document.read(context)
            shown = await self._show(context)
        except WorkspaceError as fault:
            return fault.judgment
        if (toothless := self._toothless(roster)) is not None:
            return Judgment.abstaining(toothless, code=ReasonCode.MISSING_INPUT)
        if not shown.found and (unseen := _without_evidence(context)) is not None:
            return unseen
        hearing = Hearing(context)
        heard = await self._hear(hearing, roster, shown)
        return await self._conclude(hearing, roster, heard)

    def _toothless(self, roster: Roster) -> str | None:
        """What is said of a roster by which no work could be rejected."""
        if any(requirement.level in self.rejects for requirement in roster.requirements):
            return None
        levels = ", ".join(level.value for level in self.rejects)
        return f"no requirement of the document is of a level that rejects ({levels})"

    async def _show(self, context: JudgmentContext) -> ShownFiles:
        if not self.files:
            return ShownFiles()
        return await in_worker(partial(show_files, context.workspace, self.files))

    async def _hear(self, hearing: Hearing, roster: Roster, shown: ShownFiles) -> _Heard:
        """What the model answers, batch by batch."""
        asked = roster.requirements
        batches = [asked[at : at + self.batch] for at in range(0, len(asked), self.batch)]
        work = [partial(self._ask, hearing, batch, shown) for batch in batches]
        heard = _Heard()
        for batch, (answers, unanswered) in zip(
            batches, await concurrently(work, self.concurrency), strict=True
        ):
            heard.take(batch, answers, unanswered)
        return heard

    async def _ask(
        self, hearing: Hearing, batch: Sequence[Requirement], shown: ShownFiles
    ) -> tuple[Answers, UnansweredError | None]:
        """The answers about a batch, and why some of them are missing."""
        reader = Reader([requirement.id for requirement in batch], lines=self.lines)
        schema = None if self.lines else SCHEMA
        own = self._own(batch, shown)
        try:
            return await hearing.ask(self.question, reader, own=own, schema=schema), None
        except UnansweredError as unanswered:
            return reader.partial, unanswered

    def _own(self, batch: Sequence[Requirement], shown: ShownFiles) -> Mapping[str, Own]:
        """What stands in the prompt's own places; a document of the workspace is evidence."""
        listed = "\n".join(f"{one.name}: {one.text}" for one in batch)
        trusted = self.document.path is None
        return {
            "requirements": listed if trusted else (Exhibit("requirements", listed),),
            "files": shown.exhibits or "(none)",
            "form": LINES if self.lines else "",
        }

    async def _conclude(self, hearing: Hearing, roster: Roster, heard: _Heard) -> Judgment:
        """The judgment by the answers, once the places that they name were looked up."""
        cited = dict.fromkeys(
            place for answer in heard.answers.values() for place in find_citations(answer.evidence)
        )
        places: Mapping[Citation, Checked] = {}
        if cited:
            look_up = partial(check_citations, hearing.context.workspace, cited)
            try:
                places = await in_worker(look_up)
            except WorkspaceError as fault:
                return hearing.conclude(fault.judgment)
        rulings = rule(roster, heard.answers, heard.gaps, places, self.rejects)
        evidence = {
            **(EMPTY if heard.unanswered is None else heard.unanswered.evidence),
            **record(rulings, roster),
            "rejects": tuple(level.value for level in self.rejects),
        }
        return hearing.conclude(decide(rulings, roster), evidence)


@dataclass(slots=True)
class _Heard:
    """What was answered so far.

    Args:
        answers: The answers by the identifiers of the requirements.
        gaps: Why others have none.
        unanswered: The first question without an answer.
    """

    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    gaps: dict[str, Gap] = field(default_factory=dict[str, Gap])
    unanswered: UnansweredError | None = None

    def take(
        self,
        batch: Sequence[Requirement],
        answers: Answers,
        unanswered: UnansweredError | None,
    ) -> None:
        """Take in what was answered about a batch."""
        self.answers.update(answers)
        if unanswered is None:
            return
        self.unanswered = self.unanswered or unanswered
        gap = Gap("it was not answered") if answers else Gap(str(unanswered), unanswered.code)
        self.gaps |= {one.id: gap for one in batch if one.id not in answers}


def _without_evidence(context: JudgmentContext) -> Judgment | None:
    """What is found where the run has no more than an output, and that says nothing."""
    if context.tool_calls:
        return None
    if is_hollow(context) and str(context.output).strip():
        return hollow(context)
    if not any(exhibit.text.strip() for exhibit in exhibits("output", context)):
        return Judgment.abstaining(
            "nothing to judge: the run has no output, no call of a tool, and none of the files",
            code=ReasonCode.MISSING_INPUT,
        )
    return None
