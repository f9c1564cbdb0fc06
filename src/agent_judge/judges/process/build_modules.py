"""Projects of several modules: how all are built, and whether there is anything to build."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, cast

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.tree import WALK_LIMIT, Budget, walk

if TYPE_CHECKING:
    from agent_judge.judges.process.build_tools import Project

_IN_ALL_PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "npm": ("npm", "run", "build", "--workspaces", "--if-present"),
    "pnpm": ("pnpm", "--recursive", "run", "build"),
    "yarn": ("npm", "run", "build", "--workspaces", "--if-present"),
}
"""Yarn's own command, before version 2, fails where a package has no such script."""
_IN_ALL_PACKAGES_OF_BERRY: Final = ("yarn", "workspaces", "foreach", "--all", "run", "build")
"""Yarn from version 2 on."""

_USE: Final = re.compile(r"^\s*(?:use\s+)?\(?\s*\"?(\.{1,2}(?:/[^\s\"()]*)?)\"?\s*\)?\s*(?://.*)?$")
"""A module in a `go.work` file, alone or in a block."""


def command_for_modules(tool: str, project: Project) -> tuple[str, ...] | None:
    """The command that builds all modules, where the tool's own would build fewer.

    Raises:
        WorkspaceError: A file leads out of the workspace, or cannot be read.
    """
    if tool in _IN_ALL_PACKAGES and _has_packages(project) and not _has_script(project, "."):
        is_berry = tool == "yarn" and project.has(".yarnrc.yml")
        return _IN_ALL_PACKAGES_OF_BERRY if is_berry else _IN_ALL_PACKAGES[tool]
    if tool == "uv" and _is_uv_workspace(project):
        return ("uv", "build", "--all-packages")
    if tool == "go" and project.has("go.work") and not project.has("go.mod"):
        modules = tuple(f"{module.rstrip('/')}/..." for module in _go_modules(project))
        return ("go", "build", *modules) if modules else None
    return None


def has_build_in_a_package(project: Project) -> bool:
    """Whether one of the packages of a JavaScript workspace has a script `build`.

    Raises:
        WorkspaceError: A file leads out of the workspace, or cannot be read.
    """
    return _has_packages(project) and any(
        _has_script(project, folder) for folder in _packages(project)
    )


def _has_packages(project: Project) -> bool:
    package = project.package_json() if project.has("package.json") else None
    return bool((package or {}).get("workspaces")) or project.has("pnpm-workspace.yaml")


def _packages(project: Project) -> Iterator[str]:
    """The folders below the project's that hold a `package.json`, relative to it."""
    prefix = "" if project.folder == "." else f"{project.folder}/"

    def enters(path: str) -> bool:
        return path.rpartition("/")[2] not in ("node_modules", ".git")

    for entry in walk(project.workspace, project.folder, Budget(WALK_LIMIT), enters):
        folder, _, name = entry.path.removeprefix(prefix).rpartition("/")
        if name == "package.json" and folder and entry.kind is Kind.FILE:
            yield folder


def _has_script(project: Project, folder: str) -> bool:
    scripts = (project.package_json(folder) or {}).get("scripts")
    return isinstance(scripts, dict) and bool(cast("dict[str, object]", scripts).get("build"))


def _is_uv_workspace(project: Project) -> bool:
    try:
        settings = tomllib.loads(project.text("pyproject.toml"))
        return "workspace" in settings["tool"]["uv"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _go_modules(project: Project) -> Iterator[str]:
    try:
        lines = project.text("go.work").splitlines()
    except ValueError:
        return
    for line in lines:
        found = _USE.match(line[:1_000])
        if found is not None:
            yield found[1]
