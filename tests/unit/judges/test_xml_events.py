from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.judges.xml_events import MAX_DEPTH, TAG_LIMIT, TEXT_LIMIT, XmlError, XmlEvents

LAUGHS = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
BOMB = f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><a>&l9;</a>'


class Texts(XmlEvents):
    """Collects the text of every element called `t`, and the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> bool:  # noqa: ARG002 - not of interest
        """An element starts."""
        self.tags.append(tag)
        return tag == "t"

    def end(self, tag: str, text: str) -> None:
        """An element has ended."""
        if tag == "t":
            self.texts.append(text)


def read(content: str | bytes, step: int = 5) -> Texts:
    """Read a document in small pieces."""
    data = content.encode() if isinstance(content, str) else content
    events = Texts()
    for _ in events.feed(data[start : start + step] for start in range(0, len(data), step)):
        pass
    return events


def test_the_text_of_an_element_is_collected_where_it_is_wanted() -> None:
    """Text of elements in it belongs to it, unless that is collected by itself."""
    assert read("<a>x<t>one <b>two</b><t>three</t> four</t></a>").texts == [
        "three",
        "one two four",
    ]


def test_tags_come_without_their_prefix() -> None:
    """Which prefix a namespace has is for the writer to choose."""
    assert read('<n:a xmlns:n="urn:x"><n:t>text</n:t></n:a>').tags == ["a", "t"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_the_encoding_is_the_one_that_the_document_declares(encoding: str) -> None:
    """Reports are written in several encodings."""
    named = encoding.removesuffix("-sig")

    assert read(f'<?xml version="1.0" encoding="{named}"?><t>é</t>'.encode(encoding)).texts == ["é"]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (BOMB, "entity"),
        ('<!DOCTYPE a [<!ENTITY e "text">]><a b="&e;"/>', "entity"),
        ('<!DOCTYPE a [<!ENTITY % p SYSTEM "x">%p;]><a/>', "entity"),
        ("<a>" * (MAX_DEPTH + 1), "deeper"),
        ("<a", "not well-formed"),
        ("<a></b>", "not well-formed"),
        ("", "not well-formed"),
        ("<a>\x00</a>", "not well-formed"),
        ('<?xml version="1.0" encoding="no-such"?><a/>', "no-such"),
    ],
)
def test_what_is_hostile_or_broken_is_refused(document: str, reason: str) -> None:
    """Each with a reason, and none with another exception."""
    with pytest.raises(XmlError, match=reason):
        read(document, 1000)


def test_nothing_outside_of_the_document_is_read(tmp_path: Path) -> None:
    """A reference to a file is left out."""
    secret = tmp_path / "secret"
    secret.write_text("swordfish")

    document = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{secret.as_uri()}">]><t>a&e;b</t>'

    assert read(document).texts == ["ab"]


def test_a_tag_is_bounded() -> None:
    """The parser has to hold a tag as a whole, so a long one is refused while it comes."""
    pieces = [b'<a b="', *[b"x" * 100_000] * (TAG_LIMIT // 100_000 + 2)]

    with pytest.raises(XmlError, match="tag of more than"):
        list(Texts().feed(pieces))


def test_collected_text_is_bounded() -> None:
    """The rest of a long text is passed over."""
    (text,) = read(f"<t>{'x' * (2 * TEXT_LIMIT)}</t>", 10_000).texts

    assert len(text) == TEXT_LIMIT
