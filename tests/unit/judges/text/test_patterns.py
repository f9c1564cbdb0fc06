from __future__ import annotations

import re
import sys
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError, ArgumentTypeError, MissingExtraError
from agent_judge.judges.text import patterns
from agent_judge.judges.text.patterns import (
    MAX_PATTERN,
    Engine,
    Match,
    Pattern,
    PatternError,
    PatternTimeout,
    search,
)

ENGINES = pytest.mark.parametrize("engine", list(Engine))


def soon() -> float:
    """A deadline that only a hang can miss."""
    return monotonic() + 60


@given(
    st.sampled_from([r"\d+", "a|(b)", "(?P<x>.)$", "^", "(a)?(é)", "😀.", r"\s*"]),
    st.text("ab1é😀 \n\ud83d", max_size=12),
    st.sampled_from([0, re.IGNORECASE, re.MULTILINE | re.DOTALL, re.ASCII]),
)
def test_a_search_finds_what_the_module_re_finds(pattern: str, text: str, flags: int) -> None:
    """Whole match, groups and places are those of the standard library."""
    found = search(pattern, text, flags, soon())
    wanted = re.search(pattern, text, flags)

    assert (found is None) == (wanted is None)
    if found is not None and wanted is not None:
        assert (found.start, found.end) == wanted.span()
        assert found.groups == (wanted[0], *wanted.groups())


@ENGINES
def test_a_match_knows_its_groups(engine: Engine) -> None:
    """Named groups come with their numbers; one that takes no part is None."""
    pattern = Pattern(r"(?P<key>\w+)=(?:(\d+)|(?P<word>\w+))", engine=engine)

    assert pattern.find("a = b; size=large", soon()) == Match(
        7, 17, ("size=large", "size", None, "large"), {"key": 1, "word": 3}
    )


@ENGINES
def test_the_whole_text_may_have_to_match(engine: Engine) -> None:
    """Every alternative is tried before the text is said not to match."""
    whole = Pattern("a|ab", whole=True, engine=engine)

    assert whole.find("ab", soon()) == Match(0, 2, ("ab",))
    assert whole.find("abc", soon()) is None


@ENGINES
def test_flags_mean_the_same_to_both_engines(engine: Engine) -> None:
    """Each engine has its own numbers for the flags; those of `re` are given."""
    flags = re.IGNORECASE | re.ASCII | re.VERBOSE

    assert Pattern(r"Ä \w", flags, engine=engine).find("Äb", soon()) is not None
    assert Pattern(r"A \w", flags, engine=engine).find("aä", soon()) is None


@ENGINES
def test_endless_backtracking_is_stopped(engine: Engine) -> None:
    """The search ends at its deadline, and the next one works. (contract: judges:F9)"""
    with pytest.raises(PatternTimeout):
        Pattern("(a|aa)+$", engine=engine).find("a" * 100 + "b", monotonic() + 0.2)

    assert Pattern("b", engine=engine).find("ab", soon()) is not None


@ENGINES
def test_no_search_begins_after_its_deadline(engine: Engine) -> None:
    """What could not be searched is not said to have no match."""
    with pytest.raises(PatternTimeout):
        Pattern("a", engine=engine).find("a", monotonic() - 1)


@ENGINES
@pytest.mark.parametrize("pattern", ["(", "[z-a]", "a{2,1}", r"\8", "*"])
def test_what_is_no_regular_expression_is_refused(engine: Engine, pattern: str) -> None:
    """When it is built, not when it is first searched for. (contract: judges:F8)"""
    with pytest.raises(ArgumentError, match="is not a regular expression"):
        Pattern(pattern, engine=engine)


def test_a_pattern_that_nests_too_deep_is_refused() -> None:
    """The parser of `re` would exhaust the stack on it."""
    with pytest.raises(ArgumentError, match="is not a regular expression"):
        Pattern("(" * 4000 + ")" * 4000)


def test_a_pattern_has_a_greatest_length() -> None:
    """Compiling takes time and memory too."""
    with pytest.raises(ArgumentError, match="at most"):
        Pattern("a" * (MAX_PATTERN + 1))


def test_a_flag_that_would_print_or_change_the_dialect_is_refused() -> None:
    """DEBUG writes to the terminal."""
    with pytest.raises(ArgumentError, match="are not allowed"):
        Pattern("a", re.DEBUG)


@pytest.mark.parametrize(("source", "flags"), [(b"a", 0), (None, 0), ("a", "i"), ("a", True)])
def test_values_of_other_types_are_refused(source: object, flags: object) -> None:
    """A pattern is text, and flags are flags."""
    with pytest.raises(ArgumentTypeError):
        Pattern(source, flags)  # type: ignore[arg-type]


def test_a_text_that_is_too_long_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused as it is, never searched in part."""
    monkeypatch.setattr(patterns, "MAX_TEXT", 5)

    with pytest.raises(PatternError, match="the text has 6 characters"):
        search("a", "aaaaaa", 0, soon())


def test_a_search_without_memory_is_no_search() -> None:
    """The child that searches has a bound, and says when it meets it."""
    with pytest.raises(PatternError, match="MemoryError"):
        search(r"\A(?:" + "(" * 20 + "a|b" + ")" * 20 + ")*c", "ab" * 2_500_000, 0, soon())


def test_engines_differ_and_are_told_apart_by_name() -> None:
    """To `regex` a braced letter allows errors; to `re` it is text."""
    assert Pattern("x{e}", engine=Engine.RE).find("x{e}", soon()) == Match(0, 4, ("x{e}",))
    assert Pattern("x{e}", engine=Engine.REGEX).find("x{e}", soon()) == Match(0, 1, ("x",))


def test_the_engine_regex_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package is missing, the other engine does not take its place."""
    monkeypatch.setitem(sys.modules, "regex", None)
    patterns._compile.cache_clear()

    with pytest.raises(MissingExtraError, match=r"agent-judge\[text\]"):
        Pattern("a", engine=Engine.REGEX)
