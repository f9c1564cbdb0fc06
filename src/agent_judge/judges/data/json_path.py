"""Whether what a JSONPath query selects is as expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

from agent_judge.context import MISSING, JudgmentContext, Missing, Output
from agent_judge.engine import check_seconds
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.extras import load
from agent_judge.frozen import Json, check_text, freeze, thaw
from agent_judge.judges.data.pointers import pointer
from agent_judge.judges.data.reading import Fence, ask, check_source, read_json, shown_json
from agent_judge.judges.data.values import check_tolerance, is_array, same
from agent_judge.judges.killable import Pool
from agent_judge.judges.text.reading import check_choice, kind_of, missing_input, quoted
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

Nodes: TypeAlias = Sequence[tuple[list[str | int], Any]]
"""Where each value is that was selected, and the value."""

LIMIT: Final = 10_000
"""Values that a query may select."""

_CHILDREN: Final = Pool(Path(__file__).with_name("path_task.py"))


@dataclass(frozen=True, slots=True)
class JsonPathJudge:
    """Whether the values that a JSONPath query selects are as expected (extra `data`).

    Without an expected value or count it passes when the query selects anything. Numbers are equal
    by value (`1` and `1.0`), `true` is no number, and the order of keys does not count. The query
    ends at its deadline, whatever it is asked of: it is done in a child process.

    Args:
        query: The query (RFC 9535, strictly), for example `"$.items[?@.price > 10].name"`.
        expected: The value that is expected; see `require`.
        require: Whether `"all"` selected values have to be the expected one, of which there must
            be at least one; or `"any"` of them; or whether, as a `"list"`, they are the expected
            array.
        count: How many values the query has to select.
        expected_from: `"context"` to take the expected value from the context.
        tolerance: How far a number may be from the expected one.
        path: A file of the workspace to read instead of the output, in UTF-8.
        fence: Whether a Markdown code fence around the whole text is no JSON (`"refuse"`), or
            taken off first (`"strip"`).
        timeout: Seconds that the query may take.

    Raises:
        ArgumentError: A query that is none, a negative count or tolerance, `expected` given twice,
            an unknown word, or a path that leaves the workspace.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `python-jsonpath` is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = JsonPathJudge("$..price", expected=5)
        >>> evaluate(judge, JudgmentContext(output='{"a": {"price": 7}}')).reasoning
        "'$..price' selects 1 value; /a/price is 7, expected 5"
    """

    query: str
    expected: Json | Missing = MISSING
    require: Literal["all", "any", "list"] = "all"
    count: int | None = None
    expected_from: Literal["judge", "context"] = "judge"
    tolerance: float = 0.0
    path: str | None = None
    fence: Fence = "refuse"
    timeout: float = 10.0

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "JsonPathJudge",
        cost=Cost.FILE,
        type="json_path",
        needs=("output", "workspace", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        _set(self, "path", check_source(self.path, self.fence))
        _check_query(self.query)
        check_choice(self.require, ("all", "any", "list"), "require")
        check_choice(self.expected_from, ("judge", "context"), "expected_from")
        check_tolerance(self.tolerance, "tolerance")
        check_seconds(self.timeout, "timeout")
        _check_count(self.count)
        if self.expected is not MISSING:
            self._check_expected(self.expected)

    def _check_expected(self, expected: Json) -> None:
        _set(self, "expected", freeze(expected, "expected"))
        if self.expected_from == "context":
            raise ArgumentError("expected is given, and expected_from='context' as well")
        if self.require == "list" and not is_array(self.expected):
            raise ArgumentError("require='list' takes an array as expected")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the query of the output or file."""
        expected = self._expected(context)
        if isinstance(expected, Judgment):
            return expected
        value = read_json(context, self.path, self.fence)
        if isinstance(value, Judgment):
            return value
        request = {"query": self.query, "value": thaw(value), "limit": LIMIT + 1}
        nodes = ask(_CHILDREN, request, self.timeout, f"the query {quoted(self.query)}")
        if isinstance(nodes, Judgment):
            return nodes
        if len(nodes) > LIMIT:
            reason = f"the query {quoted(self.query)} selects more than {LIMIT} values"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        return self._judge(nodes, expected)

    def _expected(self, context: JudgmentContext) -> Output | Judgment:
        if self.expected_from == "judge":
            return self.expected
        expected = context.expected
        if expected is MISSING:
            return missing_input("the expected output")
        if self.require == "list" and not is_array(expected):
            reason = f"the expected output is {kind_of(expected)}, and a list is required"
            return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
        return expected

    def _judge(self, nodes: Nodes, expected: Output) -> Judgment:
        fault = self._fault(nodes, expected)
        selected = f"selects {len(nodes)} value{'s' * (len(nodes) != 1)}"
        message = f"{selected}; {fault}" if fault else selected
        passed = fault is None
        check = Check(quoted(self.query), passed, message, examined=len(nodes) or int(passed))
        make = Judgment.passing if passed else Judgment.failing
        return make(f"{quoted(self.query)} {message}", checks=(check,))

    def _fault(self, nodes: Nodes, expected: Output) -> str | None:
        """What is not as expected; `None` where all is."""
        if self.count is not None and len(nodes) != self.count:
            return f"{self.count} expected"
        if expected is MISSING:
            return None if nodes or self.count is not None else "none is there"
        if self.require == "list":
            values = [value for _, value in nodes]
            if self._are_same(values, expected):
                return None
            return f"they are {shown_json(values)}, expected {shown_json(expected)}"
        if not nodes:
            return f"none is there, expected {shown_json(expected)}"
        wrong = [node for node in nodes if not same(node[1], expected, self.tolerance)]
        if not wrong or (self.require == "any" and len(wrong) < len(nodes)):
            return None
        place, value = wrong[0]
        return f"{pointer(place)} is {shown_json(value)}, expected {shown_json(expected)}"

    def _are_same(self, values: Sequence[Any], expected: Json) -> bool:
        if not is_array(expected) or len(values) != len(expected):
            return False
        pairs = zip(values, expected, strict=True)
        return all(same(value, wanted, self.tolerance) for value, wanted in pairs)


_set = object.__setattr__


def _check_query(query: object) -> None:
    check_text(query, "query")
    jsonpath: Any = load("jsonpath", extra="data", needed_by="JsonPathJudge")
    try:
        jsonpath.compile(query, strict=True)
    except jsonpath.JSONPathError as fault:
        reason = fault.args[0]  # str(fault) quotes the query, and fails on an empty one
        raise ArgumentError(f"query {query!r:.200} is no JSONPath (RFC 9535): {reason}") from None


def _check_count(count: object) -> None:
    if count is None:
        return
    if type(count) is not int:
        raise ArgumentTypeError(f"count must be a whole number, not {count!r}")
    if not 0 <= count <= LIMIT:
        raise ArgumentError(f"count must lie in 0..{LIMIT}, got {count}")
