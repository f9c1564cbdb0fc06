"""The promises of the package as a whole: what it needs, what its import does, what it exports."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib.metadata import requires, version
from operator import attrgetter
from pathlib import Path

import pytest

import agent_judge

SOURCE = Path(agent_judge.__file__).resolve().parents[1]
PACKAGE = SOURCE / "agent_judge"
CORE_FILES = sorted(
    {*PACKAGE.glob("*.py"), *PACKAGE.glob("engine/**/*.py"), *PACKAGE.glob("jury/**/*.py")}
    - {PACKAGE / "pytest_plugin.py"}
)

IMPORT_WATCHED = """
import sys

sys.path.insert(0, sys.argv[1])
acts = []

def watch(event, arguments):
    writes = event == "open" and (
        isinstance(arguments[1], str) and set("wax+") & set(arguments[1])
        or arguments[2] & 0o3
    )
    if writes or event.split(".")[0] in {"socket", "subprocess", "shutil", "tempfile"} or event in {
        "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.system", "os.fork", "os.putenv",
    }:
        acts.append((event, arguments))

sys.addaudithook(watch)
"""


def module_name(file: Path) -> str:
    """Name the module that a file of the package holds."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


CORE = [module_name(file) for file in CORE_FILES]


def run_alone(program: str, *options: str) -> str:
    """Run a program in a fresh interpreter that sees the source folder as its first argument."""
    command = [sys.executable, "-I", "-B", "-W", "error", *options, "-c", program, str(SOURCE)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.mark.parametrize("module", CORE)
def test_the_core_imports_without_site_packages(module: str) -> None:
    """With -S there is no site-packages: only the standard library can be there."""
    run_alone(f"import sys; sys.path.insert(0, sys.argv[1]); import {module}", "-S")


def test_the_plugin_says_how_to_install_pytest() -> None:
    """Where it is not installed, in the wording for every missing package."""
    program = """
import sys

sys.path.insert(0, sys.argv[1])
from agent_judge.errors import MissingExtraError

try:
    import agent_judge.pytest_plugin
except MissingExtraError as refusal:
    print(refusal, refusal.__cause__, refusal.__suppress_context__)
"""

    said = run_alone(program, "-S")

    assert said == (
        "agent_judge.pytest_plugin needs the package 'pytest', which is not installed; "
        "install it with: pip install 'agent-judge[pytest]' None True\n"
    )


@pytest.mark.parametrize("file", CORE_FILES, ids=module_name)
def test_the_core_names_nothing_but_the_standard_library(file: Path) -> None:
    """Not even inside a function or for a type checker does the core import a package.

    Nor does it import from the package's front door, which stands above all layers.
    """
    imported = {
        name
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        for name in _imported_by(node)
    }
    foreign = {
        name
        for name in imported
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith("agent_judge.")
    }

    assert not foreign


def test_importing_does_nothing_else() -> None:
    """No file, socket, process or variable is touched, whatever is used. (contract: edges:S9)"""
    acts = run_alone(IMPORT_WATCHED + "from agent_judge import *; print(acts)", "-S")

    assert acts == "[]\n"


def test_the_watch_over_importing_sees_a_written_file(tmp_path: Path) -> None:
    """The watch of the test above is awake: it reports a file opened for writing."""
    target = tmp_path / "written"
    acts = run_alone(IMPORT_WATCHED + f"open({str(target)!r}, 'w').close(); print(acts)", "-S")

    assert str(target) in acts


def test_importing_loads_no_event_loop() -> None:
    """Asyncio is not loaded until a judge needs it. (contract: edges:S9)"""
    program = "import sys; sys.path.insert(0, sys.argv[1]); import agent_judge; "
    loaded = run_alone(program + "print('asyncio' in sys.modules)", "-S")

    assert loaded == "False\n"


def test_importing_adds_no_logging_handler() -> None:
    """Where records of the log go is the application's choice. (contract: edges:S9)"""
    program = (
        "import logging, sys; sys.path.insert(0, sys.argv[1]); from agent_judge import *; "
        "names = [name for name in logging.root.manager.loggerDict if name.startswith('agent_')]; "
        "print([log for log in map(logging.getLogger, [None, *names]) if log.handlers])"
    )

    assert run_alone(program, "-S") == "[]\n"


def test_a_vote_loads_no_more_than_it_needs() -> None:
    """Cascades, descriptions, other strategies and storing wait until they are asked for."""
    loaded = run_alone(
        """
import sys

sys.path.insert(0, sys.argv[1])
before = {*sys.modules}
from agent_judge import Judgment, JudgmentContext, Jury

Jury([lambda _: Judgment.passing(), lambda _: Judgment.passing()]).vote(JudgmentContext())
print(*{*sys.modules} - before)
"""
    ).split()

    waiting = {"cascade", "description", "gates", "labels", "meta", "reliance", "scoring", "spec"}
    assert not {f"agent_judge.jury.{module}" for module in waiting} & {*loaded}
    assert not {"agent_judge.combinators", "agent_judge.wire", "random"} & {*loaded}


def test_importing_loads_no_third_party_module() -> None:
    """Every public name is there without a package, even where all are installed.

    (contract: edges:S9)
    """
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); "
        "from agent_judge import *; "
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(new - sys.stdlib_module_names - {'agent_judge'}))"
    )

    assert run_alone(program) == "[]\n"


def test_the_package_requires_no_other() -> None:
    """Installing without an extra installs nothing else."""
    unconditional = [need for need in requires("agent-judge") or [] if "extra ==" not in need]

    assert not unconditional


def test_the_package_knows_its_version() -> None:
    """What the package says of itself is what was installed."""
    assert agent_judge.__version__ == version("agent-judge")


def test_the_package_is_marked_as_typed() -> None:
    """Type checkers read the annotations of an installed package only where it says so."""
    assert (PACKAGE / "py.typed").is_file()


def test_the_public_names_are_sorted() -> None:
    """Constants, then classes, then functions, each by the alphabet, so a name is soon found."""
    names = list(agent_judge.__all__)

    assert names == sorted(set(names), key=lambda name: (_kind(name), name))


@pytest.mark.parametrize("name", agent_judge.__all__)
def test_a_public_name_is_there_and_documented(name: str) -> None:
    """Every public class and function says in words of its own what it is."""
    public = getattr(agent_judge, name)

    if inspect.isclass(public) or inspect.isroutine(public):
        documentation = public.__doc__ or ""
        assert documentation.strip()
        assert not documentation.startswith(f"{name}("), "a dataclass made this docstring up"


def test_the_names_that_are_offered_are_the_public_ones() -> None:
    """`dir` shows each public name, also those that are loaded when first used."""
    assert set(agent_judge.__all__) <= set(dir(agent_judge))


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A lazily loaded package still says in the usual way that it lacks a name."""
    with pytest.raises(AttributeError, match="no_such_name"):
        attrgetter("no_such_name")(agent_judge)


def _imported_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case ast.ImportFrom():
            return ["a relative import"]
        case _:
            return []


def _kind(name: str) -> int:
    if name.isupper():
        return 0
    return 1 if name[0].isupper() else 2
