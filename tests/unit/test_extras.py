from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.errors import MissingExtraError
from agent_judge.extras import load


def test_an_installed_module_is_imported() -> None:
    """The module itself comes back, also one inside a package."""
    import json.decoder

    assert load("json.decoder", extra="data", needed_by="a test") is json.decoder


@pytest.mark.parametrize("module", ["no_such_package", "no_such_package.inner"])
def test_a_missing_package_names_its_install_command(module: str) -> None:
    """What was asked for, what is missing, and what to type."""
    with pytest.raises(
        MissingExtraError,
        match=r"RegexJudge needs the package 'no_such_package'.*"
        r"pip install 'agent-judge\[text\]'",
    ):
        load(module, extra="text", needed_by="RegexJudge")


def test_a_fault_inside_a_package_is_not_taken_for_its_absence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that is there and lacks something of its own says so itself."""
    (tmp_path / "half_installed.py").write_text("import absent_dependency\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(ModuleNotFoundError, match="absent_dependency") as raised:
        load("half_installed", extra="text", needed_by="a test")

    assert not isinstance(raised.value, MissingExtraError)
