"""Agents on the command line as models: Claude Code, Codex and Gemini CLI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from agent_judge.errors import ArgumentError
from agent_judge.frozen import check_text
from agent_judge.models.backends.command_line_agents import AGENTS, Agent, Prompt
from agent_judge.models.backends.failures import printable
from agent_judge.models.backends.remote import RemoteModel
from agent_judge.models.backends.retry import SYSTEM_CLOCK, AttemptFailed, Retries
from agent_judge.models.backends.subprocesses import Finished, run_program
from agent_judge.models.errors import MalformedReplyError, ModelError, ModelUnavailableError
from agent_judge.models.messages import Role
from agent_judge.models.model import Feature
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import ModelResponse

MAX_OUTPUT_BYTES: Final = 16 * 2**20
"""What a program may print; one that prints more is stopped."""


class CommandLineModel(RemoteModel):
    """An agent on the command line, asked one question in a process of its own.

    The prompt goes through standard input. Tools, saved sessions and settings are switched off as
    far as the program lets them be, and it runs in an empty folder: what is judged may try to give
    it orders. The program uses its own login and its own retries. It is stopped, with its
    children, when the deadline passes or the call is cancelled.

    Args:
        program: `"claude"`, `"codex"` or `"gemini"`.
        model: The program's name of the model; its default unless given.
        executable: Where the program is, unless it is found by its name.
        arguments: Further arguments, after those given here; they can lift the limits above.
        directory: The folder to run in. Programs read instructions and settings from there: name
            only one whose content you trust.
        timeout: Seconds that a call may take.
        concurrency: The most processes at once in one event loop.

    Raises:
        ArgumentError: An unknown program, or a value out of range.

    Example:
        >>> CommandLineModel("claude", model="opus").name
        'cli:claude:opus'
    """

    def __init__(
        self,
        program: str,
        *,
        model: str | None = None,
        executable: str | Path | None = None,
        arguments: Sequence[str] = (),
        directory: str | Path | None = None,
        timeout: float = 600.0,
        concurrency: int = 4,
    ) -> None:
        if program not in AGENTS:
            raise ArgumentError(f"program must be one of {', '.join(AGENTS)}, got {program!r:.80}")
        if model is not None:
            check_text(model, "model")
            if not model.strip() or model.startswith("-"):
                raise ArgumentError(f"model must be a name, got {model!r:.80}")
        agent = AGENTS[program]
        name = f"cli:{program}" if model is None else f"cli:{program}:{model}"
        super().__init__(
            name=name,
            identity=" ".join([name, *arguments]),
            features=frozenset({Feature.SCHEMA}) if agent.takes_schema else frozenset(),
            encode=_encode,
            decode=_decode,
            transport=_Program(
                name,
                agent,
                model,
                str(executable or program),
                tuple(arguments),
                None if directory is None else Path(directory),
            ),
            timeout=timeout,
            concurrency=concurrency,
            retries=Retries(attempts=1),
            clock=SYSTEM_CLOCK,
        )


@dataclass(frozen=True, slots=True)
class _Program:
    """What asks a program: a process for each question."""

    name: str
    agent: Agent
    model: str | None
    command: str
    arguments: tuple[str, ...]
    directory: Path | None

    async def send(self, body: Mapping[str, Any], /) -> ModelResponse:
        """Ask one question.

        Raises:
            AttemptFailed: There is no answer.
        """
        prompt: Prompt = body["prompt"]
        with TemporaryDirectory(prefix="agent-judge-") as folder:
            files = Path(folder)
            arguments = self.agent.arguments(prompt, files, self.model)
            empty = files / "empty"
            empty.mkdir()
            command = [self.command, *arguments, *self.arguments]
            finished = await self._run(command, prompt, self.directory or empty)
        if finished.output is None:
            message = f"{self.name}: it printed more than {MAX_OUTPUT_BYTES} bytes"
            raise AttemptFailed(MalformedReplyError(message))
        try:
            return self.agent.read(finished.output, prompt)
        except ModelError as fault:
            said = printable(finished.errors.decode("utf-8", "replace")) or "empty"
            how = f"exit code {finished.code}; standard error: {said}"
            failure = AttemptFailed(type(fault)(f"{self.name}: {fault} ({how})"))
        raise failure

    async def _run(self, command: Sequence[str], prompt: Prompt, folder: Path) -> Finished:
        try:
            text = self.agent.input(prompt)
            return await run_program(command, text, folder, MAX_OUTPUT_BYTES)
        except OSError as fault:
            why = f"the program {command[0]!r} cannot be started: {fault.strerror}"
            failure = AttemptFailed(ModelUnavailableError(f"{self.name}: {why}"))
        raise failure

    async def aclose(self) -> None:
        """Do nothing: each call ends its own process."""


def _encode(request: ModelRequest) -> dict[str, Any]:
    """One text of the messages; several turns are told apart by who speaks."""
    system = [said.text for said in request.messages if said.role is Role.SYSTEM]
    turns = [said for said in request.messages if said.role is not Role.SYSTEM]
    if len(turns) > 1:
        text = "\n\n".join(f"[{said.role.value}]\n{said.text}" for said in turns)
    else:
        text = "".join(said.text for said in turns)
    schema = None if request.schema is None else request.schema.plain
    return {"prompt": Prompt("\n\n".join(system), text, schema)}


def _decode(answer: object, _request: ModelRequest) -> ModelResponse:
    assert isinstance(answer, ModelResponse)
    return answer
