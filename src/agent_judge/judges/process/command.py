"""Whether a command ends as it should, contained while it runs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, cast

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_timeout, shared
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.judges.process.contained import Command, Completed, run
from agent_judge.judges.process.environment import environment
from agent_judge.judges.process.isolation import Isolation, IsolationUnavailableError, Limits
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

SHELL_NOT_EXECUTABLE = 126
SHELL_NOT_FOUND = 127


@dataclass(frozen=True, slots=True)
class CommandJudge:
    """Whether a command that runs in the workspace ends with the expected exit code.

    What the command prints is kept as evidence and decides nothing. Every process that it
    started is dead when the judge answers.

    Args:
        command: The program and its arguments: a list, or a string that is split as a shell
            would split it. No shell runs, unless `shell` asks for one.
        expected_exit: The exit code that passes, or several; 128 + n for death by signal n.
        timeout: Seconds after which it is killed, and the judgment is ERROR.
        cwd: Where to run it, relative to the workspace.
        env: Variables to set. Apart from these and those named in `inherit` it sees only a short
            list such as PATH, HOME and LANG; PATH is cleared of directories in the workspace.
        inherit: Names of further variables to hand on.
        shell: Run the string with `sh -c`.
        isolation: `"none"`, `"rlimits"` or `"bubblewrap"`; one that cannot be had is ERROR.
        limits: Limits of the kernel, by the names of `Limits`, under the latter two.
        readable: Directories that a sandbox leaves readable, for example a toolchain in the home.
        stdin: What it reads.
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
    expected_exit: int | Collection[int] = 0
    timeout: float = 60.0
    cwd: str = "."
    env: Mapping[str, str] = EMPTY
    inherit: Sequence[str] = ()
    shell: bool = False
    isolation: str = "none"
    limits: Mapping[str, int] = EMPTY
    readable: Sequence[str] = ()
    stdin: str = ""
    output_limit: int = 65_536
    argv: tuple[str, ...] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CommandJudge", cost=Cost.COMMAND, type="command", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        _set(self, "argv", _argv(self.command, shell=self.shell))
        if not isinstance(self.command, str):
            _set(self, "command", self.argv)
        _set(self, "expected_exit", _exit_codes(self.expected_exit))
        check_timeout(self.timeout)
        _set(self, "cwd", _relative(self.cwd))
        _set(self, "env", FrozenMap(_texts(self.env)))
        for name in ("inherit", "readable"):
            _set(self, name, _names(getattr(self, name), name))
        _check_isolation(self.isolation)
        _set(self, "limits", FrozenMap(self.limits))
        _limits(self.limits)
        if type(self.output_limit) is not int or self.output_limit < 2:
            raise ArgumentError(f"output_limit counts bytes from 2 up, got {self.output_limit!r}")

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Run the command in the context's workspace."""
        place = working_directory(context, self.cwd)
        if isinstance(place, Judgment):
            return place
        workspace, cwd = place
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
            limits=_limits(self.limits),
            readable=tuple(self.readable),
            output_limit=self.output_limit,
        )


_set = object.__setattr__


async def judge_command(command: Command, expected: Collection[int]) -> Judgment:
    """Run a command, once for all judges of a vote that want the same, and judge its end."""
    try:
        completed = await shared(command.key, lambda: run(command))
    except IsolationUnavailableError as fault:
        return Judgment.erring(str(fault), ReasonCode.ISOLATION_UNAVAILABLE)
    return judge_end(command, completed, expected)


def judge_end(command: Command, completed: Completed, expected: Collection[int]) -> Judgment:
    """What the end of a command says: PASS, FAIL, or ERROR where it did not run to an end."""
    metadata = _facts(command, completed)
    line = shlex.join(command.argv)
    error = _error(line, command, completed, expected)
    if error is not None:
        why, code = error
        return Judgment.erring(why, code, metadata=metadata)
    code_given = _as_a_shell_counts(completed)
    wanted = " or ".join(map(str, expected))
    passed = code_given in expected
    check = Check(f"exit code of {line}"[:500], passed, f"{code_given}, expected {wanted}")
    if passed:
        return Judgment.passing(
            f"{line} ended with {code_given}", checks=[check], metadata=metadata
        )
    return Judgment.failing(
        f"{line} ended with {code_given}, expected {wanted}{_last_words(completed)}",
        checks=[check],
        metadata=metadata,
    )


def working_directory(context: JudgmentContext, cwd: str) -> tuple[Path, Path] | Judgment:
    """The workspace and the folder in it to work in, or the ERROR that there is none."""
    if context.workspace is None:
        return Judgment.erring("the context has no workspace", ReasonCode.NO_WORKSPACE)
    workspace = context.workspace.absolute()
    if not workspace.is_dir():
        return Judgment.erring(
            f"the workspace {context.workspace} is not a directory", ReasonCode.NO_WORKSPACE
        )
    place = (workspace / cwd).resolve()
    if not place.is_relative_to(workspace.resolve()):
        return Judgment.erring(f"{cwd!r} leads out of the workspace", ReasonCode.OUTSIDE_WORKSPACE)
    if not place.is_dir():
        return Judgment.erring(
            f"{cwd!r} is not a directory in the workspace", ReasonCode.NO_WORKSPACE
        )
    return workspace, place


