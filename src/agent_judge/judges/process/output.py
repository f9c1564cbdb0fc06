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

    @property
    def dropped(self) -> int:
        """Bytes that are not kept."""
        return max(0, self._total - len(self._head) - min(self._tail_size, self._half))

    def text(self) -> str:
        """What is kept, decoded, with a mark where bytes were dropped.

        Bytes that are not UTF-8 are replaced, and so is NUL, which few readers carry.
        """
        tail = b"".join(self._tail)[-self._half :]
        mark = f"\n[… {self.dropped} bytes dropped …]\n" if self.dropped else ""
        text = _decoded(bytes(self._head)) + mark + _decoded(tail)
        return text.replace("\x00", "\N{REPLACEMENT CHARACTER}")


def _decoded(part: bytes) -> str:
    return part.decode("utf-8", "replace")
