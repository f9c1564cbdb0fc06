from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import agent_judge

PACKAGE = Path(agent_judge.__file__).parent
MODULES = sorted(
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for file in PACKAGE.rglob("*.py")
    if file.name != "__main__.py"
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a docstring shows is what happens."""
    monkeypatch.chdir(tmp_path)

    outcome = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)

    assert outcome.failed == 0
