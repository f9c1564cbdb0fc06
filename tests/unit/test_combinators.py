from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from agent_judge.combinators import all_of, any_of, named, negate, with_timeout
from agent_judge.context import JudgmentContext
from agent_judge.engine import aevaluate, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Check, Judgment, Location, ReasonCode, Status
from agent_judge.jury import ErrorPolicy, Jury, Majority
from agent_judge.protocol import Cost, Judge, describe, judge
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore, Score
from agent_judge.testing import (
    AwaitingJudge,
    BlockingJudge,
    FixedJudge,
    HangingJudge,
    RecordingJudge,
    a_context,
    abstaining,
    erring,
    failing,
    not_applicable,
    passing,
)
from agent_judge.usage import Usage

BY_LETTER: dict[str, FixedJudge] = {
    "P": passing("good"),
    "F": failing("bad"),
    "A": abstaining("unsure"),
    "E": erring("broken"),
    "N": not_applicable("no page"),
}
STATUS = {
    "P": Status.PASS,
    "F": Status.FAIL,
    "A": Status.ABSTAIN,
    "E": Status.ERROR,
    "N": Status.NOT_APPLICABLE,
}


def judges_of(letters: str) -> list[FixedJudge]:
    """One judge for each letter of a row of the contract."""
    return [BY_LETTER[letter] for letter in letters]


@pytest.mark.parametrize("combine", [all_of, any_of])
def test_nobody_is_no_judge(combine: Callable[..., Judge]) -> None:
    """Nothing passes that was not examined. (contract: core:C1)"""
    with pytest.raises(ArgumentError, match="at least one judge"):
        combine()


@pytest.mark.parametrize("combine", [all_of, any_of, negate])
@pytest.mark.parametrize("inner", [None, "judge", FixedJudge])
def test_what_is_no_judge_cannot_be_combined(combine: Callable[..., Judge], inner: Any) -> None:
    """It is refused when the judges are combined. (contract: core:C1)"""
    with pytest.raises(ArgumentTypeError):
        combine(inner)


@pytest.mark.parametrize(
    ("combine", "letters", "expected"),
    [(all_of, "PF", Status.FAIL), (any_of, "FP", Status.PASS)],
)
def test_what_is_decided_is_not_asked_further(
    combine: Callable[..., Judge], letters: str, expected: Status
) -> None:
    """The judge behind the deciding one is not run. (contract: core:C2, core:C3)"""
    spared = RecordingJudge()

    judgment = evaluate(combine(*judges_of(letters), spared), a_context())

    assert judgment.status is expected
    assert not spared.contexts


@pytest.mark.parametrize(
    ("letters", "all_passed", "any_passed"),
    [
        ("P", "P", "P"),
        ("F", "F", "F"),
        ("A", "A", "A"),
        ("E", "E", "E"),
        ("N", "N", "N"),
        ("PP", "P", "P"),
        ("FF", "F", "F"),
        ("AA", "A", "A"),
        ("NN", "N", "N"),
        ("PF", "F", "P"),
        ("PA", "A", "P"),
        ("PE", "E", "P"),
        ("PN", "P", "P"),
        ("FA", "F", "A"),
        ("FE", "F", "E"),
        ("FN", "F", "F"),
        ("AE", "E", "E"),
        ("AN", "A", "A"),
        ("EN", "E", "E"),
        ("PFAEN", "F", "P"),
        ("PAEN", "E", "P"),
        ("FAEN", "F", "E"),
    ],
)
def test_the_truth_table(letters: str, all_passed: str, any_passed: str) -> None:
    """A finding beats an abstention, and an error is no finding, in any order.

    (contract: core:C4, core:C5, core:C6, core:C7, core:C8, core:C9, core:C10, core:C11, core:C12b)
    """
    for order in permutations(letters):
        judges = judges_of("".join(order))

        assert evaluate(all_of(*judges), a_context()).status is STATUS[all_passed]
        assert evaluate(any_of(*judges), a_context()).status is STATUS[any_passed]


