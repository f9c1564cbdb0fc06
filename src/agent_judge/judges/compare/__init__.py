"""Judges that compare the work with a reference by what it means."""

from __future__ import annotations

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
from agent_judge.judges.compare.files.binary import BinaryFileJudge
from agent_judge.judges.compare.files.text import TextFileJudge
from agent_judge.judges.compare.files.tree import FileComparisonJudge
from agent_judge.judges.compare.formats.data import (
    IniSemanticJudge,
    JsonSemanticJudge,
    PropertiesSemanticJudge,
    TomlSemanticJudge,
    YamlSemanticJudge,
)
from agent_judge.judges.compare.formats.xml import XmlSemanticJudge
from agent_judge.judges.compare.manifests.manifest import ManifestJudge
from agent_judge.judges.compare.manifests.maven import MavenSemanticJudge

__all__ = [
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
]
