"""Asking a model about a text piece by piece: first for its pieces, then for a word on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, cast

from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.llm.concurrently import check_concurrency, concurrently
from agent_judge.llm.exhibits import Exhibit
from agent_judge.llm.hearing import Hearing, Unread
from agent_judge.llm.prompts import Own, PromptTemplate
from agent_judge.llm.questions import Defence, Question, as_model
from agent_judge.llm.quotes import Quotable
from agent_judge.llm.reading import Unreadable, read_object
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions, ResponseSchema
from agent_judge.models.response import ModelResponse
from agent_judge.protocol import JudgeMetadata

MAX_PIECES: Final = 500
"""The most pieces that a text may be taken apart into."""

_PIECES: Final = ResponseSchema(
    "pieces",
    {
        "type": "object",
        "properties": {"pieces": {"type": "array", "items": {"type": "string"}}},
        "required": ["pieces"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that a model may say of a piece.

    Args:
        name: The word.
        meaning: When it is the right one.
        quotes: Whether it must quote the evidence that it rests on.
    """

    name: str
    meaning: str
    quotes: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about each piece.

    Args:
        template: Asks about the `{{pieces}}`, by the `{{words}}`.
        words: What may be said.
        evidence: What the template shows besides, by its variables.
    """

    template: PromptTemplate
    words: tuple[Word, ...]
    evidence: Mapping[str, tuple[Exhibit, ...]]


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said of a piece.

    Args:
        piece: The piece.
        word: The word.
        reason: Why, in the model's words.
        quote: The words of the evidence that it rests on.
        quoted: Whether the evidence has these words; `None` where the word needs none.
    """

    piece: str
    word: str
    reason: str = ""
    quote: str = ""
    quoted: bool | None = None

    @property
    def told(self) -> str:
        """The word, why, and what is quoted."""
        quote = "" if not self.quote else f' "{self.quote}"'
        doubt = " (the evidence has no such words)" if self.quoted is False else ""
        return f"{self.word}: {self.reason}{quote}{doubt}"


@dataclass(frozen=True, slots=True)
class Panel:
    """How a judge asks about pieces of a text.

    Args:
        model: The model, or its name as `"provider:model"`.
        metadata: Of the judge, whose type and version are part of the key of stored replies.
        options: How the model is to answer.
        defence: How the judge protects itself from the evidence.
        batch: How many pieces a call asks about.
        concurrency: How many calls may be under way at once for one judgment.

    Raises:
        ArgumentError: A value out of range.
        ArgumentTypeError: A value of the wrong type.
    """

    model: JudgeModel | str
    metadata: JudgeMetadata
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    batch: int = 20
    concurrency: int = 8

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", as_model(self.model))
        check_concurrency(self.concurrency)
        if type(self.batch) is not int or self.batch < 1:
            raise ArgumentError(f"batch must be a whole number from 1 up, got {self.batch!r}")

    async def take_apart(
        self, hearing: Hearing, template: PromptTemplate, text: Sequence[Exhibit]
    ) -> tuple[str, ...]:
        """The pieces of a text, each once; there may be none.

        Args:
            hearing: The judgment under way.
            template: Asks for the pieces of `{{text}}`.
            text: The text.

        Raises:
            UnansweredError: There is no answer.
        """
        return await hearing.ask(
            self._question(template), _read_pieces, own={"text": tuple(text)}, schema=_PIECES
        )

    async def ask_of_each(
        self,
        hearing: Hearing,
        asked: Asked,
        pieces: Sequence[str],
        quotable: Sequence[Quotable] = (),
    ) -> tuple[Said, ...]:
        """A word on each piece, in the order of the pieces.

        Args:
            hearing: The judgment under way.
            asked: What is asked.
            pieces: The pieces.
            quotable: For each piece the evidence that may be quoted of it, where a word quotes.

        Raises:
            UnansweredError: There is no answer, or none on some piece.
        """
        question, schema = self._question(asked.template), _schema(asked.words)
        told = "\n".join(f'- "{word.name}": {word.meaning}' for word in asked.words)

        async def ask(start: int) -> tuple[Said, ...]:
            numbers = range(start, min(start + self.batch, len(pieces)))
            shown = tuple(Exhibit(f"piece-{number + 1}", pieces[number]) for number in numbers)
            own: dict[str, Own] = {**asked.evidence, "pieces": shown, "words": told}
            reader = _Reader(pieces, numbers, asked.words, quotable)
            return await hearing.ask(question, reader.read, own=own, schema=schema)

        starts = range(0, len(pieces), self.batch)
        batches = await concurrently([partial(ask, start) for start in starts], self.concurrency)
        return tuple(said for batch in batches for said in batch)

    def _question(self, template: PromptTemplate) -> Question:
        return Question(
            cast("JudgeModel", self.model),
            template,
            options=self.options,
            defence=self.defence,
            key={"judge": self.metadata.type, "version": self.metadata.version},
        )


