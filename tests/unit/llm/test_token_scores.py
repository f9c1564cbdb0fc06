from __future__ import annotations

from collections.abc import Sequence
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.llm.token_scores import ScoreDistribution, Unusable, read_distribution
from agent_judge.models import TokenLogprob

TEN = range(11)


def token(text: str, probability: float = 1.0, **others: float) -> TokenLogprob:
    """A token, and those that might have stood in its place by their texts."""
    seen = {text: probability, **others}
    return TokenLogprob(
        text, log(probability), tuple(TokenLogprob(one, log(share)) for one, share in seen.items())
    )


def spelled(
    *score: TokenLogprob, before: str = '{"reason": "So.", "score": '
) -> list[TokenLogprob]:
    """The tokens of a reply with this score."""
    return [token(before), *score, token("}")]


def found(
    tokens: Sequence[TokenLogprob] | None, written: float, scores: range = TEN
) -> dict[str, float] | str:
    """The probabilities of the scores, rounded, or why there are none."""
    read = read_distribution(tokens, "score", scores, written)
    if isinstance(read, Unusable):
        return read.reason
    return {score: round(share, 6) for score, share in read.probabilities.items()}


def test_each_alternative_counts_for_the_score_that_it_spells() -> None:
    """What spells none counts for none."""
    tokens = spelled(token("8", 0.5, **{"9": 0.3, " 7": 0.1, "high": 0.05, "11": 0.05}))

    assert found(tokens, 8) == {"8": 0.5, "9": 0.3, "7": 0.1}


def test_the_expectation_is_over_the_mass_that_was_captured() -> None:
    """As in arXiv 2303.16634, where all of it is captured."""
    read = read_distribution(spelled(token("4", 0.6, **{"2": 0.2, "x": 0.2})), "score", TEN, 4)

    assert isinstance(read, ScoreDistribution)
    assert read.mass == pytest.approx(0.8)
    assert read.expectation == pytest.approx(3.5)


def test_ten_in_two_tokens_is_ten() -> None:
    """Neither one nor nought, nor the mean of both. (contract: cases:D11)"""
    tokens = spelled(token("1", 0.9, **{"9": 0.1}), token("0", 0.95, **{"}": 0.05}))

    assert found(tokens, 10) == {"9": 0.1, "1": 0.045, "10": 0.855}


def test_one_that_might_have_become_ten_is_split() -> None:
    """By what might have come after it. (contract: cases:D11)"""
    tokens = [token('{"score": '), token("1", 0.9, **{"2": 0.1}), token("}", 0.7, **{"0": 0.3})]

    assert found(tokens, 1) == {"2": 0.1, "1": 0.63, "10": 0.27}


def test_an_alternative_that_might_have_gone_on_counts_for_none() -> None:
    """Whether `1` would have become 10 is not known."""
    assert found(spelled(token("8", 0.6, **{"1": 0.4})), 8) == {"8": 0.6}


def test_it_counts_where_the_tokenizer_shows_that_it_keeps_digits_together() -> None:
    """Then 10 would have been a token of its own."""
    assert found(spelled(token("8", 0.6, **{"1": 0.3, "10": 0.1})), 8) == {
        "8": 0.6,
        "1": 0.3,
        "10": 0.1,
    }
    assert found(spelled(token("10", 0.6, **{"1": 0.4})), 10) == {"10": 0.6, "1": 0.4}


def test_an_alternative_that_ends_with_its_token_counts() -> None:
    """It cannot have gone on."""
    assert found(spelled(token("8", 0.6, **{"1}": 0.3, "1,": 0.1})), 8) == {"8": 0.6, "1": 0.4}


@pytest.mark.parametrize("other", ["8.", "8.5", "8e", "80", "08", "-8", "+8", "eight", "", " "])
def test_what_is_no_whole_number_on_the_scale_counts_for_none(other: str) -> None:
    """A decimal point may follow within the token."""
    assert found(spelled(token("7", 0.6, **{other: 0.4})), 7) == {"7": 0.6}


def test_a_hundred_in_three_tokens_is_a_hundred() -> None:
    """Each place is walked."""
    scores = range(101)
    tokens = spelled(
        token("1", 0.8, **{"9": 0.2}), token("0", 0.5, **{"5": 0.5}), token("0", 0.5, **{"}": 0.5})
    )

    assert found(tokens, 100, scores) == {"15": 0.4, "10": 0.2, "100": 0.2}


def test_an_end_that_is_not_seen_counts_for_none() -> None:
    """Where the reply ends with the digit itself."""
    tokens = [token('{"score": '), token("1", 0.9), token("}", 0.5)]

    assert found(tokens, 1) == {"1": 0.45}


