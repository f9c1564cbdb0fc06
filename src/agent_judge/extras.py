"""Optional packages: imported when first used, and one wording for a missing one."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
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
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.partition(".")[0] != module.partition(".")[0]:
            raise
    raise missing(module, extra=extra, needed_by=needed_by)


def require(module: str, *, extra: str, needed_by: str) -> None:
    """Make sure that an optional package is there, without importing it yet.

    Args:
        module: As for `load`.
        extra: As for `load`.
        needed_by: As for `load`.

    Raises:
        MissingExtraError: The package is not installed.
    """
    package = module.partition(".")[0]
    if sys.modules.get(package) is None and find_spec(package) is None:
        raise missing(module, extra=extra, needed_by=needed_by)


def missing(module: str, *, extra: str, needed_by: str) -> MissingExtraError:
    """What to raise where a package is not installed, in the one wording for that.

    Args:
        module: As for `load`.
        extra: As for `load`.
        needed_by: As for `load`.
    """
    package = module.partition(".")[0]
    return MissingExtraError(
        f"{needed_by} needs the package {package!r}, which is not installed; "
        f"install it with: pip install 'agent-judge[{extra}]'",
        name=package,
    )
