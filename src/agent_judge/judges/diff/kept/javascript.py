"""The tests in a JavaScript or TypeScript file, as Jest, Vitest, Mocha and others find them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from agent_judge.judges.diff.kept.statements import (
    Failing,
    Function,
    Marker,
    Rank,
    Skipping,
    Statement,
)
from agent_judge.judges.diff.kept.strength import skips_in
from agent_judge.judges.diff.kept.tree_bodies import (
    FUNCTIONS,
    Reader,
    arguments_of,
    assertion,
    chain,
    constant,
    first_call,
    line_of,
    number_of,
    shape_of,
    text_of,
    tolerating,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST: Final = re.compile(r"[xf]?(it|test|specify)")
_SUITE: Final = re.compile(r"[xf]?(describe|context|suite)")
_OFF: Final = frozenset({"skip", "todo", "fails", "failing", "skipIf", "runIf", "fixme", "fail"})
_ASSERTING: Final = frozenset(
    {"expect", "assert", "should", "expectTypeOf", "assertType", "chai", "expectAsync"}
)
_OF_TEST: Final = re.compile(
    r"(not_?)?(is|equals?|deepEquals?|strictEquals?|same|ok|true|false|truthy|falsy|throws\w*"
    r"|like|match|regex|snapshot|assert|rejects|notOk|deepEqual|strictEqual|deepStrictEqual)",
    re.IGNORECASE,
)
_EXISTS: Final = re.compile(
    r"to(Be(Truthy|Falsy|Defined|InstanceOf|NotNull))|ok|exist\w*|is(True|Ok|Defined)|truthy|assert"
)
_EQUALS: Final = re.compile(
    r"to(Be|Equal|StrictEqual|MatchObject|BeCloseTo)|\w*[eE]quals?|eql?|is|same"
)


class JavaScriptReader(Reader):
    """Reads the calls by which a file announces tests."""

    catches: ClassVar[re.Pattern[str]] = re.compile("")

    def read(self, root: Node) -> None:
        """Read the definitions of a file."""
        self._scope(root, "", ())

    def statements(self, node: Node) -> Iterator[Statement]:
        """What a statement, or each in a block, means; `expect(a).to.be.true` is no call."""
        names = chain(node) if node.type == "member_expression" else []
        if len(names) > 1 and (names[0] == "expect" or "should" in names):
            yield self._assertion(node, names)
        else:
            yield from super().statements(node)

    def call(self, node: Node, names: Sequence[str]) -> Statement | None:
        """What a call means for the test, by the names in it."""
        first, last = (names[0], names[-1]) if names else ("", "")
        text, line = text_of(node), line_of(node)
        if last in ("skip", "pending") and (len(names) == 1 or first in _RUNNING):
            return Skipping(line, text)
        if text.startswith("process.exit("):
            return Skipping(line, text)
        if last == "fail" and (len(names) == 1 or first in ("assert", "expect", "t")):
            return Failing(line, text)
        if first == "expect" and len(names) == 2 and last.endswith("ssertions"):
            return None
        if "should" in names or (first in _ASSERTING and self._asserts(names)):
            return self._assertion(node, names)
        if first == "t" and len(names) == 2 and _OF_TEST.fullmatch(last):
            return self._assertion(node, names)
        return None

    def _asserts(self, names: Sequence[str]) -> bool:
        """`expect(…)` alone says nothing yet."""
        return len(names) > 1 or names[0] in ("assert", "assertType")

    def _assertion(self, node: Node, names: Sequence[str]) -> Statement:
        root = first_call(node, names[0]) or node
        given = [text_of(item) for item in arguments_of(root)]
        said = [text_of(item) for item in arguments_of(node)]
        last = names[-1]
        rank = Rank.EXISTS if _EXISTS.fullmatch(last) else Rank.COMPARES
        rank = Rank.EQUALS if _EQUALS.fullmatch(last) and "not" not in names else rank
        compared = (given[:1] + said[:1]) if root is not node else said[:2]
        holds = {"toBeTruthy": ["true"], "ok": ["true"], "assert": ["true"], "isTrue": ["true"]}
        always = given[:1] == holds.get(last, [""]) and "not" not in names
        subject = given[0] if given else names[0]
        made = assertion(node, subject, rank, () if "not" in names else compared, always=always)
        if last == "toBeCloseTo":
            digits = number_of(said[1]) if len(said) > 1 else 2.0
            value = None if digits is None else 10.0 ** -min(max(digits, -300.0), 300.0) / 2
            return tolerating(made, "digits", value, f", {said[1]}" if len(said) > 1 else "\0")
        return made

    def _scope(self, node: Node, prefix: str, markers: tuple[Marker, ...]) -> None:
        """Look for tests in what a file, or a suite, holds."""
        for child in node.named_children:
            kind = child.type
            if kind in ("function_declaration", "variable_declarator", "method_definition"):
                self._helper(child, prefix)
            elif kind == "if_statement":
                self._if(child, prefix, markers)
            elif kind == "call_expression":
                self._announced(child, prefix, markers)
            elif kind not in FUNCTIONS:
                self._scope(child, prefix, markers)

    def _if(self, node: Node, prefix: str, markers: tuple[Marker, ...]) -> None:
        condition = text_of(node.child_by_field_name("condition"))
        known = constant(condition)
        then, otherwise = (
            node.child_by_field_name(name) for name in ("consequence", "alternative")
        )
        if known is not False and then is not None:
            marks = markers if known else (*markers, Marker(line_of(node), f"if {condition}"))
            self._scope(then, prefix, marks)
        if known is not True and otherwise is not None:
            self._scope(otherwise, prefix, markers)

    def _announced(self, node: Node, prefix: str, markers: tuple[Marker, ...]) -> None:
        """A call that announces a test or a suite, or anything else."""
        names = chain(node)
        given = arguments_of(node)
        body = next((item for item in reversed(given) if item.type in FUNCTIONS), None)
        first = names[0] if names else ""
        if not (_TEST.fullmatch(first) or _SUITE.fullmatch(first)) or not given:
            if body is not None:
                self.markers += skips_in(self.block(body))
                self._scope(node, prefix, markers)
            return
        name = prefix + text_of(given[0]).strip("'\"`")
        own = (*markers, *_off(node, names))
        if first.startswith("f") or "only" in names:
            self.markers.append(Marker(line_of(node), f"{'.'.join(names)} leaves others out"))
        if _SUITE.fullmatch(first):
            inner = None if body is None else body.child_by_field_name("body")
            if inner is not None:
                self._scope(inner, f"{name} > ", own)
            return
        self.add(
            Function(
                name,
                line_of(node),
                self.block(None if body is None else body.child_by_field_name("body")),
                shape_of(body),
                own,
                _cases(node),
            )
        )

    def _helper(self, node: Node, prefix: str) -> None:
        name = text_of(node.child_by_field_name("name"))
        value = node.child_by_field_name("value")
        function = value if value is not None and value.type in FUNCTIONS else node
        body = function.child_by_field_name("body")
        if body is None:
            self._scope(node, prefix, ())
            return
        block = self.block(body)
        self.add(
            Function(name, line_of(node), block, shape_of(body), is_test=False, reachable_by=name)
        )


_RUNNING: Final = frozenset({"this", "t", "ctx", "context", "test", "it", "testInfo"})


def _off(node: Node, names: Sequence[str]) -> Iterator[Marker]:
    """What a call says that keeps its tests from being run."""
    words = [name for name in names if name in _OFF or name in ("concurrent", "each")]
    if names[0].startswith("x") or any(word in _OFF for word in words):
        yield Marker(line_of(node), ".".join(names))
    for item in arguments_of(node):
        if item.type == "object" and re.search(r"\b(skip|todo)\s*:\s*(?!false)", text_of(item)):
            yield Marker(line_of(item), text_of(item))


def _cases(node: Node) -> int | None:
    """How many sets of parameters `test.each([…])` gives, where they are written down."""
    inner = node.child_by_field_name("function")
    if inner is None or inner.type != "call_expression" or chain(inner)[-1:] != ["each"]:
        return 1
    given = arguments_of(inner)
    if given and given[0].type == "array":
        return len(given[0].named_children)
    return None
