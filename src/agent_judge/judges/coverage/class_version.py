"""Whether class files are compiled for the right release of Java."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.coverage.class_file import FIRST_RELEASE, CorruptClassError, major_version
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import Globs, check_patterns, find_below
from agent_judge.judges.files.paths import (
    SIZE_LIMIT,
    Workspace,
    WorkspaceError,
    judge_workspace,
)
from agent_judge.judges.files.reading import check_limit, read_bytes
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, Location, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class ClassVersionJudge:
    """Whether every Java class file in the workspace is compiled for one release.

    Each file is walked over to its end; one that is corrupt is ERROR. Class files within archives
    are not looked at.

    Args:
        java: The release of Java, for example 17.
        major: The same as the major version of class files, for example 61.
        paths: Paths or patterns of the class files.
        size_limit: Bytes of a class file that are read at most.
        walk_limit: How many names may be looked at.

    Raises:
        ArgumentError: Both or neither of `java` and `major`, a number that no release has, a path
            out of the workspace, or a bad limit.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import mkdtemp
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = ClassVersionJudge(java=17)
        >>> evaluate(judge, JudgmentContext(workspace=Path(mkdtemp()))).reasoning
        'there is no class file to look at: **/*.class'
    """

    _: KW_ONLY
    java: int | None = None
    major: int | None = None
    paths: Sequence[str] = ("**/*.class",)
    size_limit: int = SIZE_LIMIT
    walk_limit: int = WALK_LIMIT

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ClassVersionJudge", cost=Cost.FILE, type="class_version", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        if (self.java is None) == (self.major is None):
            found = "neither" if self.java is None else "both"
            raise ArgumentError(f"needs one of java and major, and got {found}")
        for name, number, least in (("java", self.java, 1), ("major", self.major, 45)):
            if number is None:
                continue
            if type(number) is not int:
                raise ArgumentTypeError(f"{name} must be a whole number, not {number!r}")
            if not least <= number <= 65_535 - FIRST_RELEASE:
                raise ArgumentError(f"{name} must be at least {least}, and not {number}")
        object.__setattr__(self, "paths", check_patterns(self.paths, "paths"))
        check_limit(self.size_limit, "size_limit")
        check_limit(self.walk_limit, "walk_limit")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at the class files of the context's workspace."""
        return judge_workspace(context, self._look)

    @property
    def _wanted(self) -> int:
        return self.major if self.major is not None else (self.java or 0) + FIRST_RELEASE

    def _look(self, workspace: Workspace) -> Judgment:
        versions = dict(self._versions(workspace))
        if not versions:
            return Judgment.abstaining(
                f"there is no class file to look at: {', '.join(self.paths)}",
                code=ReasonCode.MISSING_INPUT,
            )
        others = {path: version for path, version in versions.items() if version != self._wanted}
        message = (
            f"{len(versions) - len(others)} of {len(versions)} are for {_release(self._wanted)}"
        )
        return Judgment.from_checks(
            [
                Check("class files", not others, message, examined=len(versions)),
                *(_other(path, version) for path, version in others.items()),
            ],
            f"{message} of the class files" if not others else _summary(message, others),
            metadata={"major": self._wanted},
        )

    def _versions(self, workspace: Workspace) -> Iterator[tuple[str, int]]:
        budget = Budget(self.walk_limit)
        for entry in find_below(workspace, ".", Globs(self.paths), budget):
            if entry.kind is not Kind.FILE:
                continue
            try:
                content = read_bytes(workspace, entry.path, self.size_limit)
                yield entry.path, major_version(content)
            except CorruptClassError as fault:
                raise WorkspaceError(
                    f"{shown(entry.path)} is no class file: {fault}", ReasonCode.MALFORMED_EVIDENCE
                ) from None


def _release(major: int) -> str:
    return f"Java {major - FIRST_RELEASE}"


def _other(path: str, version: int) -> Check:
    name = shown(path)
    return Check(name, False, f"for {_release(version)}", location=Location(name))


def _summary(message: str, others: dict[str, int]) -> str:
    path, version = next(iter(others.items()))
    return f"{message}; {shown(path)} is for {_release(version)}"
