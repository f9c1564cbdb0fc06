"""What comparing Python files with their formatted copies costs, beside parsing them.

    python benchmarks/comparing.py [--files 2000] [--json]

Takes files of the standard library and of the installed packages, formats copies by `ruff format`,
and compares each with its copy. The measure is the time of `ast.parse` on both files, twice: a
ratio of at most 1 says that comparing costs no more than parsing both once more.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sysconfig
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from agent_judge import JudgmentContext
from agent_judge.judges import PythonSemanticJudge

LARGEST = 500_000


def main() -> None:
    """Measure, and print the ratio."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--files", type=int, default=2000)
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    with TemporaryDirectory() as folder:
        pairs = make_pairs(Path(folder), options.files)
        outcome = measure(pairs)
    print(json.dumps(outcome) if options.json else "\n".join(lines_of(outcome)))


def make_pairs(folder: Path, wanted: int) -> list[tuple[str, str]]:
    """Texts of files that parse, each with that of its formatted copy."""
    originals = [path.read_bytes() for path in find_files(wanted)]
    for number, data in enumerate(originals):
        (folder / f"file{number}.py").write_bytes(data)
    ruff = str(Path(sysconfig.get_path("scripts"), "ruff"))
    options = ["--isolated", "--quiet", "--line-length", "79"]
    subprocess.run([ruff, "format", *options, str(folder)], check=False)
    copies = [(folder / f"file{number}.py").read_bytes() for number in range(len(originals))]
    return [(data.decode(), copy.decode()) for data, copy in zip(originals, copies, strict=True)]


def find_files(wanted: int) -> list[Path]:
    """Source files in UTF-8 that this Python parses."""
    found: list[Path] = []
    for place in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")):
        for path in sorted(Path(place).rglob("*.py")):
            if len(found) < wanted and is_suitable(path):
                found.append(path)
    return found


def is_suitable(path: Path) -> bool:
    """Whether a file can be compared as a text: it is in UTF-8, parses, and is not huge."""
    data = path.read_bytes()
    if not data or len(data) > LARGEST:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data.decode())
    except (ValueError, SyntaxError, RecursionError):
        return False
    return True


def measure(pairs: Sequence[tuple[str, str]]) -> dict[str, float | int]:
    """Times in seconds, and what came out."""
    judge, found = PythonSemanticJudge(), Counter[str]()

    def compare(original: str, copy: str) -> None:
        judgment = judge(JudgmentContext(output=copy, expected=original))
        found[judgment.status.value] += 1

    def parse(original: str, copy: str) -> None:
        for text in (original, copy, original, copy):
            ast.parse(text)

    warnings.simplefilter("ignore")
    parsing, comparing = timed(parse, pairs), timed(compare, pairs)
    return {
        "files": len(pairs),
        "changed by formatting": sum(original != copy for original, copy in pairs),
        **dict(found),
        "parsing both twice": parsing,
        "comparing": comparing,
        "ratio": comparing / parsing,
    }


def timed(work: Callable[[str, str], None], pairs: Sequence[tuple[str, str]]) -> float:
    """The seconds that a piece of work takes for all pairs."""
    start = process_time()
    for original, copy in pairs:
        work(original, copy)
    return process_time() - start


def lines_of(outcome: dict[str, float | int]) -> list[str]:
    """The outcome as a table."""
    return [f"{name:22} {value:.3g}" for name, value in outcome.items()]


if __name__ == "__main__":
    main()
