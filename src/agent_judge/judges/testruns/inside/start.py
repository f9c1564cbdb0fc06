"""Starts a program that runs tests, and says how it ended.

It is run as `python -I -S start.py`, in the folder of the judged project. Installed packages and
the framework are imported before anything can be imported from the project's own folder.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "agent_judge.judges.testruns.inside."

UNUSABLE = 5
"""The exit code where no tests can be run; frameworks use it where they find none."""


def load(name: str) -> Any:
    """A module beside this one, under the name that it has, and where nobody else finds it."""
    spec = importlib.util.spec_from_file_location(NAME + name, os.path.join(HERE, name + ".py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Run the tests, and say how that ended."""
    channels = load("channel")
    channel = channels.Channel()
    workspace = channel.order["workspace"]
    channels.import_installed_packages()
    why = channels.why_unusable(channel.order["framework"], workspace)
    if why:
        channel.tell("unusable", why=why)
        sys.exit(UNUSABLE)
    channels.ignore_compiled(workspace)
    machinery = load("machinery").Machinery
    observer = load(channel.order["framework"][0] + "_observer")
    code = observer.run(channel, lambda: machinery(workspace))
    channel.tell("ended", exit=code)
    sys.exit(code)


if __name__ == "__main__":
    main()
