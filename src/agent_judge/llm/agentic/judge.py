"""The judge that looks around in the workspace by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final, Literal, assert_never

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_seconds, in_worker
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json, check_text
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.process.command import CommandJudge
from agent_judge.judgment import Check, Judgment, ReasonCode, Status
from agent_judge.llm.agentic.findings import Finding, checks_of, verify
from agent_judge.llm.agentic.moves import Finished, ToolUse, read_move, schema_of_moves
from agent_judge.llm.agentic.tools import Toolbox, ToolError
from agent_judge.llm.exhibits import Exhibit
from agent_judge.llm.hearing import Hearing, UnansweredError
from agent_judge.llm.prompts import PromptTemplate
from agent_judge.llm.questions import Defence, Question, as_model
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions, ResponseSchema
from agent_judge.protocol import Cost, JudgeMetadata

PROMPT: Final = PromptTemplate(
    """\
Decide by looking into the workspace of the work whether this holds:
{{criterion}}

The task that the work was to do:
{{goal}}

What its author says of it, which proves nothing:
{{output}}

In each turn take one action:
- "list" the files of a "path", which may be a pattern such as src/**/*.py;
- "read" the lines "first" to "last" of the file "path";
- "search" for the "text" in the files of the "path" or pattern;
- "run" the command named "text", of these: {{commands}};
- "finish" with a "verdict" ("pass", "fail" or "undecided") and the "findings" that it rests on.

Each finding says in "kind" whether it speaks "for" the criterion or "against" it, or that a file \
is "missing", and shows where: the "path" with a "line" or a "quote" of its words as they stand \
there, or the "command" with a quote of what it printed. What you cannot show does not count: \
findings are looked up. {{hurry}}

