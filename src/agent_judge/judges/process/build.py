"""Whether the workspace builds, with the tool its files point to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.process.build_tools import (
    BY_NAME,
    BuildTool,
    Project,
    command_for,
    lacks_build,
    recognise,
)
from agent_judge.judges.process.command import CommandJudge
from agent_judge.judges.process.judging import judge_command, working_directory
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class BuildSuccessJudge:
    r"""Whether the project in the workspace builds.

    Maven, Gradle, npm, pnpm, yarn, cargo, go, make, CMake, uv, poetry, hatch, tox, nox and other
    Python projects (by `pyproject-build`) are recognised by their files; a wrapper script is used
    where there is one, and all modules of a workspace are built. A Makefile, tox or nox file beside
    one of the others does not count. Where several are left, or none, the judgment is ERROR.

    Args:
        tool: The tool to use, where the files do not decide.
        timeout: Seconds after which it is killed, and the judgment is ERROR.
        cwd: The folder of the workspace to build.
        env: Variables to set, as for `CommandJudge`.
        inherit: Names of further variables to hand on.
        isolation: What it is kept from.
        limits: Limits of the kernel, as for `CommandJudge`.
        readable: Directories that a sandbox leaves readable.
        output_limit: Bytes that are kept of each of its streams.

    Raises:
        ArgumentError: An unknown tool, or what `CommandJudge` refuses.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import mkdtemp
        >>> from agent_judge import JudgmentContext, evaluate
        >>> project = Path(mkdtemp())
        >>> _ = (project / "Makefile").write_text("all:\n\ttrue\n")
        >>> evaluate(BuildSuccessJudge(), JudgmentContext(workspace=project)).passed
        True
    """

    _: KW_ONLY
    tool: str | None = None
    timeout: float = 600.0
    cwd: str = "."
    env: Mapping[str, str] = EMPTY
    inherit: Sequence[str] = ()
    isolation: Literal["none", "rlimits", "bubblewrap"] = "none"
    limits: Mapping[str, int] = EMPTY
    readable: Sequence[str] = ()
    output_limit: int = 65_536

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "BuildSuccessJudge",
        cost=Cost.COMMAND,
        type="build_success",
        needs=("workspace",),
        version="2",
    )

    def __post_init__(self) -> None:
        if self.tool is not None and self.tool not in BY_NAME:
            raise ArgumentError(f"tool must be one of {sorted(BY_NAME)}, not {self.tool!r}")
        runner = self._runner(("true",))
        for name in ("cwd", "env", "inherit", "limits", "readable"):
            object.__setattr__(self, name, getattr(runner, name))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Build the context's workspace."""
        try:
            workspace, folder = working_directory(context, self.cwd)
            with open_workspace(workspace) as opened:
                project = Project(opened, self.cwd)
                tool = self._choose(project)
                command = command_for(tool, project)
        except WorkspaceError as fault:
            return fault.judgment
        return await self._build(tool, command, workspace, folder)

    async def _build(
        self, tool: BuildTool, command: Sequence[str], workspace: Path, folder: Path
    ) -> Judgment:
        runner = self._runner(command)
        judgment = await judge_command(runner.prepared(workspace, folder), runner.expected_codes)
        if not judgment.passed or not tool.nothing:
            return judgment
        if tool.nothing not in str(judgment.metadata["stderr"]):
            return judgment
        check = Check("what was built", False, "nothing", examined=0)
        why = f"{tool.name} found nothing to build"
        return Judgment.failing(why, checks=[check], metadata=judgment.metadata)

    def _runner(self, command: Sequence[str]) -> CommandJudge:
        return CommandJudge(
            command,
            timeout=self.timeout,
            cwd=self.cwd,
            env=self.env,
            inherit=self.inherit,
            isolation=self.isolation,
            limits=self.limits,
            readable=self.readable,
            output_limit=self.output_limit,
        )

    def _choose(self, project: Project) -> BuildTool:
        """The tool to build with.

        Raises:
            WorkspaceError: There is none, there are several, or it has nothing to run.
        """
        found = recognise(project) if self.tool is None else (BY_NAME[self.tool],)
        if len(found) > 1:
            names = ", ".join(tool.name for tool in found)
            raise WorkspaceError(
                f"the workspace points to several build tools: {names}; choose one with tool=",
                ReasonCode.AMBIGUOUS_BUILD,
            )
        if not found:
            raise WorkspaceError(
                "no file in the workspace points to a build tool; name it with tool=",
                ReasonCode.NO_BUILD_FOUND,
            )
        if lacks_build(found[0], project):
            raise WorkspaceError(
                f"{found[0].name} has nothing to run: no package.json has a script 'build'",
                ReasonCode.NO_BUILD_FOUND,
            )
        return found[0]
