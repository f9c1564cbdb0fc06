from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import (
    Judgment,
    JudgmentContext,
    Jury,
    Majority,
    ReasonCode,
    Status,
    Usage,
    aevaluate,
    evaluate,
)
from agent_judge.combinators import negate, with_timeout
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import HOLLOW, Check, with_evidence
from agent_judge.llm import CorrectnessJudge, Criterion, RubricJudge, SampledJudge
from agent_judge.llm.hearing import current_sample
from agent_judge.llm.samples import Samples
from agent_judge.models import CachedModel, FinishReason, ModelResponse
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.scores import CategoricalScore
from agent_judge.testing import (
    BlockingJudge,
    HangingJudge,
    Reply,
    ScriptedJudge,
    ScriptedModel,
    a_context,
    passing,
)

PASS, FAIL = Judgment.passing("yes"), Judgment.failing("no")
ABSTAIN = Judgment.abstaining("hm")
ERROR = Judgment.erring("late", ReasonCode.TIMEOUT)
APART = Judgment.not_applicable("no code")
SHORT = {"P": PASS, "F": FAIL, "A": ABSTAIN, "E": ERROR, "N": APART}


def scored(value: float, threshold: float = 0.5) -> Judgment:
    """A sample with a score."""
    return Judgment.scored(value, threshold=threshold, reasoning=f"{value}")


def judged(answers: str | Sequence[Judgment], **options: Any) -> Judgment:
    """What samples that give these answers find together."""
    given = [SHORT[one] if isinstance(one, str) else one for one in answers]
    told: dict[str, Any] = {"samples": len(given), **options}
    return evaluate(SampledJudge(ScriptedJudge(given), **told), a_context())


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        ("PPPPP", Status.PASS),
        ("PPPFF", Status.PASS),
        ("FFPFP", Status.FAIL),
        ("PPFF", Status.ABSTAIN),
        ("PF", Status.ABSTAIN),
        ("PAAAA", Status.ABSTAIN),
        ("PPAAF", Status.ABSTAIN),
        ("PPPAA", Status.PASS),
        ("NNN", Status.NOT_APPLICABLE),
        ("NNP", Status.NOT_APPLICABLE),
        ("NPF", Status.ABSTAIN),
        ("AAA", Status.ABSTAIN),
    ],
)
def test_more_than_half_of_the_samples_decide(answers: str, status: Status) -> None:
    """A tie abstains, and who abstains counts for none."""
    assert judged(answers).status is status


@pytest.mark.parametrize(
    ("answers", "certain", "any_"),
    [
        ("PPPEE", Status.PASS, Status.ERROR),
        ("PPEEF", Status.ERROR, Status.ERROR),
        ("PPEFF", Status.ERROR, Status.ERROR),
        ("PAAFE", Status.ABSTAIN, Status.ERROR),
        ("FFFEE", Status.FAIL, Status.ERROR),
        ("EEEEE", Status.ERROR, Status.ERROR),
        ("AE", Status.ABSTAIN, Status.ERROR),
        ("EEA", Status.ERROR, Status.ERROR),
    ],
)
def test_errors_count_where_they_could_have_changed_the_outcome(
    answers: str, certain: Status, any_: Status
) -> None:
    """Or always, where that is wanted."""
    assert judged(answers).status is certain
    assert judged(answers, errors="any").status is any_


@given(st.lists(st.sampled_from("PFAEN"), min_size=1, max_size=7))
def test_a_finding_stands_whatever_the_errors_would_have_been(answers: list[str]) -> None:
    """None of them is left out of the count."""
    before = Samples([SHORT[one] for one in answers]).judgment().status

    for instead in "PFAN":
        turned = [SHORT[instead if one == "E" else one] for one in answers]
        if before in (Status.PASS, Status.FAIL, Status.NOT_APPLICABLE):
            assert Samples(turned).judgment().status is before


@given(st.permutations("PPFFAEN"), st.sampled_from([None, 0.3, 0.5]))
def test_the_order_of_the_samples_does_not_matter(
    answers: list[str], threshold: float | None
) -> None:
    """For the status."""
    ordered = [SHORT[one] for one in "PPFFAEN"]
    shuffled = [SHORT[one] for one in answers]

    statuses = {Samples(of, threshold).judgment().status for of in (ordered, shuffled)}

    assert len(statuses) == 1


def test_an_error_says_what_the_first_one_said() -> None:
    """With its code."""
    judgment = judged("PE")

    assert judgment.code is ReasonCode.TIMEOUT
    assert judgment.reasoning == "2 samples: 1 pass, 1 error. late"


