"""Whether the output contains a text, or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from agent_judge.context import MISSING, JudgmentContext
from agent_judge.errors import AgentJudgeError
from agent_judge.judges.text.form import Case, TextForm, Unicode, Whitespace
from agent_judge.judges.text.reading import (
    NonText,
    check_choice,
    check_non_text,
    check_texts,
    missing_input,
    output_text,
    quoted,
)
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class ContainsJudge:
    """Whether the output contains all, any or none of some texts.

    Args:
        expected: One text or several, none of them empty; without it, what the context expects.
        require: How many of them: `"all"`, `"any"` (at least one) or `"none"`.
        case: `"ignore"` folds case.
        whitespace: `"collapse"` makes one space of each run of white space, in the output and in
            the texts, and `"trim"` drops what is around them.
        unicode: The normalisation form that all are brought into, for example `"NFC"`.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to look into
            its JSON text.

    Raises:
        ArgumentError: No text, an empty one, or an unknown word.
        ArgumentTypeError: Neither a string nor a list of strings.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = ContainsJudge(["Paris", "London"], require="any")
        >>> evaluate(judge, JudgmentContext(output="It is Paris.")).reasoning
        'the output contains 1 of 2 texts'
    """

    expected: str | Sequence[str] | None = None
    require: Literal["all", "any", "none"] = "all"
    case: Case = "exact"
    whitespace: Whitespace = "exact"
    unicode: Unicode = "exact"
    non_text: NonText = "error"
    _form: TextForm = field(init=False, repr=False, compare=False)
    _texts: tuple[str, ...] | None = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ContainsJudge",
        cost=Cost.MEMORY,
        type="contains",
        needs=("output", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_choice(self.require, ("all", "any", "none"), "require")
        check_non_text(self.non_text)
        _set(self, "_form", TextForm(self.case, self.whitespace, self.unicode))
        given = self.expected
        _set(
            self, "_texts", None if given is None else self._formed(check_texts(given, "expected"))
        )

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look for each text in the output."""
        output = output_text(context, self.non_text)
        if isinstance(output, Judgment):
            return output
        texts = self._expected(context)
        if isinstance(texts, Judgment):
            return texts
        formed = self._form(output)
        return self._judge([(text, text in formed) for text in texts])

    def _expected(self, context: JudgmentContext) -> tuple[str, ...] | Judgment:
        if self._texts is not None:
            return self._texts
        if context.expected is MISSING:
            return missing_input("the text to look for")
        try:
            return self._formed(check_texts(context.expected, "context.expected"))
        except AgentJudgeError as fault:
            return Judgment.erring(str(fault), ReasonCode.MALFORMED_EVIDENCE)

    def _formed(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """The texts in the form in which they are looked for, which must not be empty either."""
        return check_texts(tuple(map(self._form, texts)), "expected, without white space around,")

    def _judge(self, found: Sequence[tuple[str, bool]]) -> Judgment:
        count = sum(is_found for _, is_found in found)
        reasoning = f"the output contains {count} of {len(found)} texts"
        checks = [self._check(text, is_found) for text, is_found in found]
        if self.require == "any" and count:
            checks = [check if check.passed else check.as_advisory() for check in checks]
        failed = [check.name for check in checks if not check.passed and not check.advisory]
        if failed:
            reasoning = f"{reasoning}; it should {failed[0]}"
        return Judgment.from_checks(checks, reasoning)

    def _check(self, text: str, is_found: bool) -> Check:
        message = f"{quoted(text)} was {'found' if is_found else 'not found'}"
        if self.require == "none":
            return Check(f"not contain {quoted(text)}", not is_found, message)
        return Check(f"contain {quoted(text)}", is_found, message)


_set = object.__setattr__
