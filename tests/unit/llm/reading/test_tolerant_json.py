from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.frozen import thaw
from agent_judge.llm.reading import Fault, Note
from agent_judge.llm.reading.tolerant_json import MAX_DEPTH, Broken, Parsed, parse_object

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES)


def parse(text: str) -> Parsed:
    """The object of a text; it has to be one."""
    outcome = parse_object(text)
    assert isinstance(outcome, Parsed), outcome
    return outcome


@given(OBJECTS, st.booleans(), st.sampled_from([None, 2]))
def test_what_json_writes_is_read(value: dict[str, object], ascii_only: bool, indent: int) -> None:
    """Every object comes back as it was, without a note."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)

    parsed = parse(text)

    assert thaw(parsed.value) == json.loads(text)
    assert (parsed.end, parsed.notes) == (len(text), ())


@given(OBJECTS, st.integers(0))
def test_a_cut_object_is_no_object(value: dict[str, object], cut: int) -> None:
    """Whatever its beginning holds, an object without its end is truncated."""
    text = json.dumps(value)

    outcome = parse_object(text[: 1 + cut % (len(text) - 1)])

    assert isinstance(outcome, Broken)
    assert outcome.fault is Fault.TRUNCATED


@pytest.mark.parametrize(
    ("text", "value", "notes"),
    [
        ('{"a": 1 // b\n}', {"a": 1}, (Note.COMMENT,)),
        ('{/* b */"a": /* c */ 1}', {"a": 1}, (Note.COMMENT,)),
        ('{"a": [1, 2,],}', {"a": (1, 2)}, (Note.TRAILING_COMMA,)),
        ('{"a": "b\nc"}', {"a": "b\nc"}, (Note.RAW_CONTROL,)),
        ('{"a": "\\(b\\)"}', {"a": "\\(b\\)"}, (Note.UNKNOWN_ESCAPE,)),
        ('{"a": "http://b"}', {"a": "http://b"}, ()),
        ('{"a": "\\ud83d\\ude00\\ud83d"}', {"a": "\U0001f600\ufffd"}, ()),
        ('{"a": 9007199254740993}', {"a": 9007199254740992.0}, ()),
        ("{}", {}, ()),
    ],
)
def test_four_slips_are_tolerated_and_noted(
    text: str, value: dict[str, object], notes: tuple[Note, ...]
) -> None:
    """Comments, trailing commas, raw line breaks and odd escapes; nothing else."""
    parsed = parse(text)

    assert (dict(parsed.value), parsed.notes) == (value, notes)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": 1, "a": 1}', Fault.DUPLICATE_KEY),
        ('{"a": {"b": 1, "b": 2}}', Fault.DUPLICATE_KEY),
        ('{"a": NaN}', Fault.NOT_FINITE),
        ('{"a": [-Infinity]}', Fault.NOT_FINITE),
        ('{"a": 1e400}', Fault.NOT_FINITE),
        ('{"a": ' + "9" * 10_000 + "}", Fault.NOT_FINITE),
        ('{"a": 01}', Fault.MALFORMED),
        ('{"a": .5}', Fault.MALFORMED),
        ('{"a": +1}', Fault.MALFORMED),
        ('{"a": True}', Fault.MALFORMED),
        ("{'a': 1}", Fault.MALFORMED),
        ("{a: 1}", Fault.MALFORMED),
        ('{"a" 1}', Fault.MALFORMED),
        ('{"a": 1 "b": 2}', Fault.MALFORMED),
        ('{"a": 1,, "b": 2}', Fault.MALFORMED),
        ('{,"a": 1}', Fault.MALFORMED),
        ('{"a": "b" c"}', Fault.MALFORMED),
        ('{"a": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}", Fault.MALFORMED),
        ('{"a": "b', Fault.TRUNCATED),
        ('{"a": [1', Fault.TRUNCATED),
        ("{", Fault.TRUNCATED),
    ],
)
def test_everything_else_is_a_fault(text: str, fault: Fault) -> None:
    """What JSON does not allow is not made up for. (contract: judges:P14)"""
    outcome = parse_object(text)

    assert isinstance(outcome, Broken)
    assert outcome.fault is fault


@given(st.text(st.sampled_from('{}[]",:\\/*tfn01.eE- \n\u00e9\ud800u')))
def test_no_text_raises(text: str) -> None:
    """It is an object or it is broken, somewhere inside the text."""
    outcome = parse_object("{" + text)

    assert 0 <= (outcome.end if isinstance(outcome, Parsed) else outcome.at) <= len(text) + 1