def test_every_sample_is_kept() -> None:
    """What it said, its score, its code and its evidence. (contract: judges:P19)"""
    judgment = judged([scored(0.75), scored(0.25), ERROR, scored(1.0), scored(0.75)])

    assert judgment.evidence["counts"] == {"pass": 3, "fail": 1, "error": 1}
    samples: Any = judgment.evidence["samples"]
    assert judgment.evidence["wanted"] == 5
    assert [one["status"] for one in samples] == ["pass", "fail", "error", "pass", "pass"]
    assert samples[0]["score"] == 0.75
    assert samples[0]["evidence"]["threshold"] == 0.5
    assert samples[2]["code"] == "timeout"


def test_the_spread_of_the_scores_is_recorded() -> None:
    """Their mean is the score. (contract: judges:P19)"""
    judgment = judged([scored(0.75), scored(0.25), scored(1.0)])

    assert judgment.effective_score == pytest.approx(2 / 3)
    assert judgment.evidence["range"] == (0.25, 1.0)
    assert judgment.evidence["variance"] == pytest.approx(0.145833, abs=1e-6)
    assert judgment.reasoning == ("3 samples: 2 pass, 1 fail; the mean score is 0.6667. 0.75")


def test_a_mean_over_some_samples_is_no_score() -> None:
    """It is told how many they are."""
    judgment = judged([scored(0.75), PASS, scored(1.0)])

    assert judgment.score is None
    assert "the mean score is 0.875 over 2 of them" in judgment.reasoning


def test_checks_are_kept_under_the_number_of_their_sample() -> None:
    """Those that disagree with the outcome inform only."""
    failed = Judgment.failing("no", checks=[Check("tests", False, "none")])

    judgment = judged([PASS, failed, PASS])

    assert [(check.name, check.passed, check.advisory) for check in judgment.checks] == [
        ("sample 1", True, False),
        ("sample 2: tests", False, True),
        ("sample 3", True, False),
    ]


def test_usage_is_added_up() -> None:
    """What one does not report is unknown."""
    cheap = Judgment.passing("yes", usage=Usage(calls=1, cost=0.5))

    judgment = judged([cheap, cheap])

    assert judgment.usage == Usage(calls=2, cost=1.0)


def test_a_label_that_all_of_them_share_is_kept() -> None:
    """Another one is none of the whole."""
    good, fine = Judgment.passing("", label="good"), Judgment.passing("", label="fine")

    assert judged([good, FAIL, good]).label == "good"
    assert judged([good, fine]).label is None


@pytest.mark.parametrize(
    ("scores", "threshold", "status"),
    [
        ([0.6, 0.9, 0.9], 0.8, Status.PASS),
        ([0.6, 0.9, 0.8], 0.8, Status.FAIL),
        ([0.7, 0.7, 0.7], 0.7, Status.PASS),
        ([1.0, 1.0, ABSTAIN], 0.6, Status.PASS),
        ([1.0, 1.0, ABSTAIN], 0.7, Status.ABSTAIN),
        ([0.0, 0.2, ABSTAIN], 0.5, Status.FAIL),
        ([1.0, 1.0, ERROR], 0.6, Status.PASS),
        ([1.0, 1.0, ERROR], 0.7, Status.ERROR),
        ([1.0, ABSTAIN, ABSTAIN, ERROR], 0.9, Status.ERROR),
        ([1.0, 0.9, ABSTAIN, ABSTAIN, ERROR], 0.7, Status.ABSTAIN),
        ([PASS, FAIL], 0.5, Status.PASS),
        ([ABSTAIN, ABSTAIN], 0.0, Status.ABSTAIN),
        ([ERROR, ERROR], 0.0, Status.ERROR),
        ([APART, APART, 1.0], 0.5, Status.NOT_APPLICABLE),
    ],
)
def test_with_a_threshold_the_mean_decides(
    scores: list[Any], threshold: float, status: Status
) -> None:
    """By both of its bounds, where some samples have no score."""
    answers = [one if isinstance(one, Judgment) else scored(one) for one in scores]

    assert judged(answers, threshold=threshold).status is status


def test_a_category_without_a_number_may_have_any_score() -> None:
    """It is no nought."""
    fair = Judgment.passing("", score=CategoricalScore("fair", ("good", "fair")))

    judgment = judged([scored(1.0), fair], threshold=0.6)

    assert judgment.status is Status.ABSTAIN
    assert judgment.evidence["bounds"] == (0.5, 1.0)


