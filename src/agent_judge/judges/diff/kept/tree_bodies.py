"""The statements of functions in a syntax tree of tree-sitter, as far as they matter.

The grammars of Java, JavaScript, Go and Rust name most statements alike; a reader of one of these
languages adds what asserts, what skips and what is a test there.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from agent_judge.judges.diff.kept.statements import (
    Assertion,
    Attempting,
    Block,
    Branching,
    Calling,
    Failing,
    Function,
    Leaving,
    Looping,
    Marker,
    Rank,
    Skipping,
    Statement,
)

if TYPE_CHECKING:
    from tree_sitter import Node

BRANCHES: Final = frozenset({"if_statement", "if_expression"})
LOOPS: Final = frozenset(
    {
        "do_statement",
        "enhanced_for_statement",
        "for_expression",
        "for_in_statement",
        "for_statement",
        "loop_expression",
        "while_expression",
        "while_statement",
    }
)
CHOICES: Final = frozenset(
    {
        "expression_switch_statement",
        "match_expression",
        "select_statement",
        "switch_expression",
        "switch_statement",
        "type_switch_statement",
    }
)
ATTEMPTS: Final = frozenset({"try_statement", "try_with_resources_statement"})
RETURNS: Final = frozenset({"return_expression", "return_statement"})
BREAKS: Final = frozenset(
    {"break_expression", "break_statement", "continue_expression", "continue_statement"}
)
CALLS: Final = frozenset({"call_expression", "macro_invocation", "method_invocation"})
FUNCTIONS: Final = frozenset(
    {
        "arrow_function",
        "closure_expression",
        "func_literal",
        "function",
        "function_expression",
        "generator_function",
        "lambda_expression",
    }
)
DEFINITIONS: Final = frozenset(
    {
        "class_declaration",
        "function_declaration",
        "function_item",
        "method_declaration",
        "mod_item",
    }
)

_CLOSE: Final = re.compile(r"\babs\w*\(?.*<=?\s*([0-9][0-9_.eE+-]*)f?(?:32|64)?\b")
_NUMBER: Final = re.compile(r"[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?")
_LITERAL: Final = re.compile(r"-?[0-9][\w.]*|true|false|null|nil|undefined|\"[^\"]*\"|'[^']*'")
_MAX_TEXT: Final = 300


class Reader(ABC):
    """Reads the functions of one file.

    Attributes:
        functions: What was found, by name.
        markers: What keeps all tests of the file from being run.
    """

    catches: ClassVar[re.Pattern[str]]
    """What a handler catches that catches a failed assertion."""

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}
        self.markers: list[Marker] = []

    @abstractmethod
    def read(self, root: Node) -> None:
        """Read the definitions of a file."""

    @abstractmethod
    def call(self, node: Node, names: Sequence[str]) -> Statement | None:
        """What a call means for the test, by the names in it; `None` where nothing is known."""

    def add(self, function: Function) -> None:
        """Keep a function; a name that is there already gets a number."""
        name, number = function.name, 2
        while name in self.functions:
            name = f"{function.name}#{number}"
            number += 1
        self.functions[name] = Function(
            name,
            function.line,
            function.body,
            function.shape,
            function.markers,
            function.cases,
            function.is_test,
            function.reachable_by,
        )

    def block(self, node: Node | None) -> Block:
        """The statements of a block, or of a single statement."""
        return () if node is None else tuple(self.statements(node))

    def statements(self, node: Node) -> Iterator[Statement]:
        """What a statement, or each in a block, means."""
        kind = node.type
        if kind in BRANCHES:
            yield from self.branch(node)
        elif kind in LOOPS:
            yield from self.loop(node)
        elif kind in CHOICES:
            yield self._choice(node)
        elif kind in ATTEMPTS:
            yield self._attempt(node)
        elif kind in CALLS:
            yield from self._call(node)
        elif kind in FUNCTIONS:
            yield from self.block(node.child_by_field_name("body"))
        elif kind not in DEFINITIONS:
            yield from self._simple(node)

    def _simple(self, node: Node) -> Iterator[Statement]:
        """A statement that holds no other, or a block of them."""
        line, text = line_of(node), text_of(node)
        if node.type == "throw_statement":
            yield Failing(line, text)
            return
        yield from self._inner(node)
        if node.type in RETURNS:
            yield Leaving(line, text)
        elif node.type in BREAKS:
            yield Leaving(line, text, far=False)

    def branch(self, node: Node) -> Iterator[Statement]:
        """A choice by a condition."""
        condition = node.child_by_field_name("condition")
        text = condition_of(condition)
        if condition is not None:
            yield from self.statements(condition)
        known = constant(text)
        taken = None if known is None else int(not known)
        alternative = node.child_by_field_name("alternative")
        arms = (self.block(node.child_by_field_name("consequence")), self.block(alternative))
        yield Branching(line_of(node), text, arms, taken, alternative is not None)

    def loop(self, node: Node) -> Iterator[Statement]:
        """A loop."""
        body = node.child_by_field_name("body")
        over = node.child_by_field_name("condition") or node.child_by_field_name("right")
        over = over or node.child_by_field_name("value")
        text = condition_of(over)
        never = constant(text) is False or re.fullmatch(r"\[\s*\]|vec!\[\s*\]", text) is not None
        yield Looping(line_of(node), text, self.block(body), never)

    def _choice(self, node: Node) -> Statement:
        arms = [
            child
            for part in (node, *node.named_children)
            for child in part.named_children
            if child.type.endswith(("_case", "_group", "_rule", "_arm", "_default", "_clause"))
        ]
        known = [child.text or b"" for child in arms]
        complete = any(re.match(rb"\s*(default\b|_\s*(=>|->))", text) for text in known)
        blocks = tuple(tuple(self._inner(arm)) for arm in arms)
        first = node.named_children[0] if node.named_children else node
        return Branching(line_of(node), text_of(first), blocks, None, complete)

    def _attempt(self, node: Node) -> Statement:
        body = self.block(node.child_by_field_name("body"))
        handlers: list[Block] = []
        last: Block = ()
        caught = ""
        for child in node.named_children:
            if child.type == "catch_clause":
                handler = tuple(self._inner(child))
                handlers.append(handler)
                head = text_of(child).partition("{")[0].strip()
                again = any(isinstance(item, Failing) for item in handler)
                if not again and self.catches.search(head):
                    caught = head
            elif child.type == "finally_clause":
                last = tuple(self._inner(child))
        return Attempting(
            line_of(node), caught or "catch", body, tuple(handlers), last, bool(caught)
        )

    def _call(self, node: Node) -> Iterator[Statement]:
        names = chain(node)
        found = self.call(node, names)
        if found is None:
            if names:
                yield Calling(line_of(node), names[-1])
            yield from self._inner(node)
            return
        yield found
        for function in _functions_in(node):
            yield from self.statements(function)

    def _inner(self, node: Node) -> Iterator[Statement]:
        for child in node.named_children:
            yield from self.statements(child)


def assertion(
    node: Node, subject: str, rank: Rank, arguments: Sequence[str], *, always: bool = False
) -> Assertion:
    """An assertion with what its text says of tolerances.

    Args:
        node: The call.
        subject: What it looks at.
        rank: How much it says of that.
        arguments: What is compared, by which one that holds whatever happens is known.
        always: Whether that is known already.
    """
    text = text_of(node)
    tolerances: dict[str, float] = {}
    close = _CLOSE.search(text)
    if close:
        tolerances["limit"] = number_of(close[1]) or 0.0
        text = text[: close.start(1)] + text[close.end(1) :]
    alike = len(arguments) > 1 and arguments[0] == arguments[1] and "(" not in arguments[0]
    return Assertion(line_of(node), text, subject, rank, tolerances, always or alike)


def tolerating(made: Assertion, name: str, value: float | None, written: str) -> Assertion:
    """The assertion with a tolerance that was an argument of it."""
    if value is None:
        return made
    head, _, tail = made.text.rpartition(written)
    tolerances = {**made.tolerances, name: value}
    return Assertion(made.line, f"{head}{tail}", made.subject, made.rank, tolerances, made.always)


def assuming(node: Node) -> Statement:
    """A call that skips the test unless something holds."""
    skip = Skipping(line_of(node), text_of(node))
    return Branching(line_of(node), text_of(node), ((skip,),))


def chain(node: Node) -> list[str]:
    """The names in what is called, from the left: `a.b(c).d(e)` gives `a`, `b` and `d`."""
    names: list[str] = []
    current: Node | None = node
    while current is not None:
        kind = current.type
        if kind == "method_invocation":
            names.append(text_of(current.child_by_field_name("name")))
            current = current.child_by_field_name("object")
        elif kind == "call_expression":
            current = current.child_by_field_name("function")
        elif kind == "macro_invocation":
            names.append(text_of(current.child_by_field_name("macro")).rpartition("::")[2])
            current = None
        elif kind in _MEMBERS:
            names.append(text_of(current.child_by_field_name(_MEMBERS[kind][1])))
            current = current.child_by_field_name(_MEMBERS[kind][0])
        elif kind in ("await_expression", "parenthesized_expression"):
            current = current.named_children[0] if current.named_children else None
        else:
            if kind in _NAMES:
                names.append(text_of(current))
            current = None
    return names[::-1]


_MEMBERS: Final = {
    "member_expression": ("object", "property"),
    "selector_expression": ("operand", "field"),
    "field_expression": ("value", "field"),
    "field_access": ("object", "field"),
    "scoped_identifier": ("path", "name"),
}
_NAMES: Final = frozenset(
    {
        "field_identifier",
        "identifier",
        "property_identifier",
        "self",
        "super",
        "this",
        "type_identifier",
    }
)


def arguments_of(node: Node) -> list[Node]:
    """The arguments of a call."""
    given = node.child_by_field_name("arguments")
    return (
        []
        if given is None
        else [item for item in given.named_children if "comment" not in item.type]
    )


def first_call(node: Node, name: str) -> Node | None:
    """The call of a name at the root of a chain of calls."""
    current: Node | None = node
    found = None
    while current is not None:
        if current.type in CALLS and chain(current)[-1:] == [name]:
            found = current
        current = (
            current.child_by_field_name("object")
            or current.child_by_field_name("function")
            or current.child_by_field_name("operand")
            or current.child_by_field_name("value")
        )
    return found


def text_of(node: Node | None) -> str:
    """The source of a node in one line, cut where it is long."""
    if node is None or node.text is None:
        return ""
    text = " ".join(node.text.decode("utf-8", "replace").split())
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"


def condition_of(node: Node | None) -> str:
    """The source of a condition without the brackets around it."""
    while node is not None and node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    return text_of(node)


def line_of(node: Node) -> int:
    """The line at which a node begins."""
    return node.start_point[0] + 1


def shape_of(node: Node | None) -> str:
    """A hash of the source of a node, blanks made even."""
    text = b"" if node is None or node.text is None else b" ".join(node.text.split())
    return hashlib.sha256(text).hexdigest()[:16]


def constant(text: str) -> bool | None:
    """Whether a condition is true whatever happens, or false; `None` where that depends."""
    plain = text.strip("() ")
    negated = plain.startswith("!")
    plain = plain.removeprefix("!").strip("() ")
    known = {"true": True, "false": False, "1": True, "0": False, "null": False}.get(plain)
    return known if known is None else known is not negated


def is_literal(text: str) -> bool:
    """Whether a source is that of a number, a string, or a word such as `true`."""
    return _LITERAL.fullmatch(text) is not None


def number_of(text: str) -> float | None:
    """A number as it is written in these languages."""
    found = _NUMBER.match(text.strip())
    try:
        return float(found[0].replace("_", "")) if found else None
    except ValueError:
        return None


def _functions_in(node: Node) -> Iterator[Node]:
    """The outermost functions that are written in a call."""
    for child in node.named_children:
        if child.type in FUNCTIONS:
            yield child
        else:
            yield from _functions_in(child)
