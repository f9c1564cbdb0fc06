"""Hand-written pairs of every language: what must be equal, and what must not be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges import compare

FOLDER = Path(__file__).parent / "pairs"
JUDGES = {
    "c": compare.CSemanticJudge,
    "cpp": compare.CppSemanticJudge,
    "go": compare.GoSemanticJudge,
    "ini": compare.IniSemanticJudge,
    "javascript": compare.JavaScriptSemanticJudge,
    "properties": compare.PropertiesSemanticJudge,
    "rust": compare.RustSemanticJudge,
    "sql": compare.SqlSemanticJudge,
    "toml": compare.TomlSemanticJudge,
    "typescript": compare.TypeScriptSemanticJudge,
}
CHOICE = re.compile("«([^«»¦]*)¦([^«»¦]*)»")


class Pair(NamedTuple):
    """Two texts, and whether they are the same."""

    language: str
    equal: bool
    reference: str
    candidate: str


def read_pairs(language: str) -> Iterator[Pair]:
    """The pairs of a file: in each line «reference¦candidate», with ⏎ for line ends."""
    equal = True
    for line in (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            equal = line == "== equal"
        elif line and not line.startswith("# A pair"):
            sides = (CHOICE.sub(side, line).replace("⏎", "\n") for side in (r"\1", r"\2"))
            reference, candidate = (text.replace("\\r\n", "\r\n") for text in sides)
            yield Pair(language, equal, reference, candidate)


PAIRS = [pair for language in JUDGES for pair in read_pairs(language)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.language}-{pair.candidate}")
def test_a_pair_is_what_it_is_said_to_be(pair: Pair) -> None:
    """Equal where only the writing differs, different otherwise.

    (contract: judges:D1, judges:D2, judges:D4)
    """
    judge = JUDGES[pair.language]()

    judgment = judge(JudgmentContext(output=pair.candidate, expected=pair.reference))

    assert judgment.status is (Status.PASS if pair.equal else Status.FAIL), judgment.reasoning
    assert "does not parse" not in judgment.reasoning


@pytest.mark.parametrize("language", JUDGES)
def test_there_are_enough_pairs_of_each_language(language: str) -> None:
    """At least thirty that are equal and thirty that are not, and none whose sides are the same."""
    pairs = list(read_pairs(language))

    assert sum(pair.equal for pair in pairs) >= 30
    assert sum(not pair.equal for pair in pairs) >= 30
    assert [pair for pair in pairs if pair.reference == pair.candidate] == []
