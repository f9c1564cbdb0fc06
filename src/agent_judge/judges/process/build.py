"""Whether the workspace builds, with the tool its files point to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY
from agent_judge.judges.process.build_tools import BY_NAME, BuildTool, command_for, recognise
from agent_judge.judges.process.command import CommandJudge, judge_command, working_directory
from agent_judge.judgment import Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class BuildSuccessJudge:
    """Whether the project in the workspace builds.

    Maven, Gradle, npm, pnpm, yarn, cargo, go, make, CMake, uv, poetry, hatch, tox and nox are
    recognised by their files; a wrapper script is used where there is one. A Makefile, tox or nox
    file beside one of the others does not count. Where several are left, the judgment is ERROR.

    Args:
        tool: The tool to use, where the files do not decide.
        timeout: Seconds after which it is killed, and the judgment is ERROR.
        cwd: Where to build, relative to the workspace.
        env: Variables to set, as for `CommandJudge`.
        inherit: Names of further variables to hand on.
        isolation: `"none"`, `"rlimits"` or `"bubblewrap"`.
        limits: Limits of the kernel, as for `CommandJudge`.
        readable: Directories that a sandbox leaves readable.

    Raises:
        ArgumentError: An unknown tool, or what `CommandJudge` refuses.
    """

    tool: str | None = None
    timeout: float = 600.0
    cwd: str = "."
    env: Mapping[str, str] = EMPTY
    inherit: Sequence[str] = ()
    isolation: str = "none"
    limits: Mapping[str, int] = EMPTY
    readable: Sequence[str] = ()

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "BuildSuccessJudge",
        cost=Cost.COMMAND,
        type="build_success",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        if self.tool is not None and self.tool not in BY_NAME:
            raise ArgumentError(f"tool is one of {sorted(BY_NAME)}, not {self.tool!r}")
        runner = self._runner(("true",))
        for name in ("inherit", "readable", "env", "limits"):
            object.__setattr__(self, name, getattr(runner, name))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Build the context's workspace."""
        place = working_directory(context, self.cwd)
        if isinstance(place, Judgment):
            return place
        workspace, folder = place
        tool = self._choose(folder)
        if isinstance(tool, Judgment):
            return tool
        runner = self._runner(command_for(tool, folder))
        return await judge_command(runner.prepared(workspace, folder), runner.expected_codes)

    def _runner(self, command: tuple[str, ...]) -> CommandJudge:
        return CommandJudge(
            command,
            timeout=self.timeout,
            cwd=self.cwd,
            env=self.env,
            inherit=self.inherit,
            isolation=self.isolation,
            limits=self.limits,
            readable=self.readable,
        )

    def _choose(self, folder: Path) -> BuildTool | Judgment:
        if self.tool is not None:
            return BY_NAME[self.tool]
        found = recognise(folder)
        if len(found) == 1:
            return found[0]
        if not found:
            return Judgment.erring(
                "no file in the workspace points to a build tool; name it with tool=",
                ReasonCode.NO_BUILD_FOUND,
            )
        names = ", ".join(tool.name for tool in found)
        return Judgment.erring(
            f"the workspace points to several build tools: {names}; choose one with tool=",
            ReasonCode.AMBIGUOUS_BUILD,
        )