def test_a_joint_pass_keeps_the_names_and_checks_of_all() -> None:
    """Whoever reads it sees what was looked at, and by whom. (contract: core:C4)"""
    place = Location("a.py", 3)
    files = passing(name="files", checks=[Check("a.py is there", True, "yes", 2, location=place)])
    style = passing("neat", name="style")

    judgment = evaluate(all_of(files, style), a_context())

    assert judgment.checks == (
        Check("files: a.py is there", True, "yes", 2, location=place),
        Check("style", True, "neat"),
    )
    assert judgment.evidence["children"] == (
        {"name": "files", "status": "pass"},
        {"name": "style", "status": "pass"},
    )
    assert judgment.reasoning == "all_of: files pass; style pass: neat"


def test_an_error_beside_a_decision_is_recorded() -> None:
    """It is in the evidence with its code. (contract: core:C6, core:C10)"""
    broken = erring("broken", ReasonCode.MODEL_FAILED, name="llm")

    for combined in (any_of(broken, passing()), all_of(broken, failing())):
        judgment = evaluate(combined, a_context())

        assert judgment.evidence["children"][0] == {  # type: ignore[index]
            "name": "llm",
            "status": "error",
            "code": "model_failed",
        }


@pytest.mark.parametrize("combine", [all_of, any_of])
def test_a_joint_error_carries_the_code_of_the_first(combine: Callable[..., Judge]) -> None:
    """It cannot be known, and why is known. (contract: core:C7, core:C11)"""
    judges = [
        abstaining(),
        erring("late", ReasonCode.TIMEOUT),
        erring("cut", ReasonCode.TRUNCATED),
    ]

    judgment = evaluate(combine(*judges), a_context())

    assert judgment.code is ReasonCode.TIMEOUT
    assert "late" in judgment.reasoning


def test_checks_that_disagree_with_a_pass_are_advisory() -> None:
    """They stay as evidence. (contract: core:C12a)"""
    slow = failing(name="fast", checks=[Check("under a second", False), Check("ran", True)])

    judgment = evaluate(
        any_of(slow, failing("no", name="short"), passing(name="right")), a_context()
    )

    assert [(check.name, check.passed, check.advisory) for check in judgment.checks] == [
        ("fast: under a second", False, True),
        ("fast: ran", True, False),
        ("short", False, True),
        ("right", True, False),
    ]


def test_the_checks_of_an_open_matter_are_advisory() -> None:
    """Without a finding none of them decides. (contract: core:C12a)"""
    judgment = evaluate(all_of(passing(name="a"), abstaining(name="b")), a_context())

    assert judgment.checks == (Check("a", True, advisory=True),)


def test_a_joint_judgment_adds_usage_up() -> None:
    """What the judges inside consumed is consumed. (contract: core:K13)"""
    judges = [passing(usage=Usage(calls=1)), passing(), passing(usage=Usage(calls=2))]

    assert evaluate(all_of(*judges), a_context()).usage == Usage(calls=3)
    assert evaluate(all_of(passing()), a_context()).usage is None


@pytest.mark.parametrize(
    ("letter", "negated"), [("P", "F"), ("F", "P"), ("A", "A"), ("E", "E"), ("N", "N")]
)
def test_a_negation_turns_findings_round(letter: str, negated: str) -> None:
    """And leaves the rest as it is; the reasoning says that it negates. (contract: core:C12)"""
    inner = BY_LETTER[letter]

    judgment = evaluate(negate(inner), a_context())

    assert judgment.status is STATUS[negated]
    assert judgment.reasoning.startswith("negation of ")
    assert inner.judgment.reasoning in judgment.reasoning
    assert judgment.code is inner.judgment.code


@pytest.mark.parametrize(
    ("score", "inverted"),
    [
        (BooleanScore(True), BooleanScore(False)),
        (NumericalScore(0.75), NumericalScore(0.25)),
        (NumericalScore(4, 1, 5), NumericalScore(2, 1, 5)),
        (NumericalScore(0.1, -0.3, 0.7), NumericalScore(0.3, -0.3, 0.7)),
        (CategoricalScore("a", ("a", "b"), {"a": 1.0}), None),
        (None, None),
    ],
)
def test_a_negation_inverts_the_score(score: Score | None, inverted: Score | None) -> None:
    """On its own scale; a category has no opposite. (contract: core:C12)"""
    judgment = evaluate(negate(passing(score=score)), a_context())

    if isinstance(inverted, NumericalScore) and isinstance(judgment.score, NumericalScore):
        assert judgment.score.value == pytest.approx(inverted.value)
        assert (judgment.score.low, judgment.score.high) == (inverted.low, inverted.high)
    else:
        assert judgment.score == inverted


