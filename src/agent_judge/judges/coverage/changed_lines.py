"""What a coverage report says of the lines that a change added or changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent_judge.judges.coverage.measuring import united
from agent_judge.judges.coverage.record import CoverageReport, FileCoverage
from agent_judge.judges.diff.findings import location
from agent_judge.judges.diff.records import FileChange, Sign
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports.names import WorkspaceNames
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, ReasonCode


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """The executable lines of a file that were changed."""

    path: str
    ran: tuple[int, ...]
    missed: tuple[int, ...]

    @classmethod
    def of(cls, file: FileChange, measured: FileCoverage) -> ChangedLines:
        """What a report says of the lines that a change added or changed.

        Raises:
            WorkspaceError: The file is too large to be read (`too_large`); the report names lines
                that the file does not have, or counts lines and names none (`malformed_evidence`).
        """
        covered, missed = measured.lines.covered, measured.lines.missed
        name = shown(file.path)
        if file.added is None:
            raise WorkspaceError(
                f"{name} is too large to look at its lines; raise bounds.file_bytes",
                ReasonCode.TOO_LARGE,
            )
        if measured.counters.get("lines") and not measured.lines:
            raise _malformed(f"the report does not say which lines of {name} ran")
        last, length = max((*covered, *missed), default=0), _length(file)
        if length is not None and last > length:
            raise _malformed(
                f"the report names line {last} of {name}, which has {length}: "
                "it was made of another version"
            )
        changed = {line.after for line in file.lines if line.sign is Sign.ADDED}
        return cls(
            file.path,
            tuple(number for number in covered if number in changed),
            tuple(number for number in missed if number in changed),
        )

    def __len__(self) -> int:
        return len(self.ran) + len(self.missed)

    def gaps(self) -> Iterator[Check]:
        """A failed check for each run of lines that did not run."""
        for first, last in _runs(self.missed):
            count = last - first + 1
            span = f"{first}" if count == 1 else f"{first}-{last}"
            yield Check(
                f"{shown(self.path)}:{span}",
                False,
                "did not run",
                examined=count,
                location=location(self.path, first),
            )


def measured_files(
    names: WorkspaceNames, report: CoverageReport, files: Iterable[FileChange]
) -> dict[str, FileCoverage]:
    """What a report says of changed files, by their paths.

    Args:
        names: The files of the workspace.
        report: The report.
        files: The files that were changed.

    Raises:
        WorkspaceError: It counts one twice, and does not say which lines (`malformed_evidence`).
    """
    changed = {file.path for file in files}
    bases = {path.rpartition("/")[2] for path in changed}
    measured: dict[str, FileCoverage] = {}
    for file in report.files:
        if file.path.rpartition("/")[2] not in bases:
            continue
        path = names.find(file.path, report.sources)
        if path is not None and path in changed:
            known = measured.get(path)
            measured[path] = file if known is None else united(known, file)
    return measured


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of numbers that follow each other, each as its first and last."""
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = last = number
        elif number == last + 1:
            last = number
        else:
            yield first, last
            first = last = number
    if first is not None and last is not None:
        yield first, last


def kind_of_file(path: str) -> str:
    """The ending of a file's name, by which its language is known."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else name


def _length(file: FileChange) -> int | None:
    content = None if file.after is None else file.after.content
    return None if content is None else content.count(b"\n") + (not content.endswith(b"\n"))


def _malformed(why: str) -> WorkspaceError:
    return WorkspaceError(why, ReasonCode.MALFORMED_EVIDENCE)
