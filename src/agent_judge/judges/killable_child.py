"""The program of a child process that works for `killable`: reads requests, writes answers.

It is run as `python -I -S killable_child.py TASK [PATH…]`: a file with a function `answer`, and
the folders in which that file may find other packages. Each request is one line of JSON with the
seconds it may take; each answer is one line of JSON.
"""

from __future__ import annotations

import json
import signal
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

MEMORY = 2**30
"""Bytes of address space; a request that needs more is answered with a failure."""

MAX_ANSWER = 2**26
"""Bytes of an answer; a longer one is a failure."""

GRACE = 1.0
"""Seconds past its deadline after which a child that nobody killed ends itself."""


def main() -> None:
    """Answer requests until there are no more."""
    sys.path.extend(sys.argv[2:])
    task = load(sys.argv[1])
    limit_memory()
    heed_alarms()
    for line in sys.stdin.buffer:
        request = json.loads(line.decode("utf-8", "surrogatepass"))
        end_after(request["seconds"] + GRACE)
        try:
            reply = {"answer": task.answer(request["request"])}
        except Exception as failure:  # noqa: BLE001 - whatever it is, who asked has to know
            reply = {"failure": f"{type(failure).__name__}: {failure}"[:500]}
        answer = json.dumps(reply).encode()
        if len(answer) > MAX_ANSWER:
            answer = json.dumps({"failure": f"the answer has {len(answer)} bytes"}).encode()
        end_after(0)
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()


def load(path: str) -> Any:
    """Import the file of a task, under a name of its own."""
    spec = spec_from_file_location("task", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def limit_memory() -> None:
    """Have the system refuse memory beyond the limit, where it can."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def heed_alarms() -> None:
    """Have the alarm end this process even if who started it ignores alarms."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def end_after(seconds: float) -> None:
    """Have the system end this process after a time; 0 takes it back.

    Nobody else would, if who asked was killed meanwhile.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
