"""Which build tool a workspace uses, told by the files that are there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast


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
    """

    name: str
    marks: tuple[str, ...]
    command: tuple[str, ...]
    wrapper: str | None = None
    runner: bool = False


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
    BuildTool("cargo", ("Cargo.toml",), ("cargo", "build")),
    BuildTool("go", ("go.mod",), ("go", "build", "./...")),
    BuildTool(
        "cmake", ("CMakeLists.txt",), ("sh", "-c", "cmake -S . -B build && cmake --build build")
    ),
    BuildTool("uv", ("uv.lock",), ("uv", "build")),
    BuildTool("poetry", ("poetry.lock",), ("poetry", "build")),
    BuildTool("hatch", ("hatch.toml",), ("hatch", "build")),
    BuildTool("make", ("GNUmakefile", "makefile", "Makefile"), ("make",), runner=True),
    BuildTool("tox", ("tox.ini",), ("tox",), runner=True),
    BuildTool("nox", ("noxfile.py",), ("nox",), runner=True),
)

BY_NAME: Final = {tool.name: tool for tool in TOOLS}


def recognise(folder: Path) -> tuple[BuildTool, ...]:
    """The build tools that a folder's files point to; runners only where there is nothing else.

    A `package.json` without any lock file is npm's. In a `pyproject.toml` the table of a tool, or
    its build back-end, points to that tool.
    """
    names = {entry.name for entry in os.scandir(folder) if entry.is_file()}
    found = [tool for tool in TOOLS if any(mark in names for mark in tool.marks)]
    known = {tool.name for tool in found}
    if "package.json" in names and not known & {"npm", "pnpm", "yarn"}:
        found.append(BY_NAME["npm"])
    if "pyproject.toml" in names and not known & {"uv", "poetry", "hatch"}:
        found += _from_pyproject(folder / "pyproject.toml")
    builders = [tool for tool in found if not tool.runner]
    return tuple(builders or found)


def command_for(tool: BuildTool, folder: Path) -> tuple[str, ...]:
    """The command that builds the folder; its wrapper script where it has one to execute."""
    if tool.wrapper is not None:
        script = folder / tool.wrapper
        if script.is_file() and os.access(script, os.X_OK):
            return (f"./{tool.wrapper}", *tool.command[1:])
    return tool.command


def _from_pyproject(path: Path) -> Sequence[BuildTool]:
    import tomllib

    try:
        project = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
        return ()
    backend = str(_table(project, "build-system").get("build-backend", ""))
    tables = _table(project, "tool")
    for name in ("poetry", "hatch", "uv"):
        if name in tables or name in backend.replace("hatchling", "hatch"):
            return (BY_NAME[name],)
    return ()


def _table(document: dict[str, object], name: str) -> dict[str, object]:
    table = document.get(name)
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}
