"""What has to be known of a language, or of a kind of document, to compare it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from agent_judge.judges.compare.comparison import Build, Shorten
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.rules import Rule

Parser: TypeAlias = Callable[[Document], Build]
"""Reads a document; what it returns builds its tree.

Raises `SyntaxFaultError` where the document is not of the language, and `NotComparedError` where
it cannot be looked at.
"""


@dataclass(frozen=True, slots=True)
class Language:
    """How documents of one kind are compared.

    Attributes:
        name: What it is called.
        parse: Reads a document.
        rules: The normalisations that there are, in the order in which they apply.
        not_compared: What is no part of the tree, and so never makes a difference.
        packages: The modules that parsing needs, of the extra `compare` unless said otherwise.
        extra: The extra that brings them.
        compared_as: What the trees are.
        pointers: Whether places are named by JSON Pointers, as in data, or by names with dots.
        shorten: A quick way to see that two documents are equal, or to leave out what is.
    """

    name: str
    parse: Parser
    rules: tuple[Rule, ...] = ()
    not_compared: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    extra: str = "compare"
    compared_as: str = "syntax tree"
    pointers: bool = False
    shorten: Shorten | None = None
