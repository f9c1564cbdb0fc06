"""How a file is compared, by its name and what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from agent_judge.judges.compare.code.c_family import CppSemanticJudge, CSemanticJudge
from agent_judge.judges.compare.code.go import GoSemanticJudge
from agent_judge.judges.compare.code.java import JavaSemanticJudge
from agent_judge.judges.compare.code.javascript import (
    JavaScriptSemanticJudge,
    TypeScriptSemanticJudge,
)
from agent_judge.judges.compare.code.python import PythonSemanticJudge
from agent_judge.judges.compare.code.rust import RustSemanticJudge
from agent_judge.judges.compare.code.sql import SqlSemanticJudge
from agent_judge.judges.compare.document_judge import SOURCE_LIMIT, DocumentJudge
from agent_judge.judges.compare.files.binary import BinaryFileJudge
from agent_judge.judges.compare.files.text import TextFileJudge
from agent_judge.judges.compare.formats.data import (
    IniSemanticJudge,
    JsonSemanticJudge,
    PropertiesSemanticJudge,
    TomlSemanticJudge,
    YamlSemanticJudge,
)
from agent_judge.judges.compare.formats.xml import XmlSemanticJudge
from agent_judge.judges.compare.manifests.manifest import ManifestJudge, manifest_of
from agent_judge.protocol import Judge

SOURCES: Final[Mapping[str, type[DocumentJudge]]] = {
    ".py": PythonSemanticJudge,
    ".java": JavaSemanticJudge,
    ".js": JavaScriptSemanticJudge,
    ".ts": TypeScriptSemanticJudge,
    ".go": GoSemanticJudge,
    ".rs": RustSemanticJudge,
    ".c": CSemanticJudge,
    ".cpp": CppSemanticJudge,
    ".sql": SqlSemanticJudge,
}
"""The judges of languages, by the usual end of a file name."""

FORMATS: Final[Mapping[str, type[DocumentJudge]]] = {
    ".json": JsonSemanticJudge,
    ".yaml": YamlSemanticJudge,
    ".toml": TomlSemanticJudge,
    ".ini": IniSemanticJudge,
    ".properties": PropertiesSemanticJudge,
    ".xml": XmlSemanticJudge,
}
"""The judges of data and documents, by the usual end of a file name."""

ALIASES: Final[Mapping[str, str]] = {
    ".pyi": ".py", ".mjs": ".js", ".cjs": ".js", ".jsx": ".js", ".tsx": ".ts", ".mts": ".ts",
    ".cts": ".ts", ".h": ".c", ".cc": ".cpp", ".cxx": ".cpp", ".hpp": ".cpp", ".hh": ".cpp",
    ".hxx": ".cpp", ".yml": ".yaml", ".cfg": ".ini", ".xsd": ".xml", ".xsl": ".xml",
    ".xslt": ".xml", ".svg": ".xml", ".wsdl": ".xml",
}  # fmt: skip

TEXTS: Final = frozenset({
    ".txt", ".md", ".rst", ".adoc", ".csv", ".tsv", ".log", ".gitignore", ".dockerignore", ".env",
    ".lock", ".html", ".htm", ".css", ".tex",
})  # fmt: skip
"""Ends of file names that are compared as text: what is in them is said line by line."""

UNREAD: Final = frozenset({
    ".kt", ".kts", ".scala", ".groovy", ".gradle", ".rb", ".php", ".swift", ".cs", ".fs", ".vb",
    ".m", ".mm", ".dart", ".lua", ".pl", ".pm", ".r", ".jl", ".ex", ".exs", ".erl", ".hs", ".ml",
    ".clj", ".sh", ".bash", ".zsh", ".ps1", ".vue", ".svelte", ".scss", ".less", ".proto", ".tf",
    ".ipynb", ".zig", ".nim", ".sol", ".jsonc", ".json5",
})  # fmt: skip
"""Ends of file names of languages that have no grammar here."""


def judge_of(path: str, reference: Path, limit: int) -> Judge | None:
    """The judge that compares a file; none where it is in a language without a grammar.

    Args:
        path: The file in the workspace.
        reference: The file that it should be like.
        limit: Bytes that are read at most.
    """
    name = PurePosixPath(path).name
    if manifest_of(name) is not None:
        return ManifestJudge(path, reference, size_limit=limit)
    suffix = PurePosixPath(path).suffix.lower() or name
    suffix = ALIASES.get(suffix, suffix)
    if suffix in SOURCES:
        return SOURCES[suffix](path, reference, size_limit=min(limit, SOURCE_LIMIT))
    if suffix in FORMATS:
        return FORMATS[suffix](path, reference, size_limit=limit)
    if suffix in UNREAD:
        return None
    kind = TextFileJudge if suffix in TEXTS else BinaryFileJudge
    return kind(path, reference, size_limit=limit)