What you did so far, and what came of it:
{{seen}}""",
    own=("criterion", "commands", "hurry", "seen"),
    optional=("goal", "output"),
    blank="(nothing)",
)
_MOVE: Final = schema_of_moves(finish=False)
_LAST_MOVE: Final = schema_of_moves(finish=True)
_LAST: Final = 'This is your last turn: "finish" now.'


@dataclass(frozen=True, slots=True)
class AgenticJudge:
    """Whether a criterion holds, by a model that looks around in the workspace, and shows it.

    The model lists, reads and searches files and runs the commands that are named here, in a copy
    of the workspace, so that nothing it does changes the work. It ends with a verdict and with
    findings, each with a place or a quote. Code looks these up: what is not there is dropped and
    counted. A pass with fewer verified findings for it than it needs, and a fail without one
    against it, are ABSTAIN.

    Args:
        criterion: What has to hold.
        model: The model, or its name as `"provider:model"`.
        commands: What it may run, by name: the program and its arguments.
        isolation: What commands are kept from: `"none"`, `"rlimits"` or `"bubblewrap"`.
        command_timeout: Seconds after which a command is killed.
        steps: How many turns the model has, the last of which must finish.
        timeout: Seconds for all of it; then the judgment is ERROR.
        max_tokens: Tokens that all turns may take, as far as the model reports them; then the next
            turn is the last.
        verified: How many verified findings a pass needs.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from what it reads.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> _ = Path("README.md").write_text("To install it, run pip.")
        >>> shown = {"message": "it says how", "kind": "for", "path": "README.md", "line": 1}
        >>> model = ScriptedModel([
        ...     {"action": "read", "path": "README.md"},
        ...     {"action": "finish", "verdict": "pass", "reason": "done", "findings": [shown]},
        ... ])
        >>> judge = AgenticJudge("The README says how to install.", model)
        >>> evaluate(judge, JudgmentContext(workspace=Path())).reasoning
        'done (1 of 1 findings verified)'
    """

    criterion: str
    model: JudgeModel | str
    commands: Mapping[str, tuple[str, ...]] = EMPTY
    isolation: Literal["none", "rlimits", "bubblewrap"] = "bubblewrap"
    command_timeout: float = 60.0
    steps: int = 15
    timeout: float = 300.0
    max_tokens: int | None = None
    verified: int = 1
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    _question: Question = field(init=False, repr=False, compare=False)
    _commands: Mapping[str, CommandJudge] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "AgenticJudge", cost=Cost.MODEL, type="agentic", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_text(self.criterion, "criterion")
        if not self.criterion.strip():
            raise ArgumentError("criterion must not be blank; say what has to hold")
        check_seconds(self.timeout, "timeout")
        for name in ("steps", "verified", "max_tokens"):
            count = getattr(self, name)
            if not (name == "max_tokens" and count is None) and (
                type(count) is not int or count < 1
            ):
                raise ArgumentError(f"{name} must be a whole number from 1 up, got {count!r}")
        commands = self._prepared()
        told = {name: command.argv for name, command in commands.items()}
        _set(self, "commands", FrozenMap(told))
        _set(self, "_commands", FrozenMap(commands))
        question = Question(
            as_model(self.model),
            PROMPT,
            options=self.options,
            defence=self.defence,
            key={"judge": self.metadata.type, "version": self.metadata.version},
        )
        _set(self, "_question", question)

    def _prepared(self) -> dict[str, CommandJudge]:
        if not isinstance(self.commands, Mapping):
            raise ArgumentTypeError(
                f"commands must map names to commands, not {self.commands!r:.80}"
            )
        return {
            name: CommandJudge(
                command,
                timeout=self.command_timeout,
                isolation=self.isolation,
            )
            for name, command in self.commands.items()
        }

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Let the model look into the workspace of one run."""
        hearing = Hearing(context)
        try:
            with open_workspace(context.workspace) as workspace:
                toolbox = Toolbox(workspace, self._commands)
                async with asyncio.timeout(self.timeout):
                    return await self._examine(hearing, toolbox)
        except WorkspaceError as fault:
            return hearing.conclude(fault.judgment)
        except UnansweredError as unanswered:
            return hearing.fail(unanswered)
        except TimeoutError:
            why = f"the model did not finish within {self.timeout:g} s"
            return hearing.conclude(Judgment.erring(why, ReasonCode.TIMEOUT))

    async def _examine(self, hearing: Hearing, toolbox: Toolbox) -> Judgment:
        seen: list[Exhibit] = []
        for step in range(1, self.steps + 1):
            last = step == self.steps or self._spent(hearing)
            move = await self._move(hearing, tuple(seen), last=last)
            match move:
                case Finished():
                    findings = await in_worker(partial(verify, move.claims, toolbox))
                    trail: dict[str, Json] = {
                        "steps": step,
                        "looked_at": [one.label for one in seen],
                    }
                    return hearing.conclude(self._judgment(move, findings), trail)
                case ToolUse():
                    told = await _use(move, toolbox)
                    seen.append(Exhibit(f"turn-{step}", f"{move}\n{told}"))
                case _:
                    assert_never(move)
            if last:
                break
        why = f"the model did not finish within {self.steps} turns"
        return hearing.conclude(Judgment.erring(why, ReasonCode.PROTOCOL))

    async def _move(
        self, hearing: Hearing, seen: tuple[Exhibit, ...], *, last: bool
    ) -> ToolUse | Finished:
        schema: ResponseSchema = _LAST_MOVE if last else _MOVE
        own = {
            "criterion": self.criterion,
            "commands": ", ".join(self._commands) or "there is none",
            "hurry": _LAST if last else "",
            "seen": seen or "(nothing yet)",
        }
        return await hearing.ask(self._question, read_move, own=own, schema=schema)

    def _spent(self, hearing: Hearing) -> bool:
        """Whether so many tokens were used that the next turn is the last."""
        usage = hearing.usage
        used = usage.total_tokens
        if used is None and usage.input_tokens is not None and usage.output_tokens is not None:
            used = usage.input_tokens + usage.output_tokens
        return self.max_tokens is not None and used is not None and used >= self.max_tokens

    def _judgment(self, end: Finished, findings: tuple[Finding, ...]) -> Judgment:
        checks = tuple(checks_of(findings))
        dropped = sum(not finding.verified for finding in findings)
        told = f"{end.reason} ({len(checks)} of {len(findings)} findings verified)".strip()
        facts: dict[str, Json] = {
            "verified": len(checks),
            "dropped": [f"{one.claim.message}: {one.fault}" for one in findings if one.fault],
        }
        supporting = sum(check.passed for check in checks)
        opposing = len(checks) - supporting
        shown = [check.as_advisory() for check in checks]
        if end.verdict == "pass" and supporting >= self.verified:
            return Judgment(Status.PASS, told, checks=_deciding(checks), metadata=facts)
        if end.verdict == "fail" and opposing:
            return Judgment(Status.FAIL, told, checks=checks, metadata=facts)
        if end.verdict == "pass":
            needed = (
                f"{self.verified} verified findings for it are needed, and there are {supporting}"
            )
            why = f"the model passes it, but {needed}; {dropped} were dropped"
        elif end.verdict == "fail":
            why = f"the model fails it, but shows nothing against it; {dropped} were dropped"
        else:
            why = f"the model is undecided: {told}"
        return Judgment.abstaining(why, checks=shown, metadata=facts)


_set = object.__setattr__


def _deciding(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """The checks of a pass: what speaks against it is shown, and does not decide."""
    return tuple(check if check.passed else check.as_advisory() for check in checks)


async def _use(move: ToolUse, toolbox: Toolbox) -> str:
    """What a tool gives, or why it gives nothing."""
    try:
        match move.tool:
            case "list":
                return await toolbox.look(move.path)
            case "read":
                return await toolbox.read(move.path, move.first, move.last)
            case "search":
                return await toolbox.search(move.text, move.path)
            case _:
                return await toolbox.run(move.text)
    except ToolError as fault:
        return f"this cannot be done: {fault}"
