from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.config import find_configuration, read_configuration
from agent_judge.config.load import MAX_BYTES
from agent_judge.errors import ConfigurationError


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("judges: []\njudges: []\n", r"agent-judge.yaml:2: the key 'judges' is there twice"),
        ("a:\n  - b: 1\n    b: 2\n", r"agent-judge.yaml:3: the key 'b' is there twice"),
        ("on: 1\n", "a key that is no string"),
        ("1: 1\n", "a key that is no string"),
        ("? [a]\n: 1\n", "is not YAML"),
        ("<<: {a: 1}\n", "a key that is no string"),
        ("a: 2001-99-99\n", "is not YAML"),
        ("a: 1\n---\nb: 1\n", "is not YAML"),
        ("a: &x [1]\nb: *x\n", "alias"),
        ("", "expected a mapping"),
        ("a: " + "[" * 1_000, "is not YAML"),
    ],
)
def test_what_yaml_would_take_without_a_word_is_refused(
    tmp_path: Path, content: str, message: str
) -> None:
    """A list that another one replaces, or a key that means `true`, is a fault."""
    path = tmp_path / "agent-judge.yaml"
    path.write_text(content)

    with pytest.raises(ConfigurationError, match=message):
        read_configuration(path)


def test_two_files_in_one_folder_are_refused(tmp_path: Path) -> None:
    """Nobody guesses which of them counts."""
    (tmp_path / "agent-judge.toml").touch()
    (tmp_path / "agent-judge.yaml").touch()

    with pytest.raises(ConfigurationError, match=r"agent-judge.yaml are both there"):
        find_configuration(tmp_path)


def test_a_file_of_its_own_goes_before_pyproject(tmp_path: Path) -> None:
    """Even where the other cannot be read: nothing depends on it."""
    (tmp_path / "agent-judge.toml").touch()
    (tmp_path / "pyproject.toml").write_text("[[[")

    assert find_configuration(tmp_path) == tmp_path.resolve() / "agent-judge.toml"


def test_a_file_of_unreasonable_size_is_refused(tmp_path: Path) -> None:
    """Whoever writes it cannot fill the memory."""
    path = tmp_path / "agent-judge.toml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))

    with pytest.raises(ConfigurationError, match="is larger than"):
        read_configuration(path)


def test_toml_that_nests_too_deep_is_refused(tmp_path: Path) -> None:
    """It is a fault of the file, and no crash."""
    path = tmp_path / "agent-judge.toml"
    path.write_text("a = " + "[" * 5_000)

    with pytest.raises(ConfigurationError, match=r"agent-judge.toml: (nests too deep|is not TOML)"):
        read_configuration(path)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    """Editors on Windows write one."""
    path = tmp_path / "agent-judge.toml"
    path.write_text('name = "a"\n', encoding="utf-8-sig")

    assert read_configuration(path).data == {"name": "a"}


@pytest.mark.parametrize("key", ["a.", '"a" . ', "'b'.c."])
def test_a_key_of_many_parts_is_refused_at_once(tmp_path: Path, key: str) -> None:
    """The parser of the interpreter would take minutes for it."""
    place = tmp_path / "agent-judge.toml"
    place.write_text(f"{key * 20_000}a = 1\n")

    with pytest.raises(ConfigurationError, match="nests too deep"):
        read_configuration(place)


def test_a_number_of_too_many_digits_is_no_toml(tmp_path: Path) -> None:
    """It is refused as any other fault of the file."""
    place = tmp_path / "agent-judge.toml"
    place.write_text(f"a = {'1' * 100_000}\n")

    with pytest.raises(ConfigurationError, match="is not TOML"):
        read_configuration(place)