@pytest.mark.parametrize(
    "tokens",
    [
        [token('{"score'), token('":'), token(" 4", 0.6, **{" 5": 0.4}), token("}")],
        [token('{"score"'), token(": 4", 0.6, **{": 5": 0.4}), token("}")],
        [token('{"score":'), token(" 4", 0.6, **{"5": 0.4}), token("}")],
        [
            token('{"score": ', 0.9, **{'{"score": 3': 0.1}),
            token("4", 0.6, **{"5": 0.4}),
            token("}"),
        ],
        [token('{"score":'), token(" "), token("4}", 0.6, **{"5}": 0.4})],
        [token('{"score": "'), token("4", 0.6, **{"5": 0.4}), token('"}')],
        [token('{"score": '), token('"4', 0.6, **{'"5': 0.4}), token('"}')],
        [token('```json\n{"Score":\n'), token("4", 0.6, **{"5": 0.4}), token("\n}\n```")],
        [token('{"score": '), token("4", 0.6, **{"5": 0.4}), token("}"), token("<|im_end|>")],
        [
            token("<think>4?</think>"),
            token('{"score": '),
            token("4", 0.6, **{"5": 0.4}),
            token("}"),
        ],
    ],
)
def test_the_score_is_found_wherever_its_tokens_begin(tokens: list[TokenLogprob]) -> None:
    """Tokens end where they like."""
    assert found(tokens, 4) == {"4": 0.6, "5": 0.4}


def test_an_alternative_has_to_begin_as_the_token_does() -> None:
    """Or it stands for something else than the score."""
    tokens = [token('{"score"'), token(": 4", 0.6, **{"5": 0.2, ", 5": 0.2}), token("}")]

    assert found(tokens, 4) == {"4": 0.6}


@pytest.mark.parametrize(
    ("tokens", "written", "said"),
    [
        (None, 4, "gave no probabilities"),
        ((), 4, "gave no probabilities"),
        (spelled(token("4")), 5, "do not spell the score"),
        (spelled(token("4.5")), 4.5, "no whole number on the scale"),
        (spelled(token("11")), 11, "no whole number on the scale"),
        (spelled(token("4.0")), 4, "do not spell the score"),
        (spelled(token("4"), token("/5")), 4, "not spell a reply"),
        ([token("Score: 4")], 4, "not spell a reply"),
        ([token('{"points": 4}')], 4, "do not spell one score"),
        ([token('{"score": 4, "old": {"score": 3}}')], 4, "do not spell one score"),
        ([token('{"score": 4'), token("}"), token("}")], 4, "not spell a reply"),
        (spelled(TokenLogprob("4", 0.5)), 4, "greater than one"),
        (spelled(TokenLogprob("4", 5000.0)), 4, "greater than one"),
        (spelled(token("4", 0.9, **{"5": 0.9})), 4, "add up to more than one"),
        (spelled(TokenLogprob("4", -9999.0)), 4, "no probability can be told"),
    ],
)
def test_probabilities_that_say_nothing_of_the_score_are_not_used(
    tokens: Sequence[TokenLogprob] | None, written: float, said: str
) -> None:
    """Never silently. (contract: judges:P22, cases:D11)"""
    reason = found(tokens, written)

    assert isinstance(reason, str)
    assert said in reason


def test_a_score_in_the_reason_is_not_taken_for_the_score() -> None:
    """It is a quotation there."""
    before = '{"reason": "It claims \\"score\\": 9.", "score": '

    assert found(spelled(token("4", 0.6, **{"5": 0.4}), before=before), 4) == {"4": 0.6, "5": 0.4}


SHARES = st.dictionaries(st.integers(0, 100), st.floats(0.001, 1), min_size=1, max_size=12)


@given(SHARES, st.data())
def test_tokens_of_single_digits_give_the_distribution_that_they_were_made_of(
    shares: dict[int, float], data: st.DataObject
) -> None:
    """Whatever was written: each score that could be seen has its share, and no other has one."""
    total = sum(shares.values())
    names = {str(score): share / total for score, share in shares.items()}
    written = data.draw(st.sampled_from(sorted(names)))
    tokens = [token('{"score": '), *_digit_by_digit(written, names)]

    read = read_distribution(tokens, "score", range(101), int(written))

    if isinstance(read, Unusable):
        assert "no probability" in read.reason
        return
    assert read.probabilities[written] == pytest.approx(names[written])
    for score, share in read.probabilities.items():
        assert share <= names[score] + 1e-9
    assert 0 <= read.expectation <= 100


def _digit_by_digit(written: str, names: dict[str, float]) -> list[TokenLogprob]:
    """The tokens of a tokenizer that writes each digit apart, for a distribution of scores."""
    tokens: list[TokenLogprob] = []
    for length in range(len(written) + 1):
        prefix = written[:length]
        going_on = {name: share for name, share in names.items() if name.startswith(prefix)}
        total = sum(going_on.values())
        nexts: dict[str, float] = {}
        for name, share in going_on.items():
            step = name[length] if len(name) > length else "}"
            nexts[step] = nexts.get(step, 0.0) + share / total
        chosen = written[length] if len(written) > length else "}"
        tokens.append(token(chosen, nexts.pop(chosen), **nexts))
    return tokens
