"""Which rows of the contract there are, and which of them the tests cite."""

from __future__ import annotations

import ast
import re
import tomllib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

CITATION = re.compile(r"\(contract:([^)]*)\)")


def read_rows(file: Path) -> tuple[list[str], list[str]]:
    """Read the rows that need a test now, and those that will, each as `core:V22`."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return _flatten(tables["due"]), _flatten(tables["later"])


def cited_by_tests(files: Iterable[Path]) -> set[str]:
    """Collect the rows that the docstring of a test cites; other mentions hold nothing."""
    return {
        row
        for file in files
        for docstring in _docstrings_of_tests(file.read_text(encoding="utf-8"))
        for row in cited_in(docstring)
    }


def cited_in(text: str) -> Iterator[str]:
    """Find each citation in a text, wherever it stands and whether or not there is such a row."""
    for citation in CITATION.finditer(text):
        yield from (" ".join(row.split()) for row in citation[1].split(","))


def _flatten(table: Mapping[str, Sequence[str]]) -> list[str]:
    return [f"{file}:{row}" for file, rows in table.items() for row in rows]


def _docstrings_of_tests(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ) if name.lower().startswith("test"):
                yield ast.get_docstring(node) or ""
            case _:
                pass
