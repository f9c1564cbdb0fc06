from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from agent_judge.cli.terminal import emit, emit_document, errors_explained, has_color, width
from agent_judge.errors import ArgumentError


def stream(encoding: str) -> tuple[io.TextIOWrapper, io.BytesIO]:
    """A stream of this encoding, and the bytes that arrive."""
    raw = io.BytesIO()
    return io.TextIOWrapper(raw, encoding=encoding), raw


def broken_stream() -> io.TextIOWrapper:
    """A pipe that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    return open(writer, "w", encoding="utf-8")  # noqa: PTH123 - a descriptor has no path


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8", "cp437", "utf-16"])
def test_no_text_is_too_much_for_a_console(encoding: str) -> None:
    """Emoji and lone surrogates are replaced where the encoding lacks them. (contract: cases:F9)"""
    target, raw = stream(encoding)

    emit("Á \N{GRINNING FACE} \ud800 end", target)

    assert raw.getvalue().decode(encoding).endswith(" end")


def test_what_the_encoding_has_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    """A console that can show a character shows it. (contract: cases:F9)"""
    target, raw = stream("cp1252")
    monkeypatch.setattr(sys, "stdout", target)

    emit("Á \N{GRINNING FACE}")

    assert raw.getvalue().decode("cp1252") == "Á ?"


def test_a_document_is_utf8_whatever_the_console_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine reads it, and its first line says UTF-8. (contract: edges:S7)"""
    target, raw = stream("cp1252")
    monkeypatch.setattr(sys, "stdout", target)

    emit_document("Á \N{GRINNING FACE}")

    assert raw.getvalue().decode() == "Á \N{GRINNING FACE}"


def test_a_reader_that_is_gone_changes_nothing() -> None:
    """Neither now nor when the stream is closed at exit is there a complaint."""
    target = broken_stream()

    with target:
        emit("x" * 100_000, target)
        emit("and more", target)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ArgumentError("no such thing"), "error: no such thing\n"),
        (FileNotFoundError(2, "No such file", "runs.json"), "error: runs.json: No such file\n"),
        (OSError("disk"), "error: disk\n"),
    ],
)
def test_what_a_person_can_mend_is_a_message(
    error: Exception, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with 2. (contract: edges:S8)"""
    with pytest.raises(SystemExit) as ended, errors_explained():
        raise error

    assert ended.value.code == 2
    assert capsys.readouterr().err == message


def test_a_defect_is_no_message() -> None:
    """What nobody expected keeps its traceback."""
    with pytest.raises(ZeroDivisionError), errors_explained():
        raise ZeroDivisionError


def test_colour_is_for_terminals_that_allow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in a file, not with NO_COLOR, not with --no-color."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    in_a_file = has_color(no_color=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    assert not in_a_file
    assert has_color(no_color=False)
    assert not has_color(no_color=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_color(no_color=False)


def test_a_terminal_says_how_wide_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file is as wide as is useful."""
    monkeypatch.setenv("COLUMNS", "71")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert width() > 71
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert width() == 71
