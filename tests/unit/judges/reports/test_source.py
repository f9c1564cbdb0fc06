from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.reports.source import (
    HEAD,
    MAX_LINE,
    ReportFile,
    open_report,
    open_trusted_report,
)
from agent_judge.judgment import ReasonCode


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_the_encoding(encoding: str) -> None:
    """Tools on Windows write such marks; they are no part of the text."""
    content = "größe\r\nzwei".encode(encoding)

    assert list(ReportFile.of(content).lines()) == ["größe", "zwei"]
    assert ReportFile.of(content).text() == "größe\r\nzwei"
    assert ReportFile.of(content).begins.startswith("größe")


def test_lines_go_across_chunks() -> None:
    """Where a report is cut into chunks does not show."""
    content = "\n".join(str(number) * 7 for number in range(50_000))

    assert "\n".join(ReportFile.of(content.encode()).lines()) == content


def test_a_report_is_hashed_while_it_is_read() -> None:
    """The hash is that of the whole content."""
    content = b"x" * (HEAD + 100_000)
    report = ReportFile.of(content)

    assert b"".join(report.chunks()) == content
    assert report.sha256 == hashlib.sha256(content).hexdigest()


def test_a_report_beyond_its_limit_is_refused() -> None:
    """The last byte that is too many is enough."""
    report = ReportFile.of(b"x" * 101, limit=100)

    with pytest.raises(WorkspaceError) as refused:
        list(report.chunks())

    assert refused.value.code is ReasonCode.TOO_LARGE


def test_a_line_without_end_is_refused() -> None:
    """It would be held in memory as a whole."""
    with pytest.raises(WorkspaceError, match="a line is longer than"):
        list(ReportFile.of(b"x" * (2 * MAX_LINE)).lines())


def test_a_text_in_another_encoding_is_refused() -> None:
    """JSON is in UTF-8; what is not is not guessed at."""
    with pytest.raises(WorkspaceError, match="it is not in utf-8"):
        ReportFile.of(b'"\xff"').text()


def test_a_report_that_is_not_there_is_missing_input(tmp_path: Path) -> None:
    """In the workspace as on the side of whoever judges."""
    with (
        open_workspace(tmp_path) as workspace,
        pytest.raises(WorkspaceError) as first,
        open_report(workspace, "no.xml"),
    ):
        pass
    with pytest.raises(WorkspaceError) as second, open_trusted_report(tmp_path / "no/no.xml"):
        pass

    assert first.value.code is second.value.code is ReasonCode.MISSING_INPUT


def test_a_report_that_leads_out_of_the_workspace_is_refused(tmp_path: Path) -> None:
    """A link to a better report of another project is no report of this one."""
    (tmp_path / "good.xml").write_text("<coverage/>")
    inside = tmp_path / "workspace"
    inside.mkdir()
    (inside / "coverage.xml").symlink_to(tmp_path / "good.xml")

    with (
        open_workspace(inside) as workspace,
        pytest.raises(WorkspaceError) as refused,
        open_report(workspace, "coverage.xml"),
    ):
        pass

    assert refused.value.code is ReasonCode.OUTSIDE_WORKSPACE
