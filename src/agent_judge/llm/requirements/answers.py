"""What a model answers to a roster of requirements, and how its replies are read.

A reply answers every requirement by its identifier, with evidence: as a JSON object, or in lines
such as `REQ-1 | pass | src/login.py:12 compares the hash`. What breaks this protocol is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from agent_judge.frozen import Json
from agent_judge.judgment import ReasonCode
from agent_judge.llm.hearing import Unread
from agent_judge.llm.reading import Fault, Menu, Unreadable, read_object
from agent_judge.llm.reading.replies import Part, as_text, open_reply
from agent_judge.llm.reading.statements import unreadable
from agent_judge.llm.reading.words import split_lines
from agent_judge.models.request import ResponseSchema
from agent_judge.models.response import ModelResponse


class Finding(Enum):
    """What a model says of a requirement.

    PASS: the work meets it. FAIL: it does not. UNDETERMINED: the evidence does not allow to tell.
    EXCLUDED: its condition cannot hold here.
    """

    PASS = "pass"
    FAIL = "fail"
    UNDETERMINED = "undetermined"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Answer:
    """A finding, and the evidence that is given for it."""

    finding: Finding
    evidence: str = ""


Answers: TypeAlias = "Mapping[str, Answer]"
"""The answers by the identifiers of the requirements."""

SCHEMA: Final = ResponseSchema(
    "answers",
    {
        "type": "object",
        "properties": {
            "answers": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "evidence": {"type": "string"},
                        "finding": {
                            "type": "string",
                            "enum": [finding.value for finding in Finding],
                        },
                    },
                    "required": ["id", "evidence", "finding"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["answers"],
        "additionalProperties": False,
    },
)
LINES: Final = """\
Reply with one line for each id and nothing else:
ID | FINDING | EVIDENCE"""
"""How a model is told to answer in lines."""

_MENU: Final = Menu(
    tuple(finding.value for finding in Finding),
    {
        "passed": "pass",
        "failed": "fail",
        "unknown": "undetermined",
        "not applicable": "excluded",
        "not_applicable": "excluded",
        "n/a": "excluded",
    },
)
_AROUND: Final = " \t-*+\u2022_`[]"
"""What may stand around an identifier or a finding in a line."""
_NO_EVIDENCE: Final = frozenset({"", "none", "n/a", "na", "nil", "null", "yes", "no", "ok", "true"})


def read_answers(response: ModelResponse, ids: Sequence[str], *, lines: bool) -> Answers | Unread:
    """The answers of a reply: those that it has, each to an identifier of the roster.

    Args:
        response: The reply.
        ids: The identifiers that were asked about.
        lines: Whether it was to answer in lines.
    """
    listed = _read_lines(response) if lines else _read_json(response)
    if isinstance(listed, Unread):
        return listed
    answers: dict[str, Answer] = {}
    for name, said, evidence in listed:
        finding = _MENU.label_of(said)
        answer = None if finding is None else Answer(Finding(finding), evidence.strip())
        fault = _fault_of(name, said, answer, ids, answers)
        if fault is not None or answer is None:
            return _broken(fault or "")
        answers[name] = answer
    return answers


class Reader:
    """Reads replies about some requirements, and asks again where one is missing.

    Args:
        ids: The identifiers that are asked about.
        lines: Whether replies are to answer in lines.

    Attributes:
        partial: The answers of a reply in which some were missing.
    """

    def __init__(self, ids: Sequence[str], *, lines: bool) -> None:
        self._ids = tuple(ids)
        self._lines = lines
        self.partial: Answers = {}

    def __call__(self, response: ModelResponse) -> Answers | Unread:
        """The answers of a reply, all of them."""
        answers = read_answers(response, self._ids, lines=self._lines)
        if isinstance(answers, Unread):
            return answers
        missing = [name for name in self._ids if name not in answers]
        if missing:
            self.partial = answers
            return _broken(f"it does not answer {', '.join(missing)}")
        return answers


_Listed: TypeAlias = "tuple[str, str, str]"
"""An identifier, what is said of it, and the evidence."""


def _read_json(response: ModelResponse) -> Sequence[_Listed] | Unread:
    reading = read_object(
        response.text, finish_reason=response.finish_reason, structured=response.structured
    )
    if isinstance(reading, Unreadable):
        return _protocol(reading)
    listed = reading.members.get("answers")
    if not isinstance(listed, list | tuple):
        return _broken("it has no list of answers")
    found = [_entry(entry) for entry in listed]
    wrong = next((place for place, entry in enumerate(found, 1) if entry is None), None)
    if wrong is not None:
        return _broken(f"answer {wrong} of its list is no object with an id and a finding")
    return [entry for entry in found if entry is not None]


def _entry(entry: Json) -> _Listed | None:
    if not isinstance(entry, Mapping):
        return None
    name, finding = entry.get("id"), entry.get("finding")
    if not isinstance(name, str) or not isinstance(finding, str):
        return None
    evidence = entry.get("evidence")
    return name.strip(), finding, "" if evidence is None else as_text(evidence)


def _read_lines(response: ModelResponse) -> Sequence[_Listed] | Unread:
    reply = open_reply(response.text, response.finish_reason)
    if isinstance(reply, Unreadable):
        return _protocol(reply)

    def read(part: Part) -> tuple[_Listed, ...] | Unreadable:
        return tuple(_lines_of(part)) or unreadable(Fault.NO_VERDICT, response.text)

    found = reply.read(read, lambda listed: listed)
    return _protocol(found) if isinstance(found, Unreadable) else found


def _lines_of(part: Part) -> Iterator[_Listed]:
    """The lines that answer: their bars are the judge's own, and what stands between may quote."""
    for start, end in split_lines(part.own.visible):
        seen, said = part.own.visible[start:end], part.own.text[start:end]
        first = seen.find("|", len(seen) - len(seen.lstrip(" \t|")))
        if first < 0:
            continue
        second = seen.find("|", first + 1) if "|" in seen[first + 1 :] else len(seen)
        name = said[:first].strip(_AROUND + "|")
        finding = said[first + 1 : second].strip(_AROUND)
        if name.casefold() not in ("", "id") and finding:
            yield name, finding, said[second + 1 :].strip(" |\t")


def _fault_of(
    name: str, said: str, answer: Answer | None, ids: Sequence[str], answers: Answers
) -> str | None:
    """What of an answer breaks the protocol."""
    if name not in ids:
        return f"it answers {name!r:.80}, which was not asked"
    if name in answers:
        return f"it answers {name} twice"
    if answer is None:
        return f"it says {said!r:.80} of {name}, which is none of the findings"
    if answer.finding is Finding.PASS and not is_evidence(answer.evidence):
        return f"it passes {name} without evidence"
    if answer.finding is Finding.EXCLUDED and not is_evidence(answer.evidence):
        return f"it excludes {name} without a reason"
    return None


def is_evidence(text: str) -> bool:
    """Whether a text says anything, as `none` and punctuation do not."""
    bare = text.strip(" \t\n.!-\u2013\u2014\"'`*_()[]").casefold()
    return bare not in _NO_EVIDENCE and any(sign.isalnum() for sign in bare)


def _protocol(reading: Unreadable) -> Unread:
    return Unread(reading.detail, reading.fault.value, ReasonCode.PROTOCOL)


def _broken(detail: str) -> Unread:
    return Unread(detail, "protocol", ReasonCode.PROTOCOL)
