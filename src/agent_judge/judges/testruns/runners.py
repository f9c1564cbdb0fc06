"""The tools that run tests, and which of them a workspace uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import find
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.process.build_tools import Project
from agent_judge.judges.testruns.formats.json_document import is_object, text_in
from agent_judge.judgment import ReasonCode

REPORT: Final = "{report}"
"""Stands in a command for a file that does not exist yet, outside of the workspace."""

REPORTS: Final = "{reports}"
"""Stands in a command for a new folder outside of the workspace."""

STDOUT: Final = "-"
"""Stands for the standard output, where a report is asked for."""


@dataclass(frozen=True, slots=True)
class Runner:
    """A tool that runs tests and writes a report.

    Attributes:
        name: What configuration calls it.
        command: Runs all tests; `{report}` is the file of the report, `{reports}` its folder.
        format: The format of the report.
        report: Where the report is, where the command cannot say: patterns in the workspace, or
            `-` for the standard output.
        local: Where the tool is in the workspace, if it belongs to the project.
        observed: The modules of a framework that a program of our own runs, and watches; the
            first names it.
    """

    name: str
    command: tuple[str, ...] = ()
    format: str | None = None
    report: tuple[str, ...] = ()
    local: str | None = None
    observed: tuple[str, ...] = ()


RUNNERS: Final = (
    Runner("pytest", observed=("pytest", "_pytest", "pluggy")),
    Runner("unittest", observed=("unittest",)),
    Runner("go", ("go", "test", "-json", "./..."), "go", (STDOUT,)),
    Runner(
        "cargo-nextest",
        ("cargo", "nextest", "run", "--profile", "ci", "--no-fail-fast"),
        "junit",
        ("target/nextest/ci/*.xml",),
    ),
    Runner(
        "maven",
        ("mvn", "-B", "--fail-at-end", "verify"),
        "junit",
        ("**/target/surefire-reports/TEST-*.xml", "**/target/failsafe-reports/TEST-*.xml"),
        local="mvnw",
    ),
    Runner(
        "gradle",
        ("gradle", "--console=plain", "--no-build-cache", "--continue", "cleanTest", "test"),
        "junit",
        ("**/build/test-results/**/TEST-*.xml",),
        local="gradlew",
    ),
    Runner(
        "jest",
        ("jest", "--ci", "--json", "--outputFile={report}", "--testLocationInResults"),
        "jest",
        local="node_modules/.bin/jest",
    ),
    Runner(
        "vitest",
        ("vitest", "run", "--reporter=json", "--outputFile={report}"),
        "jest",
        local="node_modules/.bin/vitest",
    ),
    Runner(
        "mocha",
        ("mocha", "--reporter", "json", "--reporter-option", "output={report}"),
        "mocha",
        local="node_modules/.bin/mocha",
    ),
    Runner(
        "node",
        ("node", "--test", "--test-reporter=junit", "--test-reporter-destination={report}"),
        "junit",
    ),
    Runner(
        "dotnet",
        ("dotnet", "test", "--logger", "trx", "--results-directory", "{reports}"),
        "trx",
    ),
    Runner("rspec", ("rspec", "--format", "json", "--out", "{report}"), "rspec"),
    Runner("phpunit", ("phpunit", "--log-junit", "{report}"), "junit", local="vendor/bin/phpunit"),
    Runner("ctest", ("ctest", "--test-dir", "build", "--output-junit", "{report}"), "junit"),
    Runner("dart", ("dart", "test", "--file-reporter", "json:{report}"), "dart"),
    Runner("flutter", ("flutter", "test", "--file-reporter", "json:{report}"), "dart"),
)

_WIDTH: Final = 1_000
"""Characters of a script that are looked at."""

BY_NAME: Final[Mapping[str, Runner]] = {runner.name: runner for runner in RUNNERS}


def recognise(project: Project) -> tuple[Runner, ...]:
    """The runners that a folder's files point to.

    Raises:
        WorkspaceError: A file leads out of the workspace, or cannot be read.
    """
    return tuple(BY_NAME[name] for name, fits in _MARKS.items() if fits(project))


def only_runner(project: Project) -> Runner:
    """The one runner that a folder's files point to.

    Raises:
        WorkspaceError: There is none (`no_build_found`), or there are several
            (`ambiguous_build`).
    """
    found = recognise(project)
    if len(found) > 1:
        names = ", ".join(runner.name for runner in found)
        raise WorkspaceError(
            f"the workspace points to several tools that run tests: {names}; choose one with "
            "runner=",
            ReasonCode.AMBIGUOUS_BUILD,
        )
    if not found:
        raise WorkspaceError(
            "no file in the workspace points to a tool that runs tests; name it with runner=, or "
            "give a command",
            ReasonCode.NO_BUILD_FOUND,
        )
    return found[0]


def _has(*names: str) -> Callable[[Project], bool]:
    return lambda project: any(map(project.has, names))


def _uses_pytest(project: Project) -> bool:
    """Whether there are settings of pytest, or files that are named as tests in Python."""
    return bool(settings_of_pytest(project)) or any(_python_tests(project))


def settings_of_pytest(project: Project) -> tuple[str, ...]:
    """The files in a folder from which pytest would read settings."""
    return tuple(
        name
        for name, section in _SETTINGS.items()
        if project.has(name) and _holds(project, name, section)
    )


_SETTINGS: Final[Mapping[str, str]] = {
    "pytest.toml": "",
    ".pytest.toml": "",
    "pytest.ini": "",
    ".pytest.ini": "",
    "pyproject.toml": r"^\s*\[tool\.pytest",
    "tox.ini": r"^\s*\[pytest\]",
    "setup.cfg": r"^\s*\[tool:pytest\]",
}


def _holds(project: Project, name: str, section: str) -> bool:
    try:
        return re.search(section, project.text(name), re.MULTILINE) is not None
    except ValueError:
        return True


def _python_tests(project: Project) -> Iterator[object]:
    prefix = "" if project.folder == "." else f"{project.folder}/"
    budget = Budget(WALK_LIMIT)
    for pattern in ("conftest.py", "test_*.py", "*_test.py", "test*/**/test_*.py"):
        for entry in find(project.workspace, prefix + pattern, budget):
            if entry.kind is Kind.FILE:
                yield entry


def _depends_on(package: str) -> Callable[[Project], bool]:
    """Whether `package.json` lists a package, for whichever purpose."""

    def lists(project: Project) -> bool:
        document = project.package_json() if project.has("package.json") else None
        tables = [(document or {}).get(key) for key in ("dependencies", "devDependencies")]
        return any(is_object(table) and package in table for table in tables)

    return lists


def _tests_with_node(project: Project) -> bool:
    """Whether the script `test` of `package.json` runs node's own tests."""
    document = project.package_json() if project.has("package.json") else None
    scripts = (document or {}).get("scripts")
    command = text_in(scripts, "test") if is_object(scripts) else ""
    return re.search(r"\bnode\b[^&|;]*\s--test\b", command[:_WIDTH]) is not None


def _of_dotnet(project: Project) -> bool:
    prefix = "" if project.folder == "." else f"{project.folder}/"
    budget = Budget(WALK_LIMIT)
    patterns = ("*.sln", "*.slnx", "*.csproj", "*.fsproj")
    return any(
        True for pattern in patterns for _ in find(project.workspace, prefix + pattern, budget)
    )


_MARKS: Final[Mapping[str, Callable[[Project], bool]]] = {
    "pytest": _uses_pytest,
    "go": _has("go.mod"),
    "cargo-nextest": _has("Cargo.toml"),
    "maven": _has("pom.xml"),
    "gradle": _has("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
    "jest": _depends_on("jest"),
    "vitest": _depends_on("vitest"),
    "mocha": _depends_on("mocha"),
    "node": _tests_with_node,
    "dotnet": _of_dotnet,
    "rspec": _has(".rspec", "spec/spec_helper.rb"),
    "phpunit": _has("phpunit.xml", "phpunit.xml.dist"),
    "dart": _has("pubspec.yaml"),
}
"""What shows that a runner is used; those that are missing have to be named."""
