"""Checking what a judge of commands is told, before anything runs."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Any, TypeGuard

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap, check_text
from agent_judge.judges.files.paths import check_path
from agent_judge.judges.process.isolation import Isolation, Limits


def command_words(command: object, *, shell: bool) -> tuple[str, ...]:
    """A command as the words that are run: a string is split, or handed to a shell.

    Raises:
        ArgumentTypeError: It is neither a string nor a list of strings, or a list for a shell.
        ArgumentError: It is empty, cannot be split, or holds what no argument can.
    """
    if isinstance(command, str):
        check_text(command, "command")
        words = ("sh", "-c", command) if shell and command.strip() else _split(command)
    elif shell:
        raise ArgumentTypeError("shell=True takes the command as one string, not a list")
    else:
        words = texts(command, "command")
    if not words or not words[0].strip():
        raise ArgumentError("command is empty; say which program to run")
    for word in words:
        _refuse_nul(word, "command")
    return words


def _split(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as fault:
        raise ArgumentError(f"command {command!r} cannot be split: {fault}") from None


def texts(words: object, name: str) -> tuple[str, ...]:
    """A list of strings.

    Raises:
        ArgumentTypeError: It is something else.
        ArgumentError: One of them cannot be encoded.
    """
    if not _is_sequence(words):
        raise ArgumentTypeError(f"{name} must be strings in a list, not {words!r}")
    for position, word in enumerate(words):
        check_text(word, f"{name}[{position}]")
    return tuple(str(word) for word in words)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping)


def variables(mapping: object) -> FrozenMap[str]:
    """Variables of an environment, by name.

    Raises:
        ArgumentTypeError: It does not map strings to strings.
        ArgumentError: A name or value that no environment can hold.
    """
    if not _is_mapping(mapping):
        raise ArgumentTypeError(f"env must map names to strings, not {mapping!r}")
    given: dict[str, str] = {}
    for name, value in mapping.items():
        check_text(name, "a name in env")
        check_text(value, f"env[{name!r}]")
        _refuse_nul(str(value), f"env[{name!r}]")
        given[_variable(str(name))] = str(value)
    return FrozenMap(given)


def _variable(name: str) -> str:
    if not name or "=" in name or "\x00" in name:
        raise ArgumentError(f"env names {name!r}, which cannot be a variable")
    return name


def exit_codes(expected: object) -> int | tuple[int, ...]:
    """The exit code that passes, or several of them, sorted.

    Raises:
        ArgumentTypeError: It is neither a number nor several.
        ArgumentError: There is none, or one that cannot be an exit code.
    """
    if type(expected) is int:
        return _exit_code(expected)
    if not _is_collection(expected):
        raise ArgumentTypeError(f"expected_exit must be a number or several, not {expected!r}")
    codes = {_exit_code(code) for code in expected}
    if not codes:
        raise ArgumentError("expected_exit names no exit code; nothing could pass")
    return tuple(sorted(codes))


def _is_collection(value: object) -> TypeGuard[Collection[object]]:
    return isinstance(value, list | tuple | set | frozenset)


def _exit_code(code: object) -> int:
    if type(code) is not int or not 0 <= code <= 255:
        raise ArgumentError(f"expected_exit: an exit code lies in 0..255, got {code!r}")
    return code


def folder(cwd: object) -> str:
    """A path of a folder in the workspace; `.` is the workspace itself.

    Raises:
        ArgumentTypeError: It is not a string.
        ArgumentError: It could leave the workspace.
    """
    return "." if cwd == "." else check_path(cwd, "cwd")


def directories(paths: object, name: str) -> tuple[str, ...]:
    """Absolute paths.

    Raises:
        ArgumentTypeError: They are not strings in a list.
        ArgumentError: One is relative.
    """
    given = texts(paths, name)
    for path in given:
        _refuse_nul(path, name)
        if not PurePath(path).is_absolute():
            raise ArgumentError(f"{name} names {path!r}; give absolute paths")
    return given


def check_isolation(isolation: object) -> None:
    """Refuse an isolation that is not known.

    Raises:
        ArgumentError: It is not.
    """
    known = [member.value for member in Isolation]
    if isolation not in known:
        raise ArgumentError(f"isolation must be one of {known}, not {isolation!r}")


def limits_of(limits: object) -> Limits:
    """Limits of the kernel, from their names.

    Raises:
        ArgumentTypeError: It is no mapping.
        ArgumentError: An unknown name, or a number that is none.
    """
    if not _is_mapping(limits):
        raise ArgumentTypeError(f"limits must map names to numbers, not {limits!r}")
    known = list(Limits.__slots__)
    for name in limits:
        if name not in known:
            raise ArgumentError(f"limits names {name!r}; known are {known}")
    given: Any = dict(limits)
    return Limits(**given)


def check_flag(flag: object, name: str) -> None:
    """Refuse what is neither true nor false.

    Raises:
        ArgumentTypeError: It is something else.
    """
    if type(flag) is not bool:
        raise ArgumentTypeError(f"{name} must be True or False, not {flag!r}")


def check_output_limit(limit: object) -> None:
    """Refuse a number of bytes that could not keep a beginning and an end.

    Raises:
        ArgumentError: It is none, or below 2.
    """
    if type(limit) is not int or limit < 2:
        raise ArgumentError(
            f"output_limit must be a whole number of bytes from 2 up, got {limit!r}"
        )


def _refuse_nul(text: str, name: str) -> None:
    if "\x00" in text:
        raise ArgumentError(f"{name} holds a NUL, which nothing that is run can be given")
