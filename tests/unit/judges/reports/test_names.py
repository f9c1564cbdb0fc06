from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.judges.reports.names import WorkspaceNames, posix_name

FILES = (
    "main.go",
    "pkg/a.go",
    "src/main/java/org/demo/A.java",
    "one/util.py",
    "two/util.py",
    "src/shop/cart.py",
    "shop/cart.py",
)
ROOT = Path("/home/dev/demo")
NAMES = WorkspaceNames(ROOT, FILES)


@pytest.mark.parametrize(
    ("name", "sources", "found"),
    [
        ("src/shop/cart.py", (), "src/shop/cart.py"),
        ("./src/../shop/cart.py", (), "shop/cart.py"),
        ("/home/dev/demo/shop/cart.py", (), "shop/cart.py"),
        ("file:///home/dev/demo/shop/cart.py", (), "shop/cart.py"),
        ("shop/cart.py", ("/home/dev/demo/src",), "src/shop/cart.py"),
        ("shop/cart.py", ("src",), "src/shop/cart.py"),
        ("cart.py", ("/home/dev/demo/src/shop", "/home/dev/demo/shop"), None),
        ("/build/42/src/shop/cart.py", (), "src/shop/cart.py"),
        ("C:\\work\\src\\shop\\cart.py", (), "src/shop/cart.py"),
        ("org/demo/A.java", (), "src/main/java/org/demo/A.java"),
        ("example.org/dev/demo/pkg/a.go", (), "pkg/a.go"),
        ("example.org/dev/demo/main.go", (), "main.go"),
        ("/usr/lib/go/main.go", (), None),
        ("util.py", (), None),
        ("one/util.py", (), "one/util.py"),
        ("nothing.py", (), None),
        ("/etc/passwd", (), None),
        ("../../etc/passwd", (), None),
    ],
)
def test_a_name_means_one_file_or_none(
    name: str, sources: tuple[str, ...], found: str | None
) -> None:
    """From the root, a source, another machine or the root of packages; never by guessing."""
    if name == "shop/cart.py" and sources:
        names = WorkspaceNames(ROOT, [file for file in FILES if file != "shop/cart.py"])
        assert names.find(name, sources) == found
        return
    assert NAMES.find(name, sources) == found


@pytest.mark.parametrize(
    ("name", "posix"),
    [
        ("a\\b.cs", "a/b.cs"),
        ("file:///C:/a%20b.cs", "C:/a b.cs"),
        ("file://localhost/a", "/a"),
        ("files://a", "files://a"),
    ],
)
def test_names_of_every_platform_are_read(name: str, posix: str) -> None:
    """Backslashes, drives and file URLs."""
    assert posix_name(name) == posix