def test_an_inverted_score_stays_within_its_bounds() -> None:
    """Rounding never pushes it out: low + high - low is not always high. (contract: core:C12)"""
    for low, high in ((0.1, 0.7), (-0.3, 0.1), (-1e16, 1.0)):
        for value in (low, high):
            negated = evaluate(negate(passing(score=NumericalScore(value, low, high))), a_context())
            assert negated.status is Status.FAIL


def test_a_negation_marks_the_checks_that_disagree_advisory() -> None:
    """What failed is why the negation passes. (contract: core:C12a)"""
    checks = [Check("profanity is there", False), Check("text is there", True)]

    passed = evaluate(negate(failing(checks=checks)), a_context())
    failed = evaluate(negate(passing(checks=checks[1:])), a_context())

    assert [check.advisory for check in passed.checks] == [True, False]
    assert [check.advisory for check in failed.checks] == [True]


def test_a_failure_that_examined_nothing_is_no_ground_to_pass() -> None:
    """Its negation is undecided. (contract: core:C12, core:R14)"""
    inner = failing(checks=[Check("tests", False, examined=0)])

    judgment = evaluate(negate(inner), a_context())

    assert judgment.status is Status.ABSTAIN
    assert [check.advisory for check in judgment.checks] == [True]


def test_a_negation_keeps_the_usage() -> None:
    """The judge inside was asked. (contract: core:K13)"""
    for inner in (passing(usage=Usage(calls=1)), abstaining(usage=Usage(calls=1))):
        assert evaluate(negate(inner), a_context()).usage == Usage(calls=1)


def test_two_negations_are_none() -> None:
    """As far as the finding and its score go. (contract: core:C12)"""
    inner = passing(score=NumericalScore(0.75))

    judgment = evaluate(negate(negate(inner)), a_context())

    assert (judgment.status, judgment.score) == (Status.PASS, NumericalScore(0.75))


def raising(_context: JudgmentContext) -> Judgment:
    """Raise."""
    raise ValueError("no such thing")


def nonsense(_context: JudgmentContext) -> Any:
    """Return what is no judgment."""
    return 42


@pytest.mark.parametrize(
    ("child", "code", "words"),
    [
        (raising, ReasonCode.JUDGE_RAISED, "'raising' raised ValueError: no such thing"),
        (nonsense, ReasonCode.INVALID_JUDGMENT, "'nonsense' returned 42"),
    ],
)
@pytest.mark.parametrize("combine", [all_of, any_of, negate, lambda child: with_timeout(child, 60)])
def test_a_child_that_fails_to_judge_is_an_error(
    combine: Callable[..., Judge], child: Judge, code: ReasonCode, words: str
) -> None:
    """It names the child and what it did. (contract: core:C13)"""
    judgment = evaluate(combine(child), a_context())

    assert judgment.status is Status.ERROR
    assert judgment.code is code
    assert words in judgment.reasoning


def test_the_children_after_a_failing_one_are_still_asked() -> None:
    """What raises decides nothing. (contract: core:C6, core:C13)"""
    assert evaluate(any_of(raising, passing()), a_context()).passed


def test_a_name_around_a_combination_names_it() -> None:
    """And keeps what is known of it. (contract: core:C14)"""
    both = named("Both", all_of(passing(), failing()))

    assert describe(both).name == "Both"
    assert describe(both).type == "all_of"
    assert evaluate(both, a_context()).reasoning.startswith("all_of: ")


def test_what_is_known_of_judges_together() -> None:
    """The dearest cost, the needs of all, and the versions in order."""

    @judge(cost=Cost.FILE, needs=["workspace", "output"], version="1", applies_when=lambda _: True)
    def files(_context: JudgmentContext) -> bool:
        return True

    @judge(cost=Cost.MODEL, needs=["output"], version="2")
    def llm(_context: JudgmentContext) -> bool:
        return True

    known = describe(any_of(files, llm))

    assert (known.cost, known.needs, known.version) == (Cost.MODEL, ("workspace", "output"), "1+2")
    assert not known.conditional
    assert describe(negate(files)).conditional
    assert describe(all_of(files, lambda _: Judgment.passing())).cost is None


