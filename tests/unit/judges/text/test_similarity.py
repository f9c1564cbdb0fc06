from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, NumericalScore, ReasonCode, evaluate
from agent_judge.errors import ArgumentError
from agent_judge.judges.text import BleuJudge, ChrfJudge, TextSimilarityJudge, ngrams
from agent_judge.judges.text.similarity import MAX_TEXT

METRICS = ["levenshtein", "indel", "jaro_winkler", "token_sort", "token_set"]


def similarity(output: str, expected: str, **options: str) -> float:
    """How alike two texts are."""
    judge = TextSimilarityJudge(expected, threshold=0, **options)  # type: ignore[arg-type]
    score = evaluate(judge, JudgmentContext(output=output)).score
    assert isinstance(score, NumericalScore)
    return score.value


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("levenshtein", 1 - 3 / 7),
        ("indel", 1 - 5 / 13),
        ("jaro_winkler", 0.746),
        ("token_sort", 1 - 5 / 13),
        ("token_set", 1 - 5 / 13),
    ],
)
def test_each_metric_is_what_its_name_says(metric: str, value: float) -> None:
    """Kitten and sitting, as every textbook has them."""
    assert similarity("sitting", "kitten", metric=metric) == pytest.approx(value, abs=5e-4)


def test_the_order_of_words_can_be_left_out() -> None:
    """Token metrics compare words, not where they stand."""
    assert similarity("b c a", "a b c", metric="token_sort") == 1
    assert similarity("a a b c d", "b a", metric="token_set") == 1
    assert similarity("a a b c d", "b a", metric="token_sort") < 1


@pytest.mark.parametrize("metric", METRICS)
@given(output=st.text(max_size=12), expected=st.text("ab c", min_size=1, max_size=12))
def test_a_similarity_is_a_share_and_full_for_the_same(
    metric: str, output: str, expected: str
) -> None:
    """Whatever the texts are."""
    if expected.strip():
        assert 0 <= similarity(output, expected, metric=metric) <= 1
        assert similarity(expected, expected, metric=metric) == 1


@pytest.mark.parametrize("metric", METRICS)
def test_an_empty_output_is_like_nothing(metric: str) -> None:
    """It is an output, and scores zero."""
    assert similarity("", "text", metric=metric) == 0


def test_the_mark_is_reached_or_not_and_recorded() -> None:
    """A similarity equal to the threshold passes."""
    judge = TextSimilarityJudge(threshold=0.5)

    judgment = evaluate(judge, JudgmentContext(output="ab", expected="ac"))
    below = evaluate(judge, JudgmentContext(output="xy", expected="ac"))

    assert judgment.passed
    assert judgment.evidence["threshold"] == 0.5
    assert judgment.metadata["metric"] == "levenshtein"
    assert [check.name for check in below.failed_checks] == ["levenshtein"]


def test_differences_are_ignored_by_name() -> None:
    """As when texts are compared for equality."""
    assert similarity("CAFE\u0301 ", "caf\u00e9") < 1
    assert (
        similarity("CAFE\u0301 ", "caf\u00e9", case="ignore", whitespace="trim", unicode="NFC") == 1
    )


def test_texts_that_are_too_long_are_not_compared() -> None:
    """The time grows with the product of the lengths."""
    judge = TextSimilarityJudge("a", threshold=0.5)

    judgment = evaluate(judge, JudgmentContext(output="a" * (MAX_TEXT + 1)))

    assert judgment.code is ReasonCode.TOO_LARGE


def test_an_unknown_metric_is_refused() -> None:
    """The message lists those that there are."""
    with pytest.raises(ArgumentError, match="metric must be one of 'levenshtein'"):
        TextSimilarityJudge("a", threshold=0.5, metric="cosine")  # type: ignore[arg-type]


@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge])
@pytest.mark.parametrize("text", ["one", "the same words in the same order"])
def test_the_reference_itself_scores_full(judge: type[BleuJudge], text: str) -> None:
    """A hundred points, not a rounding error more."""
    score = evaluate(judge(text, threshold=1), JudgmentContext(output=text)).score

    assert score == NumericalScore(100.0, 0, 100)


@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge])
def test_the_best_of_several_references_counts(judge: type[BleuJudge]) -> None:
    """They may come from the context."""
    context = JudgmentContext(output="a b c d", expected=["x y z", "a b c d"])

    judgment = evaluate(judge(threshold=1), context)

    assert judgment.passed
    assert judgment.metadata["references"] == 2


@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge])
def test_nothing_in_common_scores_zero(judge: type[BleuJudge]) -> None:
    """So does an empty output."""
    for output in ("", "zzz"):
        judgment = evaluate(judge("a b c d", threshold=0.1), JudgmentContext(output=output))

        assert judgment.score == NumericalScore(0.0, 0, 100)
        assert judgment.failed_checks


def test_the_signature_says_how_it_was_computed() -> None:
    """Scores of different signatures cannot be compared."""
    context = JudgmentContext(output="the cat")

    bleu = evaluate(BleuJudge("The cat", threshold=0, case="ignore", tokenize="char"), context)
    chrf = evaluate(ChrfJudge("The cat", threshold=0, word_order=2), context)

    assert "case:lc|eff:yes|tok:char|smooth:exp|version:" in str(bleu.metadata["signature"])
    assert "case:mixed|eff:yes|nc:6|nw:2|space:no|version:" in str(chrf.metadata["signature"])
    assert chrf.reasoning.startswith("chrF2++ is ")


@pytest.mark.parametrize("tokenize", ["flores200", "spm", "ja-mecab", "13A"])
def test_a_tokenizer_that_would_be_downloaded_is_refused(tokenize: str) -> None:
    """Judging never opens a connection."""
    with pytest.raises(ArgumentError, match="tokenize must be one of"):
        BleuJudge("a", threshold=0.5, tokenize=tokenize)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", [3, -1, True, "2"])
def test_the_order_of_words_is_bounded(order: object) -> None:
    """Up to two words count together, as in chrF++."""
    with pytest.raises(ArgumentError, match="word_order must be 0, 1 or 2"):
        ChrfJudge("a", threshold=0.5, word_order=order)  # type: ignore[arg-type]


@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge])
def test_books_are_not_compared(judge: type[BleuJudge]) -> None:
    """The time it takes is bounded."""
    context = JudgmentContext(output="a" * (ngrams.MAX_TEXT + 1))

    assert evaluate(judge("a", threshold=0.5), context).code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize(
    ("judge", "package", "extra"),
    [
        (TextSimilarityJudge, "rapidfuzz.distance.Levenshtein", "text"),
        (BleuJudge, "sacrebleu.metrics", "metrics"),
        (ChrfJudge, "sacrebleu.metrics", "metrics"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    judge: type[BleuJudge], package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge errs; it does not compare in another way."""
    monkeypatch.setitem(sys.modules, package, None)
    ngrams._bleu.cache_clear()
    ngrams._chrf.cache_clear()

    judgment = evaluate(judge("a", threshold=0.5), JudgmentContext(output="a"))

    assert judgment.code is ReasonCode.MISSING_EXTRA
    assert f"pip install 'agent-judge[{extra}]'" in judgment.reasoning
