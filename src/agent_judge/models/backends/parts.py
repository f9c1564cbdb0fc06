"""Parts of messages in the forms that several providers share."""

from __future__ import annotations

from base64 import b64encode

from agent_judge.models.messages import FilePart, ImagePart


def base64_text(data: bytes) -> str:
    """Bytes in base64."""
    return b64encode(data).decode("ascii")


def data_url(media_type: str, data: bytes) -> str:
    """Bytes as an address that holds them (RFC 2397)."""
    return f"data:{media_type};base64,{base64_text(data)}"


def image_url(image: ImagePart) -> str:
    """Where an image is, or the image itself as an address."""
    return image.url if image.url is not None else data_url(image.media_type, image.data or b"")


def file_url(file: FilePart) -> str:
    """A file as an address that holds it."""
    return data_url(file.media_type, file.data)