def test_each_sample_is_a_reply_of_its_own(tmp_path: Path) -> None:
    """Also where they are kept: five are replayed as five. (contract: judges:P19, judges:P20)"""
    verdicts = ["correct", "incorrect", "correct", "incorrect", "correct"]
    script = ScriptedModel([{"reason": "So.", "verdict": verdict} for verdict in verdicts])
    model = CachedModel(script, tmp_path / "c.sqlite", identity="script")
    judge = SampledJudge(CorrectnessJudge(model), 5)

    async def ask_twice() -> list[Judgment]:
        async with model:
            return [await aevaluate(judge, a_context()) for _ in range(2)]

    first, second = asyncio.run(ask_twice())

    assert len(script.requests) == 5
    for judgment in (first, second):
        assert judgment.evidence["counts"] == {"pass": 3, "fail": 2}
    kept, replayed = (
        [one["status"] for one in judgment.evidence["samples"]]  # type: ignore[call-overload, index, union-attr]
        for judgment in (first, second)
    )
    assert kept == replayed
    assert second.usage is not None
    assert second.usage.calls == 0


def test_samples_are_asked_at_once_or_a_few_at_a_time() -> None:
    """Each knows which one it is."""
    indices: list[tuple[int, ...]] = []
    under_way = most = 0

    async def slow(_context: JudgmentContext) -> Judgment:
        nonlocal under_way, most
        indices.append(current_sample())
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return PASS

    evaluate(SampledJudge(slow, 5), a_context())
    assert (most, sorted(indices)) == (5, [(0,), (1,), (2,), (3,), (4,)])

    most = 0
    evaluate(SampledJudge(slow, 5, concurrency=2), a_context())
    assert most == 2


def test_a_judge_that_blocks_knows_its_sample_too() -> None:
    """In its worker thread."""
    indices: list[tuple[int, ...]] = []

    def block(_context: JudgmentContext) -> Judgment:
        indices.append(current_sample())
        return PASS

    evaluate(SampledJudge(block, 3), a_context())

    assert sorted(indices) == [(0,), (1,), (2,)]
    assert current_sample() == ()


@pytest.mark.parametrize(
    ("answers", "stop", "asked"),
    [
        ("PP", 0.9, 2),
        ("PPP", 0.96, 3),
        ("PPP", 1.0, 3),
        ("PFPP", 0.9, 4),
        ("FF", 0.9, 2),
        ("NN", 0.9, 2),
        ("PFPFP", 0.9, 5),
        ("AAAAA", 0.9, 5),
        ("EPPP", 0.9, 4),
    ],
)
def test_no_more_are_asked_than_needed(answers: str, stop: float, asked: int) -> None:
    """The script would refuse to be asked once more."""
    judge = ScriptedJudge([SHORT[one] for one in answers])

    judgment = evaluate(SampledJudge(judge, 5, stop=stop), a_context())

    assert judge.asked == asked
    assert judgment.evidence["wanted"] == 5
    assert len(judgment.evidence["samples"]) == asked  # type: ignore[arg-type]
    if asked < 5:
        assert judgment.evidence["chance_of_majority"] >= stop  # type: ignore[operator]
        assert judgment.status in (Status.PASS, Status.FAIL, Status.NOT_APPLICABLE)


def test_a_failure_made_of_errors_stays_one() -> None:
    """So that its negation passes over no error."""
    hollow = with_evidence(FAIL, {HOLLOW: True})
    judge = SampledJudge(ScriptedJudge([hollow, hollow, PASS] * 2), 3)

    assert evaluate(judge, a_context()).evidence[HOLLOW] is True
    assert evaluate(negate(judge), a_context()).status is Status.ABSTAIN


def test_a_failure_is_made_of_errors_only_where_all_of_it_is() -> None:
    """Not where one sample has a ground, nor where only the mean misses the mark."""
    hollow = with_evidence(FAIL, {HOLLOW: True})

    assert HOLLOW not in judged([hollow, FAIL]).evidence
    assert HOLLOW not in judged([hollow, PASS, PASS]).evidence
    assert HOLLOW not in judged([scored(0.6), scored(0.6)], threshold=0.9).evidence


def test_a_finding_has_no_code_of_the_samples_that_erred() -> None:
    """It is no error."""
    assert judged("PPE").code is None


def test_a_judge_without_a_loop_is_sampled_without_one() -> None:
    """It costs nothing but its calls."""
    judge = SampledJudge(passing())

    assert judge.metadata.cost is Cost.MEMORY
    with pytest.raises(StopIteration) as ended:
        judge.judge_in(Run(), a_context()).send(None)
    assert ended.value.value.status is Status.PASS


