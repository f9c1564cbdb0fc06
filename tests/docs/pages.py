"""What is done with each fenced block of a page of the documentation.

| block | what happens |
|---|---|
| `python` | runs, in one namespace for the whole page; `>>>` prompts are doctests |
| `text` right after `python` | is what that block printed |
| `console` with `$ agent-judge …` | each command runs and prints what stands below it |
| any, right after `<!-- file: NAME -->` | is written to that file, and not run |
| the next, after `<!-- skip: next "reason" -->` | is left alone |

In expected output `...` stands for anything. A command must succeed unless the next one is
`$ echo $?`, which then states its exit code. Everything happens in a folder of its own, which holds
a copy of the project's `examples`.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
from contextlib import redirect_stdout
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path
from sysconfig import get_path
from typing import TYPE_CHECKING

from sybil import Sybil
from sybil.evaluators.doctest import DocTestEvaluator
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.abstract.doctest import DocTestStringParser
from sybil.parsers.markdown import SkipParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sybil import Document, Example, Region
    from sybil.typing import Evaluator

COMMAND = "agent-judge"
PRINTED = "__printed__"

_FENCES = RawFencedCodeBlockLexer(re.compile(r"(?P<language>[^\n]*)\n"))
_FILE = re.compile(r"<!-- file: (?P<name>\S+) -->\s*\Z")
_PROMPT = re.compile(r"^\$ (?P<command>.*)\n?", re.MULTILINE)
_SPELLINGS_OF_PYTHON = {"py", "py3", "python", "python3", "pycon"}


def read_page(path: Path) -> Document:
    """Find the examples of a page, in their order."""
    page = Sybil(parsers=[SkipParser(), find_examples]).parse(path)
    page.namespace["__name__"] = "__main__"
    return page


def find_examples(page: Document) -> Iterator[Region]:
    """Find the fenced blocks that something is done with."""
    end_of_python: int | None = None
    for region in _FENCES(page):
        before = page.text[: region.start]
        follows_python = end_of_python is not None and not before[end_of_python:].strip()
        end_of_python = None
        source, language = region.lexemes["source"], region.lexemes["language"].strip()
        if file := _FILE.search(before):
            yield _example(region, (file["name"], source), write_file)
        elif language == "python" and source.startswith(">>>"):
            yield from _doctests(page, region)
        elif language == "python":
            end_of_python = region.end
            yield _example(region, source, run_python)
        elif language.split(" ")[0].lower() in _SPELLINGS_OF_PYTHON:
            yield _example(region, f"write ```python, not ```{language}, so that it runs", refuse)
        elif language == "text" and follows_python:
            yield _example(region, source, compare_printed)
        elif language == "console" and re.search(rf"^\$ {COMMAND}\b", source, re.MULTILINE):
            yield _example(region, source, run_console)


def write_file(example: Example) -> None:
    """Write the block to the file that the comment above it names."""
    name, source = example.parsed
    target = Path.cwd() / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(source, encoding="utf-8")


def run_python(example: Example) -> None:
    """Run the block; keep what it prints."""
    with redirect_stdout(io.StringIO()) as printed:
        _run_python(example)
    example.namespace[PRINTED] = printed.getvalue()


def compare_printed(example: Example) -> str | None:
    """Compare the block with what the Python before it printed."""
    return _difference(example.parsed, example.namespace[PRINTED])


def run_console(example: Example) -> str | None:
    """Run the commands of a console block; compare what each prints."""
    commands = [
        (shlex.split(command), expected) for command, expected in _read_commands(example.parsed)
    ]
    exit_code = 0
    for (command, expected), following in zip(commands, [*commands[1:], None], strict=True):
        if command == ["echo", "$?"]:
            printed = f"{exit_code}\n"
        elif command[:1] == [COMMAND]:
            exit_code, printed = _run_command(command[1:])
        else:
            return f"only {COMMAND} and echo $? are run, not {command}; give it a block of its own"
        if difference := _difference(expected, printed):
            return f"{shlex.join(command)}: {difference}"
        if exit_code and command[0] == COMMAND and (not following or following[0][0] != "echo"):
            return f"{shlex.join(command)} ended with {exit_code}; state it by: $ echo $?"
    return None


def refuse(example: Example) -> str:
    """Refuse a block that looks like an example and would not run."""
    return str(example.parsed)


def _example(region: Region, parsed: object, evaluator: Evaluator) -> Region:
    region.parsed, region.evaluator = parsed, evaluator
    return region


def _doctests(page: Document, region: Region) -> Iterable[Region]:
    for doctest in _find_doctests(region.lexemes["source"], page.path):
        doctest.adjust(region, region.lexemes["source"])
        yield doctest


def _read_commands(text: str) -> Iterator[tuple[str, str]]:
    prompts = list(_PROMPT.finditer(text))
    ends = [*(prompt.start() for prompt in prompts[1:]), len(text)]
    for prompt, end in zip(prompts, ends, strict=True):
        yield prompt["command"], text[prompt.end() : end]


def _run_command(arguments: list[str]) -> tuple[int, str]:
    finished = subprocess.run(
        [Path(get_path("scripts"), COMMAND), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return finished.returncode, finished.stdout


def _difference(expected: str, printed: str) -> str | None:
    wanted, got = (_without_trailing_space(text) for text in (expected, printed))
    if OutputChecker().check_output(wanted, got, ELLIPSIS):
        return None
    return f"expected\n{wanted}\nbut it printed\n{got}"


def _without_trailing_space(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


_run_python = PythonEvaluator()
_find_doctests = DocTestStringParser(DocTestEvaluator(ELLIPSIS))
