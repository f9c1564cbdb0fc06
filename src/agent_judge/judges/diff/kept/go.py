"""The tests in a Go file, as `go test` finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from agent_judge.judges.diff.kept.statements import (
    Failing,
    Function,
    Looping,
    Marker,
    Rank,
    Skipping,
    Statement,
)
from agent_judge.judges.diff.kept.tree_bodies import (
    Reader,
    arguments_of,
    assertion,
    line_of,
    number_of,
    shape_of,
    text_of,
    tolerating,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST: Final = re.compile(r"(Test|Fuzz)([^a-z].*)?")
_FAILING: Final = re.compile(r"(Error|Fatal)f?|Fail(Now)?")
_ASSERTING: Final = re.compile(r"assert\w*|require|Expect|Ω|must\w*|check|qt|is", re.IGNORECASE)
_EXISTS: Final = re.compile(r"(NotNil|NotEmpty|True|NotZero)f?")
_BUILD: Final = re.compile(r"//(go:build |\s*\+build )")


class GoReader(Reader):
    """Reads the functions of a file; what `t.Run` is given belongs to the test around it."""

    catches: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")

    def read(self, root: Node) -> None:
        """Read the definitions of a file."""
        for child in root.named_children:
            if child.type == "comment" and _BUILD.match(text_of(child)):
                self.markers.append(Marker(line_of(child), text_of(child)))
            elif child.type in ("function_declaration", "method_declaration"):
                self._function(child)

    def call(self, node: Node, names: Sequence[str]) -> Statement | None:
        """What a call means for the test, by the names in it."""
        last, text, line = names[-1] if names else "", text_of(node), line_of(node)
        if last in ("Skip", "Skipf", "SkipNow") or text.startswith("os.Exit("):
            return Skipping(line, text)
        if names == ["panic"]:
            return Failing(line, text)
        if len(names) == 2 and _FAILING.fullmatch(last) and names[0] in ("t", "b", "f", "tb"):
            return Failing(line, text, leaves=last.startswith(("Fatal", "FailN")))
        if len(names) > 1 and _ASSERTING.fullmatch(names[0]):
            return self._assertion(node, last)
        return None

    def _assertion(self, node: Node, last: str) -> Statement:
        given = [text_of(item) for item in arguments_of(node)]
        subject = given[-1] if given else ""
        if last.startswith(("True", "NotNil", "NotEmpty", "Nil", "False", "Error", "NoError")):
            subject = given[1] if len(given) > 1 else subject
        if last.startswith("In") and len(given) > 3:
            made = assertion(node, given[2], Rank.EQUALS, given[1:3])
            return tolerating(made, "delta", number_of(given[3]), given[3])
        rank = Rank.EXISTS if _EXISTS.fullmatch(last) else Rank.EQUALS
        always = last.startswith("True") and given[1:2] == ["true"]
        return assertion(node, subject, rank, given[1:3], always=always)

    def loop(self, node: Node) -> Iterator[Statement]:
        """A loop, whose clause says what it goes over."""
        clause = next((item for item in node.named_children if item.type != "block"), None)
        text = "" if clause is None else text_of(clause)
        never = re.fullmatch(r".*range (\[|map\[).*\{\s*\}|false", text) is not None
        body = self.block(node.child_by_field_name("body"))
        yield Looping(line_of(node), text, body, never)

    def _function(self, node: Node) -> None:
        name = text_of(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        parameters = text_of(node.child_by_field_name("parameters"))
        is_test = bool(_TEST.fullmatch(name)) and "testing." in parameters
        receiver = text_of(node.child_by_field_name("receiver"))
        is_test = is_test or (bool(receiver) and name.startswith("Test"))
        if name == "TestMain":
            is_test = False
            self.markers.append(Marker(line_of(node), "func TestMain"))
        kind = re.sub(r".*?(\w+)\)$", r"\1.", receiver) if receiver else ""
        self.add(
            Function(
                f"{kind}{name}",
                line_of(node),
                self.block(body),
                shape_of(body),
                (),
                _rows(body) if is_test else 1,
                is_test,
                name,
            )
        )


def _rows(body: Node | None) -> int | None:
    """The rows of the largest table in a test, of which most have one at most."""
    rows = [_length(item) for item in _tables(body)] if body is not None else []
    return max(rows, default=1)


def _length(literal: Node) -> int:
    value = literal.child_by_field_name("body")
    kinds = ("literal_element", "keyed_element")
    return 0 if value is None else sum(item.type in kinds for item in value.named_children)


def _tables(node: Node) -> Iterator[Node]:
    """The literals of slices and maps of structures."""
    for child in node.named_children:
        if child.type == "composite_literal":
            kind = child.child_by_field_name("type")
            if kind is not None and kind.type in ("slice_type", "map_type", "array_type"):
                if "struct" in text_of(kind) or _length(child) > 0:
                    yield child
                continue
        yield from _tables(child)
