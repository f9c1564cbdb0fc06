"""Whether XML says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.formats.xml_rules import XML_RULES
from agent_judge.judges.compare.formats.xml_tree import parse_xml_tree
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.files.paths import SIZE_LIMIT
from agent_judge.protocol import JudgeMetadata

XML: Final = Language(
    "XML",
    parse_xml_tree,
    XML_RULES,
    (
        "comments",
        "the order of attributes, prefixes of namespaces, and how characters are written",
        "prefixes within longer texts, as in XPath: they are compared as they stand",
        "an external document type: it is not read",
    ),
    packages=("defusedxml",),
    compared_as="tree of elements",
)


@dataclass(frozen=True, slots=True)
class XmlSemanticJudge(DocumentJudge):
    """Whether XML is the same tree of elements as a reference (extra `compare`).

    Namespaces count and their prefixes do not. Elements with other names may change places, unless
    there is text beside them; those of the same name may only under the rule `all_siblings`. A
    document that declares entities is ERROR `refused`, and nothing that it points to is read.

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
        >>> run = JudgmentContext(output="<a><c/><b/></a>", expected="<a><b/> <c/></a>")
        >>> evaluate(XmlSemanticJudge(), run).metadata["equal_under"]
        ('blank_text', 'sibling_order')
    """

    size_limit: int = SIZE_LIMIT

    language: ClassVar[Language] = XML
    metadata: ClassVar[JudgeMetadata] = comparing("XmlSemanticJudge", "xml_semantic")
