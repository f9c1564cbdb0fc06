from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError
from agent_judge.judges import BuildSuccessJudge
from agent_judge.judges.files.paths import open_workspace
from agent_judge.judges.process.build_tools import BY_NAME, Project, command_for, recognise

PYPROJECT = {
    "hatch": '[build-system]\nbuild-backend = "hatchling.build"\n',
    "poetry": "[tool.poetry]\n",
    "uv": "[tool.uv]\n",
    "pyproject-build": '[build-system]\nbuild-backend = "setuptools.build_meta"\n',
}


def names(folder: Path) -> list[str]:
    """The build tools that are recognised."""
    with open_workspace(folder) as workspace:
        return [tool.name for tool in recognise(Project(workspace))]


def built(folder: Path, **options: Any) -> Judgment:
    """The judgment on a build."""
    return evaluate(BuildSuccessJudge(**options), JudgmentContext(workspace=folder))


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


def test_a_broken_pyproject_is_left_to_the_build(tmp_path: Path) -> None:
    """A project file that cannot be read is the work's fault, and the build will say so."""
    (tmp_path / "pyproject.toml").write_text("[[[")

    assert names(tmp_path) == ["pyproject-build"]


def test_a_pyproject_that_only_holds_settings_is_no_project(tmp_path: Path) -> None:
    """Settings of a linter do not make a package. (contract: judges:X9)"""
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\n")
    (tmp_path / "Makefile").touch()

    assert names(tmp_path) == ["make"]


def test_a_back_end_for_another_language_is_not_a_second_tool(tmp_path: Path) -> None:
    """A crate with a Python front is cargo's. (contract: judges:X9)"""
    (tmp_path / "Cargo.toml").touch()
    (tmp_path / "pyproject.toml").write_text('[build-system]\nbuild-backend = "maturin"\n')

    assert names(tmp_path) == ["cargo"]


def test_a_package_names_its_own_manager(tmp_path: Path) -> None:
    """What package.json declares decides between several locks. (contract: judges:X9)"""
    (tmp_path / "package.json").write_text('{"packageManager": "pnpm@9.1.0"}')
    (tmp_path / "package-lock.json").touch()
    (tmp_path / "yarn.lock").touch()

    assert names(tmp_path) == ["pnpm"]


def test_a_package_without_a_build_is_an_error(tmp_path: Path) -> None:
    """Nothing was built, and nothing failed. (contract: judges:X9)"""
    (tmp_path / "package.json").write_text('{"scripts": {"test": "true"}}')

    judgment = built(tmp_path)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.NO_BUILD_FOUND)
    assert "package.json" in judgment.reasoning


def test_a_lock_without_a_package_is_an_error(tmp_path: Path) -> None:
    """What is missing cannot be built. (contract: judges:X9)"""
    (tmp_path / "yarn.lock").touch()

    assert built(tmp_path).code is ReasonCode.NO_BUILD_FOUND


def test_a_package_with_a_build_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script 'build' of package.json is what runs. (contract: judges:X9)"""
    workspace, tools = tmp_path / "workspace", tmp_path / "tools"
    for folder in (workspace, tools):
        folder.mkdir()
    (workspace / "package.json").write_text('{"scripts": {"build": "tsc"}}')
    npm = tools / "npm"
    npm.write_text('#!/bin/sh\necho "npm $@"\n')
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")

    assert built(workspace).metadata["stdout"] == "npm run build\n"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """Nothing is built elsewhere instead. (contract: judges:F4)"""
    assert built(tmp_path, cwd="app").code is ReasonCode.NO_WORKSPACE


@pytest.mark.parametrize("content", ["[]", "{", "[" * 100_000, '{"scripts": 3}'])
def test_a_package_that_cannot_be_read_does_not_break_the_judge(
    tmp_path: Path, content: str
) -> None:
    """A hostile package.json is npm's to refuse. (contract: judges:X9)"""
    (tmp_path / "package.json").write_text(content)

    assert names(tmp_path) == ["npm"]


def test_a_manifest_is_not_read_without_end(tmp_path: Path) -> None:
    """One that is too large to be one is an error. (contract: judges:F7)"""
    with (tmp_path / "pyproject.toml").open("wb") as manifest:
        manifest.truncate(10**10)

    assert built(tmp_path).code is ReasonCode.TOO_LARGE


def test_a_mark_that_leads_out_of_the_workspace_is_an_error(tmp_path: Path) -> None:
    """A build file is looked for in the workspace only. (contract: judges:F3)"""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (tmp_path / "Makefile").write_text("all:\n\ttrue\n")
    (workspace / "Makefile").symlink_to("../Makefile")

    assert built(workspace).code is ReasonCode.OUTSIDE_WORKSPACE


def test_a_folder_of_the_workspace_is_built(tmp_path: Path) -> None:
    """What lies above the folder does not count. (contract: judges:X9)"""
    (tmp_path / "pom.xml").touch()
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "Makefile").write_text("all:\n\ttouch made\n")

    assert built(tmp_path, cwd="app").passed
    assert (tmp_path / "app" / "made").exists()


def test_a_tool_that_is_not_installed_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the tool nothing is known of the build. (contract: judges:X9, judges:X3)"""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing-here"))
    (tmp_path / "go.mod").touch()

    assert built(tmp_path).code is ReasonCode.COMMAND_NOT_FOUND


def test_a_success_that_built_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Go ends with 0 where there is no package; nothing passes unexamined. (contract: judges:X9)"""
    workspace, tools = tmp_path / "workspace", tmp_path / "tools"
    for folder in (workspace, tools):
        folder.mkdir()
    (workspace / "go.mod").touch()
    go = tools / "go"
    go.write_text("#!/bin/sh\necho 'go: warning: \"./...\" matched no packages' >&2\n")
    go.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")

    judgment = built(workspace)

    assert judgment.status is Status.FAIL
    assert [check.examined for check in judgment.checks] == [0]


