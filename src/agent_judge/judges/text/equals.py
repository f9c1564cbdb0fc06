"""Whether the output is the one that was expected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from agent_judge.context import MISSING, JudgmentContext, Missing, Output
from agent_judge.frozen import Json, freeze
from agent_judge.judges.text.form import Case, TextForm, Unicode, Whitespace
from agent_judge.judges.text.reading import missing_input, quoted
from agent_judge.judgment import Check, Judgment, Status
from agent_judge.protocol import Cost, JudgeMetadata

_AROUND: Final = 20
"""Characters that a message quotes before the first difference."""


@dataclass(frozen=True, slots=True)
class EqualsJudge:
    r"""Whether the output equals the expected one: exactly, unless a difference is ignored by name.

    Any JSON value can be compared. Numbers are equal by value (`1` and `1.0`), `true` is no
    number, and the order of keys does not count. A string never equals a value of another kind;
    what is ignored by name is ignored in strings only, not in those within lists or objects.

    Args:
        expected: What the output has to be; without it, what the context expects.
        case: `"ignore"` folds case.
        whitespace: `"trim"` ignores what is around the text, `"collapse"` also how much is within.
        unicode: The normalisation form that both texts are brought into, for example `"NFC"`.

    Raises:
        ArgumentError: An unknown word, or an expected value that JSON cannot carry.
        ArgumentTypeError: An expected value of another type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = EqualsJudge("Paris", case="ignore", whitespace="trim")
        >>> evaluate(judge, JudgmentContext(output="paris\n")).passed
        True
    """

    expected: Json | Missing = MISSING
    case: Case = "exact"
    whitespace: Whitespace = "exact"
    unicode: Unicode = "exact"
    _form: TextForm | None = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "EqualsJudge", cost=Cost.MEMORY, type="equals", needs=("output", "expected"), version="1"
    )

    def __post_init__(self) -> None:
        if self.expected is not MISSING:
            object.__setattr__(self, "expected", freeze(self.expected, "expected"))
        form = TextForm(self.case, self.whitespace, self.unicode)
        object.__setattr__(self, "_form", None if form.is_exact else form)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output with what is expected."""
        output = context.output
        expected = context.expected if self.expected is MISSING else self.expected
        if type(output) is not str or type(expected) is not str:
            return _compare_values(output, expected)
        if self._form is not None:
            output, expected = self._form(output), self._form(expected)
        if output == expected:
            return _EQUAL
        return _differing(_difference(output, expected))


_EQUAL: Final = Judgment.passing(
    "the output is as expected", checks=(Check("output", True, "is as expected"),)
)


def _differing(message: str) -> Judgment:
    check = Check("output", False, message)
    return Judgment(Status.FAIL, f"the output {message}", checks=(check,))


def _compare_values(output: Output, expected: Output) -> Judgment:
    from agent_judge.judges.tools.arguments import canonical
    from agent_judge.judges.tools.record import shown_value

    if output is MISSING:
        return missing_input("the output")
    if expected is MISSING:
        return missing_input("the expected output")
    if canonical(output) == canonical(expected):
        return _EQUAL
    return _differing(f"is {shown_value(output)}, expected {shown_value(expected)}")


def _difference(found: str, expected: str) -> str:
    """What a message says of two texts that differ: both, or both from where they part."""
    if len(found) <= 3 * _AROUND and len(expected) <= 3 * _AROUND:
        return f"is {found!r}, expected {expected!r}"
    index = _first_difference(found, expected)
    start = max(0, index - _AROUND)
    return (
        f"differs from character {index + 1} on: "
        f"{quoted(found[start:])}, expected {quoted(expected[start:])}"
    )


def _first_difference(one: str, other: str) -> int:
    """The index of the first character that differs, by halves: slices compare quickly."""
    same, differs = 0, min(len(one), len(other)) + 1
    while differs - same > 1:
        middle = (same + differs) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            differs = middle
    return same
