"""The judges that hold work against a document of requirements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Judgment
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.llm.questions import SYSTEM, Defence, Question, as_model
from agent_judge.llm.requirements.documents import Document
from agent_judge.llm.requirements.ears import parse_ears
from agent_judge.llm.requirements.examination import PROMPT, Examination
from agent_judge.llm.requirements.rfc2119 import parse_rfc2119
from agent_judge.llm.requirements.roster import Level, Roster, check_levels
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class EarsJudge:
    """Whether the work meets the requirements of a document in EARS, by the word of a model.

    The roster comes from the document (see `parse_ears`). The model gives a finding and evidence
    for each requirement; what that comes to is computed. One requirement that is not met is FAIL;
    else one that the model did not answer is ERROR; else one that is undetermined is ABSTAIN. When
    all are excluded, because their conditions cannot hold, it is NOT_APPLICABLE. Else it is PASS,
    without a score.

    A reply that answers an unknown identifier, answers one twice, or passes one without evidence is
    sent back once. Places such as `src/app.py:12` that the evidence names are looked up in the
    workspace; those that do not exist are marked, and a PASS that names no other place is no
    finding. What the document declares and what of it cannot be read is an advisory check.

    Args:
        model: The model, or its name as `"provider:model"`.
        text: The document itself.
        file: The document as a file on the side of whoever judges, read once; a relative path
            counts from the current folder.
        resource: The document as a file of a package, as `"package:name"`, read once.
        path: The document as a file in the judged workspace, read with each run. Mind that whoever
            did the work could have changed it; its SHA-256 is in the evidence.
        files: Paths and patterns of files in the workspace that the model is shown.
        batch: How many requirements the model is asked about at once.
        concurrency: How many calls may be under way at once.
        reply: Whether the model answers in `"json"` or in `"lines"`.
        prompt: The template, or its text, with the places `{{requirements}}` and, as far as
            wanted, `{{files}}`, `{{form}}` and the variables of the run.
        system: What the model is told to be.
        options: How it is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.

    Raises:
        ArgumentError: None or several of `text`, `file`, `resource` and `path`; a document that
            cannot be read or states no requirement; a value out of range.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> answer = {"id": "R1", "evidence": "it prints 5", "finding": "fail"}
        >>> model = ScriptedModel([{"answers": [answer]}])
        >>> judge = EarsJudge(model, "WHEN asked for 2 + 2, the system shall print 4.")
        >>> judgment = evaluate(judge, JudgmentContext(output="5"))
        >>> judgment.status, judgment.reasoning
        (<Status.FAIL: 'fail'>, 'not met: R1 (it prints 5)')
    """

    model: JudgeModel | str
    text: str | None = None
    file: str | Path | None = None
    resource: str | None = None
    path: str | None = None
    files: tuple[str, ...] = ()
    batch: int = 20
    concurrency: int = 4
    reply: Literal["json", "lines"] = "json"
    prompt: PromptTemplate | str = PROMPT
    system: str = SYSTEM
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    _examination: Examination = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "EarsJudge",
        cost=Cost.MODEL,
        type="ears",
        needs=("goal", "output", "tool_calls", "workspace"),
        version="1",
    )

    def __post_init__(self) -> None:
        _set(self, "_examination", _examination(self, parse_ears, (Level.MUST,)))

    @property
    def roster(self) -> Roster | None:
        """What the document demands; `None` where it is in the workspace."""
        return self._examination.document.roster

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Hold one run against the requirements."""
        return await self._examination.judge(context)


