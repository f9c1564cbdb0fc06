"""The journal of a run: a line of JSON for each step, so that a run that was killed goes on."""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from agent_judge.coordination.attempts import Attempt, feedback_after
from agent_judge.coordination.errors import JournalError
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.stored import Encode, attempt_from_json, attempt_to_json, plain
from agent_judge.errors import AgentJudgeError, ArgumentError, WireError
from agent_judge.wire.codecs import expect_object

FORMAT: Final = 1
"""The version of the journal that this release writes and reads."""

_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run as its journal tells it.

    Attributes:
        run_id: What it is called.
        agent_id: Who works.
        criteria: What was decided by, so that a run does not go on under other criteria.
        max_attempts: How many attempts there are at most.
        before: The state of the workspace before the loop, where it is kept.
        attempts: Those that were decided about.
        elapsed: Seconds that had passed when the last of them was.
        ended: Whether the loop ended.
    """

    run_id: str
    agent_id: str
    criteria: str
    max_attempts: int
    before: str | None
    attempts: tuple[Attempt[Any], ...]
    elapsed: float
    ended: bool


class Journal:
    """Keeps a file of JSON Lines for each run, in a folder.

    A line is on the disk before the loop goes on. What is killed loses at most the attempt under
    way, which is made again.

    Args:
        folder: Where the files are; it is made when first needed.
        encode: Makes JSON of an output; JSON-like outputs need none.
        decode: Makes an output of that JSON again.

    Raises:
        ArgumentError: Only one of `encode` and `decode`.
    """

    def __init__(
        self, folder: str | Path, *, encode: Encode | None = None, decode: Encode | None = None
    ) -> None:
        if (encode is None) != (decode is None):
            raise ArgumentError("encode and decode belong together: give both, or neither")
        self.folder: Final = Path(folder)
        self._encode: Encode = encode or plain
        self._decode: Encode = decode or _as_it_is

    def begin(self, run_id: str | None) -> OpenRun:
        """Open the journal of a new run.

        Raises:
            ArgumentError: No name that a file could have.
            JournalError: There is a run of that name, or the file cannot be written.
        """
        name = uuid.uuid4().hex if run_id is None else check_run_id(run_id)
        return self._open(name, "xb", None)

    def resume(self, run_id: str) -> OpenRun:
        """Open the journal of a run that was begun; what a kill left half-written is cut off.

        Raises:
            ArgumentError: No name that a file could have.
            JournalError: There is no such run, somebody works on it, or it cannot be read.
        """
        place = self._place(check_run_id(run_id))
        opened = self._open(run_id, "r+b", place)
        try:
            content = opened.file.read()
            whole = content[: content.rfind(b"\n") + 1]
            opened.recorded = self._read(run_id, whole)
            opened.file.seek(len(whole))
            opened.file.truncate()
        except BaseException:
            opened.close()
            raise
        return opened

    def read(self, run_id: str) -> Recorded:
        """What a run's journal tells; a half-written last line is left out.

        Raises:
            JournalError: There is no such run, or it cannot be read.
        """
        place = self._place(check_run_id(run_id))
        try:
            content = place.read_bytes()
        except OSError as fault:
            raise JournalError(f"there is no run {run_id!r} in {self.folder}: {fault}") from fault
        return self._read(run_id, content[: content.rfind(b"\n") + 1])

    def _open(self, run_id: str, mode: str, place: Path | None) -> OpenRun:
        path = place or self._place(run_id)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file: IO[bytes] = path.open(mode)
        except FileExistsError as fault:
            raise JournalError(
                f"there is a run {run_id!r} in {self.folder} already; resume it, or name another"
            ) from fault
        except OSError as fault:
            raise JournalError(
                f"the journal of run {run_id!r} cannot be opened: {fault}"
            ) from fault
        opened = OpenRun(run_id, file, self._encode)
        if not _locked(file):
            opened.close()
            raise JournalError(f"run {run_id!r} is worked on by another process")
        return opened

    def _place(self, run_id: str) -> Path:
        return self.folder / f"{run_id}.jsonl"

    def _read(self, run_id: str, content: bytes) -> Recorded:
        lines = content.decode("utf-8", "replace").split("\n")[:-1]
        path = f"the journal of run {run_id!r}"
        if not lines:
            raise JournalError(f"{path} is empty: the run was killed before it began; begin anew")
        header = _parsed(lines[0], f"{path}, line 1")
        if header.get("format") != FORMAT or header.get("kind") != "begin":
            raise JournalError(
                f"{path}, line 1: expected the beginning of a run in format {FORMAT}, "
                f"found {lines[0]:.100}"
            )
        recorded = Recorded(run_id, "", "", 0, None, (), 0.0, ended=False)
        try:
            return _read_lines(recorded, header, lines, self._decode, path)
        except (AgentJudgeError, ValueError, TypeError, KeyError) as fault:
            if isinstance(fault, JournalError):
                raise
            raise JournalError(f"{path} cannot be read: {fault!r:.300}") from fault


@dataclass(slots=True)
class OpenRun:
    """The journal of one run, open for writing.

    Attributes:
        run_id: What the run is called.
        file: The file.
        recorded: What it told when it was opened again.
    """

    run_id: str
    file: IO[bytes]
    encode: Encode
    recorded: Recorded | None = field(default=None)

    def began(self, agent_id: str, criteria: str, max_attempts: int, before: str | None) -> None:
        """The loop begins."""
        self._write(
            {
                "format": FORMAT,
                "kind": "begin",
                "agent_id": agent_id,
                "criteria": criteria,
                "max_attempts": max_attempts,
                "before": before,
            }
        )

    def judged(self, attempt: Attempt[Any], elapsed: float) -> None:
        """An attempt was decided about.

        Raises:
            JournalError: Its output cannot be stored, or the file cannot be written.
        """
        stored = attempt_to_json(attempt, self.encode)
        self._write({"kind": "attempt", "elapsed": elapsed, "attempt": stored})

    def ended(self, reason: str, elapsed: float) -> None:
        """The loop ends, or an exception leaves it."""
        self._write({"kind": "end", "reason": reason, "elapsed": elapsed})

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
            self.file.write(text.encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as fault:
            raise JournalError(
                f"the journal of run {self.run_id!r} cannot be written: {fault}"
            ) from fault
        except (TypeError, ValueError) as fault:
            raise JournalError(f"encode= did not make JSON of the output: {fault}") from fault


def check_run_id(run_id: object) -> str:
    """Refuse a name that a file could not have everywhere.

    Raises:
        ArgumentError: It is one.
    """
    if not isinstance(run_id, str) or not _RUN_ID.fullmatch(run_id):
        raise ArgumentError(
            "a run_id has up to 100 letters, digits and . _ -, and begins with a letter or digit, "
            f"not {run_id!r:.120}"
        )
    return run_id


def _read_lines(
    recorded: Recorded, header: Mapping[str, Any], lines: list[str], decode: Encode, path: str
) -> Recorded:
    attempts: list[Attempt[Any]] = []
    elapsed, ended = 0.0, False
    feedback = Feedback.first()
    for number, line in enumerate(lines[1:], 2):
        entry = _parsed(line, f"{path}, line {number}")
        elapsed = float(entry["elapsed"])
        match entry.get("kind"):
            case "attempt":
                where = f"{path}, line {number}: attempt"
                attempts.append(attempt_from_json(entry["attempt"], where, decode, feedback))
                if attempts[-1].number != len(attempts):
                    raise JournalError(f"{where}s are not in order")
                feedback = feedback_after(attempts)
                ended = False
            case "end":
                ended = True
            case kind:
                raise JournalError(f"{path}, line {number}: unknown kind {kind!r:.60}")
    return Recorded(
        recorded.run_id,
        str(header["agent_id"]),
        str(header["criteria"]),
        int(header["max_attempts"]),
        header["before"],
        tuple(attempts),
        elapsed,
        ended,
    )


def _parsed(line: str, where: str) -> Mapping[str, Any]:
    try:
        return expect_object(json.loads(line), where)
    except (ValueError, RecursionError, WireError):
        raise JournalError(f"{where}: expected a JSON object, found {line:.60}") from None


def _locked(file: IO[bytes]) -> bool:
    """Take the file for this process alone, where the system can; it ends with the process."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _as_it_is(value: Any) -> Any:
    return value
