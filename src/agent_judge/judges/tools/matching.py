"""Matching what was expected with what was done, by a table of which pairs agree.

A table has a row for each expected item and a column for each one that was given; both functions
give pairs (row, column), no row and no column twice, sorted by row.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

Agreement: TypeAlias = "Sequence[Sequence[bool]]"
Pair: TypeAlias = "tuple[int, int]"


def align(agreement: Agreement) -> tuple[Pair, ...]:
    """As many agreeing pairs as can be had in order (a longest common subsequence)."""
    rows, columns = len(agreement), len(agreement[0]) if agreement else 0
    longest = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in reversed(range(rows)):
        for column in reversed(range(columns)):
            longest[row][column] = (
                longest[row + 1][column + 1] + 1
                if agreement[row][column]
                else max(longest[row + 1][column], longest[row][column + 1])
            )
    return _trace(agreement, longest)


def _trace(agreement: Agreement, longest: Sequence[Sequence[int]]) -> tuple[Pair, ...]:
    pairs: list[Pair] = []
    row = column = 0
    while row < len(longest) - 1 and column < len(longest[0]) - 1:
        if agreement[row][column]:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif longest[row + 1][column] >= longest[row][column + 1]:
            row += 1
        else:
            column += 1
    return tuple(pairs)


def assign(agreement: Agreement) -> tuple[Pair, ...]:
    """As many agreeing pairs as can be had in any order (a maximum bipartite matching).

    Row by row, a way is sought to a free column along which earlier rows give theirs up for
    another (an augmenting path, C. Berge 1957). Taking the first column that agrees would not do:
    a row that could have another one may take the only one of a later row.
    """
    given = [[column for column, agrees in enumerate(row) if agrees] for row in agreement]
    taken: dict[int, int] = {}
    for row in range(len(given)):
        _augment(row, given, taken)
    return tuple(sorted((row, column) for column, row in taken.items()))


def _augment(start: int, given: Sequence[Sequence[int]], taken: dict[int, int]) -> None:
    """Give a row a column, moving other rows to other columns where that frees one."""
    reached_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        row = waiting.popleft()
        for column in given[row]:
            if column in reached_from:
                continue
            reached_from[column] = row
            if column not in taken:
                _flip(column, start, reached_from, taken)
                return
            waiting.append(taken[column])


def _flip(free: int, start: int, reached_from: dict[int, int], taken: dict[int, int]) -> None:
    """Move each row on the way back from a free column to the column after it."""
    held = {row: column for column, row in taken.items()}
    column = free
    while True:
        row = reached_from[column]
        taken[column] = row
        if row == start:
            return
        column = held[row]
