"""What is stored, sent or copied comes back as it was, whatever it holds."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent_judge.context import MISSING, ExecutionStatus, JudgmentContext, Source, ToolCall
from agent_judge.engine import evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap, freeze, thaw
from agent_judge.judgment import Judgment
from agent_judge.jury import Jury, Population, Verdict
from agent_judge.jury.rules import VotingRules
from agent_judge.testing import a_context, always
from agent_judge.usage import Usage
from agent_judge.wire import from_dict, to_dict
from property.populations import DETAILED, JSON, JUDGMENTS, STRATEGIES, TEXT, WORD, populations

OUTPUTS = st.just(MISSING) | st.none() | JSON
METADATA = st.dictionaries(TEXT, JSON, max_size=3)

CONTEXTS = st.builds(
    JudgmentContext,
    goal=TEXT,
    output=OUTPUTS,
    expected=OUTPUTS,
    status=st.sampled_from(ExecutionStatus),
    started_at=st.none() | st.datetimes(timezones=st.timezones()),
    elapsed=st.none() | st.floats(0, 1e9),
    sources=st.lists(st.builds(Source, TEXT, metadata=METADATA), max_size=2),
    tool_calls=st.lists(st.builds(ToolCall, WORD, METADATA, result=OUTPUTS), max_size=2),
    usage=st.none() | st.builds(Usage, input_tokens=st.integers(0, 9)),
    metadata=METADATA,
)


def assert_kept(record: Any) -> None:
    """Pickle and copy give an equal record, with its hash and its order."""
    for again in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record), copy.copy(record)):
        assert again == record
        assert hash(again) == hash(record)
        assert repr(again) == repr(record)


@given(JUDGMENTS | DETAILED)
def test_judgments_are_kept(judgment: Judgment) -> None:
    """By pickle, copy and JSON. (contract: core:R22)"""
    assert_kept(judgment)
    stored = json.loads(json.dumps(to_dict(judgment)))
    assert from_dict(Judgment, stored) == judgment
    assert list(from_dict(Judgment, stored).metadata) == list(judgment.metadata)


@given(CONTEXTS)
def test_contexts_are_kept(context: JudgmentContext) -> None:
    """By pickle and copy; a value stays apart from its absence. (contract: core:R22, core:R22a)"""
    assert_kept(context)
    assert (pickle.loads(pickle.dumps(context)).output is MISSING) is (context.output is MISSING)


@given(STRATEGIES, populations())
def test_populations_and_strategies_are_kept(strategy: VotingRules, population: Population) -> None:
    """They go to worker processes and back. (contract: core:R22)"""
    assert_kept(strategy)
    assert_kept(population)


@given(st.lists(JUDGMENTS | DETAILED, min_size=1, max_size=5), STRATEGIES)
def test_verdicts_are_kept(judgments: list[Judgment], strategy: VotingRules) -> None:
    """With every seat; JSON is counted again when read. (contract: core:R22, cases:F7)"""
    verdict = Jury([always(judgment) for judgment in judgments], strategy).vote(a_context())

    assert_kept(verdict)
    stored = json.loads(json.dumps(to_dict(verdict), allow_nan=False))
    assert from_dict(Verdict, stored) == verdict


@given(JSON)
def test_frozen_values_thaw_to_what_they_were(value: Any) -> None:
    """As JSON would give them back, and no change of the original shows. (contract: core:R18)"""
    before = copy.deepcopy(value)
    frozen = freeze(value, "output")
    if isinstance(value, list | dict):
        value.clear()

    assert thaw(frozen) == before
    assert json.loads(json.dumps(thaw(frozen))) == before
    hash(frozen)


@given(st.dictionaries(TEXT, JSON, max_size=4), st.randoms(use_true_random=False))
def test_equal_maps_have_equal_hashes(items: dict[str, Any], random: Any) -> None:
    """In whatever order they were built. (contract: core:R22)"""
    frozen = freeze(items, "metadata")
    shuffled = list(items.items())
    random.shuffle(shuffled)
    again = freeze(dict(shuffled), "metadata")

    assert isinstance(frozen, FrozenMap)
    assert frozen == again
    assert hash(frozen) == hash(again)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.complex_numbers()
    | st.datetimes(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.text() | st.integers() | st.none(), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=2)
    ),
    max_leaves=6,
)


@given(ANYTHING)
def test_whatever_is_accepted_can_be_written(value: Any) -> None:
    """Strict JSON in UTF-8 carries it; the rest is refused with its path. (contract: core:R16)"""
    refusal = ""
    frozen: Any = None
    try:
        frozen = freeze(value, "metadata")
    except (ArgumentError, ArgumentTypeError) as refused:
        refusal = str(refused)

    assert refusal == "" or refusal.startswith("metadata")
    assert json.dumps(thaw(frozen), allow_nan=False, ensure_ascii=False).encode()


@given(ANYTHING)
def test_whatever_a_judge_returns_there_is_a_judgment(answer: Any) -> None:
    """And it can be stored. (contract: core:J5)"""
    judgment = evaluate(lambda _: answer, a_context())

    assert judgment.status.name == "ERROR"
    assert json.dumps(to_dict(judgment)).encode()


@given(st.text())
def test_whatever_a_judge_raises_there_is_a_judgment(message: str) -> None:
    """With its message in a form that can be stored. (contract: core:J5)"""

    def raising(_context: JudgmentContext) -> Judgment:
        raise ValueError(message)

    judgment = evaluate(raising, a_context())

    assert judgment.status.name == "ERROR"
    assert json.dumps(to_dict(judgment), ensure_ascii=False).encode()
