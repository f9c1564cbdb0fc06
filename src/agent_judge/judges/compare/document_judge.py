"""What all judges that compare one document with a reference share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.extras import require
from agent_judge.judges.compare.documents import (
    check_source_paths,
    read_candidate,
    read_reference,
)
from agent_judge.judges.compare.judging import judge_documents
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.rules import Rules, check_rules, choose
from agent_judge.judges.files.reading import check_limit
from agent_judge.judgment import Judgment
from agent_judge.protocol import Cost, JudgeMetadata

SOURCE_LIMIT: Final = 2_000_000
"""Bytes of a source file that are read unless a judge is told otherwise."""


def comparing(name: str, kind: str) -> JudgeMetadata:
    """What is known of a judge that compares before it is asked."""
    needs = ("output", "expected", "workspace")
    return JudgeMetadata(name, cost=Cost.FILE, type=kind, needs=needs, version="1")


@dataclass(frozen=True, slots=True)
class DocumentJudge:
    """Whether a document says the same as a reference; each language has a judge of its own.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, the text that the context expects.
        rules: Which normalisations apply: the `"default"` ones, none (`"strict"`), or a list of
            their names.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown rule, or a bad limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The parser is not installed.
    """

    path: str | None = None
    reference: str | Path | None = None
    rules: Rules = "default"
    size_limit: int = SOURCE_LIMIT

    language: ClassVar[Language]
    metadata: ClassVar[JudgeMetadata]

    def __post_init__(self) -> None:
        self.check(self.language)

    def check(self, language: Language) -> None:
        """Refuse options that make no sense for a language."""
        path, reference = check_source_paths(self.path, self.reference)
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "reference", reference)
        object.__setattr__(self, "rules", check_rules(self.rules, language.rules))
        check_limit(self.size_limit, "size_limit")
        for package in language.packages:
            require(package, extra=language.extra, needed_by=self.metadata.name)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the document with the reference."""
        language = self._language()
        given = None if self.reference is None else str(self.reference)
        reference = read_reference(
            context, given, self.path, self.size_limit, values=language.pointers
        )
        if isinstance(reference, Judgment):
            return reference
        candidate = read_candidate(context, self.path, self.size_limit, values=language.pointers)
        if isinstance(candidate, Judgment):
            return candidate
        rules = choose(self.rules, language.rules)
        return judge_documents(language, reference, candidate, rules)

    def _language(self) -> Language:
        """The language, as far as the options of the judge decide it."""
        return self.language
