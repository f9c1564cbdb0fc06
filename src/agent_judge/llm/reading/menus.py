"""The labels that a judge was asked to choose from, and where words name one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, check_text
from agent_judge.llm.reading.lines import VERDICT_KEYS
from agent_judge.llm.reading.records import Fault
from agent_judge.llm.reading.statements import doubt
from agent_judge.llm.reading.words import MARKUP, canonical, fold, unmarked

_MARK = re.compile(
    r"(?P<list>,)(?=\s)|[.;:!…]+(?=[\s*_\"'”\u2019)\]]|$)|\s+[-\u2013—]+(?=\s)|(?<!\d)[\u2013—]|--|\s+(?=\()"
)
_HEDGED = re.compile(
    r"\W*(?:but|however|although|though|except|only|if|unless|until|once|pending|provided|assuming|"
    r"partly|partially|mostly|sort of|kind of|maybe|perhaps|"
    r"with (?:\w+ )?(?:reservations?|caveats?)|"
    r"not (?:really|sure|certain|quite|entirely|fully))\b",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(r"\W*(?:but|however|although|though)\b", re.IGNORECASE)
_MARGIN: Final = 40
"""Signs of markup and punctuation that may stand around a label."""


@dataclass(frozen=True, slots=True)
class Leading:
    """A label that a line begins with, its words, what follows, and whether behind a comma."""

    label: str
    words: str
    rest: str
    listed: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """What a reply may answer, and how it was asked to say it.

    Labels are compared without regard to case, width, markup around them and an end mark.

    Args:
        labels: The labels, as readings give them back.
        spellings: Other ways to write a label, each with the label that it stands for.
        keys: The keys under which a labelled line or a JSON object gives the label.
        sentence: The sentence in which the prompt asked for the label, as `{label} is better`.

    Raises:
        ArgumentError: No label, a blank one, or two that are compared as the same; a spelling of
            no label; no key; a sentence that does not hold `{label}` once, beside other words.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> menu = Menu(("a", "b"), {"Output (a)": "a", "Output (b)": "b"})
        >>> menu.label_of("**output (A)**.")
        'a'
    """

    labels: tuple[str, ...]
    spellings: Mapping[str, str] = EMPTY
    keys: tuple[str, ...] = VERDICT_KEYS
    sentence: str | None = None
    _names: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _longest: int = field(init=False, repr=False, compare=False)
    _mention: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _statement: re.Pattern[str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set(self, "labels", _strings(self.labels, "labels"))
        _set(self, "spellings", FrozenMap(self.spellings))
        _set(self, "keys", tuple(key.casefold() for key in _strings(self.keys, "keys")))
        _set(self, "_names", FrozenMap(self._name()))
        written = sorted((*self.labels, *self.spellings), key=len, reverse=True)
        _set(self, "_longest", len(written[0]) + _MARGIN)
        words = "|".join(_pattern(fold(word)) for word in written)
        _set(self, "_mention", re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE))
        _set(self, "_statement", _statement_of(self.sentence, words))

    def _name(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for word, label in (*zip(self.labels, self.labels, strict=True), *self.spellings.items()):
            check_text(word, "a label")
            name = canonical(word)
            if not name:
                raise ArgumentError(f"a label needs a letter or digit, got {word!r}")
            if label not in self.labels:
                raise ArgumentError(f"spelling {word!r} stands for {label!r}, which is no label")
            if names.get(name, label) != label or (word == label and name in names):
                raise ArgumentError(f"label {word!r} cannot be told from another one")
            names[name] = label
        return names

    def label_of(self, words: str) -> str | None:
        """The label that words are, as a whole."""
        return self._names.get(canonical(words)) if len(words) <= self._longest else None

    def leading(self, line: str) -> Leading | None:
        """The label that a line begins with, before punctuation."""
        line = unmarked(line)
        found = None
        for mark in _MARK.finditer(line, 0, self._longest):
            words, rest = line[: mark.start()], line[mark.end() :].strip(MARKUP)
            label = self.label_of(words)
            if label is not None:
                found = Leading(label, words, rest, bool(mark["list"]))
        return found

    def label_at(self, text: str, at: int) -> tuple[str, int] | None:
        """The label that stands at an index, as a word of its own, and where it ends."""
        mention = self._mention.match(text, at)
        label = self.label_of(mention[0]) if mention else None
        return (label, mention.end()) if mention and label is not None else None

    def read_value(self, words: str, *, contrast: bool = False) -> tuple[str | Fault, str]:
        """The label that the value of a labelled line gives, and the remark behind it.

        With `contrast` a remark may begin with "but" and its like.
        """
        label = self.label_of(words)
        if label is not None:
            return label, ""
        leading = self.leading(words)
        if leading is None:
            return self._fault_of(words), ""
        if self.is_followed(leading.rest, listed=leading.listed):
            return Fault.CONFLICTING, ""
        if is_hedged(leading.rest) and not (contrast and _CONTRASTED.match(leading.rest)):
            return Fault.QUALIFIED, leading.rest
        return leading.label, leading.rest

    def is_followed(self, rest: str, *, listed: bool) -> bool:
        """Whether another label comes right behind one, as in `Yes, No` or `PASS - FAIL`."""
        mention = self._mention.match(rest)
        return self.label_of(rest) is not None or (
            mention is not None and (listed or self.leading(rest) is not None)
        )

    def _fault_of(self, words: str) -> Fault:
        mentions = [mention.span() for mention in self._mention.finditer(words[:400])]
        named = {self.label_of(words[start:end]) for start, end in mentions}
        if len(named) > 1:
            return Fault.CONFLICTING
        if not named:
            return Fault.OFF_MENU
        return doubt(words[: mentions[0][0]]) or Fault.QUALIFIED

    def sentences(self, text: str) -> Iterable[re.Match[str]]:
        """Where a text uses the sentence that was asked for; its group `label` is the label."""
        return self._statement.finditer(text) if self._statement else ()


def is_hedged(remark: str) -> bool:
    """Whether what follows a label takes it back in part."""
    return bool(_HEDGED.match(remark))


_set = object.__setattr__


def _strings(values: Iterable[str], name: str) -> tuple[str, ...]:
    if isinstance(values, str):
        raise ArgumentTypeError(f"{name} must be a sequence of strings, not one string")
    kept = tuple(values)
    for value in kept:
        check_text(value, f"one of the {name}")
    if not kept:
        raise ArgumentError(f"{name} must name at least one")
    return kept


def _pattern(words: str) -> str:
    return r"[ \t]+".join(re.escape(word) for word in words.split())


def _statement_of(sentence: str | None, labels: str) -> re.Pattern[str] | None:
    if sentence is None:
        return None
    check_text(sentence, "sentence")
    before, *after = sentence.rstrip(" .!").split("{label}")
    if len(after) != 1 or not (before + after[0]).strip():
        raise ArgumentError(f"sentence must hold {{label}} once, and more, got {sentence!r}")
    markup = r"[*_`\"]{0,3}"
    return re.compile(
        rf"(?<!\w){_spaced(before)}{markup}(?P<label>{labels}){markup}"
        rf"{_spaced(after[0])}(?!\w)",
        re.IGNORECASE,
    )


def _spaced(words: str) -> str:
    parts = re.split(r"(\s+)", fold(words))
    return "".join(r"[ \t]+" if part.isspace() else re.escape(part) for part in parts)
