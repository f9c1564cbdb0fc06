"""Whether a directory is like a reference, each file compared by its type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, cast

from agent_judge.context import JudgmentContext
from agent_judge.errors import MissingExtraError
from agent_judge.frozen import Json
from agent_judge.judges.compare.differences import SHOWN
from agent_judge.judges.compare.files.binary import BinaryFileJudge
from agent_judge.judges.compare.files.text import TextFileJudge
from agent_judge.judges.compare.files.types import judge_of
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import (
    SIZE_LIMIT,
    Workspace,
    WorkspaceError,
    check_path,
    check_trusted_path,
    judge_workspace,
    open_workspace,
)
from agent_judge.judges.files.reading import check_limit, read_bytes
from agent_judge.judges.files.tree import WALK_LIMIT, Budget, walk
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Check, Judgment, Location, ReasonCode, Status
from agent_judge.protocol import Cost, Judge, JudgeMetadata

Fallback: TypeAlias = Literal["error", "text", "bytes"]
Extra: TypeAlias = Literal["fail", "ignore"]


@dataclass(frozen=True, slots=True)
class FileComparisonJudge:
    """Whether a directory of the workspace is like a reference, each file compared by its type.

    Files with the same bytes are the same, whatever they are. Others are compared by the end of
    their name: source code by its syntax tree, data as data, manifests by their dependencies, the
    usual kinds of text as text, and all else byte for byte. There is a check for each file, and
    for one that differs a check for each of its first differences. Where one file cannot be judged
    nothing is known of the whole: ERROR.

    Args:
        reference: The directory to compare with, on the side of whoever judges. Its `.git` and
            linked directories are not entered.
        path: The directory of the workspace that must be like it.
        exclude: What is left out on both sides, by patterns as in a `.gitignore` file.
        extra: Whether a file that only the workspace has is a difference (`"fail"`), or is not
            looked at (`"ignore"`).
        fallback: What becomes of a file that differs, in a language that has no grammar here:
            ERROR, or it is compared as `"text"` or by its `"bytes"`.
        required: Whether a missing or empty reference is ERROR; else it is ABSTAIN.
        size_limit: Bytes of a file that are read at most; larger ones are ERROR `too_large`.
        walk_limit: How many names of each side may be looked at.

    Raises:
        ArgumentError: A path out of the workspace, a bad pattern, word or limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs the extra `files`.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> for name, text in {"wanted/a.json": "[1.0]", "work/a.json": "[ 1 ]"}.items():
        ...     Path(name).parent.mkdir(exist_ok=True)
        ...     _ = Path(name).write_text(text)
        >>> run = JudgmentContext(workspace=Path("work"))
        >>> evaluate(FileComparisonJudge("wanted"), run).reasoning
        'all 1 files are as in the reference'
    """

    reference: str | Path
    path: str = "."
    exclude: Sequence[str] = ()
    extra: Extra = "fail"
    fallback: Fallback = "error"
    required: bool = False
    size_limit: int = SIZE_LIMIT
    walk_limit: int = WALK_LIMIT
    _excludes: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FileComparisonJudge",
        cost=Cost.FILE,
        type="file_comparison",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "reference", check_trusted_path(self.reference, "reference"))
        if self.path != ".":
            object.__setattr__(self, "path", check_path(self.path))
        object.__setattr__(self, "exclude", check_exclude(self.exclude))
        object.__setattr__(self, "_excludes", Excludes(self.exclude))
        check_choice(self.extra, ("fail", "ignore"), "extra")
        check_choice(self.fallback, ("error", "text", "bytes"), "fallback")
        check_limit(self.size_limit, "size_limit")
        check_limit(self.walk_limit, "walk_limit")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the context's workspace with the reference."""
        return judge_workspace(context, lambda workspace: self._look(workspace, context))

    def _look(self, workspace: Workspace, context: JudgmentContext) -> Judgment:
        try:
            reference = open_workspace(Path(self.reference))
        except WorkspaceError:
            return self._nothing_to_compare("is not a directory that can be opened")
        with reference:
            wanted = list(self._files(reference, "."))
            if not wanted:
                return self._nothing_to_compare("has no file to compare with")
            found = [self._compare(reference, workspace, context, path) for path in wanted]
        if self.extra == "fail" and workspace.kind(self.path) in (Kind.FOLDER, None):
            found += self._extra_files(workspace, set(wanted))
        return self._sum_up(found)

    def _files(self, folder: Workspace, path: str) -> Iterator[str]:
        """The files below a directory, by their paths in it; links to files are files."""

        def enters(found: str) -> bool:
            inner = found if path == "." else found.removeprefix(f"{path}/")
            return found.rpartition("/")[2] != ".git" and not self._excludes.folder(inner)

        for entry in walk(folder, path, Budget(self.walk_limit), enters):
            inner = entry.path if path == "." else entry.path.removeprefix(f"{path}/")
            if entry.kind is Kind.FOLDER or self._excludes.file(inner):
                continue
            if entry.kind is Kind.FILE or folder.kind(entry.path) is Kind.FILE:
                yield inner

    def _place(self, path: str) -> str:
        return path if self.path == "." else f"{self.path}/{path}"

    def _compare(
        self, reference: Workspace, workspace: Workspace, context: JudgmentContext, path: str
    ) -> Judgment:
        """What is found of one file of the reference."""
        place = self._place(path)
        kind = workspace.kind(place)
        if kind is not Kind.FILE:
            message = "not there" if kind is None else f"{kind.value}, no file"
            check = Check(shown(place), False, message, location=Location(shown(place)))
            return Judgment.failing(f"{shown(place)}: {message}", checks=(check,))
        wanted = read_bytes(reference, path, self.size_limit)
        if read_bytes(workspace, place, self.size_limit) == wanted:
            check = Check(shown(place), True, "the same bytes", location=Location(shown(place)))
            return Judgment.passing(f"{shown(place)}: the same bytes", checks=(check,))
        judge = self._judge(place, reference.real_path(path))
        if isinstance(judge, Judgment):
            return judge
        return _in_file(place, cast("Judgment", judge(context)))

    def _judge(self, place: str, reference: Path) -> Judge | Judgment:
        try:
            judge = judge_of(place, reference, self.size_limit)
        except MissingExtraError as missing:
            return Judgment.erring(f"{shown(place)}: {missing}", ReasonCode.MISSING_EXTRA)
        if judge is not None:
            return judge
        if self.fallback == "error":
            return Judgment.erring(
                f"{shown(place)} differs, and there is no grammar for its language; "
                "say by fallback= whether to compare it as text or by its bytes",
                ReasonCode.MISSING_INPUT,
            )
        make = TextFileJudge if self.fallback == "text" else BinaryFileJudge
        return make(place, reference, size_limit=self.size_limit)

    def _extra_files(self, workspace: Workspace, wanted: set[str]) -> Iterator[Judgment]:
        if workspace.kind(self.path) is None:
            return
        for path in self._files(workspace, self.path):
            if path not in wanted:
                place = shown(self._place(path))
                message = "is not in the reference"
                check = Check(place, False, message, location=Location(place))
                yield Judgment.failing(f"{place} {message}", checks=(check,))

    def _sum_up(self, found: list[Judgment]) -> Judgment:
        checks = [check for judgment in found for check in judgment.checks]
        facts = self._facts(found)
        broken = [judgment for judgment in found if judgment.status not in _FINDINGS]
        if broken:
            code = broken[0].code or ReasonCode.MISSING_INPUT
            more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
            reason = f"{broken[0].reasoning}{more}"
            return Judgment.erring(reason, code, checks=checks, metadata=facts)
        failed = [judgment for judgment in found if judgment.status is Status.FAIL]
        if not failed:
            reason = f"all {len(found)} files are as in the reference"
            return Judgment.passing(reason, checks=checks, metadata=facts)
        named = "; ".join(judgment.reasoning for judgment in failed[:SHOWN])
        more = "; …" if len(failed) > SHOWN else ""
        reason = f"{len(failed)} of {len(found)} files are not as in the reference: {named}{more}"
        return Judgment.failing(reason, checks=checks, metadata=facts)

    def _facts(self, found: list[Judgment]) -> dict[str, Json]:
        """What was compared how, and what was not."""
        ways: dict[str, int] = {}
        ignored: dict[str, Json] = {}
        under: dict[str, Json] = {}
        for judgment in found:
            facts = judgment.metadata
            way = str(facts.get("language") or facts.get("compared_as") or "bytes or presence")
            ways[way] = ways.get(way, 0) + 1
            if facts.get("not_compared"):
                ignored[way] = facts["not_compared"]
            if facts.get("equal_under"):
                under[judgment.checks[0].name] = facts["equal_under"]
        left_out = ["files that only the workspace has"] if self.extra == "ignore" else []
        return {
            "reference": shown(str(self.reference)),
            "compared_as": dict(ways),
            "not_compared": {
                "files": [*left_out, "permissions and times", "empty directories", *self.exclude],
                **ignored,
            },
            "equal_under": under,
        }

    def _nothing_to_compare(self, fault: str) -> Judgment:
        reasoning = f"the reference {shown(str(self.reference))} {fault}"
        if self.required:
            return Judgment.erring(reasoning, ReasonCode.MISSING_INPUT)
        return Judgment.abstaining(reasoning, code=ReasonCode.MISSING_INPUT)


_FINDINGS = (Status.PASS, Status.FAIL)


def _in_file(place: str, judgment: Judgment) -> Judgment:
    """The judgment of one file, whose checks say of which file they are."""
    path = shown(place)
    checks = [
        check
        if check.name == path
        else Check(f"{path}: {check.name}", check.passed, check.message, location=check.location)
        for check in judgment.checks
    ]
    return Judgment(
        judgment.status,
        judgment.reasoning,
        checks=tuple(checks),
        metadata=judgment.metadata,
        code=judgment.code,
    )
