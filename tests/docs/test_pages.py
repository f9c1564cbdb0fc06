from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from shutil import copytree
from unittest import SkipTest

import pytest
from sybil.example import SybilFailure

from docs.pages import read_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make and enter the folder in which the examples of a page happen."""
    if (ROOT / "examples").is_dir():
        copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(page: Path) -> None:
    """What the documentation shows is what happens."""
    run_page(page)


def test_printed_text_is_compared(folder: Path) -> None:
    """A text block right below Python is what that printed, with dots for anything."""
    write(folder, "```python\nprint('one', 2)\n```\n\n```text\none ...\n```\n")

    run_page(folder / "page.md")


@pytest.mark.parametrize(
    "page",
    [
        "```python\nassert False\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\nprint('one')\n```\n```text\ntwo\n```\n",
        "```py\nx = 1\n```\n",
        "```console\n$ agent-judge --no-such-option\n...\n```\n",
        "```console\n$ agent-judge --help\nnothing of the kind\n```\n",
        "```console\n$ pip install agent-judge\n$ agent-judge --help\n...\n```\n",
    ],
)
def test_an_example_that_is_not_true_fails(folder: Path, page: str) -> None:
    """Each kind of example is really examined."""
    write(folder, page)

    with pytest.raises((AssertionError, SybilFailure)):
        run_page(folder / "page.md")


def test_a_command_that_fails_is_shown_with_its_exit_code(folder: Path) -> None:
    """A page can show a refusal, if it says how the command ended."""
    write(folder, "```console\n$ agent-judge --no-such-option\n...\n$ echo $?\n2\n```\n")

    run_page(folder / "page.md")


def test_a_file_is_written_for_the_examples_below_it(folder: Path) -> None:
    """A page can show a file and then use it."""
    write(
        folder,
        "<!-- file: greeting.py -->\n```python\nWORD = 'hello'\n```\n"
        "```python\nfrom greeting import WORD\nassert WORD == 'hello'\n```\n",
    )

    run_page(folder / "page.md")


def test_a_skipped_example_does_not_end_the_page(folder: Path) -> None:
    """Only the example below the comment is left out."""
    write(
        folder,
        '<!-- skip: next "needs a key" -->\n\n```python\nassert False\n```\n'
        "```python\nopen('reached', 'w').close()\n```\n",
    )

    run_page(folder / "page.md")

    assert (folder / "reached").exists()


def run_page(path: Path) -> None:
    """Run the examples of a page; leave out what it says to skip."""
    for example in read_page(path).examples():
        with suppress(SkipTest):
            example.evaluate()


def write(folder: Path, text: str) -> None:
    """Write a page that a test is about."""
    (folder / "page.md").write_text(text, encoding="utf-8")


def test_the_catalogue_lists_every_judge() -> None:
    """A judge that is shipped is on its page, under its type and its class."""
    from agent_judge.config.registry import BUILT_IN

    page = (ROOT / "docs" / "catalogue.md").read_text()

    assert [name for name, cls in BUILT_IN.items() if f"| `{name}` | `{cls}` |" not in page] == []
