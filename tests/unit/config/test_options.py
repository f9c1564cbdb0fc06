from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import jsonschema
import pytest

from agent_judge.config.options import as_option, options_of
from agent_judge.config.schema import type_schema
from agent_judge.errors import ConfigurationError

if TYPE_CHECKING:
    from decimal import Decimal


class Mode(Enum):
    STRICT = "strict"
    LOOSE = "loose"


@dataclass
class Told:
    """A class with options."""

    path: Path
    mode: Mode = Mode.STRICT
    price: Decimal | None = None


FITTING = [
    ("a", str, "a"),
    (1, int, 1),
    (1, float, 1),
    (1.5, float, 1.5),
    (True, bool, True),
    (None, str | None, None),
    ("strict", Mode, Mode.STRICT),
    ("a", Literal["a", "b"], "a"),
    ("a/b", Path, Path("a/b")),
    (["a"], tuple[str, ...], ("a",)),
    (["a", 1], tuple[str, int], ("a", 1)),
    (["a"], frozenset[str], frozenset("a")),
    (["a"], Sequence[str], ["a"]),
    ([1], list, [1]),
    ("a", str | Sequence[str], "a"),
    (["a"], str | Sequence[str], ["a"]),
    ({"a": 1}, Mapping[str, float], {"a": 1}),
    ({"a": []}, dict, {"a": []}),
    (3, Annotated[int, "counts"], 3),
    ({}, Mapping[str, Callable[[], None]], {}),
    (object, Any, object),
    ("a", object, "a"),
    ("a", "a forward reference", "a"),
]

UNFIT = [
    (1, str, "a string"),
    (True, int, "an integer"),
    (1.0, int, "an integer"),
    ("1", float, "a number"),
    (True, float, "a number"),
    (0, bool, "true or false"),
    ("lax", Mode, "one of 'strict', 'loose'"),
    (1, Literal["a", "b"], "one of 'a', 'b'"),
    (1, Literal[True], "one of True"),
    (1, Path, "a string"),
    ("a", tuple[str, ...], "a list"),
    (["a", "b"], tuple[str], "a list of 1"),
    ([1], Sequence[str], "a list, and in it a string"),
    (1, str | Sequence[str] | None, "a string or a list"),
    ([], Mapping[str, float], "a table"),
    ({"a": "b"}, Mapping[str, float], "a number"),
    ("print", Callable[[], None], "only Python"),
]


@pytest.mark.parametrize(("value", "hint", "taken"), FITTING)
def test_a_value_is_taken_as_the_option_wants_it(value: Any, hint: Any, taken: Any) -> None:
    """Lists become tuples, and strings paths and members of enums."""
    found = as_option(value, hint)

    assert found == taken
    assert type(found) is type(taken)


@pytest.mark.parametrize(("value", "hint", "wanted"), UNFIT)
def test_a_value_of_another_type_is_refused(value: Any, hint: Any, wanted: str) -> None:
    """The message says what was expected and what was found. (contract: edges:S1)"""
    with pytest.raises(ConfigurationError, match=f"expected .*{wanted}") as refusal:
        as_option(value, hint)

    assert repr(value) in str(refusal.value)


@pytest.mark.parametrize(("value", "hint", "fits"), [
    *((value, hint, True) for value, hint, _ in FITTING if value is not object),
    *((value, hint, False) for value, hint, _ in UNFIT if hint is not int),
])  # fmt: skip
def test_the_schema_takes_what_the_option_takes(value: Any, hint: Any, fits: bool) -> None:
    """An editor that knows the schema says the same as building does."""
    assert jsonschema.Draft202012Validator(type_schema(hint)).is_valid(value) is fits


def test_the_options_of_a_class_are_those_of_its_constructor() -> None:
    """A type that is only known to type checkers is left to the class."""
    options = options_of(Told)

    assert {name: (option.hint, option.needed) for name, option in options.items()} == {
        "path": (Path, True),
        "mode": (Mode, False),
        "price": (Any, False),
    }
    assert options["mode"].default is Mode.STRICT
