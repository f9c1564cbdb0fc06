"""From a configuration to the juries that it describes, or to every fault in it at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_judge.config.builder import AnyJury, Builder
from agent_judge.config.faults import unknown
from agent_judge.config.load import Configuration
from agent_judge.config.settings import ModelSettings
from agent_judge.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class ConfiguredJuries:
    """What one configuration describes.

    Attributes:
        default: The jury at the top of the file, if there is one.
        named: The juries under `[juries.NAME]`, by name.
    """

    default: AnyJury | None
    named: Mapping[str, AnyJury]

    def choose(self, name: str | None = None) -> AnyJury:
        """The jury of this name; without a name, the one at the top, or the only one.

        Raises:
            ConfigurationError: There is none of that name, or several and none was named.
        """
        if name is not None:
            if name in self.named:
                return self.named[name]
            raise ConfigurationError(unknown("jury", name, self.named))
        if self.default is not None:
            return self.default
        if len(self.named) == 1:
            return next(iter(self.named.values()))
        raise ConfigurationError(f"choose one of the juries by name: {', '.join(self.named)}")


def build(
    configuration: Configuration,
    name: str | None = None,
    *,
    timeout: float | None = None,
    models: ModelSettings | None = None,
) -> AnyJury:
    """The jury that a configuration describes.

    Args:
        configuration: What the file says.
        name: Which of its named juries; unless given, the one at the top, or the only one.
        timeout: Seconds for each run, instead of what the file says.
        models: What is to be done with all models: which to ask, record, replay, keep, spend.

    Raises:
        ConfigurationError: Everything that is wrong with the file, each with its place in it; or
            there is no such jury.
    """
    return build_all(configuration, timeout=timeout, models=models).choose(name)


def build_all(
    configuration: Configuration,
    *,
    timeout: float | None = None,
    models: ModelSettings | None = None,
) -> ConfiguredJuries:
    """All juries of a configuration; the arguments are those of `build`.

    Raises:
        ConfigurationError: Everything that is wrong with it, each with its place in the file.
    """
    overriding = {} if timeout is None else {"timeout": timeout}
    builder = Builder(configuration.path.parent, overriding, models)
    try:
        default, named = builder.juries(configuration.data)
    except RecursionError:
        raise ConfigurationError(f"{configuration.path}: nests too deep") from None
    if builder.faults:
        lines = "".join(f"\n  {fault}" for fault in builder.faults)
        raise ConfigurationError(f"{configuration.path}: cannot be used{lines}")
    return ConfiguredJuries(default, named)


def build_from(data: Mapping[str, Any], *, path: Path = Path("agent-judge.toml")) -> AnyJury:
    """The jury that a table describes; `path` is what messages call it.

    Raises:
        ConfigurationError: As `build`.

    Example:
        >>> build_from({"judges": [{"type": "command", "command": "true"}]}).name
        'Jury'
    """
    return build(Configuration(path, data))
