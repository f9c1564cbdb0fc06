"""The judges that configuration knows by name, and how it finds one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from agent_judge.config.faults import unknown
from agent_judge.config.imports import import_attribute, importing
from agent_judge.errors import ConfigurationError

ENTRY_POINTS: Final = "agent_judge.judges"
"""The entry-point group in which other distributions announce judges."""

BUILT_IN: Final[Mapping[str, str]] = {
    "added_files": "AddedFilesJudge",
    "agentic": "AgenticJudge",
    "answer_relevance": "AnswerRelevanceJudge",
    "answer_relevance_screen": "AnswerRelevanceScreen",
    "binary_file": "BinaryFileJudge",
    "bleu": "BleuJudge",
    "build_success": "BuildSuccessJudge",
    "c_semantic": "CSemanticJudge",
    "changed_paths": "ChangedPathsJudge",
    "checklist": "ChecklistJudge",
    "chrf": "ChrfJudge",
    "class_version": "ClassVersionJudge",
    "command": "CommandJudge",
    "conflict_markers": "ConflictMarkersJudge",
    "contains": "ContainsJudge",
    "context_precision": "ContextPrecisionJudge",
    "context_recall": "ContextRecallJudge",
    "contextual_relevance": "ContextualRelevanceJudge",
    "correctness": "CorrectnessJudge",
    "cost": "CostJudge",
    "coverage": "CoverageJudge",
    "coverage_improvement": "CoverageImprovementJudge",
    "coverage_preservation": "CoveragePreservationJudge",
    "cpp_semantic": "CppSemanticJudge",
    "csv": "CsvJudge",
    "csv_match": "CsvMatchJudge",
    "diff_coverage": "DiffCoverageJudge",
    "diff_size": "DiffSizeJudge",
    "ears": "EarsJudge",
    "elapsed": "ElapsedJudge",
    "equals": "EqualsJudge",
    "faithfulness": "FaithfulnessJudge",
    "file_absent": "FileAbsentJudge",
    "file_comparison": "FileComparisonJudge",
    "file_content": "FileContentJudge",
    "file_exists": "FileExistsJudge",
    "file_superset": "FileSupersetJudge",
    "files_unchanged": "FilesUnchangedJudge",
    "findings": "FindingsJudge",
    "generated_files": "GeneratedFilesJudge",
    "geval": "GEvalJudge",
    "go_semantic": "GoSemanticJudge",
    "groundedness_screen": "GroundednessScreen",
    "hallucination": "HallucinationJudge",
    "ini_semantic": "IniSemanticJudge",
    "java_semantic": "JavaSemanticJudge",
    "javascript_semantic": "JavaScriptSemanticJudge",
    "json": "JsonJudge",
    "json_match": "JsonMatchJudge",
    "json_path": "JsonPathJudge",
    "json_schema": "JsonSchemaJudge",
    "json_semantic": "JsonSemanticJudge",
    "length": "LengthJudge",
    "manifest": "ManifestJudge",
    "maven_semantic": "MavenSemanticJudge",
    "model_backed": "ModelBackedJudge",
    "number": "NumberJudge",
    "pairwise": "PairwiseJudge",
    "patch_applies": "PatchAppliesJudge",
    "properties_semantic": "PropertiesSemanticJudge",
    "python_semantic": "PythonSemanticJudge",
    "regex": "RegexJudge",
    "repeated_calls": "RepeatedCallsJudge",
    "rfc2119": "Rfc2119Judge",
    "rubric": "RubricJudge",
    "rust_semantic": "RustSemanticJudge",
    "sampled": "SampledJudge",
    "secrets": "SecretsJudge",
    "similarity": "SimilarityJudge",
    "sql_semantic": "SqlSemanticJudge",
    "sqlite": "SqliteJudge",
    "status": "StatusJudge",
    "steps": "StepsJudge",
    "test_report": "TestReportJudge",
    "tests_kept": "TestsKeptJudge",
    "tests_pass": "TestsPassJudge",
    "text_file": "TextFileJudge",
    "text_similarity": "TextSimilarityJudge",
    "tokens": "TokensJudge",
    "toml_semantic": "TomlSemanticJudge",
    "tool_arguments": "ToolArgumentsJudge",
    "tool_calls": "ToolCallsJudge",
    "tool_errors": "ToolErrorsJudge",
    "tool_not_called": "ToolNotCalledJudge",
    "typescript_semantic": "TypeScriptSemanticJudge",
    "xml_semantic": "XmlSemanticJudge",
    "yaml_semantic": "YamlSemanticJudge",
}
"""The shipped judges: their type in configuration, and their class."""

_HOMES: Final = ("agent_judge.judges", "agent_judge.llm", "agent_judge.rag")
"""The packages that export the classes."""


def find_judge(name: str, folders: Sequence[str] = ()) -> Any:
    """The judge, or the class of judges, that configuration calls by this name.

    Args:
        name: A shipped type, an entry point of the group `agent_judge.judges`, or
            `module:attribute`. Only what is asked for is imported.
        folders: Where modules of one's own are.

    Raises:
        ConfigurationError: There is none, or it cannot be imported; the message lists what is
            known and near.
    """
    if ":" in name:
        return import_attribute(name, folders)
    if name in BUILT_IN:
        return _shipped(BUILT_IN[name])
    points = entry_points()
    if name in points:
        return importing(name, points[name].load)
    raise ConfigurationError(unknown("judge type", name, known_types()))


def _shipped(name: str) -> Any:
    for home in map(import_module, _HOMES):
        if name in home.__all__:
            return getattr(home, name)
    raise AssertionError(f"no package exports {name}")


def known_types() -> list[str]:
    """Every type that a configuration can name without a module, sorted."""
    return sorted({*BUILT_IN, *entry_points()})


def entry_points() -> Mapping[str, Any]:
    """The judges that other distributions announce, not loaded yet."""
    from importlib.metadata import entry_points as announced

    return {point.name: point for point in announced(group=ENTRY_POINTS)}
