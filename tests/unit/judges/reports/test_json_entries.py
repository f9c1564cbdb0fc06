from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports import json_entries
from agent_judge.judges.reports.json_entries import MAX_VALUES, Begin, Keys, Shape, read_entries
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judgment import ReasonCode

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


def entries(text: str, entered: Iterable[Shape] = ((),)) -> list[tuple[Keys, object]]:
    """Every value that is not entered."""
    return list(read_entries(ReportFile.of(text.encode()), tuple(entered)))


def shapes(value: object, depth: int, shape: Shape = ()) -> Iterator[Shape]:
    """Those of all values that less than so many keys lead to."""
    if depth:
        yield shape
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from shapes(inner, depth - 1, (*shape, key))
        elif isinstance(value, list):
            for inner in value:
                yield from shapes(inner, depth - 1, (*shape, ...))


@given(VALUES, st.integers(0, 4), st.sampled_from([None, 2]))
def test_the_entries_make_up_the_document(value: object, depth: int, indent: int | None) -> None:
    """However deep it is entered and however it is spaced."""
    found = entries(json.dumps(value, indent=indent), shapes(value, depth))

    assert _rebuilt(found) == value


def _rebuilt(found: list[tuple[Keys, object]]) -> object:
    built: dict[Keys, object] = {}
    for keys, value in found:
        empty: object = {} if value is Begin.OBJECT else []
        built[keys] = empty if isinstance(value, Begin) else value
        if keys:
            parent = built[keys[:-1]]
            if isinstance(parent, dict):
                parent[keys[-1]] = built[keys]
            else:
                assert isinstance(parent, list)
                parent.append(built[keys])
    return built[()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1",
        "[1,]",
        "[1 2]",
        '{"a" 1}',
        '{"a": 1,}',
        "{1: 2}",
        '{"a": 1} x',
        "[NaN]",
        '{"a": 1, "a": 2}',
        f"[{'9' * 5000}]",
        '["\x01"]',
    ],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    """Strictly, and a key that stands there twice as well."""
    with pytest.raises(WorkspaceError, match="it is no JSON") as refused:
        entries(text)

    assert refused.value.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize("depth", [1, 1_200])
def test_deep_nesting_is_refused(depth: int) -> None:
    """Neither the parser's stack nor ours is exhausted."""
    with pytest.raises(WorkspaceError, match="nest too deep"):
        entries("[" * 200_000, [(...,) * level for level in range(depth)])


def test_a_document_of_millions_of_values_is_refused() -> None:
    """Each value takes many times the memory of its text."""
    with pytest.raises(WorkspaceError) as refused:
        entries("[" + "0," * (MAX_VALUES + 1) + "0]")

    assert refused.value.code is ReasonCode.TOO_LARGE


def test_an_object_of_millions_of_keys_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are kept to tell that none stands there twice."""
    monkeypatch.setattr(json_entries, "MAX_KEYS", 2)

    assert len(entries('{"a": 1, "b": 1}')) == 3
    with pytest.raises(WorkspaceError, match="one too many"):
        entries('{"a": 1, "b": 1, "c": 1}')
