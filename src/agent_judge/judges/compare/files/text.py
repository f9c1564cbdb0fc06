"""Whether a text file says the same as a reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import islice, zip_longest
from pathlib import Path
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.frozen import Json
from agent_judge.judges.compare.differences import SHOWN
from agent_judge.judges.compare.document_judge import comparing
from agent_judge.judges.compare.documents import (
    Document,
    check_source_paths,
    read_candidate,
    read_reference,
)
from agent_judge.judges.files.paths import SIZE_LIMIT
from agent_judge.judges.files.reading import check_encoding, check_limit
from agent_judge.judges.text.form import TextForm, Unicode
from agent_judge.judges.text.reading import check_choice, quoted
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import JudgeMetadata

_SPACES: Final = ("exact", "trailing", "collapse")


@dataclass(frozen=True, slots=True)
class TextFileJudge:
    r"""Whether a text is the same as a reference: exactly, unless a difference is named.

    Args:
        path: A file of the workspace; without it, the output is compared.
        reference: What it should say: a file on the side of whoever judges, or a directory in
            which `path` is looked up. Without it, the text that the context expects.
        line_ends: `"any"` counts CR LF and CR as LF.
        whitespace: `"trailing"` drops it at the ends of lines and blank lines at the end of the
            text, `"collapse"` also makes one space of each run within a line.
        unicode: The normalisation form (Unicode Standard Annex 15) that both are brought into.
        encoding: The encoding of both; a byte that it does not allow is ERROR.
        size_limit: Bytes that are read at most; more are ERROR `too_large`.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown word or encoding, a bad limit.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> run = JudgmentContext(output="one\ntwo", expected="one\nTwo")
        >>> evaluate(TextFileJudge(), run).reasoning
        "the output: line 2 is 'two', the reference has 'Two' on line 2"
    """

    path: str | None = None
    reference: str | Path | None = None
    line_ends: Literal["exact", "any"] = "exact"
    whitespace: Literal["exact", "trailing", "collapse"] = "exact"
    unicode: Unicode = "exact"
    encoding: str = "utf-8"
    size_limit: int = SIZE_LIMIT

    metadata: ClassVar[JudgeMetadata] = comparing("TextFileJudge", "text_file")

    def __post_init__(self) -> None:
        path, reference = check_source_paths(self.path, self.reference)
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "reference", reference)
        check_choice(self.line_ends, ("exact", "any"), "line_ends")
        check_choice(self.whitespace, _SPACES, "whitespace")
        TextForm(unicode=self.unicode)
        check_encoding(self.encoding)
        check_limit(self.size_limit, "size_limit")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the text with the reference."""
        given = None if self.reference is None else str(self.reference)
        reference = read_reference(context, given, self.path, self.size_limit)
        if isinstance(reference, Judgment):
            return reference
        candidate = read_candidate(context, self.path, self.size_limit)
        if isinstance(candidate, Judgment):
            return candidate
        return self._compare(reference, candidate)

    def _compare(self, reference: Document, candidate: Document) -> Judgment:
        wanted, given = self._text(reference), self._text(candidate)
        if isinstance(wanted, Judgment):
            return wanted
        if isinstance(given, Judgment):
            return given
        found = list(
            islice(_differences(candidate, self._lines(given), self._lines(wanted)), SHOWN)
        )
        if found:
            reasoning = f"{candidate.name}: {found[0].name} {found[0].message}"
            return Judgment.failing(reasoning, checks=found, metadata=self._facts())
        message = "as the reference" + ("" if given == wanted else ", as far as is compared")
        check = Check(candidate.name, True, message, location=candidate.location)
        return Judgment.passing(
            f"{candidate.name} is {message}", checks=(check,), metadata=self._facts()
        )

    def _text(self, document: Document) -> str | Judgment:
        encoding = self.encoding if document.path is not None else "utf-8"
        try:
            return document.data.decode(encoding)
        except ValueError as fault:
            return Judgment.erring(
                f"{document.name} is not in the encoding {encoding}: {fault}",
                ReasonCode.UNREADABLE_FILE,
            )

    def _lines(self, text: str) -> list[str]:
        """The lines as they are compared, with their ends."""
        if self.line_ends == "any":
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = TextForm(unicode=self.unicode)(text)
        if self.whitespace == "exact":
            return list(StringIO(text, newline="\n"))
        lines = [line.rstrip() for line in text.split("\n")]
        if self.whitespace == "collapse":
            lines = [" ".join(line.split()) for line in lines]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def _facts(self) -> dict[str, Json]:
        ignored = [
            ("line ends", self.line_ends != "exact"),
            ("white space at the ends of lines and of the text", self.whitespace != "exact"),
            ("how much white space is within lines", self.whitespace == "collapse"),
            (f"Unicode forms other than {self.unicode}", self.unicode != "exact"),
        ]
        return {
            "compared_as": "text",
            "not_compared": [what for what, is_ignored in ignored if is_ignored],
        }


def _differences(candidate: Document, given: list[str], wanted: list[str]) -> Iterator[Check]:
    """A check for each line that differs, in pairs from the first such line on."""
    for line, (found, expected) in enumerate(zip_longest(given, wanted), start=1):
        if found == expected:
            continue
        if found is None:
            message = f"is missing: the reference has {quoted(str(expected))}"
        elif expected is None:
            message = f"is not in the reference: {quoted(found)}"
        else:
            message = f"is {quoted(found)}, the reference has {quoted(expected)} on line {line}"
        yield Check(f"line {line}", False, message, location=candidate.at(line))