def test_a_runner_beside_a_package_manager_is_not_ambiguous(tmp_path: Path) -> None:
    """A Makefile, tox or nox file does not compete. (contract: judges:X9)"""
    for name in ("Cargo.toml", "Makefile", "tox.ini", "noxfile.py"):
        (tmp_path / name).touch()

    assert names(tmp_path) == ["cargo"]


def test_several_build_tools_are_an_error_that_names_them(tmp_path: Path) -> None:
    """Where files point to several tools, a person chooses. (contract: judges:X9)"""
    for name in ("pom.xml", "build.gradle"):
        (tmp_path / name).touch()

    judgment = built(tmp_path)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.AMBIGUOUS_BUILD)
    assert "maven" in judgment.reasoning
    assert "gradle" in judgment.reasoning
    assert "tool=" in judgment.reasoning


def test_no_build_tool_is_an_error(tmp_path: Path) -> None:
    """Nothing to build with is not a build that passed. (contract: judges:X9)"""
    judgment = built(tmp_path)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.NO_BUILD_FOUND)


def test_an_executable_wrapper_is_used(tmp_path: Path) -> None:
    """A wrapper script stands in when it can be executed. (contract: judges:X9)"""
    (tmp_path / "pom.xml").touch()
    wrapper = tmp_path / "mvnw"
    wrapper.write_text('#!/bin/sh\necho "wrapped $@"\n')

    with open_workspace(tmp_path) as workspace:
        without = command_for(BY_NAME["maven"], Project(workspace))
    wrapper.chmod(0o755)
    judgment = built(tmp_path)

    assert without[0] == "mvn"
    assert judgment.passed
    assert str(judgment.metadata["stdout"]).startswith("wrapped ")


def test_a_real_build_passes_and_fails(tmp_path: Path) -> None:
    """The exit code of the build decides. (contract: judges:X9)"""
    makefile = tmp_path / "Makefile"
    makefile.write_text("all:\n\ttouch built\n")
    success = built(tmp_path)
    makefile.write_text("all:\n\tfalse\n")
    broken = built(tmp_path)

    assert success.passed
    assert (tmp_path / "built").exists()
    assert broken.status is Status.FAIL


def test_a_tool_can_be_named(tmp_path: Path) -> None:
    """A named tool is used whatever else is there. (contract: judges:X9)"""
    (tmp_path / "Makefile").write_text("all:\n\ttrue\n")
    (tmp_path / "pom.xml").touch()

    assert built(tmp_path, tool="make").passed


def test_an_unknown_tool_is_refused() -> None:
    """The message lists the tools that are known. (contract: judges:X9)"""
    with pytest.raises(ArgumentError, match="maven"):
        BuildSuccessJudge(tool="ant")


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"Cargo.toml": "[workspace]\nmembers = ['a']\n"}, "cargo build --workspace"),
        (
            {"pyproject.toml": "[tool.uv.workspace]\nmembers = ['a']\n"},
            "uv build --all-packages",
        ),
        ({"pyproject.toml": "[tool.uv]\n"}, "uv build"),
        (
            {
                "package.json": '{"workspaces": ["packages/*"]}',
                "packages/a/package.json": '{"scripts": {"build": "true"}}',
            },
            "npm run build --workspaces --if-present",
        ),
        (
            {
                "package.json": "{}",
                "pnpm-lock.yaml": "",
                "pnpm-workspace.yaml": "packages: ['a']\n",
                "a/package.json": '{"scripts": {"build": "true"}}',
            },
            "pnpm --recursive run build",
        ),
        (
            {"package.json": '{"workspaces": ["a"]}', "yarn.lock": ""},
            "npm run build --workspaces --if-present",
        ),
        (
            {"package.json": '{"workspaces": ["a"]}', "yarn.lock": "", ".yarnrc.yml": ""},
            "yarn workspaces foreach --all run build",
        ),
        (
            {"package.json": '{"workspaces": ["a"], "scripts": {"build": "make"}}'},
            "npm run build",
        ),
        (
            {"go.work": "go 1.22\n\nuse (\n\t./api // first\n\t./app/\n)\n"},
            "go build ./api/... ./app/...",
        ),
        ({"go.work": "go 1.22\nuse ./api\n"}, "go build ./api/..."),
        ({"go.work": "use ./api\n", "go.mod": ""}, "go build ./..."),
        ({"pom.xml": "<project><modules/></project>"}, "mvn -B -q package"),
        ({"settings.gradle": "include 'a'\n"}, "gradle --console=plain build"),
    ],
)
def test_all_modules_of_a_workspace_are_built(
    tmp_path: Path, files: dict[str, str], command: str
) -> None:
    """Also where the tool's plain command would build the outermost one. (contract: judges:X9)"""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    with open_workspace(tmp_path) as workspace:
        project = Project(workspace)
        (tool,) = recognise(project)
        assert " ".join(command_for(tool, project)) == command


def test_a_workspace_without_a_build_in_any_package_is_an_error(tmp_path: Path) -> None:
    """A command that builds nothing would pass. (contract: judges:X9)"""
    (tmp_path / "package.json").write_text('{"workspaces": ["a"]}')
    (tmp_path / "a").mkdir()
    (tmp_path / "a/package.json").write_text('{"scripts": {"test": "true"}}')
    (tmp_path / "node_modules/b").mkdir(parents=True)
    (tmp_path / "node_modules/b/package.json").write_text('{"scripts": {"build": "true"}}')

    assert built(tmp_path).code is ReasonCode.NO_BUILD_FOUND