@dataclass(frozen=True, slots=True)
class Rfc2119Judge:
    """Whether the work keeps the rules of a document in the words of RFC 2119, by that of a model.

    It works as `EarsJudge` does, with the rules that `parse_rfc2119` reads. Each is reported at its
    own strength: what is violated or open of the levels that do not reject shows as a failed
    advisory check. A rule of any level without an answer is ERROR.

    Args:
        model: See `EarsJudge`, as for all arguments but the next.
        text: The document itself.
        file: The document as a file on the side of whoever judges.
        resource: The document as a file of a package.
        path: The document as a file in the judged workspace.
        rejects: The levels of which a violation rejects the work: `"MUST"`, `"SHOULD"`, `"MAY"`.
        files: Files in the workspace that the model is shown.
        batch: How many rules the model is asked about at once.
        concurrency: How many calls may be under way at once.
        reply: Whether the model answers in `"json"` or in `"lines"`.
        prompt: The template.
        system: What the model is told to be.
        options: How it is to answer.
        defence: How the judge protects itself from the evidence.

    Raises:
        ArgumentError: As `EarsJudge`, or the document has no rule of a level that rejects.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> rules = "Answers MUST be numbers. They SHOULD be short."
        >>> answers = [
        ...     {"id": "R1", "evidence": "it is 4", "finding": "pass"},
        ...     {"id": "R2", "evidence": "ten zeros", "finding": "fail"},
        ... ]
        >>> judge = Rfc2119Judge(ScriptedModel([{"answers": answers}]), rules)
        >>> judgment = evaluate(judge, JudgmentContext(output="4.0000000000"))
        >>> judgment.status, [(check.passed, check.advisory) for check in judgment.checks]
        (<Status.PASS: 'pass'>, [(True, False), (False, True)])
    """

    model: JudgeModel | str
    text: str | None = None
    file: str | Path | None = None
    resource: str | None = None
    path: str | None = None
    rejects: tuple[Level | str, ...] = (Level.MUST,)
    files: tuple[str, ...] = ()
    batch: int = 20
    concurrency: int = 4
    reply: Literal["json", "lines"] = "json"
    prompt: PromptTemplate | str = PROMPT
    system: str = SYSTEM
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    _examination: Examination = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "Rfc2119Judge",
        cost=Cost.MODEL,
        type="rfc2119",
        needs=("goal", "output", "tool_calls", "workspace"),
        version="1",
    )

    def __post_init__(self) -> None:
        rejects = check_levels(self.rejects)
        _set(self, "rejects", rejects)
        _set(self, "_examination", _examination(self, parse_rfc2119, rejects))

    @property
    def roster(self) -> Roster | None:
        """What the document demands; `None` where it is in the workspace."""
        return self._examination.document.roster

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Hold one run against the rules."""
        return await self._examination.judge(context)


_set = object.__setattr__


def _examination(
    judge: EarsJudge | Rfc2119Judge, parse: Callable[[str], Roster], rejects: tuple[Level, ...]
) -> Examination:
    """How a judge works, by its arguments."""
    check_choice(judge.reply, ("json", "lines"), "reply")
    lines = judge.reply == "lines"
    question = Question(
        as_model(judge.model),
        _with_places(judge.prompt),
        judge.system,
        judge.options,
        _defence(judge.defence) if lines else judge.defence,
        key={"judge": judge.metadata.type, "version": judge.metadata.version},
    )
    document = Document(parse, judge.text, judge.file, judge.resource, judge.path)
    return Examination(
        document, question, rejects, judge.files, judge.batch, judge.concurrency, lines
    )


def _defence(defence: object) -> Defence:
    """The same defence; lines repeat the token like JSON does, unless that was switched off."""
    if type(defence) is not Defence:
        raise ArgumentTypeError(f"defence must be a Defence, not {defence!r:.80}")
    return replace(defence, token=True) if defence.fence and defence.token is None else defence


def _with_places(prompt: object) -> PromptTemplate:
    if isinstance(prompt, str):
        prompt = PromptTemplate(prompt, own=PROMPT.own)
    if type(prompt) is not PromptTemplate:
        raise ArgumentTypeError(f"a prompt is a PromptTemplate or its text, not {prompt!r:.80}")
    if strange := [name for name in prompt.own if name not in PROMPT.own]:
        raise ArgumentError(
            f"the prompt's own variables are {', '.join(PROMPT.own)}, not {strange[0]!r:.80}"
        )
    if "requirements" not in prompt.own or "requirements" not in prompt.places:
        raise ArgumentError("the prompt has no place {{requirements}}")
    return prompt
