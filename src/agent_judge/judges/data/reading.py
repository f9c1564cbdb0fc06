"""What data judges read: the output of a run or a file of its workspace, as text or as JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from math import isfinite
from time import monotonic
from typing import Any, Final, Literal, NoReturn, TypeAlias

from agent_judge.context import MISSING, JudgmentContext
from agent_judge.frozen import MAX_DEPTH, Json
from agent_judge.judges.data.values import is_array, is_object
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import SIZE_LIMIT, WorkspaceError, check_path, open_workspace
from agent_judge.judges.files.reading import read_text
from agent_judge.judges.killable import FailedError, OverdueError, Pool
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice, missing_input, quoted
from agent_judge.judges.tools.record import shown_value
from agent_judge.judgment import Check, Judgment, Location, ReasonCode

Fence: TypeAlias = Literal["refuse", "strip"]
"""What becomes of a Markdown code fence around JSON: it is no JSON, or it is taken off."""

_FENCE: Final = re.compile(r"```[ \t]*\w*[ \t]*\r?\n(.*)```", re.DOTALL)

_SHOWN: Final = 120
"""Characters of a value that a message shows."""


class InvalidJsonError(ValueError):
    """Why a text is no JSON."""


def parse_json(text: str, fence: Fence = "refuse") -> Any:
    """Read a text as JSON (RFC 8259), strictly.

    Raises:
        InvalidJsonError: It is none, holds NaN, a key twice, a number that no float reaches or
            that has thousands of digits, or nests deeper than a hundred levels.
    """
    try:
        value = json.loads(
            _unfenced(text) if fence == "strip" else text,
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_float=_finite,
        )
    except RecursionError:
        raise InvalidJsonError(f"it nests deeper than {MAX_DEPTH} levels") from None
    except ValueError as fault:
        raise InvalidJsonError(str(fault)) from None
    _check_depth(value)
    return value


def read_text_source(context: JudgmentContext, path: str | None) -> Json | Judgment:
    """The output, whatever it is, or the text of a file; or why there is neither."""
    if path is None:
        return missing_input("the output") if context.output is MISSING else context.output
    try:
        with open_workspace(context.workspace) as workspace:
            if workspace.kind(path) is Kind.FILE:
                return read_text(workspace, path, "utf-8", SIZE_LIMIT)
            return absent(path, workspace.kind(path))
    except WorkspaceError as fault:
        return fault.judgment


def absent(path: str, kind: Kind | None) -> Judgment:
    """The judgment that there is no such file."""
    message = "not there" if kind is None else f"{kind.value}, no file"
    check = Check(shown(path), False, message, location=Location(shown(path)))
    return Judgment.failing(f"{shown(path)}: {message}", checks=(check,))


def read_json(context: JudgmentContext, path: str | None, fence: Fence) -> Any:
    """The JSON value of the output or of a file, or the `Judgment` that there is none.

    A text is read as JSON; any other output is a JSON value already.
    """
    source = read_text_source(context, path)
    if not isinstance(source, str):
        return source
    try:
        return parse_json(source, fence)
    except InvalidJsonError as fault:
        check = Check("JSON", False, shown(str(fault)))
        return Judgment.failing(f"{source_name(path)} is no JSON: {check.message}", checks=(check,))


def source_name(path: str | None) -> str:
    """How a message calls what was read."""
    return "the output" if path is None else shown(path)


def check_source(path: object, fence: object) -> str | None:
    """Refuse a path that could leave the workspace, and an unknown word for fences.

    Returns:
        The path in its normal form.

    Raises:
        ArgumentError: It could, or it is one.
        ArgumentTypeError: The path is no string.
    """
    check_choice(fence, ("refuse", "strip"), "fence")
    return None if path is None else check_path(path)


def ask(pool: Pool, request: object, seconds: float, what: str) -> Any:
    """What a child process answers, or the `Judgment` that it did not.

    Args:
        pool: Who to ask.
        request: What to ask.
        seconds: How long it may take.
        what: How a message calls the work.
    """
    try:
        return pool.ask(request, monotonic() + seconds)
    except OverdueError:
        return Judgment.erring(f"{what} took more than {seconds:g} s", ReasonCode.TIMEOUT)
    except FailedError as failure:
        return Judgment.erring(f"{what} failed: {shown(str(failure))}", ReasonCode.JUDGE_RAISED)


def shown_json(value: Json) -> str:
    """A value as a message may show it: in JSON, on one line, escaped and cut."""
    if isinstance(value, str) and len(value) > _SHOWN:
        value = f"{value[:_SHOWN]}…"
    return shown_value(value)


def _unfenced(text: str) -> str:
    """What is within a code fence that is around the whole text, else the text."""
    fenced = _FENCE.fullmatch(text.strip())
    return text if fenced is None else fenced[1]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise InvalidJsonError(f"the key {quoted(twice)} occurs twice in one object")
    return members


def _check_depth(value: object) -> None:
    """Refuse a value that whoever reads it further could not: containers in containers."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [item for item in level if is_object(item) or is_array(item)]
        if not level:
            return
        level = [item for container in level for item in _items(container)]
    raise InvalidJsonError(f"it nests deeper than {MAX_DEPTH} levels")


def _items(value: object) -> Iterable[object]:
    if is_object(value):
        return value.values()
    return value if is_array(value) else ()


def _refuse(constant: str) -> NoReturn:
    raise InvalidJsonError(f"{constant} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise InvalidJsonError(f"the number {digits:.40} is beyond what a float holds")
    return number
