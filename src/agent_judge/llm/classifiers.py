"""Classifiers: from what a model answered to a judgment.

A classifier is any pure function of a `ModelResponse`. The three here read the reply with
`agent_judge.llm.reading`; a reply that cannot be read becomes ERROR, with the raw reply in the
evidence, never a finding. Each has a `schema`, which a model that can be asked for JSON is given;
the reply is read all the same where it cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Protocol, runtime_checkable

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json, check_text
from agent_judge.judgment import (
    Check,
    Judgment,
    ReasonCode,
    Status,
    check_threshold,
    with_evidence,
)
from agent_judge.llm.reading import (
    READER_VERSION,
    Fault,
    Form,
    Menu,
    Note,
    ObjectReading,
    Scale,
    Unreadable,
    read_label,
    read_object,
    read_score,
)
from agent_judge.llm.reading.lines import REASON_KEYS, SCORE_KEYS, VERDICT_KEYS
from agent_judge.llm.reading.numbers import UNIT
from agent_judge.llm.reading.statements import unreadable
from agent_judge.models.request import ResponseSchema
from agent_judge.models.response import ModelResponse
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore, normalize, reaches
from agent_judge.usage import Usage

_CODES: Final = {
    Fault.TRUNCATED: ReasonCode.TRUNCATED,
    Fault.REFUSED: ReasonCode.REFUSED,
    Fault.INCOMPLETE: ReasonCode.MODEL_FAILED,
}
_STATUSES: Final = (Status.PASS, Status.FAIL, Status.ABSTAIN)


@runtime_checkable
class Classifier(Protocol):
    """What makes a judgment of a model's answer: any pure function of it."""

    def __call__(self, response: ModelResponse, /) -> Judgment:
        """Judge by one answer."""
        ...


@dataclass(frozen=True, slots=True)
class LabelClassifier:
    """Reads one of a set of labels, each of which stands for a status.

    Args:
        labels: What each label means: PASS, FAIL, or ABSTAIN for one that says "undecided".
        numbers: What some labels are worth, in 0..1; one without a number gives no score.
        spellings: Other ways to write a label, each with the label that it stands for.
        keys: The keys under which a labelled line or a JSON object gives the label.
        sentence: The sentence in which the prompt asks for the label, as `{label} is better`.

    Raises:
        ArgumentError: No label, a blank one, or two that are compared as the same; another status;
            a number outside 0..1 or of no label; spellings, keys or a sentence that `Menu` refuses.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> classify = LabelClassifier({"pass": Status.PASS, "fail": Status.FAIL})
        >>> classify(ModelResponse("**PASS.** It does what was asked.")).status
        <Status.PASS: 'pass'>
        >>> classify(ModelResponse("It passes, or does it?")).code
        <ReasonCode.UNREADABLE_REPLY: 'unreadable_reply'>
    """

    labels: Mapping[str, Status]
    numbers: Mapping[str, float] = EMPTY
    spellings: Mapping[str, str] = EMPTY
    keys: tuple[str, ...] = VERDICT_KEYS
    sentence: str | None = None
    configured_as: ClassVar[str] = "label"
    _menu: Menu = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.labels, Mapping):
            raise ArgumentTypeError("labels must map each label to a Status")
        menu = Menu(tuple(self.labels), self.spellings, self.keys, self.sentence)
        for label, status in self.labels.items():
            if status not in _STATUSES:
                raise ArgumentError(
                    f"label {label!r} must mean PASS, FAIL or ABSTAIN, not {status!r:.80}"
                )
        CategoricalScore(menu.labels[0], menu.labels, self.numbers)
        _set(self, "labels", FrozenMap(self.labels))
        _set(self, "numbers", FrozenMap(self.numbers))
        _set(self, "spellings", menu.spellings)
        _set(self, "keys", menu.keys)
        _set(self, "_menu", menu)

    @property
    def schema(self) -> ResponseSchema:
        """The JSON that the label may be asked for as, its reason first."""
        return _schema({self.keys[0]: {"type": "string", "enum": [*self._menu.labels]}})

    def __call__(self, response: ModelResponse, /) -> Judgment:
        """Judge by the label that the reply gives."""
        reading = read_label(
            response.text,
            self._menu,
            finish_reason=response.finish_reason,
            structured=response.structured,
        )
        if isinstance(reading, Unreadable):
            return _unreadable(reading, response)
        label, status = reading.value, self.labels[reading.value]
        worth = label in self.numbers and status is not Status.ABSTAIN
        judgment = Judgment(
            status,
            reading.rationale or f"the model answered {label!r}",
            CategoricalScore(label, self._menu.labels, self.numbers) if worth else None,
            label,
            usage=response.usage,
        )
        return _recorded(judgment, response, reading.form, reading.notes)


