"""How much of an expected JSON value is in the output, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import fsum
from typing import ClassVar, Final, Literal, TypeAlias, assert_never, cast

from agent_judge.context import MISSING, JudgmentContext, Missing, Output
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY, Json, freeze
from agent_judge.judges.data.fields import Field, FieldComparison, Finding, TooManyError
from agent_judge.judges.data.pointers import PlaceNumbers, pointer
from agent_judge.judges.data.reading import (
    Fence,
    InvalidJsonError,
    check_source,
    parse_json,
    read_json,
)
from agent_judge.judges.text.form import Case, TextForm, Unicode, Whitespace
from agent_judge.judges.text.reading import check_choice, missing_input
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

Policy: TypeAlias = Literal["count", "ignore"]

LIMIT: Final = 10_000
"""Fields that are compared."""


@dataclass(frozen=True, slots=True)
class JsonMatchJudge:
    """How much of an expected JSON value the output, or a file of the workspace, has.

    The fields of a value are what is at the ends of its branches: strings, numbers, booleans,
    null, and empty objects and arrays. The score is the weight of the fields that are as expected,
    as a share of the weight of all that count. Numbers are equal by value (`1` and `1.0`), `true`
    is no number, and the order of keys does not count, that of an array does. `{}` matches `{}`.

    Args:
        expected: The expected value; a string is read as JSON. Without it, what the context
            expects.
        threshold: The score from which it passes.
        weights: What fields count for, 1 unless it is said here: a number for each JSON Pointer,
            which counts for all below it, with `*` for any one key or index (`"/items/*/price"`).
        tolerance: How far numbers may be from the expected ones, in the same way.
        missing: Whether an expected field that is absent counts as a difference, or is ignored.
        extra: Whether a key or element that is not expected counts as a field that differs, or is
            ignored.
        arrays: Whether the elements of arrays are compared in order, or `"unordered"`: as many as
            can be are paired with an equal one, and the rest in order.
        case: `"ignore"` folds case in strings.
        whitespace: `"trim"` or `"collapse"` white space in strings.
        unicode: The normalisation form that strings are brought into, for example `"NFC"`.
        path: A file of the workspace to read instead of the output, in UTF-8.
        fence: Whether a Markdown code fence around the whole text is no JSON (`"refuse"`), or
            taken off first (`"strip"`).

    Raises:
        ArgumentError: A threshold outside 0..1, a negative weight or tolerance, a key that is no
            JSON Pointer, an expected text that is no JSON, an unknown word, or a path that leaves
            the workspace.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> expected = {"city": "Paris", "people": 2.1}
        >>> judge = JsonMatchJudge(expected, threshold=1, tolerance={"/people": 0.1})
        >>> evaluate(judge, JudgmentContext(output='{"city": "Rome", "people": 2.2}')).reasoning
        '1 of 2 fields match; /city is "Rome", expected "Paris"'
    """

    expected: Json | Missing = MISSING
    threshold: float = field(kw_only=True)
    weights: Mapping[str, float] = EMPTY
    tolerance: Mapping[str, float] = EMPTY
    missing: Policy = "count"
    extra: Policy = "count"
    arrays: Literal["ordered", "unordered"] = "ordered"
    case: Case = "exact"
    whitespace: Whitespace = "exact"
    unicode: Unicode = "exact"
    path: str | None = None
    fence: Fence = "refuse"
    _weights: PlaceNumbers = field(init=False, repr=False, compare=False)
    _comparison: FieldComparison = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "JsonMatchJudge",
        cost=Cost.FILE,
        type="json_match",
        needs=("output", "workspace", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        _set(self, "path", check_source(self.path, self.fence))
        check_choice(self.missing, ("count", "ignore"), "missing")
        check_choice(self.extra, ("count", "ignore"), "extra")
        check_choice(self.arrays, ("ordered", "unordered"), "arrays")
        _set(self, "_weights", PlaceNumbers(self.weights, "weights"))
        comparison = FieldComparison(
            TextForm(self.case, self.whitespace, self.unicode),
            PlaceNumbers(self.tolerance, "tolerance"),
            unordered=self.arrays == "unordered",
            open=self.extra == "ignore",
        )
        _set(self, "_comparison", comparison)
        if self.expected is not MISSING:
            _set(self, "expected", _check_expected(self.expected))

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output or file field by field."""
        expected = self._expected(context)
        if isinstance(expected, Judgment):
            return expected
        found = read_json(context, self.path, self.fence)
        if isinstance(found, Judgment):
            return found
        try:
            fields = list(islice(self._comparison.fields(expected, found), LIMIT + 1))
        except TooManyError as fault:
            return Judgment.erring(f"not compared: {fault}", ReasonCode.TOO_LARGE)
        if len(fields) > LIMIT:
            reason = f"not compared: more than {LIMIT} fields"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        return self._judge(fields)

    def _expected(self, context: JudgmentContext) -> Output | Judgment:
        if self.expected is not MISSING:
            return self.expected
        if not isinstance(context.expected, str):
            expected = context.expected
            return missing_input("the expected output") if expected is MISSING else expected
        try:
            return cast("Json", parse_json(context.expected))
        except InvalidJsonError as fault:
            reason = f"the expected output is no JSON: {fault}"
            return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)

    def _judge(self, fields: Sequence[Field]) -> Judgment:
        weighed = [(found, self._weight(found)) for found in fields]
        checks = [_check(found, weight) for found, weight in weighed]
        total = fsum(weight for _, weight in weighed)
        if not total:
            reason = "none of the fields counts; nothing was compared"
            return Judgment.abstaining(reason, checks=checks)
        matching = fsum(weight for found, weight in weighed if found.finding is Finding.MATCHES)
        return Judgment.scored(
            min(1.0, matching / total),
            threshold=self.threshold,
            reasoning=_summary(checks),
            checks=checks,
        )

    def _weight(self, found: Field) -> float:
        """What a field counts for; nothing where it is ignored."""
        match found.finding:
            case Finding.MISSING:
                counts = self.missing == "count"
            case Finding.EXTRA:
                counts = self.extra == "count"
            case Finding.MATCHES | Finding.DIFFERS:
                counts = True
            case _:
                assert_never(found.finding)
        weight = self._weights.at(found.place)
        return (1.0 if weight is None else weight) if counts else 0.0


_set = object.__setattr__


def _check_expected(expected: Json) -> Json:
    if not isinstance(expected, str):
        return freeze(expected, "expected")
    try:
        return freeze(parse_json(expected), "expected")
    except InvalidJsonError as fault:
        raise ArgumentError(f"expected is a string that is no JSON: {fault}") from None


def _check(found: Field, weight: float) -> Check:
    matches = found.finding is Finding.MATCHES
    return Check(pointer(found.place), matches, found.message, advisory=not weight)


def _summary(checks: Sequence[Check]) -> str:
    deciding = [check for check in checks if not check.advisory]
    failed = [check for check in deciding if not check.passed]
    summary = f"{len(deciding) - len(failed)} of {len(deciding)} fields match"
    return f"{summary}; {failed[0].name} {failed[0].message}" if failed else summary
