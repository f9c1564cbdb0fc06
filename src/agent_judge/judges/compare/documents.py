"""What is compared: the work's document and the one that it should be like."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent_judge.context import MISSING, JudgmentContext, Output
from agent_judge.frozen import thaw
from agent_judge.judges.compare.node import Node
from agent_judge.judges.data.reading import absent
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import (
    WorkspaceError,
    check_path,
    check_trusted_path,
    open_workspace,
)
from agent_judge.judges.files.reading import read_bytes
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import kind_of, missing_input
from agent_judge.judgment import Judgment, Location, ReasonCode

_EXCERPT: Final = 80
"""Characters of a source that a message shows."""


@dataclass(frozen=True, slots=True)
class Document:
    """The bytes of one side, and what messages call it.

    Attributes:
        name: For example its path, as a message may hold it.
        data: All of it.
        path: Its path, from which the kind of a file is known; none where it is no file.
    """

    name: str
    data: bytes
    path: str | None = None

    @property
    def location(self) -> Location | None:
        """The file, where it is one of the workspace."""
        return None if self.path is None else Location(shown(self.path))

    def at(self, line: int | None) -> Location | None:
        """A line of the file; the file alone where the line is not known."""
        return None if self.path is None else Location(shown(self.path), line or None)

    def excerpt(self, node: Node) -> str:
        """What stands where a node is, cut where it is long; it may hold anything."""
        if node.kind == "element":
            text = f"<{node.name}>"
        elif node.start < 0:
            said = " ".join(node.value) if isinstance(node.value, tuple) else node.value
            text = node.kind if said is None else said
        else:
            end = min(node.end, node.start + 4 * _EXCERPT)
            text = self.data[node.start : end].decode("utf-8", "replace")
        text = " ".join(text[: 4 * _EXCERPT].split())
        return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def line_starts(data: bytes) -> list[int]:
    """Where each line of a source begins; a line ends with LF, CR or both."""
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def line_of(starts: list[int], offset: int) -> int:
    """The line of a place in a source, counted from 1."""
    return bisect_right(starts, offset)


def check_source_paths(path: object, reference: object) -> tuple[str | None, str | None]:
    """Refuse paths that cannot be the work's document, or the reference.

    Returns:
        Both, the first in its normal form.

    Raises:
        ArgumentError: The path could leave the workspace, or either is empty.
        ArgumentTypeError: One is of the wrong type.
    """
    kept = None if path is None else check_path(path)
    return kept, None if reference is None else check_trusted_path(reference, "reference")


def read_candidate(
    context: JudgmentContext, path: str | None, size_limit: int, *, values: bool = False
) -> Document | Judgment:
    """The work's document: a file of the workspace, or the output; or why there is none.

    An output that is no text is its JSON where `values` are read, else ERROR.
    """
    if path is None:
        return _from_output(context.output, "the output", size_limit, values=values)
    try:
        with open_workspace(context.workspace) as workspace:
            kind = workspace.kind(path)
            if kind is not Kind.FILE:
                return absent(path, kind)
            return Document(shown(path), read_bytes(workspace, path, size_limit), path)
    except WorkspaceError as fault:
        return fault.judgment


def read_reference(
    context: JudgmentContext,
    reference: str | None,
    path: str | None,
    size_limit: int,
    *,
    values: bool = False,
) -> Document | Judgment:
    """What the work should be like: a file of whoever judges, or what the context expects.

    Where the reference is a directory, the path of the candidate is looked up in it.
    """
    if reference is None:
        return _from_output(context.expected, "the expected output", size_limit, values=values)
    place = Path(reference)
    if path is not None and place.is_dir():
        place /= path
    name = f"the reference {shown(str(place))}"
    try:
        with place.open("rb") as stream:
            data = stream.read(size_limit + 1)
    except OSError as fault:
        reason = f"{name} cannot be read: {fault.strerror or fault}"
        return Judgment.erring(reason, ReasonCode.MISSING_INPUT)
    if len(data) > size_limit:
        return Judgment.erring(f"{name} {_over(size_limit)}", ReasonCode.TOO_LARGE)
    return Document(name, data, str(place))


def _from_output(value: Output, what: str, size_limit: int, *, values: bool) -> Document | Judgment:
    if value is MISSING:
        return missing_input(what)
    if not isinstance(value, str) and not values:
        reason = f"{what} is {kind_of(value)}, and a text is compared"
        return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
    data = (value if isinstance(value, str) else json.dumps(thaw(value))).encode()
    if len(data) > size_limit:
        return Judgment.erring(f"{what} {_over(size_limit)}", ReasonCode.TOO_LARGE)
    return Document(what, data)


def _over(size_limit: int) -> str:
    return f"holds more than {size_limit} bytes; raise size_limit to read it"
