from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

from agent_judge.judges.meaning.wordpiece import MAX_WORD, vocabulary

VOCABULARY = files("agent_judge.judges.meaning").joinpath("vocabulary.txt")
ROOT = Path(__file__).resolve().parents[4]


def pieces(text: str) -> list[int]:
    """The pieces of a text."""
    return [piece for word in vocabulary().words(text) for piece in word]


@lru_cache(maxsize=1)
def reference() -> Any:
    """The splitting that the encoder was trained with, by the library that trained it."""
    return BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)


def expected(text: str) -> list[int]:
    """The pieces that the encoder was trained on."""
    found: list[int] = reference().encode(text, add_special_tokens=False).ids
    return found


@pytest.mark.parametrize(
    "text",
    [
        "The quick brown fox doesn't jump over 1,234.5 lazy dogs.",
        "Crème brûlée, ÅNGSTRÖM and naïveté: İstanbul?",
        "def parse(text): return {k: v for k, v in text.split('=')}",
        "unaffable tokenisation of antidisestablishmentarianism",
        "中文 and 日本語 within English",
        "tabs\tand\nlines\r\nand\u00a0spaces\u2003too",
        "x" * MAX_WORD + " " + "x" * (MAX_WORD + 1),
        "zero\u200bwidth, \x00 nul, \ufffd and \x1d control",
        "$5 + 3% ~ `code` ^_^ “quoted” — dash…",
        "",
    ],
)
def test_text_is_split_as_the_encoder_was_trained(text: str) -> None:
    """Piece by piece as the reference does it."""
    assert pieces(text) == expected(text)


@given(st.text(st.characters(max_codepoint=0x6FF, exclude_categories=["Cs", "Cn"]), max_size=40))
def test_any_text_is_split_as_the_encoder_was_trained(text: str) -> None:
    """Letters, marks and signs of European and Arabic scripts, in every order."""
    assert pieces(text) == expected(text)


def test_words_stay_together() -> None:
    """A long text is parted between words, so it must be known where they end."""
    inner = {vocabulary().numbers[piece] for piece in vocabulary().numbers if piece[:2] == "##"}

    for word in vocabulary().words("unbelievably tokenised antidisestablishmentarianism"):
        assert word[0] not in inner
        assert set(word[1:]) <= inner


def test_the_notice_names_the_vocabulary_that_is_shipped() -> None:
    """It is the published one, unchanged, and its source and licence are stated."""
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")

    assert sha256(VOCABULARY.read_bytes()).hexdigest() in notice
    assert "Apache License" in notice
    assert len(vocabulary().numbers) == 30_522
