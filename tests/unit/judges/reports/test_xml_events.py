from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judges.reports.xml_events import (
    MAX_DEPTH,
    MAX_TEXT,
    MAX_TOKEN,
    Attributes,
    Elements,
    read_xml,
)
from agent_judge.judgment import ReasonCode


def events(content: str | bytes) -> list[object]:
    """What is told of the elements `a`, and of the text of the elements `t`."""
    told: list[object] = []

    def recognise(root: str, attributes: Attributes) -> Elements:
        told.append((root, attributes))
        return Elements(
            begin={"a": told.append}, text={"t": told.append}, end={"a": lambda: told.append("end")}
        )

    raw = content.encode() if isinstance(content, str) else content
    read_xml(ReportFile.of(raw), recognise)
    return told


def test_elements_and_wanted_text_are_told_in_order() -> None:
    """Text of other elements is dropped, and entities of XML itself are resolved."""
    document = '<r k="1">no<a x="&lt;"/><t>yes &amp; <![CDATA[<b>]]></t>no<t/></r>'

    assert events(document) == [("r", {"k": "1"}), {"x": "<"}, "end", "yes & <b>", ""]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252"])
def test_the_declared_encoding_counts(encoding: str) -> None:
    """Expat reads those that Python knows and that have one byte a character, and Unicode."""
    document = f'<?xml version="1.0" encoding="{encoding}"?><r><t>größe</t></r>'

    assert events(document.encode(encoding))[1:] == ["größe"]


def test_an_external_document_type_is_not_read(tmp_path: Path) -> None:
    """JaCoCo and Cobertura name one; nobody opens it."""
    document = f'<!DOCTYPE r SYSTEM "{tmp_path.as_uri()}/no.dtd"><r><a/></r>'

    assert events(document)[1:] == [{}, "end"]


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE r [<!ENTITY e "x">]><r><t>&e;</t></r>',
        '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/hostname">]><r><t>&e;</t></r>',
        '<!DOCTYPE r [<!ENTITY % e SYSTEM "file:///etc/hostname"> %e;]><r/>',
        '<!DOCTYPE r SYSTEM "r.dtd"><r><t>&undeclared;</t></r>',
        '<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ENTITY e SYSTEM "x" NDATA n>]><r/>',
    ],
)
def test_no_entity_is_expanded_or_fetched(document: str) -> None:
    """A document that declares one is refused, before it is used."""
    with pytest.raises(WorkspaceError, match="entity") as refused:
        events(document)

    assert refused.value.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    "document",
    [
        "<r>" * (MAX_DEPTH + 1) + "</r>" * (MAX_DEPTH + 1),
        f'<r x="{"y" * (2 * MAX_TOKEN)}"/>',
        f"<r><!--{'y' * (2 * MAX_TOKEN)}--></r>",
    ],
)
def test_what_would_fill_the_memory_is_refused(document: str) -> None:
    """Depth, and the length of a tag or comment, are bounded."""
    with pytest.raises(WorkspaceError) as refused:
        events(document)

    assert refused.value.code is ReasonCode.TOO_LARGE


def test_long_text_is_cut() -> None:
    """An element keeps the beginning of its text."""
    told = events(f"<r><t>{'x' * (3 * MAX_TEXT)}</t></r>")

    assert told[1:] == ["x" * MAX_TEXT]


@pytest.mark.parametrize(
    "document",
    ["", "<r>", "<r></s>", "<r/>more", '<?xml version="1.0" encoding="klingon"?><r/>'],
)
def test_what_is_not_well_formed_is_refused(document: str) -> None:
    """A document that breaks off is none."""
    with pytest.raises(WorkspaceError) as refused:
        events(document)

    assert refused.value.code is ReasonCode.MALFORMED_EVIDENCE
