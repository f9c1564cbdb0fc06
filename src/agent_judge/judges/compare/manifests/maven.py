"""Whether a Maven POM says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.formats.xml_rules import drop_blank, free_siblings, trim_texts
from agent_judge.judges.compare.formats.xml_tree import parse_xml_tree
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.manifests.maven_model import (
    keep_configuration,
    managed_versions,
    model_defaults,
    name_artifacts,
    namespace,
    property_interpolation,
)
from agent_judge.judges.compare.node import Node
from agent_judge.judges.compare.rules import Rule, each_node, each_tree
from agent_judge.judges.files.paths import SIZE_LIMIT
from agent_judge.protocol import JudgeMetadata


def _parse(document: Document) -> Build:
    build = parse_xml_tree(document)

    def build_model() -> Node:
        root = build()
        drop_blank(root)
        trim_texts(root)
        name_artifacts(root)
        free_siblings(root)
        keep_configuration(root)
        return root

    return build_model


_RULES: Final = (
    Rule("namespace", "the namespace of POMs, and where its schema is", each_tree(namespace)),
    Rule(
        "property_interpolation",
        "`${p}` for the value of a property that the POM defines; "
        "no profile or command line is taken to change it",
        each_tree(property_interpolation),
    ),
    Rule(
        "model_defaults",
        "what holds anyway: scope compile, type jar, packaging jar, and others",
        each_node(model_defaults),
    ),
    Rule(
        "managed_versions",
        "the version of a dependency that the POM manages at that version",
        each_tree(managed_versions),
    ),
)

MAVEN: Final = Language(
    "Maven POM",
    _parse,
    _RULES,
    (
        "comments, and white space around texts",
        "the order of elements, but of those of one name within the configuration of plugins",
        "so neither which of two artifacts comes first on the class path",
        "what is inherited from a parent, and what profiles change",
    ),
    packages=("defusedxml",),
    compared_as="project model",
)


@dataclass(frozen=True, slots=True)
class MavenSemanticJudge(DocumentJudge):
    """Whether a Maven POM is the same project model as a reference (extra `compare`).

    Dependencies and plugins are compared by what they are: group, artifact, type and classifier,
    then version and scope. The rest of the POM is compared as well.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, what the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown word or rule, or a bad limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The parser is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> pom = "<project><parent><groupId>g</groupId>{}</parent></project>"
        >>> given, wanted = pom.format("<version>2</version>"), pom.format("<version>1</version>")
        >>> run = JudgmentContext(output=given, expected=wanted)
        >>> evaluate(MavenSemanticJudge(), run).checks[0].name
        'project.parent g.version.text'
    """

    size_limit: int = SIZE_LIMIT

    language: ClassVar[Language] = MAVEN
    metadata: ClassVar[JudgeMetadata] = comparing("MavenSemanticJudge", "maven_semantic")
