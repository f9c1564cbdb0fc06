"""The version of a Java class file, and whether the file is whole.

The structure is that of the Java Virtual Machine Specification, section 4.1: everything that it
announces is walked over, so that a file that breaks off, or holds more, is found to be corrupt.
"""

from __future__ import annotations

from typing import Final

MAGIC: Final = 0xCAFEBABE

FIRST_RELEASE: Final = 44
"""Java 1.1 has version 45, and each release since one more (section 4.1, table 4.1-A)."""

_SIZES: Final = {
    3: 4,  # Integer
    4: 4,  # Float
    5: 8,  # Long
    6: 8,  # Double
    7: 2,  # Class
    8: 2,  # String
    9: 4,  # Fieldref
    10: 4,  # Methodref
    11: 4,  # InterfaceMethodref
    12: 4,  # NameAndType
    15: 3,  # MethodHandle
    16: 2,  # MethodType
    17: 4,  # Dynamic
    18: 4,  # InvokeDynamic
    19: 2,  # Module
    20: 2,  # Package
}
"""Bytes of each kind of constant behind its tag (section 4.4); a Utf8 (1) states its own."""

_UTF8: Final = 1
_TWO_ENTRIES: Final = (5, 6)


class CorruptClassError(ValueError):
    """Why a file is no class file."""


def major_version(content: bytes) -> int:
    """The major version of a class file.

    Raises:
        CorruptClassError: It is none, it breaks off, or it goes on behind its end.
    """
    reader = _Reader(content)
    if reader.number(4) != MAGIC:
        raise CorruptClassError("it does not begin as a class file does")
    reader.skip(2)
    major = reader.number(2)
    if major <= FIRST_RELEASE:
        raise CorruptClassError(f"it has the version {major}, which no release of Java has")
    _skip_constants(reader)
    reader.skip(6)
    reader.skip(2 * reader.number(2))
    for _ in ("fields", "methods"):
        for _ in range(reader.number(2)):
            reader.skip(6)
            _skip_attributes(reader)
    _skip_attributes(reader)
    reader.expect_end()
    return major


def _skip_constants(reader: _Reader) -> None:
    left = reader.number(2) - 1
    while left > 0:
        tag = reader.number(1)
        if tag == _UTF8:
            reader.skip(reader.number(2))
        elif tag in _SIZES:
            reader.skip(_SIZES[tag])
        else:
            raise CorruptClassError(f"it holds a constant of the unknown kind {tag}")
        left -= 2 if tag in _TWO_ENTRIES else 1


def _skip_attributes(reader: _Reader) -> None:
    for _ in range(reader.number(2)):
        reader.skip(2)
        reader.skip(reader.number(4))


class _Reader:
    """Goes over the bytes, big-endian numbers among them."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def number(self, size: int) -> int:
        """The number of so many bytes that comes next."""
        start = self._at
        self.skip(size)
        return int.from_bytes(self._content[start : self._at], "big")

    def skip(self, size: int) -> None:
        """Go on by so many bytes."""
        self._at += size
        if self._at > len(self._content):
            raise CorruptClassError("it breaks off")

    def expect_end(self) -> None:
        """Refuse what stands behind the class."""
        if self._at != len(self._content):
            raise CorruptClassError("it goes on behind its end")
