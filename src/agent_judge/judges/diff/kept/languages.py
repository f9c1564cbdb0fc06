"""Which files hold tests, and in which language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

LANGUAGES: Final[Mapping[str, str]] = {
    ".py": "python",
    ".java": "java",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
}
"""Languages whose tests can be read, by the end of a file's name."""

GRAMMARS: Final[Mapping[str, str]] = {
    "java": "tree_sitter_java",
    "javascript": "tree_sitter_javascript",
    "typescript": "tree_sitter_typescript",
    "tsx": "tree_sitter_typescript",
    "go": "tree_sitter_go",
    "rust": "tree_sitter_rust",
}
"""The package of each language's grammar; Python needs none."""

_OTHERS: Final = (
    "c cc cpp cxx m mm cs fs vb kt kts groovy scala clj cljs rb php pl t swift dart ex exs erl hs"
    " ml lua r jl nim zig sh bats ps1 feature robot vue svelte sol f90 pas d cr elm rkt scm lisp"
)
OTHERS: Final = frozenset([f".{end}" for end in _OTHERS.split()])
"""Ends of names of source in other languages, whose tests cannot be read."""

_TEST_NAME: Final[Mapping[str, re.Pattern[str]]] = {
    "python": re.compile(r"test(s|_.*|[0-9A-Z].*)?\.py|.*_tests?\.py|conftest\.py"),
    "java": re.compile(r"(Test|IT).*\.java|.*(Test|Tests|TestCase|IT|ITCase|Spec)\.java"),
    "javascript": re.compile(r".*[._-](test|spec|cy|e2e)\.\w+|tests?\.\w+"),
    "go": re.compile(r".*_test\.go"),
    "rust": re.compile(r".*\.rs"),
}
_GO_SYSTEM: Final = re.compile(
    r"_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris"
    r"|wasip1|windows|386|amd64|arm|arm64|loong64|mips\w*|ppc64(le)?|riscv64|s390x|wasm)_test\.go$"
)
_OTHER_NAME: Final = re.compile(r"test.*|.*[._-](test|spec)s?\..*|.*(Test|Tests|Spec|Specs)\.\w+")
_FOLDERS: Final = frozenset({"test", "tests", "__tests__", "spec", "specs", "testing", "e2e"})


def language_of(path: str) -> str | None:
    """The language of a file, where its tests can be read."""
    return LANGUAGES.get(ending(path))


def holds_tests(path: str) -> bool:
    """Whether the usual runners look for tests in a file, by its name.

    In Go it must have a name of that kind, and in Rust it can have any.
    """
    *folders, name = path.split("/")
    language = language_of(path)
    if language is None:
        named = _OTHER_NAME.fullmatch(name) is not None
        return ending(path) in OTHERS and (named or supports_tests(path))
    kind = "javascript" if language in ("typescript", "tsx") else language
    if _TEST_NAME[kind].fullmatch(name):
        return True
    if kind == "java":
        return "src/test/" in f"{'/'.join(folders)}/"
    return kind == "javascript" and "__tests__" in folders


def is_named_as_tests(path: str) -> bool:
    """Whether the name alone, of whatever folder, makes every runner look for tests in a file.

    Surefire goes by names, and a file of Go is built only on the system that its name ends with.
    """
    name, language = path.rpartition("/")[2], language_of(path)
    if language == "go" and _GO_SYSTEM.search(name):
        return False
    kind = "javascript" if language in ("typescript", "tsx") else language
    return kind is not None and _TEST_NAME[kind].fullmatch(name) is not None


def supports_tests(path: str) -> bool:
    """Whether a file stands in a folder of tests, so that tests may call what is in it."""
    known = ending(path) in LANGUAGES or ending(path) in OTHERS
    return known and not _FOLDERS.isdisjoint(path.split("/")[:-1])


def ending(path: str) -> str:
    """The end of a file's name, with its dot."""
    name = path.rpartition("/")[2]
    return f".{name.rpartition('.')[2]}" if "." in name else ""
