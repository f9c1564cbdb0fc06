"""A work to judge, which begins with a few files."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.judges.diff.works import Work, begin


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """A repository with a module, a test and a picture."""
    files: dict[str, str | bytes] = {
        "app.py": "a = 1\nb = 2\nc = 3\n",
        "tests/test_app.py": "def test_a():\n    assert True is not False\n",
        "logo.png": b"\x89PNG\0\0",
    }
    return begin(tmp_path / "work", files)
