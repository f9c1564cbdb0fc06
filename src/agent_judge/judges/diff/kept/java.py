"""The tests in a Java file, as JUnit and TestNG find them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from agent_judge.judges.diff.kept.statements import (
    Failing,
    Function,
    Marker,
    Rank,
    Statement,
)
from agent_judge.judges.diff.kept.tree_bodies import (
    Reader,
    arguments_of,
    assertion,
    assuming,
    first_call,
    line_of,
    number_of,
    shape_of,
    text_of,
    tolerating,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_TESTS: Final = frozenset(
    {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"}
)
_SKIPPING: Final = re.compile(r"(Disabled|Enabled|Ignore|Skip)\w*|ConditionalIgnore")
_ASSERTING: Final = re.compile(r"_?(assert|verify|expect|should|then|andExpect|check)\w*")
_ASSUMING: Final = re.compile(r"assum\w+|assumptionThat")
_EQUAL: Final = re.compile(r"(assert|is)\w*(Equal|Same|Matches)\w*|isEqualTo\w*|containsExactly\w*")
_EXISTS: Final = re.compile(
    r"assert(NotNull|True|False|DoesNotThrow)|is(NotNull|True|Present|NotEmpty)"
)
_EXPECTING: Final = re.compile(r"\bexpected(Exceptions)?\s*=\s*\{?\s*(Throwable|Error|Exception)\b")
"""An annotation by which a failed assertion is what the test expects."""

_CLASSES: Final = frozenset(
    {"class_declaration", "record_declaration", "interface_declaration", "enum_declaration"}
)
_CLOSE: Final = frozenset({"within", "offset", "byLessThan", "withinPercentage"})


class JavaReader(Reader):
    """Reads the methods of the classes of a file."""

    catches: ClassVar[re.Pattern[str]] = re.compile(
        r"\b(Throwable|Error|AssertionError|AssertionFailedError|ComparisonFailure)\b"
    )

    def read(self, root: Node) -> None:
        """Read the definitions of a file."""
        for child in root.named_children:
            if child.type in _CLASSES:
                self._class(child, "", ())

    def statements(self, node: Node) -> Iterator[Statement]:
        """What a statement, or each in a block, means."""
        if node.type == "assert_statement":
            condition = text_of(node.named_children[0])
            yield assertion(node, condition, Rank.COMPARES, (), always=condition == "true")
        else:
            yield from super().statements(node)

    def call(self, node: Node, names: Sequence[str]) -> Statement | None:
        """What a call means for the test, by the names in it."""
        if names[-1:] in (["assertAll"], ["assertSoftly"]):
            return None
        if any(_ASSUMING.fullmatch(name) for name in names):
            return assuming(node)
        if names[-1:] == ["fail"]:
            return Failing(line_of(node), text_of(node))
        name = next((item for item in names if _ASSERTING.fullmatch(item)), None)
        if name is None:
            return None
        given = [text_of(item) for item in arguments_of(first_call(node, name) or node)]
        last = names[-1]
        binary = len(given) > 1 and name != "assertThrows"
        subject = given[1] if binary else next(iter(given), name)
        made = assertion(
            node,
            subject,
            _rank(last),
            given[:2] if last == name and binary else (),
            always=(last == "assertTrue" and given[-1:] == ["true"])
            or (last == "assertFalse" and given[-1:] == ["false"]),
        )
        return self._close(made, node, name, given)

    def _close(self, made: Statement, node: Node, name: str, given: Sequence[str]) -> Statement:
        """With a tolerance, which is the third argument of `assertEquals`, or within a call."""
        assert not isinstance(made, Failing)
        written, value = "", None
        if name in ("assertEquals", "assertArrayEquals") and len(given) > 2:
            written = given[2]
            value = number_of(written) if "." in written or "e" in written else None
        else:
            found = re.search(rf"\b({'|'.join(_CLOSE)})\(([^()]*)\)", text_of(node))
            if found:
                written, value = found[2], number_of(found[2])
        return tolerating(made, "delta", value, written)  # type: ignore[arg-type]

    def _class(self, node: Node, prefix: str, markers: tuple[Marker, ...]) -> None:
        name = f"{prefix}{text_of(node.child_by_field_name('name'))}."
        annotations = list(_annotations(node))
        own = (*markers, *_skips(annotations))
        all_tests = any(_name(item) == "Test" for item in annotations)
        superclass = text_of(node.child_by_field_name("superclass"))
        body = node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            if child.type in _CLASSES:
                self._class(child, name, own)
            elif child.type == "method_declaration":
                self._method(child, name, own, "TestCase" in superclass, all_tests)

    def _method(
        self, node: Node, prefix: str, markers: tuple[Marker, ...], by_name: bool, all_tests: bool
    ) -> None:
        name = text_of(node.child_by_field_name("name"))
        annotations = list(_annotations(node))
        words = text_of(_modifiers(node)).split()
        is_test = not {"private", "static", "abstract"} & set(words) and (
            any(_name(item) in _TESTS for item in annotations)
            or (by_name and name.startswith("test"))
            or (all_tests and "public" in words)
        )
        body = node.child_by_field_name("body")
        marks = (*markers, *_skips(annotations))
        cases = _cases(annotations)
        self.add(
            Function(
                f"{prefix}{name}",
                line_of(node),
                self.block(body),
                shape_of(body),
                marks,
                cases,
                is_test,
                name,
            )
        )


def _rank(name: str) -> Rank:
    if _EXISTS.fullmatch(name):
        return Rank.EXISTS
    return Rank.EQUALS if _EQUAL.fullmatch(name) else Rank.COMPARES


def _modifiers(node: Node) -> Node | None:
    return next((child for child in node.children if child.type == "modifiers"), None)


def _annotations(node: Node) -> Iterator[Node]:
    modifiers = _modifiers(node)
    for child in modifiers.named_children if modifiers is not None else ():
        if child.type in ("annotation", "marker_annotation"):
            yield child


def _name(annotation: Node) -> str:
    return text_of(annotation.child_by_field_name("name")).rpartition(".")[2]


def _skips(annotations: Sequence[Node]) -> Iterator[Marker]:
    for item in annotations:
        text = text_of(item)
        off = re.search(r"\benabled\s*=\s*false\b", text)
        expects = re.search(
            r"\bexpected(Exceptions)?\s*=\s*\{?\s*(Throwable|Error|Exception)\b", text
        )
        if _SKIPPING.fullmatch(_name(item)) or off or expects:
            yield Marker(line_of(item), text)


def _cases(annotations: Sequence[Node]) -> int | None:
    """How many sets of parameters annotations give, where they are written down."""
    cases: int | None = 1
    for item in annotations:
        name = _name(item)
        if name == "RepeatedTest":
            found = re.search(r"\(\s*(?:value\s*=\s*)?(\d{1,6})", text_of(item))
            cases = int(found[1]) if found else None
        elif name.endswith("Source"):
            arrays = list(_arrays(item))
            cases = len(arrays[0].named_children) if len(arrays) == 1 else None
    return cases


def _arrays(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "element_value_array_initializer":
            yield child
        else:
            yield from _arrays(child)
