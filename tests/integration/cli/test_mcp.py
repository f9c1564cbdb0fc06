"""`agent-judge mcp`, driven by the official client."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

pytestmark = pytest.mark.integration


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a workspace and a configuration of a jury and a cascade."""
    (tmp_path / "work").mkdir()
    (tmp_path / "agent-judge.toml").write_text(
        '[[judges]]\nname = "made"\ntype = "file_exists"\npath = "done.txt"\n'
        '[[juries.strict.tiers]]\nname = "gate"\npolicy = "final_tier"\n'
        '[[juries.strict.tiers.judges]]\nname = "never"\ntype = "command"\ncommand = "false"\n'
    )
    return tmp_path


def ask(root: Path, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """Call tools of a server that runs as a process of its own; texts of errors as they are."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "agent_judge.cli", "mcp", "--root", "."], cwd=root
    )

    async def main() -> list[Any]:
        answers: list[Any] = []
        async with Client(server) as client:
            answers.append(sorted(tool.name for tool in (await client.list_tools()).tools))
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                text = "".join(getattr(part, "text", "") for part in result.content)
                answers.append(text if result.is_error else json.loads(text))
        return answers

    return asyncio.run(main())


def test_an_agent_can_ask_whether_its_work_is_done(root: Path) -> None:
    """It is told what fails, can have that explained, and asks again."""
    tools, before, explained = ask(
        root,
        ("judge_workspace", {"workspace": "work"}),
        ("explain_verdict", {"verdict_id": "verdict-1"}),
    )
    (root / "work/done.txt").touch()
    _, after, strict = ask(
        root,
        ("judge_workspace", {"workspace": "work"}),
        ("judge_workspace", {"workspace": "work", "jury": "strict"}),
    )

    assert tools == ["explain_verdict", "judge_workspace", "list_judges"]
    assert (before["status"], before["passed"]) == ("fail", False)
    assert "done.txt" in before["fails"][0]["criterion"]
    assert explained["kind"] == "verdict"
    assert explained["seats"][0]["key"] == "made"
    assert (after["passed"], after["fails"]) == (True, [])
    assert not strict["passed"]


def test_the_judges_are_listed(root: Path) -> None:
    """By jury, those of a cascade behind their tiers."""
    _, judges = ask(root, ("list_judges", {}))

    assert judges == {"strict": ["gate/never"], "default": ["made"]}


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("judge_workspace", {"workspace": ".."}, "outside"),
    ("judge_workspace", {"workspace": "/etc"}, "outside"),
    ("judge_workspace", {"workspace": "missing"}, "no folder"),
    ("judge_workspace", {"jury": "lenient"}, "lenient"),
    ("explain_verdict", {"verdict_id": "verdict-9"}, "no verdict"),
]


def test_what_cannot_be_done_is_an_error(root: Path) -> None:
    """Of the call; the server goes on."""
    calls = [(tool, arguments) for tool, arguments, _ in WRONG]

    _, *answers, still = ask(root, *calls, ("list_judges", {}))

    for answer, (_, _, said) in zip(answers, WRONG, strict=True):
        assert said in answer
    assert "default" in still
