"""What a configuration that is careless or hostile cannot do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agent_judge import Judgment, JudgmentContext, Jury
from agent_judge.config import build, read_configuration
from agent_judge.config.imports import import_attribute
from agent_judge.errors import ConfigurationError


def configured(folder: Path, module: str, attribute: str = "own") -> Path:
    """Write a module of one's own, and a configuration that names it."""
    (folder / "own_module.py").write_text(module)
    path = folder / "agent-judge.toml"
    path.write_text(f'python_path = ["."]\n[[judges]]\ntype = "own_module:{attribute}"\n')
    return path


@pytest.fixture(autouse=True)
def forget_own_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test import its own module of the same name."""
    monkeypatch.delitem(sys.modules, "own_module", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("def (", "SyntaxError"),
        ("raise RuntimeError('no')", "RuntimeError: no"),
        ("import no_such_module_anywhere", "No module named"),
        ("other = 1", "has no attribute 'own'"),
        ("own = 3", "a judge is a callable"),
        ("class own:\n    def __init__(self): raise KeyError('k')", "KeyError: 'k'"),
        ("class own:\n    def __init__(self): raise SystemExit(0)", "SystemExit: 0"),
        ("class own:\n    pass", "a judge is a callable"),
    ],
)
def test_a_module_that_cannot_be_used_is_a_fault_and_ends_nothing(
    tmp_path: Path, module: str, message: str
) -> None:
    """A script that ends itself on import must not look like a pass. (contract: edges:S1)"""
    configuration = read_configuration(configured(tmp_path, module))

    with pytest.raises(ConfigurationError) as refusal:
        build(configuration)

    assert "judges[0]" in str(refusal.value)
    assert message in str(refusal.value)


def test_only_what_is_named_is_imported(tmp_path: Path) -> None:
    """A module beside the configuration is code, and runs only when it is asked for."""
    (tmp_path / "own_module.py").write_text("raise AssertionError('imported')")
    path = tmp_path / "agent-judge.toml"
    path.write_text('python_path = ["."]\n[[judges]]\ntype = "status"\n')

    assert build(read_configuration(path)).describe().seats[0].spec == {"type": "status"}


def test_a_module_beside_the_configuration_is_not_found_unless_asked_for(tmp_path: Path) -> None:
    """Without python_path, the folder of the configuration is no source of code."""
    path = configured(tmp_path, "def own(context): ...")
    path.write_text(path.read_text().replace('python_path = ["."]\n', ""))

    with pytest.raises(ConfigurationError, match="No module named 'own_module'"):
        build(read_configuration(path))


def test_a_module_of_ones_own_hides_none_that_is_installed(tmp_path: Path) -> None:
    """A file planted under the name of a library is refused, and the library stays."""
    (tmp_path / "colorsys.py").write_text("def own(context): ...")

    with pytest.raises(ConfigurationError, match=r"'colorsys' in .* is hidden by"):
        import_attribute("colorsys:own", [str(tmp_path)])


def test_two_modules_of_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    """A second configuration never gets the judge of the first."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        configured(tmp_path / name, f"def own(context): ...\nwhose = {name!r}\n")
    build(read_configuration(tmp_path / "one" / "agent-judge.toml"))

    with pytest.raises(ConfigurationError, match="give it another name"):
        build(read_configuration(tmp_path / "two" / "agent-judge.toml"))


def test_a_judge_of_ones_own_is_found_and_asked(tmp_path: Path) -> None:
    """A class is built with the options of the file, each of the type it is annotated with."""
    module = (
        "from agent_judge import Judgment\n"
        "class own:\n"
        "    def __init__(self, words: tuple[str, ...]): self.words = words\n"
        "    def __call__(self, context): return Judgment.passing(repr(self.words))\n"
    )
    path = configured(tmp_path, module)
    path.write_text(path.read_text() + 'words = ["a", "b"]\n')

    jury = build(read_configuration(path))

    assert isinstance(jury, Jury)
    found = jury.vote(JudgmentContext()).seats[0].judgment
    assert found == Judgment.passing("('a', 'b')", metadata=found.metadata)
    assert str(tmp_path) not in sys.path
