"""Whether a file is the same as a reference, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.frozen import Json
from agent_judge.judges.compare.document_judge import comparing
from agent_judge.judges.compare.documents import (
    Document,
    check_source_paths,
    read_candidate,
    read_reference,
)
from agent_judge.judges.files.paths import SIZE_LIMIT
from agent_judge.judges.files.reading import check_limit
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import JudgeMetadata


@dataclass(frozen=True, slots=True)
class BinaryFileJudge:
    """Whether a file is the same as a reference, byte for byte.

    Args:
        path: A file of the workspace; without it, the output is compared, in UTF-8.
        reference: What it should be: a file on the side of whoever judges, or a directory in which
            `path` is looked up. Without it, the text that the context expects.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.

    Raises:
        ArgumentError: A path that leaves the workspace, or a bad limit.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="abc", expected="abd")
        >>> evaluate(BinaryFileJudge(), run).reasoning
        'the output differs from the reference at byte 2: 3 bytes, the reference has 3'
    """

    path: str | None = None
    reference: str | Path | None = None
    size_limit: int = SIZE_LIMIT

    metadata: ClassVar[JudgeMetadata] = comparing("BinaryFileJudge", "binary_file")

    def __post_init__(self) -> None:
        path, reference = check_source_paths(self.path, self.reference)
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "reference", reference)
        check_limit(self.size_limit, "size_limit")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the bytes of the file with those of the reference."""
        given = None if self.reference is None else str(self.reference)
        reference = read_reference(context, given, self.path, self.size_limit)
        if isinstance(reference, Judgment):
            return reference
        candidate = read_candidate(context, self.path, self.size_limit)
        return candidate if isinstance(candidate, Judgment) else compare_bytes(reference, candidate)


def compare_bytes(reference: Document, candidate: Document) -> Judgment:
    """Whether two documents are the same bytes; if not, where they begin to differ."""
    facts: dict[str, Json] = {
        "compared_as": "bytes",
        "not_compared": [],
        "sha256": sha256(candidate.data).hexdigest(),
    }
    if reference.data == candidate.data:
        check = Check(candidate.name, True, "the same bytes", location=candidate.location)
        reason = f"{candidate.name} is as the reference, byte for byte"
        return Judgment.passing(reason, checks=(check,), metadata=facts)
    message = (
        f"differs from the reference at byte {_first_difference(reference.data, candidate.data)}: "
        f"{len(candidate.data)} bytes, the reference has {len(reference.data)}"
    )
    check = Check(candidate.name, False, message, location=candidate.location)
    return Judgment.failing(f"{candidate.name} {message}", checks=(check,), metadata=facts)


def _first_difference(left: bytes, right: bytes) -> int:
    """How many bytes are the same at the beginning, found by halving."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
