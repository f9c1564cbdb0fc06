"""Judges that read the files of a workspace."""

from __future__ import annotations

from agent_judge.judges.files.content import FileContentJudge
from agent_judge.judges.files.existence import FileAbsentJudge, FileExistsJudge
from agent_judge.judges.files.hashes import hash_files
from agent_judge.judges.files.superset import FileSupersetJudge
from agent_judge.judges.files.unchanged import FilesUnchangedJudge

__all__ = [
    "FileAbsentJudge",
    "FileContentJudge",
    "FileExistsJudge",
    "FileSupersetJudge",
    "FilesUnchangedJudge",
    "hash_files",
]
