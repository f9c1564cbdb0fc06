"""Whether the manifest of a package says the same as a reference."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar, Final, Literal, TypeAlias

from agent_judge.errors import ArgumentError
from agent_judge.judges.compare.document_judge import DocumentJudge, comparing
from agent_judge.judges.compare.formats.toml_tree import parse_toml_tree
from agent_judge.judges.compare.languages import Language, Parser
from agent_judge.judges.compare.manifests.dependencies import (
    cargo_package,
    node_package,
    parse_package_json,
    python_project,
)
from agent_judge.judges.compare.manifests.maven import MAVEN
from agent_judge.judges.compare.manifests.requirement_files import parse_go_mod, parse_requirements
from agent_judge.judges.compare.rules import Rule, each_tree
from agent_judge.judges.files.paths import SIZE_LIMIT
from agent_judge.judges.text.reading import check_choice
from agent_judge.protocol import JudgeMetadata

Manifest: TypeAlias = Literal[
    "auto",
    "pom.xml",
    "pyproject.toml",
    "requirements.txt",
    "package.json",
    "Cargo.toml",
    "go.mod",
]
"""What kind of manifest it is; `"auto"` goes by the name of the file."""

_NOT_COMPARED: Final = (
    "comments and white space",
    "the order of keys and of dependencies",
    "which versions are chosen in the end: lock files are files of their own",
)


def _manifest(
    name: str, parse: Parser, rules: tuple[Rule, ...] = (), packages: tuple[str, ...] = ()
) -> Language:
    return Language(
        name, parse, rules, _NOT_COMPARED, packages, compared_as="manifest", pointers=True
    )


MANIFESTS: Final = {
    "pom.xml": MAVEN,
    "pyproject.toml": _manifest(
        "pyproject.toml",
        parse_toml_tree,
        (
            Rule(
                "dependencies",
                "how requirements are written, and their order (PEP 503, PEP 440, PEP 508)",
                each_tree(python_project),
            ),
        ),
        ("packaging",),
    ),
    "requirements.txt": _manifest("requirements.txt", parse_requirements, (), ("packaging",)),
    "package.json": _manifest(
        "package.json",
        parse_package_json,
        (
            Rule(
                "dependencies",
                "white space in ranges of versions, and no range for `*`",
                each_tree(node_package),
            ),
        ),
    ),
    "Cargo.toml": _manifest(
        "Cargo.toml",
        parse_toml_tree,
        (
            Rule(
                "dependencies",
                '`"1"` for `{ version = "^1" }`, defaults, and the order of features',
                each_tree(cargo_package),
            ),
        ),
    ),
    "go.mod": _manifest("go.mod", parse_go_mod),
}
"""What manifests are compared as, by the name of the file."""


def manifest_of(name: str) -> str | None:
    """The kind of manifest that a file of this name is."""
    if name in MANIFESTS:
        return name
    if name.startswith("requirements") and name.endswith(".txt"):
        return "requirements.txt"
    return None


@dataclass(frozen=True, slots=True)
class ManifestJudge(DocumentJudge):
    """Whether the manifest of a package says the same as a reference (extra `compare`).

    Dependencies are compared by identity, version and scope, as the ecosystem defines them: one
    replaced by another is a difference. The rest of the file is compared as data.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, what the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.
        manifest: Which kind of manifest it is; `"auto"` goes by the name of `path`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown word or rule, or a bad limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The parser is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="Foo_Bar == 1.0", expected="foo-bar==1.0.0  # pinned")
        >>> evaluate(ManifestJudge(manifest="requirements.txt"), run).passed
        True
    """

    size_limit: int = SIZE_LIMIT
    manifest: Manifest = "auto"

    language: ClassVar[Language] = MANIFESTS["pyproject.toml"]
    metadata: ClassVar[JudgeMetadata] = comparing("ManifestJudge", "manifest")

    def __post_init__(self) -> None:
        check_choice(self.manifest, ("auto", *MANIFESTS), "manifest")
        self.check(self._language())

    def _language(self) -> Language:
        named = manifest_of(PurePosixPath(str(self.path)).name)
        kind = named if self.manifest == "auto" else self.manifest
        if kind is None:
            known = ", ".join(MANIFESTS)
            raise ArgumentError(
                f"path {self.path!r} is no manifest that is known by its name ({known}); "
                "say which it is by manifest="
            )
        return MANIFESTS[kind]
