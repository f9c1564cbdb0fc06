from __future__ import annotations

from collections import Counter
from pathlib import Path

from contract.citations import cited_by_tests, cited_in, read_rows

HERE = Path(__file__).resolve()
TESTS = sorted(set(HERE.parents[1].rglob("*.py")) - {HERE, HERE.with_name("citations.py")})
DUE, LATER = read_rows(HERE.with_name("rows.toml"))


def test_every_due_row_is_cited_by_a_test() -> None:
    """What the contract promises today is held by at least one test that says so."""
    missing = sorted(set(DUE) - cited_by_tests(TESTS), key=DUE.index)

    assert not missing, f"{len(missing)} rows without a test that cites them: {', '.join(missing)}"


def test_every_citation_names_a_row() -> None:
    """A citation with a slip of the pen holds nothing, so it is refused."""
    rows = {*DUE, *LATER}
    unknown = [
        f"{file.name}: {row!r}"
        for file in TESTS
        for row in cited_in(file.read_text(encoding="utf-8"))
        if row not in rows
    ]

    assert not unknown, f"no such rows in rows.toml: {', '.join(unknown)}"


def test_a_row_is_listed_once() -> None:
    """A row is due or comes later, never both."""
    repeated = [row for row, count in Counter(DUE + LATER).items() if count > 1]

    assert not repeated


def test_a_citation_outside_the_docstring_of_a_test_holds_no_row(tmp_path: Path) -> None:
    """A mention in a comment or in a fixture is no test."""
    file = tmp_path / "test_sample.py"
    file.write_text(
        "# (contract: core:R1)\n"
        "def fixture():\n"
        '    """Held elsewhere. (contract: core:R2)"""\n'
        "def test_sample():\n"
        '    """One line. (contract: core:R3,\n        judges:F1)"""\n'
    )

    assert cited_by_tests([file]) == {"core:R3", "judges:F1"}
