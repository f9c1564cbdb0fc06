"""Runs pytest, and tells the judge of every test what this program sees of it.

It is run as `python -I -S pytest_run.py`, in the folder of the judged project. Installed packages
and pytest are imported before anything can be imported from the project's own folder.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))

UNUSABLE = 5
"""The exit code where no tests can be run; pytest itself uses it where it finds none."""


def load(name: str) -> Any:
    """A module beside this one, which nobody else can import by its name."""
    spec = importlib.util.spec_from_file_location(
        "agent_judge_inside_" + name, os.path.join(HERE, name + ".py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Run the tests, and say how that ended."""
    channels = load("channel")
    channel = channels.Channel()
    channels.import_installed_packages()
    arguments = channel.order["arguments"]
    try:
        import pytest
    except ImportError as fault:
        channel.tell("unusable", why="pytest cannot be imported: " + str(fault))
        sys.exit(UNUSABLE)
    if channels.is_planted(pytest, channel.order["workspace"]):
        channel.tell("unusable", why="pytest would be imported from the work: " + pytest.__file__)
        sys.exit(UNUSABLE)
    channels.ignore_compiled(channel.order["workspace"])
    observers = load("pytest_observer")
    observers.ignore_compiled(channel.order["workspace"])
    machinery = load("machinery").Machinery
    observer = observers.Observer(channel, lambda: machinery(channel.order["workspace"]))
    channel.tell("began", tool="pytest " + pytest.__version__, python=sys.version.split()[0])
    sys.argv[:] = ["pytest", *arguments]
    code = int(pytest.main(arguments, plugins=[observer]))
    observer.check_machinery()
    channel.tell("ended", exit=code, results=observer.told)
    sys.exit(code)


if __name__ == "__main__":
    main()
