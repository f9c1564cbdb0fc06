from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agent_judge import JudgmentContext, ReasonCode
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.llm import Roster, parse_ears
from agent_judge.llm.requirements import documents
from agent_judge.llm.requirements.documents import Document

TEXT = "REQ-1: It shall be."


def read(document: Document, workspace: Path | None) -> Roster:
    """What a document demands of a run."""
    return asyncio.run(document.read(JudgmentContext(workspace=workspace)))


def test_a_document_on_the_side_of_the_judge_is_read_once(tmp_path: Path) -> None:
    """As text, or from a file."""
    file = tmp_path / "requirements.md"
    file.write_text(TEXT)
    documents = (Document(parse_ears, TEXT), Document(parse_ears, file=str(file)))
    file.unlink()

    for document in documents:
        assert read(document, None) == parse_ears(TEXT)


def test_a_package_may_carry_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named as `package:name`."""
    (tmp_path / "shipped_rules").mkdir()
    (tmp_path / "shipped_rules/__init__.py").write_text("")
    (tmp_path / "shipped_rules/ears.md").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)

    roster = Document(parse_ears, resource="shipped_rules:ears.md").roster

    assert roster == parse_ears(TEXT)


def test_a_document_in_the_workspace_is_read_with_each_run(tmp_path: Path) -> None:
    """Each run has its own."""
    document = Document(parse_ears, path="docs/./req.md")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/req.md").write_text(TEXT)
    before = read(document, tmp_path)
    (tmp_path / "docs/req.md").write_text(TEXT * 2)

    assert document.path == "docs/req.md"
    assert document.roster is None
    assert before == parse_ears(TEXT)
    assert read(document, tmp_path).digest != before.digest


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, ReasonCode.UNREADABLE_FILE),
        ("", ReasonCode.MALFORMED_EVIDENCE),
        ("# REQ-1\n", ReasonCode.MALFORMED_EVIDENCE),
        (b"\xff\xfe", ReasonCode.UNREADABLE_FILE),
        ("It shall be.\n\n" * 3, ReasonCode.TOO_LARGE),
    ],
)
def test_a_document_of_a_workspace_that_demands_nothing_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes | None, code: ReasonCode
) -> None:
    """Whoever emptied it gains nothing. (contract: judges:Q2)"""
    monkeypatch.setattr(documents, "MAX_REQUIREMENTS", 2)
    if content is not None:
        (tmp_path / "a.md").write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(WorkspaceError) as raised:
        read(Document(parse_ears, path="a.md"), tmp_path)

    assert raised.value.code is code


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    """The requirements of others are not for whoever does the work to choose."""
    (tmp_path / "out.md").write_text(TEXT)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/a.md").symlink_to(tmp_path / "out.md")

    with pytest.raises(WorkspaceError) as raised:
        read(Document(parse_ears, path="a.md"), tmp_path / "work")

    assert raised.value.code is ReasonCode.OUTSIDE_WORKSPACE


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "not none of them"),
        ({"text": TEXT, "path": "a.md"}, "not text and path"),
        ({"text": ""}, "no requirement that can be read"),
        ({"text": "# REQ-1\n"}, "line 1: 'REQ-1': it has no body"),
        ({"path": "../a.md"}, "holds '..'"),
        ({"path": "/a.md"}, "is absolute"),
        ({"file": "/no/such/file.md"}, "cannot be read"),
        ({"resource": "a.md"}, "'package:name'"),
        ({"resource": "no_such_package:a.md"}, "cannot be read"),
        ({"resource": "agent_judge:no/such.md"}, "cannot be read"),
    ],
)
def test_a_document_that_cannot_be_used_is_refused(wrong: dict[str, Any], message: str) -> None:
    """When the judge is made, as far as it is there then. (contract: judges:Q2)"""
    with pytest.raises(ArgumentError, match=message):
        Document(parse_ears, **wrong)


@pytest.mark.parametrize("wrong", [{"text": 1}, {"file": 1}, {"resource": 1}, {"path": 1}])
def test_a_document_of_another_type_is_refused(wrong: dict[str, Any]) -> None:
    """Paths and texts are strings."""
    with pytest.raises(ArgumentTypeError):
        Document(parse_ears, **wrong)