def _read_pieces(response: ModelResponse) -> tuple[str, ...] | Unread:
    members = _members(response)
    if isinstance(members, Unread):
        return members
    pieces = members.get("pieces")
    if not isinstance(pieces, list | tuple):
        return _unread("it gives no list of pieces")
    texts = [piece.strip() for piece in pieces if isinstance(piece, str)]
    if len(texts) != len(pieces) or "" in texts:
        return _unread("a piece is no text, or blank")
    found = tuple(dict.fromkeys(texts))
    if len(found) > MAX_PIECES:
        return _unread(f"there are {len(found)} pieces; at most {MAX_PIECES} are read")
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what a reply says of some pieces: of each exactly one word."""

    pieces: Sequence[str]
    numbers: range
    words: Sequence[Word]
    quotable: Sequence[Quotable]

    def read(self, response: ModelResponse) -> tuple[Said, ...] | Unread:
        members = _members(response)
        if isinstance(members, Unread):
            return members
        given = members.get("findings")
        if not isinstance(given, list | tuple):
            return _unread("it gives no list of findings")
        said: dict[int, Said] = {}
        for finding in given:
            read = self._finding(finding)
            if isinstance(read, Unread):
                return read
            number, one = read
            if number in said:
                return _unread(f"it speaks of piece {number + 1} twice")
            said[number] = one
        missing = [str(number + 1) for number in self.numbers if number not in said]
        if missing:
            return _unread(f"it says nothing of the pieces {', '.join(missing[:20])}")
        return tuple(said[number] for number in self.numbers)

    def _finding(self, finding: Json) -> tuple[int, Said] | Unread:
        if not isinstance(finding, Mapping):
            return _unread("a finding is no object")
        number = finding.get("piece")
        if type(number) is not int or number - 1 not in self.numbers:
            return _unread(f"there is no piece {number!r:.40} among those asked about")
        word = next((word for word in self.words if word.name == finding.get("word")), None)
        if word is None:
            known = ", ".join(word.name for word in self.words)
            return _unread(f"the word on piece {number} is none of {known}")
        reason, quote = (_text(finding.get(name)) for name in ("reason", "quote"))
        quoted = self.quotable[number - 1].has(quote) if word.quotes else None
        return number - 1, Said(self.pieces[number - 1], word.name, reason, quote, quoted)


def _members(response: ModelResponse) -> Mapping[str, Json] | Unread:
    reading = read_object(
        response.text, finish_reason=response.finish_reason, structured=response.structured
    )
    return Unread.of(reading) if isinstance(reading, Unreadable) else reading.members


def _unread(detail: str) -> Unread:
    return Unread(detail, "wrong_count")


def _text(value: Json) -> str:
    return value.strip() if isinstance(value, str) else ""


def _schema(words: Sequence[Word]) -> ResponseSchema:
    """The findings, reason and quote before the word."""
    members: dict[str, Json] = {
        "piece": {"type": "integer"},
        "reason": {"type": "string"},
        "quote": {"type": "string"},
        "word": {"type": "string", "enum": [word.name for word in words]},
    }
    finding: dict[str, Json] = {
        "type": "object",
        "properties": members,
        "required": [*members],
        "additionalProperties": False,
    }
    return ResponseSchema(
        "findings",
        {
            "type": "object",
            "properties": {"findings": {"type": "array", "items": finding}},
            "required": ["findings"],
            "additionalProperties": False,
        },
    )
