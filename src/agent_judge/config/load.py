"""Finding and reading a configuration file: TOML, or YAML where the extra is installed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from agent_judge.errors import ConfigurationError
from agent_judge.extras import load

NAMES: Final = ("agent-judge.toml", "agent-judge.yaml", "agent-judge.yml")
PYPROJECT: Final = "pyproject.toml"
MAX_BYTES: Final = 2**20


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a file says, not yet understood.

    Attributes:
        path: The file.
        data: Its table; of a `pyproject.toml`, the table `tool.agent-judge`.
    """

    path: Path
    data: Mapping[str, Any]


def find_configuration(start: Path) -> Path:
    """The nearest configuration, in a folder or the ones above it.

    A file of its own goes before the table in a `pyproject.toml` beside it.

    Raises:
        ConfigurationError: There is none, or two in one folder.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        there = [folder / name for name in NAMES if (folder / name).is_file()]
        if len(there) > 1:
            raise ConfigurationError(
                f"{there[0]} and {there[1].name} are both there; keep one, or name it with -c"
            )
        if there:
            return there[0]
        pyproject = folder / PYPROJECT
        if pyproject.is_file() and _table(read_toml(pyproject)) is not None:
            return pyproject
    raise ConfigurationError(
        f"no {NAMES[0]} and no [tool.agent-judge] in {PYPROJECT} in {start} or above; "
        "write one with: agent-judge init"
    )


def read_configuration(path: Path) -> Configuration:
    """Read a configuration file.

    Raises:
        ConfigurationError: It cannot be read, or holds no configuration.
        MissingExtraError: It is YAML, and the extra is not installed.
    """
    if path.suffix in (".yaml", ".yml"):
        return Configuration(path, _read_yaml(path))
    data = read_toml(path)
    if path.name != PYPROJECT:
        return Configuration(path, data)
    table = _table(data)
    if table is None:
        raise ConfigurationError(f"{path}: has no table [tool.agent-judge]")
    return Configuration(path, table)


_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_TOO_DEEP: Final = re.compile(rf"^[ \t\[]*+(?:{_PART}[ \t]*+\.[ \t]*+){{100}}", re.MULTILINE)
"""A key of more than a hundred parts."""


def read_toml(path: Path) -> Mapping[str, Any]:
    """A TOML file as a mapping.

    Raises:
        ConfigurationError: It cannot be read.
    """
    text = _text(path)
    if _TOO_DEEP.search(text):  # the parser of the interpreter takes quadratic time for these
        raise ConfigurationError(f"{path}: nests too deep")
    try:
        return tomllib.loads(text)
    except ValueError as fault:  # no TOML, or a number of thousands of digits
        raise ConfigurationError(f"{path}: is not TOML: {str(fault)[:300]}") from None
    except RecursionError:
        raise ConfigurationError(f"{path}: nests too deep") from None


def _read_yaml(path: Path) -> Mapping[str, Any]:
    yaml = load("yaml", extra="yaml", needed_by=f"the configuration {path.name}")
    text = _text(path)
    try:
        aliases = [token for token in yaml.scan(text) if isinstance(token, yaml.AliasToken)]
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        data: object = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as fault:
        raise ConfigurationError(f"{path}: is not YAML: {fault}") from None
    if aliases:
        raise ConfigurationError(f"{path}: holds a YAML alias; write the value out")
    _check_keys(tree, path)
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: expected a mapping at the top")
    return cast("Mapping[str, Any]", data)


def _check_keys(node: Any, path: Path) -> None:
    """Refuse keys that YAML itself would take: the same twice, and `on:`, which means true."""
    if node is None or isinstance(node.value, str):
        return
    if node.id == "sequence":
        for item in node.value:
            _check_keys(item, path)
        return
    seen: set[str] = set()
    for key, value in node.value:
        place = f"{path}:{key.start_mark.line + 1}"
        if key.tag != "tag:yaml.org,2002:str":
            raise ConfigurationError(f"{place}: a key that is no string; put it in quotes")
        if key.value in seen:
            raise ConfigurationError(f"{place}: the key {key.value!r} is there twice")
        seen.add(key.value)
        _check_keys(value, path)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise ConfigurationError(f"{path}: is larger than {MAX_BYTES} bytes")
        return raw.decode("utf-8-sig")
    except OSError as fault:
        raise ConfigurationError(f"{path}: cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError as fault:
        raise ConfigurationError(f"{path}: is not UTF-8: {fault}") from None


def _table(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    tool: object = data.get("tool")
    if not isinstance(tool, dict):
        return None
    table: object = cast("Mapping[str, Any]", tool).get("agent-judge")
    return cast("Mapping[str, Any]", table) if isinstance(table, dict) else None
