"""Whether files that tools write changed together with what they are written from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import ClassVar, cast

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap
from agent_judge.judges.diff.findings import counted, finding, left_in, location, sum_up
from agent_judge.judges.diff.generated import Origin, origin_by_name, says_generated
from agent_judge.judges.diff.reading import Empty, check_empty, judge_changes
from agent_judge.judges.diff.records import ChangeSet, FileChange
from agent_judge.judges.diff.sources import Changes, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class GeneratedFilesJudge:
    """Whether lock files, vendored and generated files changed only with their sources (`diff`).

    - A lock file: a manifest of its tool changed, in its directory or below it.
    - A vendored file, in `vendor`, `node_modules` or the like: a manifest changed that says what
      is in there.
    - A generated file with a well-known name: something changed that it is made from.
    - A file that says of itself that it is generated, in its first lines before or after the
      change: something changed that was written by hand.

    What was only deleted or renamed counts as changed.

    Args:
        changes: Which change is judged.
        sources: Generated files of one's own: what they are made from, both as patterns of
            `.gitignore` files; these come before what is known of names.
        exclude: Files that are not looked at, by such patterns.
        empty: What a change that touches nothing is: ABSTAIN, PASS or FAIL.

    Raises:
        ArgumentError: A pattern that is none.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `sources` and `exclude` need `pathspec`.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> for folder, text in {"before": "one", "work": "two"}.items():
        ...     Path(folder).mkdir()
        ...     _ = Path(folder, "uv.lock").write_text(text)
        >>> judge = GeneratedFilesJudge(FolderChanges("before"))
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        'uv.lock: lock file changed without any of pyproject.toml, uv.toml'
    """

    changes: Changes
    sources: Mapping[str, Sequence[str]] = EMPTY
    exclude: Sequence[str] = ()
    empty: Empty = "abstain"
    _excludes: Excludes = field(init=False, repr=False, compare=False)
    _own: tuple[tuple[Excludes, Excludes, str], ...] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "GeneratedFilesJudge",
        cost=Cost.COMMAND,
        type="generated_files",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        check_empty(self.empty)
        _set(self, "exclude", check_exclude(self.exclude))
        _set(self, "_excludes", Excludes(self.exclude))
        _set(self, "sources", _check_sources(self.sources))
        own = [
            (Excludes([generated], "sources"), Excludes(made_from, "sources"), ", ".join(made_from))
            for generated, made_from in self.sources.items()
        ]
        _set(self, "_own", tuple(own))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at every file that changed."""
        return await judge_changes(context, self.changes, self._look, empty=self.empty)

    def _look(self, change: ChangeSet) -> Judgment:
        files = left_in(change, self._excludes)
        touched = [path for file in change.files for path in file.paths]
        by_hand = any(not self._is_generated(file) for file in change.files)
        findings: list[Check] = []
        fine: list[Check] = []
        for file in files:
            for path in file.paths:
                found = self._fault(file, path, touched, by_hand)
                if found is None:
                    continue
                what, fault = found
                if fault:
                    findings.append(finding(path, f"{what} {file.kind.value} {fault}"))
                else:
                    message = f"{what} {file.kind.value} with what it is made from"
                    fine.append(Check(shown(path), True, message, location=location(path)))
        if not findings and not fine:
            message = f"none of {counted(len(change.files), 'file')} is generated, or left in"
            fine = [Check("files", True, message, examined=len(change.files))]
        reasoning = fine[0].message if len(fine) == 1 else f"{len(fine)} files as they should be"
        return sum_up(findings, fine, reasoning)

    def _is_generated(self, file: FileChange) -> bool:
        named = any(origin_by_name(path) for path in file.paths)
        own = any(generated.path(path) for generated, _, _ in self._own for path in file.paths)
        return named or own or says_generated(file.before) or says_generated(file.after)

    def _fault(
        self, file: FileChange, path: str, touched: Sequence[str], by_hand: bool
    ) -> tuple[str, str] | None:
        """What a generated file is, and what is wrong with its change; `None` for any other."""
        for generated, sources, named in self._own:
            if generated.path(path):
                made = any(sources.path(other) for other in touched if not generated.path(other))
                return "generated file", "" if made else f"without any of {named}"
        known = origin_by_name(path)
        if known is None:
            if not (says_generated(file.before) or says_generated(file.after)):
                return None
            fault = "" if by_hand else "and nothing else that was written by hand"
            return Origin.MARKED.value, fault
        origin, names = known
        if any(_is_source(other, path, origin, names) for other in touched):
            return origin.value, ""
        return origin.value, f"without any of {', '.join(names)}" if names else "by hand"


def _is_source(path: str, of: str, origin: Origin, names: Sequence[str]) -> bool:
    """Whether a path that was touched can be what another one is made from."""
    if path == of or origin_by_name(path) is not None:
        return False
    if not any(fnmatchcase(path.rpartition("/")[2], name) for name in names):
        return False
    folder = of.rpartition("/")[0]
    return origin is not Origin.LOCK or not folder or path.startswith(f"{folder}/")


def _check_sources(sources: object) -> FrozenMap[tuple[str, ...]]:
    if not isinstance(sources, Mapping):
        raise ArgumentTypeError(f"sources must map patterns to patterns, not {sources!r}")
    checked: dict[str, tuple[str, ...]] = {}
    for generated, made_from in cast("Mapping[object, object]", sources).items():
        if type(generated) is not str:
            raise ArgumentTypeError(f"sources names {generated!r}, which is not a string")
        checked[generated] = check_exclude(made_from, f"sources[{generated!r}]")
        if not checked[generated]:
            raise ArgumentError(f"sources[{generated!r}] is empty; say what it is made from")
    return FrozenMap(checked)


_set = object.__setattr__
