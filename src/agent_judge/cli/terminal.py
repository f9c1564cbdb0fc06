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


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write text; characters that the stream's encoding lacks are replaced."""
    target = stream or sys.stdout
    encoding = target.encoding or "utf-8"
    target.write(text.encode(encoding, "replace").decode(encoding))
    target.flush()


def fail(message: str) -> NoReturn:
    """Say what is wrong with the call, and end with the code for that."""
    emit(f"error: {message}\n", sys.stderr)
    raise SystemExit(USAGE_ERROR)


@contextmanager
def errors_explained() -> Generator[None, None, None]:
    """Turn what a person can mend into a message, without a traceback."""
    try:
        yield
    except AgentJudgeError as error:
        fail(str(error))
    except BrokenPipeError:
        _forget_stdout()
        raise SystemExit(USAGE_ERROR) from None
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        fail(f"{name}{error.strerror or error}")


def has_color(*, no_color: bool) -> bool:
    """Whether standard output is a terminal that may be coloured (https://no-color.org)."""
    return not no_color and not os.environ.get("NO_COLOR") and sys.stdout.isatty()


def width() -> int:
    """Characters in a line of standard output; more where it is no terminal."""
    return get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 160


def _forget_stdout() -> None:
    """Whoever read standard output is gone: let the exit not complain of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
