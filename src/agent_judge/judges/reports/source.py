"""A report that a tool left behind, opened to be read once within bounds."""

from __future__ import annotations

import codecs
import hashlib
import io
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from agent_judge.judges.files.paths import Workspace, WorkspaceError, open_workspace
from agent_judge.judges.files.times import written_ns
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

REPORT_LIMIT: Final = 100_000_000
"""Bytes of a report that are read unless a judge is told otherwise."""

HEAD: Final = 4_096
"""Bytes from the beginning by which a format is recognised."""

MAX_LINE: Final = 1 << 20
"""Characters of one line of a report; no tool writes longer ones."""

_CHUNK: Final = 1 << 16

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks; that of UTF-32 begins with that of UTF-16, so it comes first."""


class ReportFile:
    """A report that is open for reading, once and from its beginning.

    Args:
        name: What messages call it.
        stream: Its bytes.
        limit: How many bytes it may hold.
        written: When it was last written, in nanoseconds since 1970; `None` where nobody knows.

    Attributes:
        name: What messages call it.
        written: When it was last written.
        head: Its first bytes, by which its format is recognised.
    """

    def __init__(
        self,
        name: str,
        stream: IO[bytes],
        limit: int = REPORT_LIMIT,
        written: int | None = None,
    ) -> None:
        self.name = name
        self.written = written
        self._stream = stream
        self._limit = limit
        self._hasher = hashlib.sha256()
        self.head = stream.read(HEAD)

    @classmethod
    def of(cls, content: bytes, name: str = "the report", limit: int = REPORT_LIMIT) -> ReportFile:
        """A report whose bytes are at hand."""
        return cls(name, io.BytesIO(content), limit)

    @property
    def sha256(self) -> str:
        """The hash of what was read, which is the whole report once it was read to its end."""
        return self._hasher.hexdigest()

    @property
    def begins(self) -> str:
        """The text it begins with, without white space before it."""
        return self.head.decode(self._encoding, "replace").lstrip("\ufeff \t\r\n")

    def chunks(self) -> Iterator[bytes]:
        """All its bytes, in pieces.

        Raises:
            WorkspaceError: It holds more than it may (`too_large`).
        """
        left = self._limit
        chunk = self.head
        while chunk:
            left -= len(chunk)
            if left < 0:
                raise WorkspaceError(
                    f"{self.name} holds more than {self._limit} bytes; raise size_limit to read it",
                    ReasonCode.TOO_LARGE,
                )
            self._hasher.update(chunk)
            yield chunk
            chunk = self._stream.read(_CHUNK)

    def lines(self) -> Iterator[str]:
        """Its lines without their ends; what is not in its encoding is replaced.

        Raises:
            WorkspaceError: A line is longer than any tool writes, or as `chunks`.
        """
        rest = ""
        for text in self._texts():
            lines = (rest + text).split("\n")
            rest = lines.pop()
            if len(rest) > MAX_LINE:
                raise self.malformed(f"a line is longer than {MAX_LINE} characters")
            for line in lines:
                yield line.removesuffix("\r")
        if rest:
            yield rest.removesuffix("\r")

    def text(self) -> str:
        """The whole of it.

        Raises:
            WorkspaceError: It is not in its encoding, or as `chunks`.
        """
        content = b"".join(self.chunks())
        try:
            return content.decode(self._encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as fault:
            raise self.malformed(f"it is not in {self._encoding}: {fault.reason}") from None

    def malformed(self, why: str) -> WorkspaceError:
        """The ERROR that it cannot be read as what it should be."""
        return WorkspaceError(f"{self.name}: {why}", ReasonCode.MALFORMED_EVIDENCE)

    @property
    def _encoding(self) -> str:
        for mark, encoding in _MARKS:
            if self.head.startswith(mark):
                return encoding
        return "utf-8"

    def _texts(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder(self._encoding)("replace")
        first = True
        for chunk in self.chunks():
            text = decoder.decode(chunk)
            yield text.removeprefix("\ufeff") if first else text
            first = False
        yield decoder.decode(b"", final=True)


@contextmanager
def open_report(
    workspace: Workspace, path: str, limit: int = REPORT_LIMIT
) -> Generator[ReportFile, None, None]:
    """Open a report in a workspace.

    Raises:
        WorkspaceError: It is not there (`missing_input`), leads out of the workspace, or cannot be
            read.
    """
    if workspace.kind(path) is None:
        raise WorkspaceError(f"the report {shown(path)} is not there", ReasonCode.MISSING_INPUT)
    with (
        workspace.open(path) as descriptor,
        open(descriptor, "rb", buffering=0, closefd=False) as stream,
    ):
        yield ReportFile(shown(path), stream, limit, written_ns(os.fstat(descriptor)))


@contextmanager
def open_trusted_report(
    path: str | Path, limit: int = REPORT_LIMIT
) -> Generator[ReportFile, None, None]:
    """Open a report on the side of whoever judges, wherever it is.

    Raises:
        WorkspaceError: As `open_report`.
    """
    place = Path(path).resolve()
    try:
        folder = open_workspace(place.parent)
    except WorkspaceError:
        raise WorkspaceError(
            f"the report {shown(str(path))} is not there", ReasonCode.MISSING_INPUT
        ) from None
    with folder, open_report(folder, place.name, limit) as report:
        yield report
