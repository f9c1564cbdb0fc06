"""Judges of what the work changed, between revisions, in a patch, or between two folders."""

from __future__ import annotations

from agent_judge.judges.diff.added_files import AddedFilesJudge
from agent_judge.judges.diff.changed_paths import ChangedPathsJudge
from agent_judge.judges.diff.conflict_markers import ConflictMarkersJudge
from agent_judge.judges.diff.diff_size import DiffSizeJudge
from agent_judge.judges.diff.generated_files import GeneratedFilesJudge
from agent_judge.judges.diff.patch_applies import PatchAppliesJudge
from agent_judge.judges.diff.secrets import SecretsJudge
from agent_judge.judges.diff.sources import ChangeBounds, FolderChanges, GitChanges, PatchChanges
from agent_judge.judges.diff.tests_kept import TestsKeptJudge

__all__ = [
    "AddedFilesJudge",
    "ChangeBounds",
    "ChangedPathsJudge",
    "ConflictMarkersJudge",
    "DiffSizeJudge",
    "FolderChanges",
    "GeneratedFilesJudge",
    "GitChanges",
    "PatchAppliesJudge",
    "PatchChanges",
    "SecretsJudge",
    "TestsKeptJudge",
]