def test_a_sample_that_is_asked_alone_knows_its_index() -> None:
    """Also where the call moves to a loop meanwhile."""
    model = ScriptedModel([{"reason": "So.", "verdict": "correct"}] * 3)

    judgment = evaluate(SampledJudge(CorrectnessJudge(model), 3, concurrency=1), a_context())

    assert judgment.status is Status.PASS
    assert [request.cache_key["sample"] for request in model.requests] == [(0,), (1,), (2,)]


def test_what_is_known_of_the_judge_stays_known() -> None:
    """Its cost, its needs and its condition."""
    judge = CorrectnessJudge(ScriptedModel(["?"]))

    metadata = SampledJudge(judge).metadata

    assert metadata == JudgeMetadata(
        "SampledJudge", Cost.MODEL, "sampled", judge.metadata.needs, "1+1"
    )


def test_a_sampled_judge_sits_in_a_jury() -> None:
    """Beside others, from code that runs a loop and from code that does not."""
    replies: list[Reply] = [{"reason": "So.", "verdict": "correct"}] * 3
    jury = Jury([SampledJudge(CorrectnessJudge(ScriptedModel(replies)), 3), passing()], Majority())

    verdict = jury.vote(a_context())

    assert verdict.judgment.status is Status.PASS
    assert verdict.seats[0].judgment.evidence["counts"] == {"pass": 3}


def test_a_jury_can_be_sampled() -> None:
    """Its judges know which sample they are asked for."""
    replies: list[Reply] = [{"reason": "So.", "verdict": "correct"}] * 4
    model = ScriptedModel(replies)
    jury = Jury([CorrectnessJudge(model), CorrectnessJudge(model), passing()], Majority())

    judgment = evaluate(SampledJudge(jury, 2), a_context())

    assert judgment.status is Status.PASS
    assert sorted(str(request.cache_key["sample"]) for request in model.requests) == [
        "(0,)",
        "(0,)",
        "(1,)",
        "(1,)",
    ]


def test_a_deadline_ends_all_samples() -> None:
    """Each is cancelled, and cleans up."""
    judge = HangingJudge()

    judgment = evaluate(with_timeout(SampledJudge(judge, 3), 0.01), a_context())

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.TIMEOUT
    assert judge.cancelled.is_set()


def test_samples_of_samples_are_told_apart() -> None:
    """A sampled rubric in a sampled judge asks for each pair of indices."""
    model = ScriptedModel([{"reason": "So.", "quote": "", "finding": "met"}] * 4)
    rubric = RubricJudge((Criterion("a", "It is so."),), model, 0.5, samples=2)

    evaluate(SampledJudge(rubric, 2), a_context())

    keys = {str(request.cache_key["sample"]) for request in model.requests}
    assert keys == {"(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"}


def test_an_incomplete_reply_is_an_error_of_its_sample() -> None:
    """The others may be certain without it."""
    cut = ModelResponse("", finish_reason=FinishReason.LENGTH)
    right = {"reason": "So.", "verdict": "correct"}
    model = ScriptedModel([right, cut, right])

    judgment = evaluate(SampledJudge(CorrectnessJudge(model), 3), a_context())

    assert judgment.status is Status.PASS
    assert judgment.evidence["counts"] == {"pass": 2, "error": 1}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"samples": 1}, r"samples must be a whole number in 2..1000, got 1"),
        ({"samples": 2.0}, "samples"),
        ({"samples": 1_001}, "samples"),
        ({"threshold": 2}, "threshold must lie in 0..1"),
        ({"stop": 0.5}, "stop must lie above 0.5 and up to 1"),
        ({"stop": float("nan")}, "stop"),
        ({"stop": 0.9, "threshold": 0.5}, "leave one of them out"),
        ({"errors": "ignore"}, "errors must be one of"),
        ({"concurrency": 0}, "concurrency"),
    ],
)
def test_a_judge_that_cannot_be_meant_is_refused(changes: dict[str, Any], said: str) -> None:
    """When it is made."""
    with pytest.raises(ArgumentError, match=said):
        SampledJudge(passing(), **changes)


@pytest.mark.parametrize("judge", [3, BlockingJudge])
def test_what_is_no_judge_is_refused(judge: Any) -> None:
    """When it is made."""
    with pytest.raises(ArgumentTypeError):
        SampledJudge(judge)
