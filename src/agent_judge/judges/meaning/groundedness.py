"""What an output claims, and nothing in its sources comes near to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.frozen import EMPTY, Json
from agent_judge.judges.meaning import encoder
from agent_judge.judges.meaning.claims import Claims, claims, prose
from agent_judge.judges.meaning.english import has_subject, is_english
from agent_judge.judges.meaning.figures import Given, stated
from agent_judge.judges.meaning.passages import Passage, joined
from agent_judge.judges.meaning.small_talk import is_small_talk
from agent_judge.judges.text.reading import (
    NonText,
    check_choice,
    check_non_text,
    check_texts,
    missing_input,
    output_text,
    quoted,
)
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

BAR: Final = 0.2
"""The cosine below which a claim is absent; `benchmarks/local_encoder.py` shows why."""

MAX_OUTPUT: Final = 50_000
"""Characters of an output that are read."""

MAX_SOURCES: Final = 200_000
"""Characters of all sources together that are read; a page takes some tenths of a second."""

MAX_REPORTED: Final = 20
"""Claims, and numbers, that a judgment names; the others are counted."""

Numbers: TypeAlias = Literal["fail", "ignore"]


@dataclass(frozen=True, slots=True)
class GroundednessScreen:
    """FAILs what the sources lack (AUC .945); contradictions it cannot see (.535; extra `local`).

    Each sentence of the output that claims something is compared with each sentence of the
    sources, by the cosine of their vectors from the sentence encoder all-MiniLM-L6-v2 on this
    machine. A claim that is nearer than the bar to none of them is absent, and the output FAILs.
    So it does for a number that the sources do not have. Otherwise the screen ABSTAINs, so that a
    cascade goes on to a model: it never PASSes.

    It sees whether the sources speak of such a thing, and not what they say of it. On public sets,
    claims that are in the context were told from others with an AUC of .945, and entailed claims
    from contradicted ones with .535, which is chance: "was issued" and "was not issued" are one to
    it. In `benchmarks/local_encoder.py` 34 % of the claims that were made up on the same subject or
    the next one FAIL at the bar of 0.2, 75 % of those on another, none of 108 that the sources
    support, and 2 of 71 turns of an agent that did all right.

    Questions, lead-ins that end with a colon, headings, fenced code, sentences of fewer than five
    words or in another language, and small talk ("I hope this helps!") are no claims; how many
    there were is in the metadata. Beside a source that does not read as English no claim is called
    absent. A number is absent where it is neither in the sources or the goal, in digits or
    words, nor follows from their numbers by rounding, by another unit, or by one sum, difference
    or product. Whole numbers up to 10 are not looked for, and none are where the sources have more
    than 200.

    Args:
        sources: The passages that the output may rest on; without any, those of the run.
        bar: The cosine in 0..1 below which a claim is absent.
        numbers: `"ignore"` leaves numbers to others, where outputs compute what sources do not
            state.
        non_text: What becomes of an output that is no string: `"error"`, or `"json"` to read its
            JSON text.

    Raises:
        ArgumentError: A bar outside 0..1, an empty list of sources, an unknown word.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: The extra `local` is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, Source, evaluate
        >>> source = Source("The bridge was opened in May 1884 after three years of work.")
        >>> run = JudgmentContext(output="The bridge was opened in 1886.", sources=[source])
        >>> evaluate(GroundednessScreen(), run).reasoning
        'absent from the sources: the number 1886'
    """

    sources: str | Sequence[str] | None = None
    bar: float = BAR
    numbers: Numbers = "fail"
    non_text: NonText = "error"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "GroundednessScreen",
        cost=Cost.COMMAND,
        type="groundedness_screen",
        needs=("output", "sources"),
        version="1",
    )

    def __post_init__(self) -> None:
        if self.sources is not None:
            object.__setattr__(self, "sources", check_texts(self.sources, "sources"))
        check_threshold(self.bar, "bar")
        check_choice(self.numbers, ("fail", "ignore"), "numbers")
        check_non_text(self.non_text)
        encoder.require_encoder("GroundednessScreen")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look for the claims and the numbers of the output in the sources."""
        output = output_text(context, self.non_text)
        if isinstance(output, Judgment):
            return output
        sources = self.sources or [source.text for source in context.sources]
        if len(output) > MAX_OUTPUT or sum(map(len, sources)) > MAX_SOURCES:
            reason = (
                f"outputs of more than {MAX_OUTPUT} characters, and sources of more than "
                f"{MAX_SOURCES} together, are not read"
            )
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        known = [passage for source in sources for passage in joined(source)]
        if not known:
            return missing_input("a source with any text")
        claimed = claims(output)
        if all(is_english(source) for source in sources if has_subject(source)):
            looked = _claims(claimed.found, known, self.bar)
        else:
            looked = _Looked(left={"beside other languages": len(claimed.found)})
        given = [*sources, context.goal]
        numbers = _numbers(output, given) if self.numbers == "fail" else _Looked()
        return self._sum_up(claimed, looked, numbers)

    def _sum_up(self, claimed: Claims, looked: _Looked, numbers: _Looked) -> Judgment:
        checks = [*looked.checks("claim near a source"), *numbers.checks("number in a source")]
        metadata: dict[str, Json] = {
            "encoder": encoder.NAME,
            "bar": self.bar,
            "claims": looked.examined,
            "claims_in_parts": sum(claim.is_part for claim in claimed.found),
            "numbers": numbers.examined,
            "not_examined": +Counter({**claimed.left, **looked.left, **numbers.left}),
        }
        absent = [*looked.absent, *numbers.absent]
        if absent:
            named = "; ".join(absent[:3]) + (f"; {len(absent) - 3} more" if absent[3:] else "")
            return Judgment.failing(
                f"absent from the sources: {named}", checks=checks, metadata=metadata
            )
        if not checks:
            reason = "the output holds no claim, and no number, that could be looked for"
        else:
            reason = (
                f"nothing is absent from the sources (claims: {looked.examined}, "
                f"numbers: {numbers.examined}); whether they say so is left to others"
            )
        return Judgment.abstaining(reason, checks=checks, metadata=metadata)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was looked for in the sources.

    Attributes:
        examined: How many things.
        absent: Those that are not there, as a message names them.
        left: What could not be looked for, counted by kind.
    """

    examined: int = 0
    absent: Sequence[str] = ()
    left: Mapping[str, int] = EMPTY

    def checks(self, name: str) -> Iterator[Check]:
        """One check for each that is absent, the last for those that are too many to name."""
        for found in self.absent[:MAX_REPORTED]:
            yield Check(name, False, found)
        more = len(self.absent) - MAX_REPORTED
        if more > 0:
            yield Check(name, False, f"{more} more", examined=more)
        there = self.examined - len(self.absent)
        if there:
            yield Check(name, True, f"{there} of {self.examined}", examined=there)


def _claims(found: Sequence[Passage], known: Sequence[Passage], bar: float) -> _Looked:
    if not found:
        return _Looked()
    loaded = encoder.encoder()
    vectors = loaded.vectors([passage.pieces for passage in known])
    absent: list[str] = []
    talked = 0
    for claim in found:
        (vector,) = loaded.vectors([claim.pieces])
        nearest = float((vectors @ vector).max())
        if nearest < bar and is_small_talk(vector, loaded):
            talked += 1
        elif nearest < bar:
            absent.append(f"{quoted(claim.text)} (nearest at {nearest:.2f}, bar {bar:g})")
    return _Looked(len(found) - talked, absent, {"small talk": talked})


def _numbers(output: str, texts: Sequence[str]) -> _Looked:
    given = Given(texts)
    numbers = stated(prose(output, Counter()))
    if not given.is_judged:
        return _Looked(left={"numbers": len(numbers)})
    absent = [f"the number {number.text}" for number in numbers if not given.explains(number)]
    return _Looked(len(numbers), absent)
