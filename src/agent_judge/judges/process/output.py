"""What a command printed, kept within bounds: its beginning and its end."""

from __future__ import annotations

from collections import deque


class BoundedOutput:
    """The first and the last half of at most `limit` bytes, and how many were dropped between."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._total = 0

    def add(self, part: bytes) -> None:
        """Take in what was read."""
        self._total += len(part)
        room = self._half - len(self._head)
        if room > 0:
            self._head += part[:room]
            part = part[room:]
        if part:
            self._tail.append(part)
            self._tail_size += len(part)
            while self._tail_size - len(self._tail[0]) >= self._half:
                self._tail_size -= len(self._tail.popleft())

    def text(self) -> str:
        """What is kept, decoded, with a mark where bytes were dropped.

        Bytes that are not UTF-8 are replaced, and so is NUL, which few readers carry.
        """
        head, tail = bytes(self._head), b"".join(self._tail)[-self._half :]
        if self._total == len(head) + len(tail):
            return _decoded(head + tail)
        head, tail = _without_cut_end(head), _without_cut_start(tail)
        dropped = self._total - len(head) - len(tail)
        return f"{_decoded(head)}\n[… {dropped} bytes dropped …]\n{_decoded(tail)}"


def _without_cut_end(part: bytes) -> bytes:
    """Without the beginning of a character, of which the cut took the rest."""
    for size in range(1, min(4, len(part) + 1)):
        first = part[-size]
        if first >= 0xC0:
            needed = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
            return part[:-size] if size < needed else part
        if first < 0x80:
            break
    return part


def _without_cut_start(part: bytes) -> bytes:
    """Without the end of a character, of which the cut took the beginning."""
    for size in range(min(4, len(part))):
        if part[size] & 0xC0 != 0x80:
            return part[size:]
    return part


def _decoded(part: bytes) -> str:
    return part.decode("utf-8", "replace").replace("\x00", "\N{REPLACEMENT CHARACTER}")
