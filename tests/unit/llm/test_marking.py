from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.llm import Criterion, Scale
from agent_judge.llm.findings import NOT_APPLICABLE, UNANSWERED, Finding
from agent_judge.llm.marking import Bounds, Marks, Ruling, Standing, points
from agent_judge.scores import ROUNDING

MET, UNMET = Finding("met", 1.0, "So."), Finding("unmet", 0.0, "Not so.")
OPEN, APART = Finding("undecided", None, "?"), Finding(NOT_APPLICABLE, None, "No.")
MISSING = Finding(UNANSWERED, None, "late")

WEIGHTS = st.one_of(st.floats(0.001, 1e6), st.floats(-1e6, -0.001))
FINDINGS = st.one_of(
    st.sampled_from([MET, UNMET, OPEN, APART, MISSING]),
    st.floats(0, 1).map(lambda degree: Finding(f"{degree}", degree, "")),
)
ROWS = st.lists(st.tuples(WEIGHTS, st.booleans(), FINDINGS), min_size=1, max_size=8)


def criterion(index: int, weight: float = 1.0, gate: bool = False) -> Criterion:
    """One that can be met more or less, so that it takes any degree."""
    return Criterion(
        f"c{index}", "It is so.", weight, gate, "Always.", Scale(), threshold=1.0 if gate else None
    )


def marks(*findings: Finding, weights: tuple[float, ...] = (), threshold: float = 0.5) -> Marks:
    """One sheet of findings, of criteria that weigh one unless said otherwise."""
    weighed = weights or (1.0,) * len(findings)
    criteria = tuple(Criterion(f"c{i}", "It is so.", weight) for i, weight in enumerate(weighed))
    return Marks(criteria, (findings,), threshold)


@pytest.mark.parametrize(
    ("weights", "findings", "score"),
    [
        ((3, 1), (MET, UNMET), 0.75),
        ((3, 1), (UNMET, MET), 0.25),
        ((3, 1, -2), (MET, MET, MET), 0.5),
        ((1, -5), (MET, MET), 0.0),
        ((3, 1), (MET, APART), 1.0),
        ((3, 1), (APART, UNMET), 0.0),
        ((2, -1), (MET, APART), 1.0),
        ((2, 2), (Finding("4", 0.75), MET), 0.875),
    ],
)
def test_the_score_is_what_was_earned_of_what_was_possible(
    weights: tuple[float, ...], findings: tuple[Finding, ...], score: float
) -> None:
    """Penalties are taken away, what does not apply leaves both, and it stays in 0..1."""
    assert marks(*findings, weights=weights).score == Bounds(score, score)


def test_where_nothing_applies_there_is_no_score() -> None:
    """Neither nought nor one; penalties alone earn nothing either."""
    assert marks(APART, MET, weights=(1, -1)).score is None
    assert marks(APART).ruling is Ruling.UNDECIDED


@given(ROWS)
def test_bounds_hold_whatever_the_open_findings_turn_out_to_be(
    rows: list[tuple[float, bool, Finding]],
) -> None:
    """Also where they turn out not to apply; and each bound is reached."""
    criteria = [criterion(i, weight) for i, (weight, _, _) in enumerate(rows)]
    sheet = tuple(finding for _, _, finding in rows)
    score = points(criteria, sheet).score
    choices = [
        (found,) if found.degree is not None or not found.applies else (MET, UNMET, APART)
        for found in sheet
    ]
    if score is None or len([one for one in choices if len(one) > 1]) > 5:
        return

    turned_out = [
        closed.low for chosen in product(*choices) if (closed := points(criteria, chosen).score)
    ]

    assert 0 <= score.low <= score.high <= 1
    assert min(turned_out) >= score.low - ROUNDING
    assert max(turned_out) <= score.high + ROUNDING
    assert min(turned_out) == pytest.approx(score.low, abs=1e-9)
    assert max(turned_out) == pytest.approx(score.high, abs=1e-9)


@given(ROWS, st.floats(0, 1), st.randoms(use_true_random=False))
def test_the_order_of_the_criteria_does_not_matter(
    rows: list[tuple[float, bool, Finding]], threshold: float, random: object
) -> None:
    """Neither for the score nor for the ruling."""
    rows_by_name = [(criterion(i, *row[:2]), row[2]) for i, row in enumerate(rows)]
    shuffled = list(rows_by_name)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    def judged(of: list[tuple[Criterion, Finding]]) -> Marks:
        return Marks(tuple(one for one, _ in of), (tuple(found for _, found in of),), threshold)

    assert judged(shuffled).score == judged(rows_by_name).score
    assert judged(shuffled).ruling is judged(rows_by_name).ruling


@given(ROWS, st.floats(0, 1))
def test_deciding_what_is_open_never_turns_a_ruling_round(
    rows: list[tuple[float, bool, Finding]], threshold: float
) -> None:
    """PASSED and FAILED stay what they are, whatever the open findings turn out to be."""
    criteria = tuple(criterion(i, weight, gate) for i, (weight, gate, _) in enumerate(rows))
    sheet = tuple(finding for _, _, finding in rows)
    before = Marks(criteria, (sheet,), threshold).ruling
    choices = [
        (found,) if found.degree is not None or not found.applies else (MET, UNMET)
        for found in sheet
    ]
    if before not in (Ruling.PASSED, Ruling.FAILED):
        return

    for chosen in list(product(*choices))[:64]:
        assert Marks(criteria, (chosen,), threshold).ruling is before


