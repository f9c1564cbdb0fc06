"""Whether a patch can be applied to what it was made for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker
from agent_judge.errors import ArgumentTypeError
from agent_judge.frozen import Json
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.applying import apply, files_near
from agent_judge.judges.diff.comparing import stored
from agent_judge.judges.diff.findings import counted, finding, location
from agent_judge.judges.diff.patches import Patch, parse, patch_content
from agent_judge.judges.diff.sources import PatchChanges
from agent_judge.judges.files.paths import Workspace, WorkspaceError, judge_workspace
from agent_judge.judges.git.repository import find_git
from agent_judge.judges.git.scratch import Git, Scratch
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

_FAULT: Final = re.compile(r"error: (?:patch failed: )?(.*?)(?::(\d+))?(?:: (.*))?")
_MAX_FAULTS: Final = 20


@dataclass(frozen=True, slots=True)
class PatchAppliesJudge:
    """Whether a patch applies cleanly, to the workspace or to a revision (extra `diff`).

    It is applied by `git apply`, without fuzz, to copies of the files; the workspace is left alone.
    A patch that is not there, is empty or is none does not apply. One that has been applied already
    does not, either, and the reasoning says so.

    Args:
        patch: The patch in the workspace, and what it must apply to: its `base`, or the files of
            the workspace.

    Raises:
        ArgumentTypeError: It is no `PatchChanges`.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import PatchChanges
        >>> _ = Path("a.txt").write_text("two" + chr(10))
        >>> patch = ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", "-one", "+two", ""]
        >>> _ = Path("fix.patch").write_text(chr(10).join(patch))
        >>> judge = PatchAppliesJudge(PatchChanges("fix.patch"))
        >>> evaluate(judge, JudgmentContext(workspace=Path())).reasoning
        'fix.patch does not apply: it is applied already'
    """

    patch: PatchChanges

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "PatchAppliesJudge",
        cost=Cost.COMMAND,
        type="patch_applies",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        if not isinstance(self.patch, PatchChanges):
            raise ArgumentTypeError(f"patch must be PatchChanges, not {self.patch!r}")

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Apply the patch to copies of the files that it names."""
        return await in_worker(lambda: judge_workspace(context, self._look))

    def _look(self, workspace: Workspace) -> Judgment:
        name = shown(self.patch.patch)
        content = patch_content(workspace, self.patch)
        if content is None:
            return _refused(name, [finding(self.patch.patch, "there is no such file")])
        git = Git(
            find_git(workspace.path),
            Deadline(self.patch.bounds.timeout, "applying the patch"),
        )
        with git.scratch() as scratch:
            try:
                patch = parse(scratch, self.patch, content, git.deadline)
            except WorkspaceError as fault:
                if fault.code is not ReasonCode.MALFORMED_EVIDENCE:
                    raise
                return _refused(name, [finding(self.patch.patch, shown(str(fault)))])
            if not patch.files:
                return _refused(name, [finding(self.patch.patch, "it is empty")])
            return self._applied(workspace, scratch, patch, git)

    def _applied(self, workspace: Workspace, scratch: Scratch, patch: Patch, git: Git) -> Judgment:
        scratch.store("before", stored(files_near(workspace, self.patch, patch.paths, git)))
        outcome = apply(scratch, patch, git)
        to = self.patch.base or "the workspace"
        facts: dict[str, Json] = {"patch": patch.name, "to": to, "files": len(patch.files)}
        if not isinstance(outcome, str):
            message = f"{patch.name} applies to {to}, {counted(len(patch.files), 'file')}"
            check = Check("applies", True, message, examined=len(patch.files))
            return Judgment.passing(message, checks=[check], metadata=facts)
        if not isinstance(apply(scratch, patch, git, reverse=True), str):
            return _refused(patch.name, [finding(patch.name, "it is applied already")], facts)
        return _refused(patch.name, _faults(outcome), facts)


def _refused(name: str, checks: list[Check], facts: dict[str, Json] | None = None) -> Judgment:
    said = "; ".join(dict.fromkeys(check.message for check in checks))
    return Judgment.failing(f"{name} does not apply: {said}", checks=checks, metadata=facts or {})


def _faults(errors: str) -> list[Check]:
    """What git says, with the file and line where it says them."""
    checks: list[Check] = []
    for said in errors.splitlines()[:_MAX_FAULTS]:
        found = _FAULT.fullmatch(said)
        if found is None or not found[1].strip():
            continue
        path, line = found[1], int(found[2]) if found[2] else None
        message = shown(said.removeprefix("error: "))
        place = location(path, line) if line or found[3] else None
        checks.append(Check("applies", False, message, location=place))
    return checks or [Check("applies", False, shown(errors.strip()[:200]) or "git refuses it")]
