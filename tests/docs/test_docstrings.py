from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import agent_judge

MODULES = ["agent_judge"] + [
    module.name
    for module in walk_packages(agent_judge.__path__, prefix="agent_judge.")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a docstring shows is what happens."""
    monkeypatch.chdir(tmp_path)

    outcome = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)

    assert outcome.failed == 0
