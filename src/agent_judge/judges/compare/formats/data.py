"""Whether data in JSON, YAML, TOML, INI or properties say the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, TypeAlias

from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.formats.ini_tree import parse_ini_tree, parse_properties_tree
from agent_judge.judges.compare.formats.json_tree import parse_json_tree
from agent_judge.judges.compare.formats.toml_tree import parse_toml_tree
from agent_judge.judges.compare.formats.values import with_free_arrays
from agent_judge.judges.compare.formats.yaml_tree import parse_yaml_tree
from agent_judge.judges.compare.languages import Language, Parser
from agent_judge.judges.files.paths import SIZE_LIMIT
from agent_judge.judges.text.reading import check_choice
from agent_judge.protocol import JudgeMetadata

Arrays: TypeAlias = Literal["ordered", "unordered"]

_NOT_COMPARED: Final = ("white space", "the order of keys", "how numbers and strings are written")


def _data(name: str, parse: Parser, *more: str, packages: tuple[str, ...] = ()) -> Language:
    return Language(
        name,
        parse,
        not_compared=(*_NOT_COMPARED, *more),
        packages=packages,
        extra="yaml",
        compared_as="data",
        pointers=True,
    )


JSON: Final = _data("JSON", parse_json_tree)
YAML: Final = _data(
    "YAML",
    parse_yaml_tree,
    "comments",
    "styles, anchors and merge keys, but what they stand for",
    packages=("yaml",),
)
TOML: Final = _data("TOML", parse_toml_tree, "comments", "whether a table is written inline")
INI: Final = _data("INI", parse_ini_tree, "comments on lines of their own")
PROPERTIES: Final = _data("properties", parse_properties_tree, "comments")


def _with_arrays(language: Language, arrays: Arrays) -> Language:
    if arrays == "ordered":
        return language
    return replace(
        language,
        parse=with_free_arrays(language.parse),
        not_compared=(*language.not_compared, "the order of the elements of arrays"),
    )


@dataclass(frozen=True, slots=True)
class JsonSemanticJudge(DocumentJudge):
    """Whether JSON is the same data as a reference.

    Numbers are equal by value, exactly (`1` and `1.0`), `true` is no number, and the order of keys
    means nothing. A key that occurs twice is a difference unless it does in both, with the same
    values in the same order.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, what the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.
        arrays: Whether the elements of arrays are compared in order, or `"unordered"`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown word or rule, or a bad limit.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output='{"b": [1, 3]}', expected='{"b": [1.0, 2]}')
        >>> evaluate(JsonSemanticJudge(), run).checks[0].name
        '/b/1'
    """

    size_limit: int = SIZE_LIMIT
    arrays: Arrays = "ordered"

    language: ClassVar[Language] = JSON
    metadata: ClassVar[JudgeMetadata] = comparing("JsonSemanticJudge", "json_semantic")

    def __post_init__(self) -> None:
        DocumentJudge.__post_init__(self)
        check_choice(self.arrays, ("ordered", "unordered"), "arrays")

    def _language(self) -> Language:
        return _with_arrays(self.language, self.arrays)


@dataclass(frozen=True, slots=True)
class YamlSemanticJudge(DocumentJudge):
    r"""Whether YAML is the same data as a reference (extra `yaml`).

    Scalars are read as YAML 1.1 has them, as most tools do: `no` is false, `22:22` a number.
    Anchors and merge keys are what they stand for. Tags that are not known count as they stand.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, what the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.
        arrays: Whether the elements of arrays are compared in order, or `"unordered"`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown word or rule, or a bad limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The parser is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="a: [1, 2]", expected="a:\n- 1\n- 2\n")
        >>> evaluate(YamlSemanticJudge(), run).passed
        True
    """

    size_limit: int = SIZE_LIMIT
    arrays: Arrays = "ordered"

    language: ClassVar[Language] = YAML
    metadata: ClassVar[JudgeMetadata] = comparing("YamlSemanticJudge", "yaml_semantic")

    def __post_init__(self) -> None:
        DocumentJudge.__post_init__(self)
        check_choice(self.arrays, ("ordered", "unordered"), "arrays")

    def _language(self) -> Language:
        return _with_arrays(self.language, self.arrays)


@dataclass(frozen=True, slots=True)
class TomlSemanticJudge(DocumentJudge):
    """Whether TOML is the same data as a reference.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, what the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.
        arrays: Whether the elements of arrays are compared in order, or `"unordered"`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown word or rule, or a bad limit.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="a = {b = 1}", expected="a.b = 1")
        >>> evaluate(TomlSemanticJudge(), run).passed
        True
    """

    size_limit: int = SIZE_LIMIT
    arrays: Arrays = "ordered"

    language: ClassVar[Language] = TOML
    metadata: ClassVar[JudgeMetadata] = comparing("TomlSemanticJudge", "toml_semantic")

    def __post_init__(self) -> None:
        DocumentJudge.__post_init__(self)
        check_choice(self.arrays, ("ordered", "unordered"), "arrays")

    def _language(self) -> Language:
        return _with_arrays(self.language, self.arrays)


@dataclass(frozen=True, slots=True)
class IniSemanticJudge(DocumentJudge):
    r"""Whether an INI file is the same data as a reference.

    It is read by the rules of Python's `configparser`, with keys in the case they have: sections in
    brackets, `key = value` or `key: value`, keys without a value, comments on lines of their own.

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

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="[a]\nx=2", expected="[a]\nx = 1")
        >>> evaluate(IniSemanticJudge(), run).checks[0].name
        '/a/x'
    """

    size_limit: int = SIZE_LIMIT

    language: ClassVar[Language] = INI
    metadata: ClassVar[JudgeMetadata] = comparing("IniSemanticJudge", "ini_semantic")


@dataclass(frozen=True, slots=True)
class PropertiesSemanticJudge(DocumentJudge):
    r"""Whether Java properties are the same data as a reference.

    They are read in UTF-8, as `java.util.Properties` reads them: of a key that occurs twice the
    last counts.

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

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="a: 1", expected="! comment\na = 1")
        >>> evaluate(PropertiesSemanticJudge(), run).passed
        True
    """

    size_limit: int = SIZE_LIMIT

    language: ClassVar[Language] = PROPERTIES
    metadata: ClassVar[JudgeMetadata] = comparing("PropertiesSemanticJudge", "properties_semantic")
