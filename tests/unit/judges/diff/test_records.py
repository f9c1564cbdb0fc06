from __future__ import annotations

import pytest

from unit.judges.diff.works import Work


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        ("x\na = 1\nb = 2\nc = 3\n", [2, 3, 4]),
        ("a = 1\nx\ny\nb = 2\nc = 3\n", [1, 4, 5]),
        ("b = 2\nc = 3\n", [0, 1, 2]),
        ("a = 1\nc = 3\n", [1, 1, 2]),
        ("a = 1\nx\ny\nc = 3\n", [1, 2, 4]),
        ("x\nb = 2\nc = 3\ny\n", [1, 2, 3]),
        ("x\n", [1, 1, 1]),
    ],
)
def test_a_line_is_found_again_after_the_change(work: Work, after: str, lines: list[int]) -> None:
    """Where it is, or where it was if it is gone; 0 is before the first one."""
    work.write({"app.py": after})

    (file,) = work.changes().files

    assert [file.line_after(line) for line in (1, 2, 3)] == lines
