"""The tests in a Rust file, as `cargo test` finds them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from agent_judge.judges.diff.kept.statements import (
    Failing,
    Function,
    Marker,
    Rank,
    Skipping,
    Statement,
)
from agent_judge.judges.diff.kept.tree_bodies import (
    Reader,
    assertion,
    line_of,
    shape_of,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST: Final = re.compile(r"#\[\s*((\w+::)*test(\(.*\))?|rstest\b.*|test_case\b.*|\w+_test)\s*\]")
_CASE: Final = re.compile(r"#\[\s*(test_)?case\b.*\]")
_OFF: Final = re.compile(r"#!?\[\s*(ignore\b|should_panic\b|cfg\(|cfg_attr\()")
_IN_TESTS: Final = re.compile(r"#!?\[\s*cfg\(\s*test\s*\)\s*\]")
_ASSERTING: Final = re.compile(r"(debug_|prop_|static_|k9::)?assert\w*")
_RELATION: Final = re.compile(r"\s*(?:[=!<>]=|\s[<>]\s|\.is_(?:some|ok|none|err)\()")
_FAILING: Final = frozenset({"panic", "unreachable", "todo", "unimplemented"})


class RustReader(Reader):
    """Reads the functions of a file that belong to its tests."""

    catches: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")

    def read(self, root: Node) -> None:
        """Read the definitions of a file."""
        whole = any(_TEST.fullmatch(text_of(child)) for child in root.named_children)
        self._scope(root, "", (), whole)

    def call(self, node: Node, names: Sequence[str]) -> Statement | None:
        """What a call means for the test, by the names in it."""
        last, text, line = names[-1] if names else "", text_of(node), line_of(node)
        if node.type != "macro_invocation":
            return Skipping(line, text) if names[-2:] == ["process", "exit"] else None
        if last in _FAILING:
            return Failing(line, text)
        if not _ASSERTING.fullmatch(last):
            return None
        given = _arguments(text)
        rank = Rank.EXISTS if last in ("assert", "debug_assert") else Rank.EQUALS
        if rank is Rank.EXISTS and re.search(r"[=!<>]=|[<>]|matches!", given[0] if given else ""):
            rank = Rank.COMPARES
        subject = _RELATION.split(given[0])[0] if given else ""
        compared = given[:2] if last.endswith(("assert_eq", "assert_ne")) else ()
        always = last.endswith("assert") and given[:1] == ["true"]
        return assertion(node, subject, rank, compared, always=always)

    def _scope(self, node: Node, prefix: str, markers: tuple[Marker, ...], within: bool) -> None:
        attributes: list[Node] = []
        for child in node.named_children:
            text = text_of(child)
            if child.type == "attribute_item":
                attributes.append(child)
                continue
            if child.type == "inner_attribute_item" and _is_off(text):
                self.markers.append(Marker(line_of(child), text))
            elif child.type in ("mod_item", "impl_item"):
                self._module(child, prefix, markers, attributes, within)
            elif child.type == "function_item":
                self._function(child, prefix, markers, attributes, within)
            if "comment" not in child.type:
                attributes = []

    def _module(
        self,
        node: Node,
        prefix: str,
        markers: tuple[Marker, ...],
        attributes: Sequence[Node],
        within: bool,
    ) -> None:
        body = node.child_by_field_name("body")
        name = text_of(node.child_by_field_name("name"))
        of_tests = any(_IN_TESTS.fullmatch(text_of(item)) for item in attributes)
        marks = (*markers, *_marks(attributes))
        if body is not None:
            self._scope(body, f"{prefix}{name}::", marks, within or of_tests)
        elif of_tests:  # its tests are in another file, which is compiled because of this line
            self.add(Function(f"{prefix}mod {name}", line_of(node), (), "", marks))

    def _function(
        self,
        node: Node,
        prefix: str,
        markers: tuple[Marker, ...],
        attributes: Sequence[Node],
        within: bool,
    ) -> None:
        texts = [text_of(item) for item in attributes]
        is_test = any(_TEST.fullmatch(text) for text in texts)
        if not (is_test or within):
            return
        name = text_of(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        cases = sum(_CASE.fullmatch(text) is not None for text in texts) or 1
        marks = (*markers, *_marks(attributes)) if is_test else ()
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


def _is_off(text: str) -> bool:
    return _OFF.match(text) is not None and not _IN_TESTS.fullmatch(text)


def _marks(attributes: Sequence[Node]) -> list[Marker]:
    return [Marker(line_of(item), text_of(item)) for item in attributes if _is_off(text_of(item))]


def _arguments(text: str) -> list[str]:
    """The arguments of a macro, of which the tree holds the tokens alone."""
    inside = text[text.find("!") + 1 :].strip()[1:-1]
    parts: list[str] = []
    depth, start = 0, 0
    for index, char in enumerate(inside):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            parts.append(inside[start:index].strip())
            start = index + 1
    return [part for part in [*parts, inside[start:].strip()] if part]
