"""Importing what a configuration names as `module:attribute`; this runs the module's code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from agent_judge.errors import ConfigurationError


def import_attribute(name: str, folders: Sequence[str] = ()) -> Any:
    """What `module:attribute` names.

    Args:
        name: The module and what it holds, dotted where that is inside something.
        folders: Where modules of one's own are.

    Raises:
        ConfigurationError: The module cannot be imported or has no such attribute, or another
            module of that name hides the one in the folders.
    """
    module_name, _, attribute = name.partition(":")
    with importing_from(folders):
        found: Any = importing(name, lambda: import_module(module_name))
    _check_not_hidden(module_name, folders)
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as fault:
            raise ConfigurationError(f"{name!r} cannot be imported: {fault}") from None
    return found


def importing(name: str, load: Callable[[], Any]) -> Any:
    """What is loaded, or that it cannot be, whatever its code does.

    A script that ends itself while it is imported must not end the judging, least of all with
    exit code 0.

    Raises:
        ConfigurationError: Loading it raised.
    """
    try:
        return load()
    except (Exception, SystemExit) as fault:
        raise ConfigurationError(
            f"{name!r} cannot be imported: {type(fault).__name__}: {fault}; name it as "
            "module:attribute, and the folders of your modules in python_path"
        ) from fault


@contextmanager
def importing_from(folders: Sequence[str]) -> Generator[None, None, None]:
    """Let modules in these folders be imported meanwhile; they hide no module that is installed."""
    added = [folder for folder in folders if folder not in sys.path]
    sys.path.extend(added)
    try:
        yield
    finally:
        for folder in added:
            sys.path.remove(folder)


def _check_not_hidden(module_name: str, folders: Sequence[str]) -> None:
    top = module_name.partition(".")[0]
    wanted = PathFinder.find_spec(top, list(folders)) if folders else None
    if wanted is None or wanted.origin is None:
        return
    loaded = getattr(sys.modules.get(top), "__file__", None)
    if loaded is None or Path(loaded).resolve() != Path(wanted.origin).resolve():
        raise ConfigurationError(
            f"the module {top!r} in {wanted.origin} is hidden by {loaded or 'a built-in one'}; "
            "give it another name"
        )
