"""Prompt templates: `{{variable}}`, filled in once, from a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, check_text
from agent_judge.llm.exhibits import METADATA, VARIABLES, Exhibit, exhibits, is_variable

Unknown: TypeAlias = Literal["strict", "empty", "leave"]

Own: TypeAlias = "str | tuple[Exhibit, ...]"
"""A value of the judge's own: words of its task, or evidence that others wrote."""

MAX_TEMPLATE: Final = 1_000_000
"""The most characters a template may have."""

_PLACEHOLDER: Final = re.compile(
    r"\{\{[ \t]*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_-]+)*)[ \t]*\}\}"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of a template: the name that stands there, and how it is written."""

    name: str
    written: str


def _pieces(text: str) -> Iterator[str | _Place]:
    """The text and the places of a template, in turn."""
    at = 0
    for place in _PLACEHOLDER.finditer(text):
        yield text[at : place.start()]
        yield _Place(place[1], place[0])
        at = place.end()
    yield text[at:]


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt with places for what a run has, as `{{goal}}`, `{{output}}`, `{{metadata.team}}`.

    The variables of a run are `goal`, `output`, `expected`, `baseline`, `sources`, `tool_calls`,
    `status`, `error`, `finish_reason` and `metadata.NAME`. All places are filled in one pass: what
    stands in a value is never looked at again, whatever braces it holds.

    Args:
        text: The template.
        own: Names of further variables, which the judge fills in itself.
        optional: Variables of the run that may be absent or blank; for the others a judge abstains.
        unknown: What becomes of a placeholder that names no variable: it is refused (`"strict"`),
            replaced by nothing (`"empty"`) or kept as it stands (`"leave"`).
        blank: What stands in the place of an optional variable that is absent or blank.

    Raises:
        ArgumentError: A blank template, a placeholder that names no variable, or an `optional`
            name that the template does not use.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> template = PromptTemplate("Was {{goal}} done? {{ output }}")
        >>> template.variables
        ('goal', 'output')
        >>> template.fill(JudgmentContext(goal="2 + 2", output="{{goal}}"))
        'Was 2 + 2 done? {{goal}}'
    """

    text: str
    own: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    unknown: Unknown = "strict"
    blank: str = ""
    variables: tuple[str, ...] = field(init=False)
    """The variables of the run that it uses, in the order of their first places."""
    digest: str = field(init=False, repr=False)
    """The SHA-256 of the text, in hexadecimal."""

    _pieces: tuple[str | _Place, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_text(self.text, "template")
        check_text(self.blank, "blank")
        if not self.text.strip():
            raise ArgumentError("a template must not be blank")
        if len(self.text) > MAX_TEMPLATE:
            raise ArgumentError(
                f"a template has at most {MAX_TEMPLATE:,} characters, got {len(self.text):,}"
            )
        if self.unknown not in ("strict", "empty", "leave"):
            raise ArgumentError(
                f"unknown must be 'strict', 'empty' or 'leave', not {self.unknown!r}"
            )
        _set(self, "_pieces", tuple(_pieces(self.text)))
        _set(self, "own", _names(self.own, "own"))
        _set(self, "optional", _names(self.optional, "optional"))
        _set(self, "variables", self._used_variables())
        _set(self, "digest", sha256(self.text.encode()).hexdigest())
        for name in self.optional:
            if name not in self.variables:
                raise ArgumentError(f"optional names {name!r}, which the template does not use")

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        *,
        own: Iterable[str] = (),
        optional: Iterable[str] = (),
        unknown: Unknown = "strict",
    ) -> PromptTemplate:
        """Read a template from a file of UTF-8 text, once.

        Raises:
            ArgumentError: It cannot be read, or is no template.
        """
        return cls(_read(path, f"the template {path}"), tuple(own), tuple(optional), unknown)

    @classmethod
    def from_package(
        cls,
        package: str,
        name: str,
        *,
        own: Iterable[str] = (),
        optional: Iterable[str] = (),
        unknown: Unknown = "strict",
    ) -> PromptTemplate:
        """Read a template that a package carries, once.

        Args:
            package: The package, dotted.
            name: The file in it, POSIX style.
            own: See the class.
            optional: See the class.
            unknown: See the class.

        Raises:
            ArgumentError: There is no such package or file, or it is no template.
        """
        from importlib.resources import files

        what = f"the template {name!r} of the package {package!r}"
        try:
            text = files(package).joinpath(name).read_text(encoding="utf-8")
        except (ModuleNotFoundError, OSError, UnicodeDecodeError, ValueError) as fault:
            raise ArgumentError(f"{what} cannot be read: {fault}") from fault
        return cls(text, tuple(own), tuple(optional), unknown)

    def absent(self, context: JudgmentContext) -> tuple[str, ...]:
        """The variables that the run leaves absent or blank, though they are not optional."""
        return tuple(
            name
            for name in self.variables
            if name not in self.optional and _is_blank(exhibits(name, context))
        )

    def fill(
        self,
        context: JudgmentContext,
        own: Mapping[str, Own] = EMPTY,
        show: Callable[[Exhibit], str] = lambda exhibit: exhibit.text,
    ) -> str:
        """The text with every place filled in.

        Args:
            context: The run.
            own: The values of the judge's own variables, all that it uses.
            show: How a piece of evidence is written; as it is unless said otherwise.

        Raises:
            ArgumentError: A variable of the judge's own has no value.
        """
        missing = [name for name in self.own if name in self.places and name not in own]
        if missing:
            raise ArgumentError(f"the template has no value for {', '.join(missing)}")
        filled: list[str] = []
        for piece in self._pieces:
            value = piece if isinstance(piece, str) else self._value(piece, context, own)
            filled.append(value if isinstance(value, str) else "\n".join(map(show, value)))
        return "".join(filled)

    @property
    def places(self) -> tuple[str, ...]:
        """Every name that has a place in the text, whoever fills it in, in their order."""
        names = (piece.name for piece in self._pieces if isinstance(piece, _Place))
        return tuple(dict.fromkeys(names))

    def _value(self, place: _Place, context: JudgmentContext, own: Mapping[str, Own]) -> Own:
        if place.name in self.own:
            return own[place.name]
        if is_variable(place.name):
            shown = exhibits(place.name, context)
            return self.blank if self.blank and _is_blank(shown) else shown
        return "" if self.unknown == "empty" else place.written

    def _used_variables(self) -> tuple[str, ...]:
        known = [name for name in self.places if name not in self.own]
        if self.unknown == "strict":
            for name in known:
                if not is_variable(name):
                    raise ArgumentError(_unknown(name, self.own))
        return tuple(name for name in known if is_variable(name))


_set = object.__setattr__


def _names(names: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(names, str):
        raise ArgumentTypeError(f"{what} must be a sequence of names, not one string")
    kept = tuple(names)
    for name in kept:
        check_text(name, what)
    return kept


def _unknown(name: str, own: tuple[str, ...]) -> str:
    known = (*own, *VARIABLES)
    near = get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return (
        f"the template asks for {{{{{name}}}}}, which is no variable{hint} "
        f"Known are: {', '.join(known)} and {METADATA}NAME"
    )


def _is_blank(shown: tuple[Exhibit, ...]) -> bool:
    return not any(exhibit.text.strip() for exhibit in shown)


def _read(path: str | Path, what: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as fault:
        raise ArgumentError(f"{what} cannot be read: {fault}") from fault