def _error(
    line: str, command: Command, completed: Completed, expected: Collection[int]
) -> tuple[str, ReasonCode] | None:
    """Why nothing is known of how the command would have ended, where that is so."""
    if completed.lost:
        return f"{line} killed its supervisor", ReasonCode.COMMAND_KILLED
    if completed.timed_out:
        return f"{line} was killed after {command.timeout:g} s", ReasonCode.TIMEOUT
    if completed.errno is not None:
        return _not_started(line, command.argv[0], completed.errno)
    if completed.signal is not None and 128 + completed.signal not in expected:
        return f"{line} was killed by signal {completed.signal}", ReasonCode.COMMAND_KILLED
    return _shell_error(line, completed.exit_code, expected)


def _not_started(line: str, program: str, errno: int) -> tuple[str, ReasonCode]:
    import errno as errors

    if errno == errors.ENOENT:
        return f"{program}: there is no such program ({line})", ReasonCode.COMMAND_NOT_FOUND
    return f"{program}: {os.strerror(errno)} ({line})", ReasonCode.COMMAND_NOT_EXECUTABLE


def _shell_error(
    line: str, exit_code: int | None, expected: Collection[int]
) -> tuple[str, ReasonCode] | None:
    """What a shell says of a program that it did not find or could not execute."""
    if exit_code in expected:
        return None
    if exit_code == SHELL_NOT_FOUND:
        return f"{line} ended with 127: a program was not found", ReasonCode.COMMAND_NOT_FOUND
    if exit_code == SHELL_NOT_EXECUTABLE:
        why = f"{line} ended with 126: a program could not be executed"
        return why, ReasonCode.COMMAND_NOT_EXECUTABLE
    return None


def _facts(command: Command, completed: Completed) -> dict[str, Json]:
    facts: dict[str, Json] = {
        "command": list(command.argv),
        "isolation": command.isolation.value,
        "elapsed": completed.elapsed,
        "stdout": completed.stdout,
        "stderr": completed.stderr,
    }
    if completed.exit_code is not None:
        facts["exit_code"] = completed.exit_code
    if completed.signal is not None:
        facts["signal"] = completed.signal
    if completed.left_over:
        facts["processes_left_over"] = completed.left_over
    return facts


def _as_a_shell_counts(completed: Completed) -> int | None:
    """The exit code; for a command that signal n killed, 128 + n."""
    return completed.exit_code if completed.signal is None else 128 + completed.signal


def _last_words(completed: Completed) -> str:
    """The last line that the command printed, which mostly says what went wrong."""
    printed = (completed.stderr or completed.stdout).strip()
    return f": {printed.splitlines()[-1][:200]}" if printed else ""


def _argv(command: object, *, shell: bool) -> tuple[str, ...]:
    if isinstance(command, str):
        argv = ("sh", "-c", command) if shell else _split(command)
    elif shell:
        raise ArgumentTypeError("shell=True takes the command as one string, not a list")
    else:
        argv = _names(command, "command")
    if not argv or not argv[0].strip() or (isinstance(command, str) and not command.strip()):
        raise ArgumentError("command is empty; say which program to run")
    if any("\x00" in word for word in argv):
        raise ArgumentError("command holds a NUL character")
    return argv


def _split(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as fault:
        raise ArgumentError(f"command {command!r} cannot be split: {fault}") from None


def _names(words: object, name: str) -> tuple[str, ...]:
    kept = tuple(cast("Iterable[object]", words)) if isinstance(words, list | tuple) else (None,)
    if not all(type(word) is str for word in kept):
        raise ArgumentTypeError(f"{name} must be strings in a list, not {words!r}")
    return cast("tuple[str, ...]", kept)


def _texts(mapping: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(mapping, Mapping):
        raise ArgumentTypeError(f"env must map names to strings, not {mapping!r}")
    for name, value in mapping.items():
        if type(name) is not str or type(value) is not str:
            raise ArgumentTypeError(f"env must map names to strings, not {name!r} to {value!r}")
        if not name or "=" in name or "\x00" in name + value:
            raise ArgumentError(f"env names {name!r}, which cannot be a variable")
    return dict(mapping)


def _exit_codes(expected: object) -> int | tuple[int, ...]:
    if not isinstance(expected, int | list | tuple | set | frozenset):
        raise ArgumentTypeError(f"expected_exit must be a number or several, not {expected!r}")
    several = () if isinstance(expected, int) else cast("Iterable[int]", expected)
    codes = [expected] if isinstance(expected, int) else list(several)
    if not codes:
        raise ArgumentError("expected_exit names no exit code; nothing could pass")
    for code in codes:
        if type(code) is not int or not 0 <= code <= 255:
            raise ArgumentError(f"an exit code lies in 0..255, got {code!r}")
    return expected if isinstance(expected, int) else tuple(sorted(several))


def _relative(cwd: object) -> str:
    if type(cwd) is not str:
        raise ArgumentTypeError(f"cwd must be a path in the workspace, not {cwd!r}")
    parts = Path(cwd).parts
    if not cwd or Path(cwd).is_absolute() or ".." in parts or "\x00" in cwd:
        raise ArgumentError(f"cwd {cwd!r} must be relative and stay in the workspace")
    return cwd


def _check_isolation(isolation: object) -> None:
    known = [member.value for member in Isolation]
    if isolation not in known:
        raise ArgumentError(f"isolation is one of {known}, not {isolation!r}")


def _limits(limits: Mapping[str, int]) -> Limits:
    try:
        return Limits(**limits)
    except TypeError:
        known = list(Limits.__slots__)
        raise ArgumentError(f"limits names one of {sorted(limits)}; known are {known}") from None
