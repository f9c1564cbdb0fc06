from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError
from agent_judge.judges import BuildSuccessJudge
from agent_judge.judges.process.build_tools import BY_NAME, command_for, recognise

PYPROJECT = {
    "hatch": '[build-system]\nbuild-backend = "hatchling.build"\n',
    "poetry": "[tool.poetry]\n",
    "uv": "[tool.uv]\n",
}


def names(folder: Path) -> list[str]:
    """The build tools that are recognised."""
    return [tool.name for tool in recognise(folder)]


@pytest.mark.parametrize(
    ("files", "tool"),
    [
        (["pom.xml"], "maven"),
        (["build.gradle.kts", "settings.gradle.kts"], "gradle"),
        (["package.json"], "npm"),
        (["package.json", "package-lock.json"], "npm"),
        (["package.json", "pnpm-lock.yaml"], "pnpm"),
        (["package.json", "yarn.lock"], "yarn"),
        (["Cargo.toml"], "cargo"),
        (["go.mod"], "go"),
        (["Makefile"], "make"),
        (["CMakeLists.txt"], "cmake"),
        (["uv.lock", "pyproject.toml"], "uv"),
        (["poetry.lock", "pyproject.toml"], "poetry"),
        (["hatch.toml"], "hatch"),
        (["tox.ini"], "tox"),
        (["noxfile.py"], "nox"),
    ],
)
def test_a_build_tool_is_told_by_its_files(tmp_path: Path, files: list[str], tool: str) -> None:
    """Each supported tool is recognised from the files that are there. (contract: judges:X9)"""
    for name in files:
        (tmp_path / name).touch()

    assert names(tmp_path) == [tool]


@pytest.mark.parametrize("tool", PYPROJECT)
def test_a_build_tool_is_told_by_pyproject(tmp_path: Path, tool: str) -> None:
    """Without a lock file, the tables of pyproject.toml tell. (contract: judges:X9)"""
    (tmp_path / "pyproject.toml").write_text(PYPROJECT[tool])

    assert names(tmp_path) == [tool]


def test_a_runner_beside_a_package_manager_is_not_ambiguous(tmp_path: Path) -> None:
    """A Makefile, tox or nox file does not compete. (contract: judges:X9)"""
    for name in ("Cargo.toml", "Makefile", "tox.ini", "noxfile.py"):
        (tmp_path / name).touch()

    assert names(tmp_path) == ["cargo"]


def test_several_build_tools_are_an_error_that_names_them(tmp_path: Path) -> None:
    """Where files point to several tools, a person chooses. (contract: judges:X9)"""
    for name in ("pom.xml", "build.gradle"):
        (tmp_path / name).touch()

    judgment = evaluate(BuildSuccessJudge(), JudgmentContext(workspace=tmp_path))

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.AMBIGUOUS_BUILD)
    assert "maven" in judgment.reasoning
    assert "gradle" in judgment.reasoning
    assert "tool=" in judgment.reasoning


def test_no_build_tool_is_an_error(tmp_path: Path) -> None:
    """Nothing to build with is not a build that passed. (contract: judges:X9)"""
    judgment = evaluate(BuildSuccessJudge(), JudgmentContext(workspace=tmp_path))

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.NO_BUILD_FOUND)


def test_an_executable_wrapper_is_used(tmp_path: Path) -> None:
    """A wrapper script stands in when it can be executed. (contract: judges:X9)"""
    (tmp_path / "pom.xml").touch()
    wrapper = tmp_path / "mvnw"
    wrapper.write_text('#!/bin/sh\necho "wrapped $@"\n')

    without = command_for(BY_NAME["maven"], tmp_path)
    wrapper.chmod(0o755)
    judgment = evaluate(BuildSuccessJudge(), JudgmentContext(workspace=tmp_path))

    assert without[0] == "mvn"
    assert judgment.passed
    assert str(judgment.metadata["stdout"]).startswith("wrapped ")


def test_a_real_build_passes_and_fails(tmp_path: Path) -> None:
    """The exit code of the build decides. (contract: judges:X9)"""
    makefile = tmp_path / "Makefile"
    makefile.write_text("all:\n\ttouch built\n")
    built = evaluate(BuildSuccessJudge(), JudgmentContext(workspace=tmp_path))
    makefile.write_text("all:\n\tfalse\n")
    broken = evaluate(BuildSuccessJudge(), JudgmentContext(workspace=tmp_path))

    assert built.passed
    assert (tmp_path / "built").exists()
    assert broken.status is Status.FAIL


def test_a_tool_can_be_named(tmp_path: Path) -> None:
    """A named tool is used whatever else is there. (contract: judges:X9)"""
    (tmp_path / "Makefile").write_text("all:\n\ttrue\n")
    (tmp_path / "pom.xml").touch()

    assert evaluate(BuildSuccessJudge(tool="make"), JudgmentContext(workspace=tmp_path)).passed


def test_an_unknown_tool_is_refused() -> None:
    """The message lists the tools that are known. (contract: judges:X9)"""
    with pytest.raises(ArgumentError, match="maven"):
        BuildSuccessJudge(tool="ant")


def test_a_broken_pyproject_points_to_nothing(tmp_path: Path) -> None:
    """A file that cannot be read does not break the recognition."""
    (tmp_path / "pyproject.toml").write_text("[[[")

    assert names(tmp_path) == []