@dataclass(frozen=True, slots=True)
class ScoreClassifier:
    """Reads one number, and passes what reaches the mark.

    What a reply says about passing beside its score decides nothing; where it contradicts the
    mark, a failed advisory check says so.

    Args:
        threshold: The pass mark in 0..1, whatever the scale.
        scale: The scale that the model is asked to score on.
        keys: The keys under which a labelled line or a JSON object gives the number.

    Raises:
        ArgumentError: A threshold outside 0..1, or no key.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> judgment = ScoreClassifier(0.7, Scale(0, 10))(ModelResponse("Score: 8/10"))
        >>> judgment.status, judgment.score
        (<Status.PASS: 'pass'>, NumericalScore(value=8.0, low=0, high=10))
    """

    threshold: float
    scale: Scale = UNIT
    keys: tuple[str, ...] = SCORE_KEYS
    configured_as: ClassVar[str] = "score"

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        _check_scale(self.scale)
        _set(self, "keys", _check_keys(self.keys))

    @property
    def schema(self) -> ResponseSchema:
        """The JSON that the score may be asked for as, its reason first."""
        return _schema({self.keys[0]: _number_on(self.scale)})

    def __call__(self, response: ModelResponse, /) -> Judgment:
        """Judge by the number that the reply gives."""
        reading = read_score(
            response.text,
            self.scale,
            keys=self.keys,
            finish_reason=response.finish_reason,
            structured=response.structured,
        )
        if isinstance(reading, Unreadable):
            return _unreadable(reading, response)
        judgment = _Mark(self.scale, self.threshold).judge(
            reading.value, reading.claimed, reading.rationale, response.usage
        )
        return _recorded(judgment, response, reading.form, reading.notes, self.threshold)


@dataclass(frozen=True, slots=True)
class JsonClassifier:
    """Reads a JSON object and nothing else: whether it passes, or a score, or both.

    With a score, the mark decides, and what the object says about passing is only compared.

    Args:
        passed: The key of the boolean that says whether it passes; `None` where there is none.
        score: The key of the number; `None` where there is none.
        scale: The scale of the number.
        threshold: The pass mark in 0..1; needed with a score.

    Raises:
        ArgumentError: Neither key; a score without a threshold or a threshold without a score.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> judgment = JsonClassifier()(ModelResponse('{"reason": "no tests", "pass": false}'))
        >>> judgment.status, judgment.reasoning
        (<Status.FAIL: 'fail'>, 'no tests')
    """

    passed: str | None = "pass"
    score: str | None = None
    scale: Scale = UNIT
    threshold: float | None = None
    configured_as: ClassVar[str] = "json"

    def __post_init__(self) -> None:
        _check_scale(self.scale)
        _check_keys(key for key in (self.passed, self.score) if key is not None)
        if (self.score is None) is not (self.threshold is None):
            raise ArgumentError("score and threshold belong together: give both, or neither")
        if self.threshold is not None:
            check_threshold(self.threshold)

    @property
    def schema(self) -> ResponseSchema:
        """The JSON that the model is asked for, its reason first."""
        verdict: dict[str, Json] = {}
        if self.passed is not None:
            verdict[self.passed] = {"type": "boolean"}
        if self.score is not None:
            verdict[self.score] = _number_on(self.scale)
        return _schema(verdict)

    def __call__(self, response: ModelResponse, /) -> Judgment:
        """Judge by the object that the reply gives."""
        reading = read_object(
            response.text,
            finish_reason=response.finish_reason,
            structured=response.structured,
        )
        if isinstance(reading, Unreadable):
            return _unreadable(reading, response)
        found = self._judge(reading, response)
        if isinstance(found, Fault):
            return _unreadable(unreadable(found, response.text), response)
        return _recorded(found, response, reading.form, reading.notes, self.threshold)

    def _judge(self, reading: ObjectReading, response: ModelResponse) -> Judgment | Fault:
        passed = Fault.NO_VERDICT if self.passed is None else reading.boolean(self.passed)
        if self.score is not None and self.threshold is not None:
            score = reading.number(self.score, self.scale)
            if isinstance(score, Fault):
                return score
            claimed = None if isinstance(passed, Fault) else passed
            mark = _Mark(self.scale, self.threshold)
            return mark.judge(score, claimed, reading.reason, response.usage)
        if isinstance(passed, Fault):
            return passed
        return Judgment(
            Status.PASS if passed else Status.FAIL,
            reading.reason,
            BooleanScore(passed),
            usage=response.usage,
        )


