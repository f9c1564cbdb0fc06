"""The judges that configuration knows by name, and how it finds one's own."""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

from agent_judge.errors import ConfigurationError

ENTRY_POINTS: Final = "agent_judge.judges"
"""The entry-point group in which other distributions announce judges."""

BUILT_IN: Final[Mapping[str, str]] = {
    "build_success": "BuildSuccessJudge",
    "command": "CommandJudge",
    "cost": "CostJudge",
    "elapsed": "ElapsedJudge",
    "file_absent": "FileAbsentJudge",
    "file_content": "FileContentJudge",
    "file_exists": "FileExistsJudge",
    "file_superset": "FileSupersetJudge",
    "files_unchanged": "FilesUnchangedJudge",
    "repeated_calls": "RepeatedCallsJudge",
    "status": "StatusJudge",
    "steps": "StepsJudge",
    "tokens": "TokensJudge",
    "tool_calls": "ToolCallsJudge",
    "tool_errors": "ToolErrorsJudge",
    "tool_not_called": "ToolNotCalledJudge",
}
"""The shipped judges: their type in configuration, and their class in `agent_judge.judges`."""


def find_judge(name: str) -> Any:
    """The judge, or the class of judges, that configuration calls by this name.

    Args:
        name: A shipped type, an entry point of the group `agent_judge.judges`, or
            `module:attribute`.

    Raises:
        ConfigurationError: There is none; the message lists what is near.
    """
    if ":" in name:
        return import_attribute(name)
    if name in BUILT_IN:
        return getattr(import_module("agent_judge.judges"), BUILT_IN[name])
    points = entry_points()
    if name in points:
        return points[name].load()
    known = sorted({*BUILT_IN, *points})
    near = get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"
    raise ConfigurationError(f"unknown judge type {name!r}{hint}")


def entry_points() -> Mapping[str, Any]:
    """The judges that other distributions announce, not loaded yet."""
    from importlib.metadata import entry_points as announced

    return {point.name: point for point in announced(group=ENTRY_POINTS)}


def import_attribute(name: str) -> Any:
    """What `module:attribute` names.

    Raises:
        ConfigurationError: The module cannot be imported, or has no such attribute.
    """
    module_name, _, attribute = name.partition(":")
    try:
        found: Any = import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as fault:
        raise ConfigurationError(
            f"{name!r} cannot be imported: {fault}; name it as module:attribute, "
            "and the folders of your modules in python_path"
        ) from None
    return found


@contextmanager
def importing_from(folders: list[str]) -> Generator[None, None, None]:
    """Let modules in these folders be imported meanwhile."""
    added = [folder for folder in folders if folder not in sys.path]
    sys.path[:0] = added
    try:
        yield
    finally:
        for folder in added:
            sys.path.remove(folder)