@pytest.mark.parametrize(
    ("findings", "threshold", "ruling"),
    [
        ((MET, MET, OPEN), 0.6, Ruling.PASSED),
        ((MET, MET, OPEN), 0.7, Ruling.UNDECIDED),
        ((MET, UNMET, OPEN), 0.7, Ruling.FAILED),
        ((UNMET, UNMET, UNMET), 0, Ruling.PASSED),
        ((MET, MET, UNMET), 2 / 3, Ruling.PASSED),
        ((MET, MET, MISSING), 0.6, Ruling.UNANSWERED),
        ((MET, MET, MISSING), 0.7, Ruling.UNANSWERED),
        ((MET, UNMET, MISSING), 0.7, Ruling.FAILED),
        ((OPEN, OPEN, MET), 0, Ruling.PASSED),
        ((OPEN, OPEN, OPEN), 0, Ruling.UNDECIDED),
        ((MISSING, MISSING, MISSING), 0, Ruling.UNANSWERED),
    ],
)
def test_a_ruling_needs_bounds_that_agree(
    findings: tuple[Finding, ...], threshold: float, ruling: Ruling
) -> None:
    """Undecided is neither, and a missing answer can only fail."""
    assert marks(*findings, threshold=threshold).ruling is ruling


GATE = Criterion("safe", "It is safe.", gate=True)
HARM = Criterion("harm", "It does harm.", -1, gate=True)
BARE = Criterion("bare", "It is safe.", 0, gate=True)
GOOD = Criterion("good", "It is good.", 100)


@pytest.mark.parametrize(
    ("gate", "finding", "ruling"),
    [
        (GATE, MET, Ruling.PASSED),
        (GATE, UNMET, Ruling.FAILED),
        (GATE, OPEN, Ruling.UNDECIDED),
        (GATE, MISSING, Ruling.UNANSWERED),
        (GATE, APART, Ruling.PASSED),
        (BARE, MET, Ruling.PASSED),
        (BARE, UNMET, Ruling.FAILED),
        (HARM, UNMET, Ruling.PASSED),
        (HARM, MET, Ruling.FAILED),
    ],
)
def test_a_gate_decides_whatever_the_score(
    gate: Criterion, finding: Finding, ruling: Ruling
) -> None:
    """A lost one fails, an open one does not let pass."""
    assert Marks((GOOD, gate), ((MET, finding),), 0.5).ruling is ruling


def test_a_lost_gate_fails_though_another_answer_is_missing() -> None:
    """No answer could change that."""
    assert Marks((GOOD, GATE), ((MISSING, UNMET),), 0.5).ruling is Ruling.FAILED


@pytest.mark.parametrize(
    ("degree", "standing"), [(0.75, Standing.HELD), (0.5, Standing.LOST), (1.0, Standing.HELD)]
)
def test_a_scale_counts_as_met_from_its_threshold_on(degree: float, standing: Standing) -> None:
    """Its own one, where it has one; that of the rubric, where not."""
    own = Criterion("own", "Deep.", scale=Scale(), threshold=0.75)
    other = Criterion("other", "Deep.", scale=Scale())
    found = (Finding("", degree),) * 2

    judged = Marks((own, other), (found,), 0.6)

    assert [judged.standing(0), judged.standing(1)] == [standing, standing]


def test_samples_are_averaged_and_their_variance_is_known() -> None:
    """Each sample is a whole sheet."""
    judged = Marks((Criterion("a", "A."), Criterion("b", "B.")), ((MET, MET), (MET, UNMET)), 0.7)

    assert judged.score == Bounds(0.75, 0.75)
    assert judged.variance == 0.125
    assert judged.ruling is Ruling.PASSED
    assert [judged.standing(0), judged.standing(1)] == [Standing.HELD, Standing.OPEN]


def test_an_answer_that_one_sample_misses_is_missing() -> None:
    """The others do not make up for it."""
    judged = Marks((Criterion("a", "A."),), ((MET,), (MISSING,), (MET,)), 0.5)

    assert judged.unanswered == ("a",)
    assert judged.ruling is Ruling.UNANSWERED


def test_the_variance_is_that_of_exact_scores() -> None:
    """One alone has none."""
    criteria = (Criterion("a", "A."),)

    assert Marks(criteria, ((MET,), (OPEN,)), 0.5).variance is None
    assert Marks(criteria, ((MET,), (OPEN,)), 0.5).score == Bounds(0.5, 1.0)


def test_a_sample_without_a_score_leaves_open_what_it_would_be() -> None:
    """It is not left out of the mean."""
    criteria = (Criterion("a", "A.", applies_when="There is one."),)

    assert Marks(criteria, ((MET,), (APART,)), 0.5).score == Bounds(0.5, 1.0)


@pytest.mark.parametrize(
    ("gates", "ruling"),
    [
        ((UNMET, UNMET, MET), Ruling.FAILED),
        ((UNMET, MET, MET), Ruling.PASSED),
        ((UNMET, MET, OPEN), Ruling.UNDECIDED),
        ((UNMET, MET), Ruling.UNDECIDED),
        ((UNMET, UNMET, MISSING), Ruling.FAILED),
    ],
)
def test_a_gate_is_lost_in_more_than_half_of_the_samples(
    gates: tuple[Finding, ...], ruling: Ruling
) -> None:
    """A tie leaves it open."""
    assert Marks((GOOD, GATE), tuple((MET, gate) for gate in gates), 0.5).ruling is ruling
