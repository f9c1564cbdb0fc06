"""Making outlines of files of tests, in a child process of `killable`."""

from __future__ import annotations

from typing import Any

from agent_judge.judges.diff.kept.statements import Function, Marker, SourceFile
from agent_judge.judges.diff.kept.strength import Lost, measure


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The outline of a file: its bytes, each as a character of its number, and its language."""
    content: bytes = request["content"].encode("latin-1")
    try:
        return outline(read(content, request["language"]))
    except (SyntaxError, ValueError) as fault:
        line = getattr(fault, "lineno", None)
        return {"fault": str(getattr(fault, "msg", fault)), "line": line or 1}


def read(content: bytes, language: str) -> SourceFile:
    """The functions of a file.

    Raises:
        SyntaxError: It is not in that language.
        ValueError: It cannot be read.
    """
    if language == "python":
        from agent_judge.judges.diff.kept.python_source import read_python

        return read_python(content)
    from agent_judge.judges.diff.kept.tree_source import read_tree

    return read_tree(content, language)


def outline(source: SourceFile) -> dict[str, Any]:
    """What is compared of a file, as JSON."""
    helpers = {
        function.reachable_by: function
        for function in source.functions
        if not function.is_test and function.reachable_by
    }
    return {
        "functions": [_function(function, helpers) for function in source.functions],
        "markers": _markers(source.markers),
    }


def _function(function: Function, helpers: dict[str, Function]) -> dict[str, Any]:
    strength = measure(function, helpers)
    return {
        "name": function.name,
        "line": function.line,
        "is_test": function.is_test,
        "shape": function.shape,
        "cases": function.cases,
        "markers": _markers([*function.markers, *strength.skips]),
        "live": len(strength.live),
        "sure": strength.sure,
        "called": strength.called,
        "called_surely": strength.called_surely,
        "assertions": [
            [item.line, item.text, item.subject, int(item.rank), dict(item.tolerances)]
            for item in strength.live
        ],
        "lost": _lost(strength.lost),
        "conditional": _lost(strength.conditional),
    }


def _markers(markers: Any) -> list[list[Any]]:
    kept: dict[Marker, None] = dict.fromkeys(markers)
    return [[marker.line, marker.text] for marker in kept]


def _lost(lost: list[Lost]) -> list[list[Any]]:
    return [[item.line, item.text, item.why] for item in lost]
