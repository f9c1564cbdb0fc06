"""Source code as a syntax tree, by the grammars of tree-sitter.

Every token stays in the tree unless a language says that it means nothing: what is equal has the
same tokens in the same structure. White space and comments are no tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Final

from agent_judge.extras import load
from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import (
    NotComparedError,
    SyntaxFaultError,
    too_many_nodes,
)
from agent_judge.judges.compare.node import NODE_LIMIT, Node
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    import tree_sitter

PARSE_SECONDS: Final = 30.0
"""How long a parser may search for the structure of one file."""

_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Grammar:
    """What has to be known of a grammar.

    Attributes:
        package: The module that brings it.
        function: The function of that module that gives it.
        comments: Kinds of nodes that are comments.
        atoms: Kinds that are compared by their text, because white space in them means something.
        shape: Changes a tree that was made, in place, to say what the language means by it.
        prepare: Changes a source before it is parsed; every byte keeps its place.
    """

    package: str
    function: str = "language"
    comments: tuple[str, ...] = ("comment",)
    atoms: tuple[str, ...] = ()
    shape: Callable[[Node], None] | None = None
    prepare: Callable[[bytes], bytes] | None = None

    def parse(self, document: Document) -> Build:
        """Parse a source in UTF-8.

        Raises:
            SyntaxFaultError: A part of it is not of the language, or something is missing.
            NotComparedError: It is not in UTF-8, too large, or takes too long to parse.
        """
        data = document.data.removeprefix(b"\xef\xbb\xbf")
        _check_encoding(data)
        data = data if self.prepare is None else self.prepare(data)
        tree = _parse(_language(self.package, self.function), data)
        if tree.root_node.has_error:
            raise _fault(tree.root_node, data)
        return lambda: self._build(tree, data)

    def _build(self, tree: tree_sitter.Tree, data: bytes) -> Node:
        root = _Builder(self, data).build(tree)
        if self.shape is not None:
            self.shape(root)
        return root


def _check_encoding(data: bytes) -> None:
    try:
        data.decode()
    except ValueError as fault:
        raise NotComparedError(f"it is not in UTF-8: {fault}", ReasonCode.UNREADABLE_FILE) from None


@cache
def _language(package: str, function: str) -> tree_sitter.Language:
    needed_by = f"comparing with {package}"
    bindings = load("tree_sitter", extra="compare", needed_by=needed_by)
    grammar = load(package, extra="compare", needed_by=needed_by)
    language: tree_sitter.Language = bindings.Language(getattr(grammar, function)())
    return language


def _parse(language: tree_sitter.Language, data: bytes) -> tree_sitter.Tree:
    import tree_sitter

    deadline = monotonic() + PARSE_SECONDS
    try:
        return tree_sitter.Parser(language).parse(
            lambda offset, _: data[offset : offset + _CHUNK],
            progress_callback=lambda _, __: monotonic() > deadline,
        )
    except ValueError:
        reason = f"parsing it took more than {PARSE_SECONDS:g} s"
        raise NotComparedError(reason, ReasonCode.TIMEOUT) from None


def _fault(root: tree_sitter.Node, data: bytes) -> SyntaxFaultError:
    """The first place where the source is not of the language."""
    node = root
    while inner := next((child for child in node.children if child.has_error), None):
        node = inner
        if node.is_error or node.is_missing:
            break
    line = node.start_point.row + 1
    if node.is_missing:
        return SyntaxFaultError(f"{node.type!r} is missing", line)
    text = data[node.start_byte : node.end_byte][:40].decode("utf-8", "replace")
    return SyntaxFaultError(f"{text!r} does not fit", line)


class _Builder:
    """Makes nodes of the parser's tree, going along it without recursion."""

    def __init__(self, grammar: Grammar, data: bytes) -> None:
        self._comments = frozenset(grammar.comments)
        self._atoms = frozenset(grammar.atoms)
        self._data = data
        self._count = 0
        self._texts: list[Node] = []

    def build(self, tree: tree_sitter.Tree) -> Node:
        cursor = tree.walk()
        root = self._node(cursor)
        around = [root]
        ends = [root.start]
        descends = cursor.goto_first_child()
        while around:
            if descends:
                node = self._node(cursor)
                self._check_gap(around[-1], ends[-1], node.start)
                ends[-1] = node.end
                if node.kind not in self._comments:
                    around[-1].children.append(node)
                    if node.kind not in self._atoms and cursor.goto_first_child():
                        around.append(node)
                        ends.append(node.start)
                        continue
                    node.value = self._said(node)
                descends = cursor.goto_next_sibling()
            else:
                finished = around.pop()
                self._check_gap(finished, ends.pop(), finished.end)
                descends = bool(around) and cursor.goto_parent() and cursor.goto_next_sibling()
        for node in self._texts:
            node.value, node.children = self._text(node), []
        return root

    def _node(self, cursor: tree_sitter.TreeCursor) -> Node:
        self._count += 1
        if self._count > NODE_LIMIT:
            raise too_many_nodes(NODE_LIMIT)
        found = cursor.node
        assert found is not None
        return Node(
            found.type,
            role=cursor.field_name or "",
            start=found.start_byte,
            end=found.end_byte,
            line=found.start_point.row + 1,
        )

    def _check_gap(self, node: Node, start: int, end: int) -> None:
        """Compare a node by its text where some of that is in none of its parts."""
        if start < end:
            gap = self._data[start:end]
            if not gap.isspace() and gap.replace(b"\\\n", b"").replace(b"\\\r\n", b"").strip():
                self._texts.append(node)

    def _said(self, node: Node) -> str:
        """The text of a leaf; of a token such as `# define` without the white space in it."""
        text = self._text(node)
        return node.kind if "".join(text.split()) == node.kind else text

    def _text(self, node: Node) -> str:
        return self._data[node.start : node.end].decode()


def name_nodes(root: Node, roles: Sequence[str] = ("name", "key")) -> None:
    """Give nodes the names by which people call them: the text of the part that names each."""
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node.children)
        for role in roles:
            parts = [child.value for child in node.children if child.role == role]
            if len(parts) == 1 and isinstance(parts[0], str):
                node.name = parts[0]
                break
