"""A model decides, by criteria in plain words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.coordination.asking import Evaluating
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.policies.jury import check_retries
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.engine.doors import needs_loop
from agent_judge.engine.run import Run
from agent_judge.errors import AgentJudgeError, ArgumentError
from agent_judge.frozen import check_text, freeze
from agent_judge.judgment import Judgment, Status
from agent_judge.llm.exhibits import Exhibit, as_shown
from agent_judge.llm.hearing import Hearing, UnansweredError, Unread
from agent_judge.llm.prompts import Own, PromptTemplate
from agent_judge.llm.questions import SYSTEM, Defence, Question, as_model
from agent_judge.llm.reading import DecisionReading, Unreadable, read_decision
from agent_judge.models.model import JudgeModel, name_of
from agent_judge.models.request import ModelOptions
from agent_judge.models.response import ModelResponse
from agent_judge.protocol import Cost
from agent_judge.scores import NumericalScore

UNKNOWN_SCORE: Final = 0.5
"""The score of a verdict whose score could not be read; the verdict is marked as synthetic."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9_.:/@-]{1,100}")
"""Names of agents that need no fence."""

_FORM: Final = """\
Answer with these four lines and nothing else:
DECISION: APPROVE, RETRY or REJECT
SCORE: a number from 0 to 1
REASON: why
SUGGESTIONS: what to change, separated by commas, or none

APPROVE only what meets all criteria. REJECT only what no further attempt could mend. Otherwise \
RETRY, and suggest the smallest changes that would make you approve."""

_OPEN: Final = PromptTemplate(
    f"""\
Decide whether the work of an agent meets the criteria.

The agent: {{{{agent}}}}
The attempt: {{{{attempt}}}}

The criteria:
{{{{criteria}}}}

What was said of the earlier attempts:
{{{{earlier}}}}

The work to judge:
{{{{work}}}}

{_FORM}""",
    own=("agent", "attempt", "criteria", "earlier", "work"),
)
_BLIND: Final = PromptTemplate(
    f"""\
Decide whether the work of an agent meets the criteria.

The criteria:
{{{{criteria}}}}

The work to judge:
{{{{work}}}}

{_FORM}""",
    own=("criteria", "work"),
)


@dataclass(frozen=True, slots=True)
class LLMJudgePolicy(Evaluating):
    r"""Asks a model for a decision, a score, a reason and suggestions.

    The work stands in the prompt between random marks, as everything does that others wrote. An
    answer that cannot be read is sent back; after `judge_retries` more answers, or calls that
    failed, the attempt is to be tried again, or is rejected if it was the last. Such a verdict is
    marked as synthetic: nobody judged.

    Args:
        model: The model, or its name as `"provider:model"`.
        criteria: What the work has to meet, in plain words.
        judge_retries: How often the model is asked again.
        blind: Tell the model neither which attempt it is nor what was said of earlier ones.
        system: What the model is told to be.
        options: How it is to answer; only what is set is sent.
        defence: How the policy protects itself from the work.

    Raises:
        ArgumentError: Blank criteria, a model's name that is none, a negative number of retries.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge.testing import ScriptedModel
        >>> model = ScriptedModel(["DECISION: RETRY\nSCORE: 6/10\nREASON: no title\n"
        ...                        "SUGGESTIONS: add a title"])
        >>> policy = LLMJudgePolicy(model, "It has a title.")
        >>> policy.evaluate("agent-1", "Once upon a time", JudgeContext.first(3)).suggestions
        ('add a title',)
    """

    model: JudgeModel | str
    criteria: str
    judge_retries: int = 1
    blind: bool = False
    system: str = SYSTEM
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    _question: Question = field(init=False, repr=False, compare=False)

    cost: ClassVar[Cost] = Cost.MODEL

    @property
    def fingerprint(self) -> str:
        """What it decides by: the criteria, the prompt and the model."""
        template = self._question.template.digest
        return "\n".join(("llm", self.criteria, template, name_of(self._question.model)))

    def __post_init__(self) -> None:
        check_text(self.criteria, "criteria")
        if not self.criteria.strip():
            raise ArgumentError("criteria must not be blank: say what the work has to meet")
        check_retries(self.judge_retries)
        question = Question(
            as_model(self.model),
            _BLIND if self.blind else _OPEN,
            self.system,
            self.options,
            self.defence,
            repairs=self.judge_retries,
            key={"policy": "llm", "version": "1"},
        )
        object.__setattr__(self, "_question", question)

    async def evaluate_in(
        self, run: Run, agent_id: str, output: Any, context: JudgeContext, /
    ) -> JudgeVerdict:
        """Ask the model about an output."""
        await needs_loop(run)
        hearing = Hearing(JudgmentContext())
        own = self._own(agent_id, output, context)
        question, left = self._question, self.judge_retries
        while True:
            try:
                reading = await hearing.ask(question, _read, own=own)
            except UnansweredError as unanswered:
                left -= unanswered.calls
                if left < 0 or not unanswered.calls:
                    return _undecided(unanswered, context).with_finding(hearing.fail(unanswered))
                question = replace(question, repairs=left)
            else:
                return _decided(reading, context).with_finding(hearing.conclude(_finding(reading)))

    def _own(self, agent_id: str, output: object, context: JudgeContext) -> dict[str, Own]:
        """The parts of the prompt; what others wrote is fenced, earlier reasons too."""
        shown: dict[str, Own] = {
            "criteria": self.criteria,
            "work": (Exhibit("work", _as_text(output)),),
        }
        if self.blind:
            return shown
        earlier = tuple(
            Exhibit(f"reason-{number}", f"{verdict.decision.value.upper()}: {verdict.reason}")
            for number, verdict in enumerate(context.previous_verdicts, 1)
        )
        return {
            **shown,
            "agent": agent_id if _PLAIN.fullmatch(agent_id) else (Exhibit("agent", agent_id),),
            "attempt": f"{context.iteration} of {context.max_iterations}",
            "earlier": earlier or "nothing, this is the first",
        }


def _as_text(output: object) -> str:
    """An output as a model reads it: text as it is, other values as JSON, or as they print."""
    try:
        return as_shown(freeze(output, "output"))
    except AgentJudgeError:
        return str(output).encode("utf-8", "replace").decode()


def _read(response: ModelResponse) -> DecisionReading | Unread:
    reading = read_decision(
        response.text, finish_reason=response.finish_reason, structured=response.structured
    )
    return Unread.of(reading) if isinstance(reading, Unreadable) else reading


def _decided(reading: DecisionReading, context: JudgeContext) -> JudgeVerdict:
    decision = Decision[reading.decision]
    if decision is Decision.RETRY and context.is_final_iteration:
        decision = Decision.REJECT
    said = "\n".join(filter(None, (reading.remark, reading.reason)))
    score = UNKNOWN_SCORE if reading.score is None else reading.score
    suggestions = () if decision is Decision.APPROVE else reading.suggestions
    synthetic = reading.score is None
    return JudgeVerdict(decision, said or decision.value, score, suggestions, synthetic)


def _finding(reading: DecisionReading) -> Judgment:
    status = Status.PASS if reading.decision == Decision.APPROVE.name else Status.FAIL
    score = None if reading.score is None else NumericalScore(reading.score)
    return Judgment(status, reading.reason or f"the model decided {reading.decision}", score)


def _undecided(unanswered: UnansweredError, context: JudgeContext) -> JudgeVerdict:
    decision = Decision.REJECT if context.is_final_iteration else Decision.RETRY
    reason = f"nobody judged it: {unanswered}"
    return JudgeVerdict(decision, reason, UNKNOWN_SCORE, synthetic=True)
