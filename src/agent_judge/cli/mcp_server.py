"""`agent-judge mcp`: the configured jury as tools of a server of the Model Context Protocol."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from agent_judge.cli.terminal import errors_explained
from agent_judge.errors import ArgumentError

if TYPE_CHECKING:
    from agent_judge.config import ConfiguredJuries
    from agent_judge.jury import Verdict
    from agent_judge.jury.description import JuryDescription

KEPT: Final = 32
"""Verdicts that can still be explained."""


def mcp(
    config: Annotated[
        Path | None, typer.Option("-c", "--config", help="Configuration; else the nearest one.")
    ] = None,
    root: Annotated[
        Path, typer.Option(help="Folder that workspaces lie in; nothing outside is judged.")
    ] = Path(),
) -> None:
    """Serve the configured juries on standard input and output, for agents to ask.

    Tools: judge_workspace, explain_verdict, list_judges.
    """
    from agent_judge.config import build_all, find_configuration, read_configuration
    from agent_judge.extras import load

    with errors_explained():
        load("mcp.server.mcpserver", extra="mcp", needed_by="agent-judge mcp")
        configuration = read_configuration(config or find_configuration(Path.cwd()))
        court = Court(build_all(configuration), root.resolve())
        server_of(court).run("stdio")


class Court:
    """The juries that can be asked, and what they found lately.

    Args:
        juries: The juries.
        root: The folder that workspaces lie in.
    """

    def __init__(self, juries: ConfiguredJuries, root: Path) -> None:
        self._juries = juries
        self._root = root
        self._found: OrderedDict[str, Verdict] = OrderedDict()
        self._count = 0

    async def judge(
        self, workspace: str, jury: str | None, goal: str, output: str | None
    ) -> dict[str, Any]:
        """Judge a workspace; what was found, in short.

        Raises:
            ArgumentError: There is no such jury, or no such folder below the root.
        """
        from agent_judge.context import MISSING, JudgmentContext
        from agent_judge.coordination.formatting import points_of
        from agent_judge.coordination.policies.jury import score_of
        from agent_judge.coordination.verdict import JudgeVerdict

        context = JudgmentContext(
            goal=goal,
            output=MISSING if output is None else output,
            workspace=self._folder(workspace),
        )
        verdict = await self._juries.choose(jury).avote(context)
        score = score_of(verdict)
        points = points_of(JudgeVerdict.retry("", score).with_finding(verdict), 1)
        return {
            "verdict_id": self._kept(verdict),
            "status": verdict.status.value,
            "passed": verdict.passed,
            "reasoning": verdict.reasoning,
            "fails": [
                {"criterion": one.criterion, "message": one.message, "place": one.place}
                for one in points.failures
            ],
            "passes": list(points.passing),
        }

    def explain(self, verdict_id: str) -> dict[str, Any]:
        """Everything about a verdict that was given lately.

        Raises:
            ArgumentError: There is none of that name.
        """
        from agent_judge import to_dict

        if verdict_id not in self._found:
            known = ", ".join(self._found) or "none yet"
            raise ArgumentError(f"there is no verdict {verdict_id!r:.60}; known are {known}")
        return to_dict(self._found[verdict_id])

    def judges(self) -> dict[str, Any]:
        """The juries with the judges in their seats."""
        juries = dict(self._juries.named)
        if self._juries.default is not None:
            juries["default"] = self._juries.default
        return {name: [*_names(jury.describe())] for name, jury in juries.items()}

    def _kept(self, verdict: Verdict) -> str:
        self._count += 1
        name = f"verdict-{self._count}"
        self._found[name] = verdict
        while len(self._found) > KEPT:
            self._found.popitem(last=False)
        return name

    def _folder(self, workspace: str) -> Path:
        folder = (self._root / workspace).resolve()
        if not folder.is_relative_to(self._root):
            raise ArgumentError(f"{workspace!r:.100} lies outside of {self._root}")
        if not folder.is_dir():
            raise ArgumentError(f"{workspace!r:.100} is no folder in {self._root}")
        return folder


def _names(description: JuryDescription) -> Iterator[str]:
    """The seats of a jury, those of its tiers behind the tier's name."""
    yield from (seat.key for seat in description.seats)
    for stage in description.stages:
        inner = () if stage.jury is None else _names(stage.jury)
        yield from (f"{stage.name}/{name}" for name in inner)


def server_of(court: Court) -> Any:
    """The server that answers for a court."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    from agent_judge import __version__
    from agent_judge.errors import AgentJudgeError

    server = MCPServer(
        "agent-judge",
        instructions="Ask whether work in a folder is done, before you say that it is.",
        version=__version__,
        log_level="WARNING",
    )

    @server.tool()
    async def judge_workspace(
        workspace: str = ".", jury: str | None = None, goal: str = "", output: str | None = None
    ) -> dict[str, Any]:
        """Judge the work in a folder: whether it passes, what fails and where.

        Args:
            workspace: The folder, from the root that the server was started with.
            jury: Which of the configured juries; the default one unless given.
            goal: What was to be done.
            output: What you would answer, where the jury judges that as well.
        """
        try:
            return await court.judge(workspace, jury, goal, output)
        except AgentJudgeError as fault:
            raise ToolError(str(fault)) from fault

    @server.tool()
    async def explain_verdict(verdict_id: str) -> dict[str, Any]:
        """Every judge's finding behind a verdict, with its checks and evidence.

        Args:
            verdict_id: What judge_workspace called it.
        """
        try:
            return court.explain(verdict_id)
        except AgentJudgeError as fault:
            raise ToolError(str(fault)) from fault

    @server.tool()
    async def list_judges() -> dict[str, Any]:
        """The configured juries, and the judges in each."""
        return court.judges()

    return server
