"""Optional packages: imported when first used, and one wording for a missing one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from agent_judge.errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType


def load(module: str, *, extra: str, needed_by: str) -> ModuleType:
    """Import an optional module, or say how to install it.

    Args:
        module: Dotted name of the module, for example `"rapidfuzz.fuzz"`.
        extra: The extra of this distribution that brings it.
        needed_by: What the user asked for, as the message names it.

    Raises:
        MissingExtraError: The package is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise MissingExtraError(
            f"{needed_by} needs the package {module.partition('.')[0]!r}, which is not installed; "
            f"install it with: pip install 'agent-judge[{extra}]'",
            name=missing.name,
        ) from missing
