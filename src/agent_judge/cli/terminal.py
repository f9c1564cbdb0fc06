"""Writing to the terminal: whatever the text, whatever the stream can carry."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import NoReturn, TextIO

from agent_judge.errors import AgentJudgeError

USAGE_ERROR = 2
JUDGING_ERROR = 3


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write text for people; characters that the stream's encoding lacks are replaced.

    If nobody reads any more, the rest is dropped: the exit code still says how it went.
    """
    target = stream or sys.stdout
    encoding = target.encoding or "utf-8"
    with _reader_may_leave(target):
        target.write(text.encode(encoding, "replace").decode(encoding))
        target.flush()


def emit_document(text: str) -> None:
    """Write text for machines to standard output: UTF-8, whatever the terminal's encoding is."""
    with _reader_may_leave(sys.stdout):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()


def fail(message: str, code: int = USAGE_ERROR) -> NoReturn:
    """Say what is wrong, by default with the call, and end with the code for that."""
    from agent_judge.report.text import safe_lines

    emit(f"error: {safe_lines(message)}\n", sys.stderr)
    raise SystemExit(code)


@contextmanager
def errors_explained() -> Generator[None, None, None]:
    """Turn what a person can mend into a message, without a traceback."""
    try:
        yield
    except AgentJudgeError as error:
        fail(str(error))
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        fail(f"{name}{error.strerror or error}")


def has_color(*, no_color: bool) -> bool:
    """Whether standard output is a terminal that may be coloured (https://no-color.org)."""
    return not no_color and not os.environ.get("NO_COLOR") and sys.stdout.isatty()


def width() -> int:
    """Characters in a line of standard output; more where it is no terminal."""
    return get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 160


@contextmanager
def _reader_may_leave(stream: TextIO) -> Generator[None, None, None]:
    """Go on without a word when whoever read the stream is gone, at exit, too."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
