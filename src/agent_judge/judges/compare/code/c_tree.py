"""C and C++ as they are compared: directives without comments, declarations with their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent_judge.judges.compare.code.code_rules import drop
from agent_judge.judges.compare.code.grammars import name_nodes
from agent_judge.judges.compare.node import Node, rewrite, top_down

_MARK: Final = re.compile(rb'R"[^()\\\s]{0,16}\(|["\'#\n]|//|/\*|\\(?:\r?\n)?|[^\s"\'#/\\]')
_STRING: Final = re.compile(rb'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_BLANKS: Final = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')|(?:\\\r?\n|\s)+')


def blank_directive_comments(data: bytes) -> bytes:
    """Put blanks in the place of comments in directives, which the grammar would end there."""
    if b"#" not in data:
        return data
    kept = bytearray(data)
    for start, end in _directive_comments(data):
        if b"\n" not in data[start:end]:
            kept[start:end] = b" " * (end - start)
    return bytes(kept)


def _directive_comments(data: bytes) -> Iterator[tuple[int, int]]:
    """The comments on lines that begin with `#`, and on those that continue them."""
    place, at_start, in_directive = 0, True, False
    while (mark := _MARK.search(data, place)) is not None:
        text, place = mark[0], mark.end()
        if text == b"\n":
            at_start, in_directive = True, False
            continue
        if text[:1] == b"#" and at_start:
            in_directive = True
        elif text in (b"//", b"/*"):
            place = _end_of_comment(data, mark.start())
            if in_directive:
                yield mark.start(), place
            continue
        elif text[:2] == b'R"':
            place = data.find(b")" + text[2:-1] + b'"', place)
        elif text in (b'"', b"'") and (string := _STRING.match(data, mark.start())):
            place = string.end()
        if place < 0:
            return
        at_start = at_start and text[:1] == b"\\" and len(text) > 1


def _end_of_comment(data: bytes, start: int) -> int:
    if data[start + 1 : start + 2] == b"*":
        end = data.find(b"*/", start + 2)
        return len(data) if end < 0 else end + 2
    end = data.find(b"\n", start)
    while end > 0 and data[end - 1 : end] == b"\\":
        end = data.find(b"\n", end + 1)
    return len(data) if end < 0 else end


def shape_c(root: Node) -> None:
    """Bring a tree of the grammar into the form that is compared."""
    name_nodes(root)
    _name_declarations(root)
    drop(root, lambda _, node: node.kind == "\n")
    rewrite(root, _shape)


def _shape(node: Node) -> bool:
    if node.kind != "preproc_arg" or not isinstance(node.value, str):
        return False
    node.value = _BLANKS.sub(lambda piece: piece[1] or " ", node.value).strip()
    return True


def _name_declarations(root: Node) -> None:
    """Name functions and variables, whose names are somewhere within their declarators."""
    for node in reversed(list(top_down(root))):
        inner = node.child("declarator")
        if not node.name and inner is not None:
            node.name = inner.value if isinstance(inner.value, str) else inner.name
