"""Which build tool a workspace uses, told by the files that are there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace
from agent_judge.judges.files.reading import read_bytes
from agent_judge.judges.process.build_modules import command_for_modules, has_build_in_a_package

MANIFEST_LIMIT: Final = 1_000_000
"""Bytes of a `package.json` or `pyproject.toml` that are read."""


@dataclass(frozen=True, slots=True)
class BuildTool:
    """A build tool.

    Attributes:
        name: What configuration calls it.
        marks: Files of which one shows that it is used.
        command: Builds the project.
        wrapper: A script in the workspace that stands in for the first word of the command.
        runner: It runs other tools rather than being one: beside a package manager it is not
            what builds.
        nothing: What it prints where there is nothing to build, which it counts as a success.
    """

    name: str
    marks: tuple[str, ...]
    command: tuple[str, ...]
    wrapper: str | None = None
    runner: bool = False
    nothing: str | None = None


TOOLS: Final = (
    BuildTool("maven", ("pom.xml",), ("mvn", "-B", "-q", "package"), wrapper="mvnw"),
    BuildTool(
        "gradle",
        ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
        ("gradle", "--console=plain", "build"),
        wrapper="gradlew",
    ),
    BuildTool("pnpm", ("pnpm-lock.yaml",), ("pnpm", "run", "build")),
    BuildTool("yarn", ("yarn.lock",), ("yarn", "run", "build")),
    BuildTool("npm", ("package-lock.json", "npm-shrinkwrap.json"), ("npm", "run", "build")),
    BuildTool("cargo", ("Cargo.toml",), ("cargo", "build", "--workspace")),
    BuildTool("go", ("go.mod", "go.work"), ("go", "build", "./..."), nothing="matched no packages"),
    BuildTool(
        "cmake", ("CMakeLists.txt",), ("sh", "-c", "cmake -S . -B build && cmake --build build")
    ),
    BuildTool("uv", ("uv.lock",), ("uv", "build")),
    BuildTool("poetry", ("poetry.lock",), ("poetry", "build")),
    BuildTool("hatch", ("hatch.toml",), ("hatch", "build")),
    BuildTool("pyproject-build", (), ("pyproject-build",)),
    BuildTool("make", ("GNUmakefile", "makefile", "Makefile"), ("make",), runner=True),
    BuildTool("tox", ("tox.ini",), ("tox",), runner=True),
    BuildTool("nox", ("noxfile.py",), ("nox",), runner=True),
)

BY_NAME: Final = {tool.name: tool for tool in TOOLS}

_OF_JAVASCRIPT: Final = ("npm", "pnpm", "yarn")
_OF_PYTHON: Final = ("uv", "poetry", "hatch")
_BY_BACKEND: Final = {"uv_build": "uv", "poetry": "poetry", "hatchling": "hatch"}


@dataclass(frozen=True, slots=True)
class Project:
    """A folder of a workspace, looked into for build files.

    Each method raises `WorkspaceError` for a file that leads out of the workspace or cannot be
    read.
    """

    workspace: Workspace
    folder: str = "."

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return self.workspace.kind(f"{self.folder}/{name}") is Kind.FILE

    def can_execute(self, name: str) -> bool:
        """Whether there is a file of that name that can be executed."""
        return self.has(name) and os.access(self.workspace.path / self.folder / name, os.X_OK)

    def text(self, name: str) -> str:
        """The text of a manifest; a `ValueError` where it is not UTF-8."""
        path = f"{self.folder}/{name}"
        return read_bytes(self.workspace, path, MANIFEST_LIMIT).decode("utf-8")

    def package_json(self, folder: str = ".") -> Mapping[str, object] | None:
        """What the `package.json` of a folder in it says; `None` where that cannot be told."""
        import json

        name = "package.json" if folder == "." else f"{folder}/package.json"
        try:
            package: object = json.loads(self.text(name))
        except (ValueError, RecursionError):
            return None
        return cast("dict[str, object]", package) if isinstance(package, dict) else None


def recognise(project: Project) -> tuple[BuildTool, ...]:
    """The build tools that a folder's files point to; runners only where there is nothing else.

    Lock files tell the package managers of one language apart. Where there is none, a
    `package.json` names its own or is npm's, and in a `pyproject.toml` the table of a tool or its
    build back-end points to that tool; any other back-end needs no more than `pyproject-build`.

    Raises:
        WorkspaceError: A file leads out of the workspace, or cannot be read.
    """
    found = {tool.name for tool in TOOLS if any(map(project.has, tool.marks))}
    if project.has("package.json"):
        found = _by_package_json(project, found)
    if project.has("pyproject.toml") and found.isdisjoint(_OF_PYTHON):
        found |= _by_pyproject(project, found)
    tools = tuple(tool for tool in TOOLS if tool.name in found)
    return tuple(tool for tool in tools if not tool.runner) or tools


def command_for(tool: BuildTool, project: Project) -> tuple[str, ...]:
    """The command that builds the folder with all its modules; its wrapper where it has one.

    Raises:
        WorkspaceError: A file leads out of the workspace, or cannot be read.
    """
    for_modules = command_for_modules(tool.name, project)
    if for_modules is not None:
        return for_modules
    if tool.wrapper is not None and project.can_execute(tool.wrapper):
        return (f"./{tool.wrapper}", *tool.command[1:])
    return tool.command


def lacks_build(tool: BuildTool, project: Project) -> bool:
    """Whether there is no build to run: a `package.json` may come without one.

    Raises:
        WorkspaceError: The file leads out of the workspace, or cannot be read.
    """
    if tool.name not in _OF_JAVASCRIPT:
        return False
    if not project.has("package.json"):
        return True
    package = project.package_json()
    if package is None or _table(package, "scripts").get("build"):
        return False
    return not has_build_in_a_package(project)


def _by_package_json(project: Project, found: set[str]) -> set[str]:
    declared = str((project.package_json() or {}).get("packageManager", "")).partition("@")[0]
    if declared in _OF_JAVASCRIPT:
        return {*found.difference(_OF_JAVASCRIPT), declared}
    return found if not found.isdisjoint(_OF_JAVASCRIPT) else {*found, "npm"}


def _by_pyproject(project: Project, found: set[str]) -> set[str]:
    import tomllib

    has_other = any(not BY_NAME[name].runner for name in found)
    plain: set[str] = set() if has_other else {"pyproject-build"}
    try:
        settings = tomllib.loads(project.text("pyproject.toml"))
    except (ValueError, RecursionError):
        return plain
    for name in _OF_PYTHON:
        if name in _table(settings, "tool"):
            return {name}
    backend = str(_table(settings, "build-system").get("build-backend", "")).partition(".")[0]
    if backend in _BY_BACKEND:
        return {_BY_BACKEND[backend]}
    return plain if "build-system" in settings else set()


def _table(document: Mapping[str, object], name: str) -> Mapping[str, object]:
    table = document.get(name)
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}
