"""Whether a command ends as it should, contained while it runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_seconds
from agent_judge.frozen import EMPTY, FrozenMap, check_text
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.process import options
from agent_judge.judges.process.environment import environment
from agent_judge.judges.process.isolation import Isolation
from agent_judge.judges.process.judging import judge_command, working_directory
from agent_judge.judges.process.records import Command
from agent_judge.judgment import Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class CommandJudge:
    """Whether a command that runs in the workspace ends with the expected exit code.

    What the command prints is kept as evidence and decides nothing. Every process that it
    started is dead when the judge answers.

    Args:
        command: The program and its arguments: a list, or a string that is split as a shell
            would split it. No shell runs, unless `shell` asks for one.
        expected_exit: The exit code that passes, or several. As in a shell, 127 and 126 stand for
            a program that cannot be found or started, 128 + n for death by signal n; these are
            ERROR where they are not expected.
        timeout: Seconds after which it is killed, and the judgment is ERROR.
        cwd: The folder of the workspace to run it in.
        env: Variables to set. Apart from these and those named in `inherit` it sees only a short
            list such as PATH, HOME and LANG; PATH is cleared of directories in the workspace.
        inherit: Names of further variables to hand on.
        shell: Run the string with `sh -c`.
        isolation: What it is kept from; an isolation that cannot be had is ERROR.
        limits: Limits of the kernel, by the names of `Limits`, under `"rlimits"` and
            `"bubblewrap"`.
        readable: Directories that a sandbox leaves readable, for example a toolchain in the home.
        stdin: What it reads; nothing unless given.
        output_limit: Bytes that are kept of each of its streams.

    Raises:
        ArgumentError: An empty command, a bad number, a path out of the workspace.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> evaluate(CommandJudge("python3 -c 'print(1)'"), JudgmentContext(workspace=".")).passed
        True
    """

    command: str | Sequence[str]
    _: KW_ONLY
    expected_exit: int | Collection[int] = 0
    timeout: float = 60.0
    cwd: str = "."
    env: Mapping[str, str] = EMPTY
    inherit: Sequence[str] = ()
    shell: bool = False
    isolation: Literal["none", "rlimits", "bubblewrap"] = "none"
    limits: Mapping[str, int] = EMPTY
    readable: Sequence[str] = ()
    stdin: str = ""
    output_limit: int = 65_536
    argv: tuple[str, ...] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CommandJudge", cost=Cost.COMMAND, type="command", needs=("workspace",), version="2"
    )

    def __post_init__(self) -> None:
        options.check_flag(self.shell, "shell")
        check_seconds(self.timeout, "timeout")
        check_text(self.stdin, "stdin")
        options.check_isolation(self.isolation)
        options.check_output_limit(self.output_limit)
        options.limits_of(self.limits)
        argv = options.command_words(self.command, shell=self.shell)
        checked: dict[str, object] = {
            "argv": argv,
            "command": self.command if isinstance(self.command, str) else argv,
            "expected_exit": options.exit_codes(self.expected_exit),
            "cwd": options.folder(self.cwd),
            "env": options.variables(self.env),
            "inherit": options.texts(self.inherit, "inherit"),
            "limits": FrozenMap(self.limits),
            "readable": options.directories(self.readable, "readable"),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Run the command in the context's workspace."""
        try:
            workspace, cwd = working_directory(context, self.cwd)
        except WorkspaceError as fault:
            return fault.judgment
        return await judge_command(self.prepared(workspace, cwd), self.expected_codes)

    @property
    def expected_codes(self) -> Collection[int]:
        """The exit codes that pass."""
        return (self.expected_exit,) if isinstance(self.expected_exit, int) else self.expected_exit

    def prepared(self, workspace: Path, cwd: Path) -> Command:
        """The command as it is run there."""
        return Command(
            argv=self.argv,
            workspace=workspace,
            cwd=cwd,
            env=environment(workspace, self.env, self.inherit),
            timeout=self.timeout,
            stdin=self.stdin,
            isolation=Isolation(self.isolation),
            limits=options.limits_of(self.limits),
            readable=tuple(self.readable),
            output_limit=self.output_limit,
        )
