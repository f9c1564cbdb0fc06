from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import ClassVersionJudge
from agent_judge.judges.coverage.class_file import CorruptClassError, major_version
from agent_judge.judgment import ReasonCode


def class_file(major: int = 61, release: int = 17) -> bytes:
    """A class `A` with a field that has a constant value, made by hand."""

    def text(value: str) -> bytes:
        return struct.pack(">BH", 1, len(value)) + value.encode()

    constants = [
        text("A"),
        struct.pack(">BH", 7, 1),
        text("java/lang/Object"),
        struct.pack(">BH", 7, 3),
        text("ANSWER"),
        text("J"),
        text("ConstantValue"),
        struct.pack(">Bq", 5, release),
    ]
    field = struct.pack(">HHHH", 0x18, 5, 6, 1) + struct.pack(">HIH", 7, 2, 8)
    return b"".join(
        [
            struct.pack(">IHH", 0xCAFEBABE, 0, major),
            struct.pack(">H", len(constants) + 2),
            *constants,
            struct.pack(">HHHH", 0x21, 2, 4, 0),
            struct.pack(">H", 1) + field,
            struct.pack(">HH", 0, 0),
        ]
    )


def judged(workspace: Path, judge: ClassVersionJudge, **files: bytes) -> Any:
    """What a judge finds of class files."""
    (workspace / "out").mkdir()
    for name, content in files.items():
        (workspace / "out" / f"{name}.class").write_bytes(content)
    return evaluate(judge, JudgmentContext(workspace=workspace))


@pytest.mark.parametrize("judge", [ClassVersionJudge(java=17), ClassVersionJudge(major=61)])
def test_classes_of_the_release_pass(tmp_path: Path, judge: ClassVersionJudge) -> None:
    """All of them, wherever they are. (contract: judges:O8)"""
    judgment = judged(tmp_path, judge, A=class_file(), B=class_file())

    assert judgment.passed
    assert judgment.checks[0].examined == 2


def test_a_class_of_another_release_fails(tmp_path: Path) -> None:
    """It is named, with what it is for. (contract: judges:O8)"""
    judgment = judged(tmp_path, ClassVersionJudge(java=17), A=class_file(), B=class_file(52))

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == "1 of 2 are for Java 17; out/B.class is for Java 8"
    assert str(judgment.failed_checks[1].location) == "out/B.class"


def test_without_classes_nothing_is_found(tmp_path: Path) -> None:
    """Nothing was compiled, or it is elsewhere. (contract: judges:O8)"""
    judgment = judged(tmp_path, ClassVersionJudge(java=17))

    assert judgment.status is Status.ABSTAIN


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04",
        class_file()[:-1],
        class_file() + b"\x00",
        class_file(major=3),
        class_file().replace(b"\x07\x00\x01", b"\x0d\x00\x01", 1),
    ],
)
def test_a_corrupt_class_is_an_error(tmp_path: Path, content: bytes) -> None:
    """It does not begin as one, breaks off, or goes on. (contract: judges:O8)"""
    judgment = judged(tmp_path, ClassVersionJudge(java=17), A=class_file(), B=content)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE
    assert "out/B.class" in judgment.reasoning


@given(st.integers(0, len(class_file()) - 1))
def test_a_class_that_breaks_off_anywhere_is_corrupt(length: int) -> None:
    """Every byte of it counts."""
    with pytest.raises(CorruptClassError):
        major_version(class_file()[:length])


@given(st.binary(max_size=300))
def test_any_bytes_have_a_version_or_are_corrupt(tail: bytes) -> None:
    """Nothing else is raised."""
    try:
        version = major_version(b"\xca\xfe\xba\xbe" + tail)
    except CorruptClassError:
        return
    assert version > 44


@pytest.mark.parametrize(
    "options", [{}, {"java": 17, "major": 61}, {"java": 0}, {"major": 8}, {"java": 10**6}]
)
def test_a_release_that_there_is_not_is_refused(options: dict[str, Any]) -> None:
    """One of the two numbers is given, and can be one."""
    with pytest.raises(ArgumentError):
        ClassVersionJudge(**options)


@pytest.mark.parametrize("options", [{"java": "17"}, {"java": True}, {"java": 17.0}])
def test_a_release_is_a_whole_number(options: dict[str, Any]) -> None:
    """And no text."""
    with pytest.raises(ArgumentTypeError):
        ClassVersionJudge(**options)