def test_a_condition_that_does_not_hold_survives_a_combination() -> None:
    """Children that do not apply are left out; if none does, the whole does not apply.

    (contract: core:C12b)
    """

    @judge(applies_when=lambda context: context.workspace is not None)
    def files(_context: JudgmentContext) -> bool:
        return True

    assert evaluate(all_of(files, passing()), a_context()).passed
    assert evaluate(any_of(files, failing()), a_context()).status is Status.FAIL
    assert evaluate(negate(all_of(files, files)), a_context()).status is Status.NOT_APPLICABLE


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "1", True, None])
def test_a_deadline_is_a_positive_number_of_seconds(seconds: Any) -> None:
    """None at all is not a deadline."""
    with pytest.raises(ArgumentError, match="seconds must be a positive"):
        with_timeout(passing(), seconds)


def test_a_judge_with_a_deadline_of_its_own_is_late() -> None:
    """An async judge is cancelled, and has cleaned up. (contract: core:J8)"""
    hanging = HangingJudge()

    judgment = evaluate(with_timeout(hanging, 0.01), a_context())

    assert judgment.code is ReasonCode.TIMEOUT
    assert hanging.cancelled.is_set()


def test_a_thread_whose_deadline_passed_is_left_behind() -> None:
    """Nothing can stop it, and the judgment says so. (contract: core:J8)"""
    with BlockingJudge() as blocking:
        judgment = evaluate(with_timeout(blocking, 0.2), a_context())

        assert judgment.code is ReasonCode.TIMEOUT
        assert judgment.evidence == {"abandoned": True}
        assert not blocking.ended.is_set()


def test_a_deadline_inside_a_combination_bounds_one_judge() -> None:
    """The others are asked as ever. (contract: core:C13, core:J8)"""
    judgment = evaluate(any_of(with_timeout(HangingJudge(), 0.01), passing()), a_context())

    assert judgment.passed


def test_a_deadline_keeps_what_is_known_of_the_judge() -> None:
    """It is the same judge."""
    assert describe(with_timeout(passing(name="ok"), 5)) == describe(passing(name="ok"))


COMBINATIONS: list[Callable[[Judge], Judge]] = [
    all_of,
    any_of,
    negate,
    lambda inner: with_timeout(inner, 60),
    lambda inner: named("named", inner),
]


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_a_combination_can_be_awaited_by_itself(combine: Callable[[Judge], Judge]) -> None:
    """It is a judge as any other, also on a loop of the caller's own. (contract: core:C15)"""

    async def judge_twice() -> list[Judgment]:
        gate = asyncio.Event()
        gate.set()
        combined = combine(AwaitingJudge(gate, Judgment.failing("no")))
        answer: Any = combined(a_context())
        return [await aevaluate(combined, a_context()), await answer]

    by_engine, by_itself = asyncio.run(judge_twice())

    assert by_engine == by_itself


def test_a_combination_of_cheap_judges_needs_no_event_loop() -> None:
    """Sync code that asks judges at MEMORY cost stays sync. (contract: core:J13)"""
    from agent_judge.engine import background

    before = background._loop
    combined = all_of(passing(), negate(failing()), any_of(passing()), with_timeout(passing(), 60))

    assert evaluate(combined, a_context()).passed
    assert background._loop is before


@pytest.mark.parametrize(
    "rules", [{"on_error": ErrorPolicy.TREAT_AS_FAIL}, {"on_not_applicable": "as_fail"}]
)
@pytest.mark.parametrize("wrap", [lambda jury: jury, all_of, any_of, lambda jury: Jury([jury])])
def test_what_a_policy_held_against_the_run_is_no_ground_to_pass(
    rules: dict[str, Any], wrap: Callable[[Judge], Judge]
) -> None:
    """No judge failed it, so the negation passes nothing. (contract: core:C12, core:V18)"""
    silent = erring() if "on_error" in rules else not_applicable(declared=False)
    jury = Jury([silent], Majority(**rules))

    assert evaluate(wrap(jury), a_context()).status is Status.FAIL
    assert evaluate(negate(wrap(jury)), a_context()).status is Status.ABSTAIN
