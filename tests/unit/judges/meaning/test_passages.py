from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_judge.judges.meaning.encoder import MAX_PIECES
from agent_judge.judges.meaning.passages import joined, parts, passages, sentences
from agent_judge.judges.meaning.wordpiece import vocabulary


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rains. It pours! Does it? Yes.", ["It rains.", "It pours!", "Does it?", "Yes."]),
        ("Dr. Krogh met J. Doe at 5 p.m. sharp.", ["Dr. Krogh met J. Doe at 5 p.m. sharp."]),
        ("It costs 4.6 million, e.g. more. Much.", ["It costs 4.6 million, e.g. more.", "Much."]),
        ('He said "No." Then he left.', ['He said "No."', "Then he left."]),
        ("Ends in 1884. 212 metres long.", ["Ends in 1884.", "212 metres long."]),
        ("- one item\n* another\n3. a third\n# Title", ["one item", "another", "a third", "Title"]),
        ("| a | b |\n| c | d |", ["a | b |", "c | d |"]),
        ("Wait... what? No", ["Wait... what?", "No"]),
        ("\n \n", []),
        ("", []),
    ],
)
def test_text_is_split_into_sentences(text: str, expected: list[str]) -> None:
    """At the marks that end one, and at lines, without the marks of lists."""
    assert list(sentences(text)) == expected


def test_a_line_that_was_only_wrapped_goes_on() -> None:
    """A long line without an end is joined with the next, a short one is not."""
    wrapped = "The retry decorator calls a function again when it raises one of\nthe listed ones."

    assert len(list(sentences(wrapped))) == 1
    assert len(list(sentences("Origin: Detroit\nDestination: Houston"))) == 2


@given(st.text("ab .!?\n-#1\"'(é", max_size=80))
def test_no_character_of_a_sentence_is_lost(text: str) -> None:
    """Only white space and marks of lists are left out."""
    kept = "".join("".join(sentences(text)).split())

    assert [char for char in kept if char in "abé"] == [char for char in text if char in "abé"]


def test_a_long_text_is_parted_between_words() -> None:
    """The parts are of about equal size, and nothing is cut off."""
    text = "unbelievably antidisestablishmentarian thoughts " * 200
    words = [piece for word in vocabulary().words(text) for piece in word]

    found = parts(text)

    assert [piece for part in found for piece in part] == words
    assert max(map(len, found)) <= MAX_PIECES
    assert min(map(len, found)) > MAX_PIECES / 2
    assert not any(vocabulary().numbers["##dis"] == part[0] for part in found)


@given(st.lists(st.sampled_from(["a", "x" * 100, "antidisestablishmentarianism"]), max_size=700))
@settings(max_examples=25)
def test_parts_are_never_longer_than_the_encoder_sees(words: list[str]) -> None:
    """Whatever the words are."""
    text = " ".join(words)

    assert all(0 < len(part) <= MAX_PIECES for part in parts(text))
    assert sum(map(len, parts(text))) == sum(map(len, vocabulary().words(text)))


def test_a_word_that_would_not_fit_begins_the_next_part() -> None:
    """Also where the parts would otherwise be as long as can be."""
    word = "antidisestablishmentarianism"
    (long,) = vocabulary().words(word)
    text = f"{'a ' * (MAX_PIECES - 1)}{word}{' a' * (MAX_PIECES + 1 - len(long))}"

    assert len(long) > 2
    assert next(map(len, parts(text))) == MAX_PIECES - 1
    assert max(map(len, parts(text))) <= MAX_PIECES


def test_parts_of_a_long_sentence_are_marked() -> None:
    """So that a judgment can count them."""
    (short,) = passages("A short one.")
    long = passages("word " * 600)

    assert not short.is_part
    assert len(long) == 3
    assert all(part.is_part for part in long)


def test_sentences_of_few_words_are_joined_with_what_follows() -> None:
    """They are too little to compare with, and not lost either."""
    texts = [passage.text for passage in joined("Yes. No. The bridge is open to trains today. So.")]

    assert texts == ["Yes. No. The bridge is open to trains today.", "So."]
