"""Judges that ask no model, one folder a family; each is imported when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_judge.judges.compare import (
        BinaryFileJudge,
        CppSemanticJudge,
        CSemanticJudge,
        FileComparisonJudge,
        GoSemanticJudge,
        IniSemanticJudge,
        JavaScriptSemanticJudge,
        JavaSemanticJudge,
        JsonSemanticJudge,
        ManifestJudge,
        MavenSemanticJudge,
        PropertiesSemanticJudge,
        PythonSemanticJudge,
        RustSemanticJudge,
        SqlSemanticJudge,
        TextFileJudge,
        TomlSemanticJudge,
        TypeScriptSemanticJudge,
        XmlSemanticJudge,
        YamlSemanticJudge,
    )
    from agent_judge.judges.coverage import (
        ClassVersionJudge,
        CoverageImprovementJudge,
        CoverageJudge,
        CoveragePreservationJudge,
        DiffCoverageJudge,
    )
    from agent_judge.judges.data import (
        CsvJudge,
        CsvMatchJudge,
        JsonJudge,
        JsonMatchJudge,
        JsonPathJudge,
        JsonSchemaJudge,
        SqliteJudge,
    )
    from agent_judge.judges.diff import (
        AddedFilesJudge,
        ChangeBounds,
        ChangedPathsJudge,
        ConflictMarkersJudge,
        DiffSizeJudge,
        FolderChanges,
        GeneratedFilesJudge,
        GitChanges,
        PatchAppliesJudge,
        PatchChanges,
        SecretsJudge,
        TestsKeptJudge,
    )
    from agent_judge.judges.files import (
        FileAbsentJudge,
        FileContentJudge,
        FileExistsJudge,
        FilesUnchangedJudge,
        FileSupersetJudge,
        hash_files,
    )
    from agent_judge.judges.findings import FindingsJudge
    from agent_judge.judges.meaning import (
        AnswerRelevanceScreen,
        GroundednessScreen,
        SimilarityJudge,
    )
    from agent_judge.judges.process import BuildSuccessJudge, CommandJudge
    from agent_judge.judges.status import StatusJudge
    from agent_judge.judges.testruns import TestReportJudge, TestsPassJudge
    from agent_judge.judges.text import (
        BleuJudge,
        ChrfJudge,
        ContainsJudge,
        EqualsJudge,
        LengthJudge,
        NumberJudge,
        RegexJudge,
        TextSimilarityJudge,
    )
    from agent_judge.judges.tools import (
        RepeatedCallsJudge,
        ToolArgumentsJudge,
        ToolCallsJudge,
        ToolErrorsJudge,
        ToolNotCalledJudge,
    )
    from agent_judge.judges.usage import (
        CostJudge,
        ElapsedJudge,
        StepsJudge,
        TokensJudge,
    )

__all__ = [
    "AddedFilesJudge",
    "AnswerRelevanceScreen",
    "BinaryFileJudge",
    "BleuJudge",
    "BuildSuccessJudge",
    "CSemanticJudge",
    "ChangeBounds",
    "ChangedPathsJudge",
    "ChrfJudge",
    "ClassVersionJudge",
    "CommandJudge",
    "ConflictMarkersJudge",
    "ContainsJudge",
    "CostJudge",
    "CoverageImprovementJudge",
    "CoverageJudge",
    "CoveragePreservationJudge",
    "CppSemanticJudge",
    "CsvJudge",
    "CsvMatchJudge",
    "DiffCoverageJudge",
    "DiffSizeJudge",
    "ElapsedJudge",
    "EqualsJudge",
    "FileAbsentJudge",
    "FileComparisonJudge",
    "FileContentJudge",
    "FileExistsJudge",
    "FileSupersetJudge",
    "FilesUnchangedJudge",
    "FindingsJudge",
    "FolderChanges",
    "GeneratedFilesJudge",
    "GitChanges",
    "GoSemanticJudge",
    "GroundednessScreen",
    "IniSemanticJudge",
    "JavaScriptSemanticJudge",
    "JavaSemanticJudge",
    "JsonJudge",
    "JsonMatchJudge",
    "JsonPathJudge",
    "JsonSchemaJudge",
    "JsonSemanticJudge",
    "LengthJudge",
    "ManifestJudge",
    "MavenSemanticJudge",
    "NumberJudge",
    "PatchAppliesJudge",
    "PatchChanges",
    "PropertiesSemanticJudge",
    "PythonSemanticJudge",
    "RegexJudge",
    "RepeatedCallsJudge",
    "RustSemanticJudge",
    "SecretsJudge",
    "SimilarityJudge",
    "SqlSemanticJudge",
    "SqliteJudge",
    "StatusJudge",
    "StepsJudge",
    "TestReportJudge",
    "TestsKeptJudge",
    "TestsPassJudge",
    "TextFileJudge",
    "TextSimilarityJudge",
    "TokensJudge",
    "TomlSemanticJudge",
    "ToolArgumentsJudge",
    "ToolCallsJudge",
    "ToolErrorsJudge",
    "ToolNotCalledJudge",
    "TypeScriptSemanticJudge",
    "XmlSemanticJudge",
    "YamlSemanticJudge",
    "hash_files",
]

_HOMES = {
    "compare": (
        "BinaryFileJudge",
        "CSemanticJudge",
        "CppSemanticJudge",
        "FileComparisonJudge",
        "GoSemanticJudge",
        "IniSemanticJudge",
        "JavaScriptSemanticJudge",
        "JavaSemanticJudge",
        "JsonSemanticJudge",
        "ManifestJudge",
        "MavenSemanticJudge",
        "PropertiesSemanticJudge",
        "PythonSemanticJudge",
        "RustSemanticJudge",
        "SqlSemanticJudge",
        "TextFileJudge",
        "TomlSemanticJudge",
        "TypeScriptSemanticJudge",
        "XmlSemanticJudge",
        "YamlSemanticJudge",
    ),
    "coverage": (
        "ClassVersionJudge",
        "CoverageImprovementJudge",
        "CoverageJudge",
        "CoveragePreservationJudge",
        "DiffCoverageJudge",
    ),
    "data": (
        "CsvJudge",
        "CsvMatchJudge",
        "JsonJudge",
        "JsonMatchJudge",
        "JsonPathJudge",
        "JsonSchemaJudge",
        "SqliteJudge",
    ),
    "diff": (
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
    ),
    "files": (
        "FileAbsentJudge",
        "FileContentJudge",
        "FileExistsJudge",
        "FileSupersetJudge",
        "FilesUnchangedJudge",
        "hash_files",
    ),
    "meaning": ("AnswerRelevanceScreen", "GroundednessScreen", "SimilarityJudge"),
    "findings": ("FindingsJudge",),
    "process": ("BuildSuccessJudge", "CommandJudge"),
    "status": ("StatusJudge",),
    "testruns": ("TestReportJudge", "TestsPassJudge"),
    "text": (
        "BleuJudge",
        "ChrfJudge",
        "ContainsJudge",
        "EqualsJudge",
        "LengthJudge",
        "NumberJudge",
        "RegexJudge",
        "TextSimilarityJudge",
    ),
    "tools": (
        "RepeatedCallsJudge",
        "ToolArgumentsJudge",
        "ToolCallsJudge",
        "ToolErrorsJudge",
        "ToolNotCalledJudge",
    ),
    "usage": ("CostJudge", "ElapsedJudge", "StepsJudge", "TokensJudge"),
}

_HOME_OF = {name: family for family, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
