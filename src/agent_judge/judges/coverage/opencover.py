"""OpenCover XML, as OpenCover and coverlet write it."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.coverage.tally import MAX_FILES, FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_number, whole_numbers
from agent_judge.judges.reports.xml_events import Attributes, Elements

_HIDDEN: Final = 0xFEEFEE
"""The line of a sequence point that debuggers hide; it is none of the source."""


class OpenCoverReader:
    """Reads an OpenCover document.

    A line ran when a sequence point that covers it was visited. Sequence points and branch points
    without a file, such as those of generated code, are no part of the sources and not counted.
    """

    def __init__(self, tally: Tally, _root: Attributes) -> None:
        self._tally = tally
        self._files: dict[str, FileTally] = {}
        self._method: FileTally | None = None
        self._summarised = False
        self.elements = Elements(
            begin={
                "Summary": self._summary,
                "Modules": self._begin_modules,
                "Module": self._begin_module,
                "File": self._begin_file,
                "Method": self._begin_method,
                "FileRef": self._file_of_method,
                "SequencePoint": self._sequence_point,
                "BranchPoint": self._branch_point,
            },
        )

    def _summary(self, attributes: Attributes) -> None:
        """Keep the first summary, which is that of the session."""
        if self._summarised or "numSequencePoints" not in attributes:
            return
        self._summarised = True
        points = whole_numbers(attributes, "visitedSequencePoints", "numSequencePoints")
        self._tally.declare("statements", *points)
        branches = whole_numbers(attributes, "visitedBranchPoints", "numBranchPoints")
        self._tally.declare("branches", *branches)

    def _begin_modules(self, _attributes: Attributes) -> None:
        """A summary that comes later is one of a module, class or method."""
        self._summarised = True

    def _begin_module(self, _attributes: Attributes) -> None:
        self._files = {}

    def _begin_file(self, attributes: Attributes) -> None:
        path = attributes.get("fullPath", "")
        if len(self._files) >= MAX_FILES:
            raise FormatError(f"a module has more than {MAX_FILES} files")
        if path:
            self._files[attributes.get("uid", "")] = self._tally.file(path)

    def _begin_method(self, _attributes: Attributes) -> None:
        self._method = None

    def _file_of_method(self, attributes: Attributes) -> None:
        self._method = self._files.get(attributes.get("uid", ""))

    def _file_of(self, attributes: Attributes) -> FileTally | None:
        uid = attributes.get("fileid")
        return self._method if uid is None else self._files.get(uid)

    def _sequence_point(self, attributes: Attributes) -> None:
        file = self._file_of(attributes)
        if file is None:
            return
        visits, first = whole_numbers(attributes, "vc", "sl")
        last = whole_number(attributes.get("el", first), "el of a sequence point")
        if first == _HIDDEN:
            return
        self._tally.span(file, first, last, ran=visits > 0)
        file.count("statements", int(visits > 0), 1)

    def _branch_point(self, attributes: Attributes) -> None:
        file = self._file_of(attributes)
        if file is not None:
            (visits,) = whole_numbers(attributes, "vc")
            file.count("branches", int(visits > 0), 1)
