"""What is said to a model: messages, each of a role and of parts (text, images, files)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text


class Role(Enum):
    """Who speaks: SYSTEM sets the task, USER asks, ASSISTANT is what the model said earlier."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of text.

    Raises:
        ArgumentError: Text that UTF-8 cannot carry.
        ArgumentTypeError: It is not a string.
    """

    text: str

    def __post_init__(self) -> None:
        check_text(self.text, "text")


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image: its bytes, or where the model's provider can fetch it.

    Args:
        data: The encoded image; or none, with a `url`.
        media_type: Its type, for example `"image/png"`; needed with `data`.
        url: An `http` or `https` address.

    Raises:
        ArgumentError: Both or neither of `data` and `url`, or a type that is not an image's.
        ArgumentTypeError: A value of the wrong type.
    """

    data: bytes | None = field(default=None, repr=False)
    media_type: str = ""
    url: str | None = None

    def __post_init__(self) -> None:
        if (self.data is None) == (self.url is None):
            raise ArgumentError("an image has either data or a url")
        if self.url is not None:
            check_text(self.url, "image.url")
            if not self.url.lower().startswith(("https://", "http://")):
                raise ArgumentError(f"image.url must begin with http(s)://, got {self.url!r:.80}")
        else:
            _check_bytes(self.data, "image")
            _check_media_type(self.media_type, "image")
            if not self.media_type.startswith("image/"):
                raise ArgumentError(f"image.media_type must be image/…, got {self.media_type!r}")


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file, for example a PDF document, that the model reads by itself.

    Args:
        data: Its content.
        media_type: Its type, for example `"application/pdf"`.
        name: The file name that the model is told.

    Raises:
        ArgumentError: An empty file, a blank name or an impossible type.
        ArgumentTypeError: A value of the wrong type.
    """

    data: bytes = field(repr=False)
    media_type: str
    name: str

    def __post_init__(self) -> None:
        _check_bytes(self.data, "file")
        _check_media_type(self.media_type, "file")
        check_text(self.name, "file.name")
        if not self.name.strip():
            raise ArgumentError("file.name must not be blank")


Part: TypeAlias = TextPart | ImagePart | FilePart


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """What one side says.

    Args:
        role: Who speaks.
        parts: A string, one part, or several of either in their order.

    Raises:
        ArgumentError: No parts at all, or an image or file that is not the user's.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> Message.user("Is this answer right? ", "4").text
        'Is this answer right? 4'
    """

    role: Role
    parts: tuple[Part, ...]

    def __init__(self, role: Role, parts: str | Part | Iterable[str | Part]) -> None:
        if type(role) is not Role:
            raise ArgumentTypeError(f"message.role must be a Role, not {role!r}")
        object.__setattr__(self, "role", role)
        if type(parts) is str:
            object.__setattr__(self, "parts", (TextPart(parts),))
            return
        given = (parts,) if isinstance(parts, str | TextPart | ImagePart | FilePart) else parts
        object.__setattr__(self, "parts", tuple(_part(part) for part in given))
        if not self.parts:
            raise ArgumentError("a message has at least one part")
        if role is not Role.USER and not all(type(part) is TextPart for part in self.parts):
            raise ArgumentError(
                f"a {role.value} message holds text only; images and files are USER"
            )

    @classmethod
    def system(cls, text: str) -> Message:
        """What the model's task is."""
        return cls(Role.SYSTEM, text)

    @classmethod
    def user(cls, *parts: str | Part) -> Message:
        """What the model is asked."""
        return cls(Role.USER, parts)

    @classmethod
    def assistant(cls, text: str) -> Message:
        """What the model said earlier, or is shown as having said."""
        return cls(Role.ASSISTANT, text)

    @property
    def text(self) -> str:
        """The text of its parts, one after the other."""
        first = self.parts[0]
        if len(self.parts) == 1 and type(first) is TextPart:
            return first.text
        return "".join(part.text for part in self.parts if type(part) is TextPart)


_MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")


def _part(part: object) -> Part:
    if isinstance(part, str):
        return TextPart(part)
    if isinstance(part, TextPart | ImagePart | FilePart):
        return part
    raise ArgumentTypeError(
        f"a part of a message is a string, TextPart, ImagePart or FilePart, not {part!r:.80}"
    )


def _check_bytes(data: object, what: str) -> None:
    if type(data) is not bytes:
        raise ArgumentTypeError(f"{what}.data must be bytes, not {type(data).__qualname__}")
    if not data:
        raise ArgumentError(f"{what}.data must not be empty")


def _check_media_type(media_type: object, what: str) -> None:
    check_text(media_type, f"{what}.media_type")
    if not _MEDIA_TYPE.fullmatch(str(media_type)):
        raise ArgumentError(
            f"{what}.media_type must look like 'application/pdf', got {media_type!r:.80}"
        )
