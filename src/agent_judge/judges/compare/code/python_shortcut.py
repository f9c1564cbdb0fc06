"""Leaving out what two Python modules have in common, before trees of nodes are made of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final, TypeAlias, cast

from agent_judge.judges.compare.code.python_source import PythonTree, fields_of
from agent_judge.judges.compare.comparison import Build

Statements: TypeAlias = Sequence[ast.stmt]
Pairs: TypeAlias = list[tuple[Any, Any]]

_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")


def common_statements(left: Build, right: Build) -> tuple[Build, Build] | None:
    """Both modules, of which the statements that are the same in both are not looked into.

    Imports always are: their neighbours decide what their order means.

    Returns:
        Nothing where the modules are the same.
    """
    assert isinstance(left, PythonTree)
    assert isinstance(right, PythonTree)
    trees = _Trees(left, right)
    if trees.same(left.module, right.module):
        return None
    ours, theirs = dict[int, str](), dict[int, str]()
    for mark, (old, new) in zip(count(), trees.common(), strict=False):
        ours[id(old)] = theirs[id(new)] = str(mark)
    return replace(left, same=ours), replace(right, same=theirs)


class _Trees:
    """Compares two trees pair by pair; a statement whose source is the same is not entered."""

    def __init__(self, left: PythonTree, right: PythonTree) -> None:
        self._left = left
        self._right = right
        self._lines = _plain_lines(left.data), _plain_lines(right.data)

    def common(self) -> Iterator[tuple[ast.stmt, ast.stmt]]:
        """The outermost statements that are the same, in places that belong together."""
        pending: list[tuple[Any, Any]] = [(self._left.module, self._right.module)]
        while pending:
            left, right = pending.pop()
            for block in _BLOCKS:
                pairs = _aligned(getattr(left, block, None), getattr(right, block, None))
                for old, new in pairs:
                    if isinstance(old, ast.Import | ast.ImportFrom):
                        continue
                    if isinstance(old, ast.stmt) and self.same(old, new):
                        yield old, cast("ast.stmt", new)
                    else:
                        pending.append((old, new))

    def same(self, left: ast.AST, right: ast.AST) -> bool:
        """Whether two nodes and all that is in them are the same."""
        pending: Pairs = [(left, right)]
        while pending:
            old, new = pending.pop()
            kind: object = type(old)  # pyright: ignore[reportUnknownVariableType]
            if kind is not type(new):
                return False
            if kind is list:
                if len(old) != len(new):
                    return False
                pending.extend(zip(old, new, strict=True))
            elif kind is ast.Constant:
                if old.kind != new.kind or not _same_constant(old.value, new.value):
                    return False
            elif isinstance(old, ast.AST):
                self._enter(old, new, pending)
            elif old != new:
                return False
        return True

    def _enter(self, left: ast.AST, right: Any, pending: Pairs) -> None:
        """Put the parts of two nodes of the same kind on the list of what is to be compared."""
        if isinstance(left, ast.stmt) and self._same_source(left, right):
            # Decorators stand above what they decorate, outside of its lines.
            ours, theirs = (getattr(side, "decorator_list", []) for side in (left, right))
            pending.append((ours, theirs))
            return
        names = fields_of(type(left))
        pending += [(getattr(left, name, None), getattr(right, name, None)) for name in names]

    def _same_source(self, left: ast.stmt, right: ast.stmt) -> bool:
        ours, theirs = self._lines
        return (
            left.col_offset == right.col_offset
            and left.end_col_offset == right.end_col_offset
            and bool(ours and theirs)
            and ours[left.lineno - 1 : left.end_lineno]
            == theirs[right.lineno - 1 : right.end_lineno]
        )


def _aligned(left: object, right: object) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What belongs together in two blocks, from the beginning and from the end.

    Each way it ends where the kinds differ: what follows may have moved.
    """
    if not isinstance(left, list) or not isinstance(right, list):
        return
    ours, theirs = cast("list[ast.AST]", left), cast("list[ast.AST]", right)
    shorter = min(len(ours), len(theirs))
    start = 0
    while start < shorter and _alike(ours[start], theirs[start]):
        yield ours[start], theirs[start]
        start += 1
    for place in range(1, shorter - start + 1):
        if not _alike(ours[-place], theirs[-place]):
            break
        yield ours[-place], theirs[-place]


def _alike(left: ast.AST, right: ast.AST) -> bool:
    """Whether two statements are of a kind, and of a name if they have one."""
    named = getattr(left, "name", None) == getattr(right, "name", None)
    return type(left) is type(right) and named


def _plain_lines(data: bytes) -> list[bytes]:
    """The lines of a source in UTF-8; none where it may be in another encoding."""
    lines = data.splitlines()
    declares = any(b"coding" in line for line in lines[:2])
    return [] if declares else lines


def _same_constant(left: object, right: object) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, float | complex):
        return repr(left) == repr(right)
    return left == right