_set = object.__setattr__


@dataclass(frozen=True, slots=True)
class _Mark:
    """A pass mark on a scale; it alone decides, whatever the reply says beside its score."""

    scale: Scale
    threshold: float

    def judge(
        self, value: float, claimed: bool | None, reason: str, usage: Usage | None
    ) -> Judgment:
        score = NumericalScore(value, self.scale.low, self.scale.high)
        reached = normalize(score)
        assert reached is not None
        passed = reaches(reached, self.threshold)
        return Judgment(
            Status.PASS if passed else Status.FAIL,
            reason or self._said(value, passed),
            score,
            checks=() if claimed in (None, passed) else (self._contradiction(value, passed),),
            usage=usage,
        )

    def _contradiction(self, value: float, passed: bool) -> Check:
        claim = "fails" if passed else "passes"
        message = f"the reply says that it {claim}, but {self._said(value, passed)}"
        return Check("the reply agrees with its score", False, message, advisory=True)

    def _said(self, value: float, passed: bool) -> str:
        verb = "reaches" if passed else "misses"
        return f"the score {value:g} of {self.scale} {verb} the mark {self.threshold:g}"


def _unreadable(reading: Unreadable, response: ModelResponse) -> Judgment:
    judgment = Judgment.erring(
        f"the reply was not read: {reading.detail}",
        _CODES.get(reading.fault, ReasonCode.UNREADABLE_REPLY),
        usage=response.usage,
    )
    return with_evidence(judgment, {**_evidence(response), "fault": reading.fault.value})


def _recorded(
    judgment: Judgment,
    response: ModelResponse,
    form: Form,
    notes: tuple[Note, ...],
    threshold: float | None = None,
) -> Judgment:
    """The judgment with the reply, how it was read, and the mark where there was one."""
    mark: dict[str, Json] = {} if threshold is None else {"threshold": threshold}
    how = {**mark, **_evidence(response), "form": form.value}
    if notes:
        how["notes"] = tuple(note.value for note in notes)
    return with_evidence(judgment, FrozenMap(how))


def _evidence(response: ModelResponse) -> dict[str, Json]:
    told: dict[str, Json] = {"reply": response.text, "reader": READER_VERSION}
    if response.model is not None:
        told["model"] = response.model
    return told


def _schema(verdict: Mapping[str, Json]) -> ResponseSchema:
    """An object of a reason and a verdict; the reason comes first, so that it is thought first."""
    properties = {"reason": {"type": "string"}, **verdict}
    return ResponseSchema(
        "verdict",
        {
            "type": "object",
            "properties": properties,
            "required": [*properties],
            "additionalProperties": False,
        },
    )


def _number_on(scale: Scale) -> Json:
    """The bounds stand in the description: not every provider takes them as a schema."""
    return {"type": "number", "description": f"from {scale.low:g} to {scale.high:g}"}


def _check_scale(scale: object) -> None:
    if type(scale) is not Scale:
        raise ArgumentTypeError(f"scale must be a Scale, not {scale!r:.80}")


def _check_keys(keys: Iterable[str]) -> tuple[str, ...]:
    if isinstance(keys, str):
        raise ArgumentTypeError("keys must be a sequence of strings, not one string")
    kept = tuple(keys)
    for key in kept:
        check_text(key, "a key")
        if not key.strip() or key.casefold() in REASON_KEYS:
            raise ArgumentError(f"a key must not be blank or name the reason, got {key!r}")
    if not kept:
        raise ArgumentError("there must be a key under which the reply gives its verdict")
    return tuple(key.casefold() for key in kept)
