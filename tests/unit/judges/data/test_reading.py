from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.data import (
    CsvJudge,
    CsvMatchJudge,
    JsonJudge,
    JsonMatchJudge,
    JsonPathJudge,
    JsonSchemaJudge,
    SqliteJudge,
)
from agent_judge.judges.data.pointers import PlaceNumbers, parse_pointer, pointer
from agent_judge.judges.data.reading import InvalidJsonError, parse_json, shown_json
from agent_judge.judges.data.values import near, same
from agent_judge.protocol import Judge

JSON = [
    JsonJudge(),
    JsonMatchJudge({"a": 1}, threshold=1),
    JsonPathJudge("$.a"),
    JsonSchemaJudge({"required": ["a"]}),
]
CSV = [CsvJudge(["a"]), CsvMatchJudge("a\n1\n", threshold=1)]
OF_FILES = [
    (lambda path: CsvJudge(path=path), "a\n1\n"),
    (lambda path: CsvMatchJudge("a\n1\n", threshold=1, path=path), "a\n1\n"),
    (lambda path: JsonJudge(path=path), '{"a": 1}'),
    (lambda path: JsonMatchJudge({"a": 1}, threshold=1, path=path), '{"a": 1}'),
    (lambda path: JsonPathJudge("$.a", path=path), '{"a": 1}'),
    (lambda path: JsonSchemaJudge({"required": ["a"]}, path=path), '{"a": 1}'),
]


def name(value: object) -> str:
    """The class of a judge names the test."""
    return type(value).__name__


@pytest.mark.parametrize("judge", [*JSON, *CSV], ids=name)
def test_without_an_output_there_is_nothing_to_judge(judge: Judge) -> None:
    """A missing output is no finding. (contract: cases:B13)"""
    judgment = evaluate(judge, JudgmentContext())

    assert judgment.status is Status.ABSTAIN
    assert judgment.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize("output", ["", "{", "a", '{"a": NaN}', '{"a": 1, "a": 1}', "nul"])
@pytest.mark.parametrize("judge", JSON, ids=name)
def test_an_output_that_is_no_json_fails(judge: Judge, output: str) -> None:
    """It is what the run gave: no error of the judge. (contract: cases:B13)"""
    judgment = evaluate(judge, JudgmentContext(output=output))

    assert judgment.status is Status.FAIL
    assert judgment.reasoning.startswith("the output is no JSON: ")


@pytest.mark.parametrize("output", ['{"a": 1}', {"a": 1}, ' {"a": 1}\n'])
@pytest.mark.parametrize("judge", JSON, ids=name)
def test_json_may_be_text_or_a_value(judge: Judge, output: Any) -> None:
    """An agent that returns an object need not write it down."""
    assert evaluate(judge, JudgmentContext(output=output)).passed


@pytest.mark.parametrize(("build", "content"), OF_FILES)
def test_a_file_of_the_workspace_can_be_judged(build: Any, content: str, tmp_path: Path) -> None:
    """Instead of the output. (contract: judges:F1)"""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/file").write_text(content)
    context = JudgmentContext(output="!", workspace=tmp_path)

    assert evaluate(build("./out//file"), context).passed
    absent = evaluate(build("file"), context)
    assert absent.status is Status.FAIL
    assert absent.reasoning == "file: not there"
    folder = evaluate(build("out"), context)
    assert folder.status is Status.FAIL
    assert folder.reasoning == "out: a directory, no file"


@pytest.mark.parametrize(("build", "content"), OF_FILES)
def test_a_link_out_of_the_workspace_is_not_followed(
    build: Any, content: str, tmp_path: Path
) -> None:
    """Whatever it leads to. (contract: judges:F3)"""
    (tmp_path / "secret").write_text(content)
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "file").symlink_to("../secret")

    judgment = evaluate(build("file"), JudgmentContext(workspace=workspace))

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.OUTSIDE_WORKSPACE


@pytest.mark.parametrize("path", ["", ".", "/etc/passwd", "../x", "a/../../x", "a\0b"])
@pytest.mark.parametrize(
    "build", [*(build for build, _ in OF_FILES), lambda path: SqliteJudge(path, "SELECT 1", [[1]])]
)
def test_a_path_that_leaves_the_workspace_is_refused(build: Any, path: str) -> None:
    """When the judge is built. (contract: judges:F2)"""
    with pytest.raises(ArgumentError, match="path"):
        build(path)


@pytest.mark.parametrize(("build", "content"), OF_FILES)
def test_a_file_needs_a_workspace(build: Any, content: str, tmp_path: Path) -> None:
    """That exists. (contract: judges:F4)"""
    for workspace in (None, tmp_path / "absent"):
        judgment = evaluate(build("file"), JudgmentContext(output=content, workspace=workspace))

        assert judgment.code is ReasonCode.NO_WORKSPACE
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize(("build", "content"), OF_FILES)
def test_a_file_in_another_encoding_is_an_error(build: Any, content: str, tmp_path: Path) -> None:
    """It is read as UTF-8, without replacing what is none. (contract: judges:F7)"""
    (tmp_path / "file").write_bytes(content.encode() + b"\xff")

    judgment = evaluate(build("file"), JudgmentContext(workspace=tmp_path))

    assert judgment.code is ReasonCode.UNREADABLE_FILE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("NaN", "NaN is no JSON number"),
        ("[-Infinity]", "-Infinity is no JSON number"),
        ("1e999", "the number 1e999 is beyond what a float holds"),
        ('{"a": {"b": 1, "b": 2}}', "the key 'b' occurs twice in one object"),
        ("[1,]", "Illegal trailing comma|Expecting value"),
        ("{'a': 1}", "Expecting property name"),
        ('{"a": 1} x', "Extra data"),
        ('"\n"', "Invalid control character"),
        ("\ufeff1", "BOM"),
        ("01", "Extra data"),
        ("[" * 101 + "]" * 101, "nests deeper than 100 levels"),
        ("[" * 100_000, "nests deeper than 100 levels"),
        ("1" * 5000, "integer string"),
    ],
)
def test_json_is_read_strictly(text: str, why: str) -> None:
    """The message says what is wrong."""
    with pytest.raises(InvalidJsonError, match=why):
        parse_json(text)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_json_that_is_written_is_read_back(value: Any) -> None:
    """Every value of JSON, whatever its numbers and letters."""
    import json

    assert parse_json(json.dumps(value)) == value
    assert same(parse_json(json.dumps(value)), value)


@pytest.mark.parametrize(
    "text", ['```json\n{"a": 1}\n```', '```\n{"a": 1}```', ' ```JSON \r\n{"a": 1}\r\n```\n']
)
def test_a_code_fence_can_be_taken_off(text: str) -> None:
    """By name: by itself it is no JSON."""
    assert evaluate(JsonJudge(fence="strip"), JudgmentContext(output=text)).passed
    assert not evaluate(JsonJudge(), JudgmentContext(output=text)).passed


@pytest.mark.parametrize("text", ['x ```json\n{"a": 1}\n```', "```json\n1\n``` 2", "```json 1```"])
def test_only_a_fence_around_everything_is_taken_off(text: str) -> None:
    """Nothing is looked for in prose."""
    assert not evaluate(JsonJudge(fence="strip"), JudgmentContext(output=text)).passed


def test_text_without_a_fence_is_read_as_it_is() -> None:
    """Taking one off does not need one."""
    assert evaluate(JsonJudge(fence="strip"), JudgmentContext(output="[1]")).passed


@pytest.mark.parametrize(
    ("require", "output", "passes"),
    [
        ("object", "{}", True),
        ("object", [1], False),
        ("array", "[]", True),
        ("array", {"a": 1}, False),
        ("any", "0", True),
        ("any", False, True),
        ("any", None, True),
    ],
)
def test_the_kind_of_value_can_be_required(require: Any, output: Any, passes: bool) -> None:
    """By default any is right. (contract: cases:B13)"""
    judgment = evaluate(JsonJudge(require), JudgmentContext(output=output))

    assert judgment.passed is passes


@pytest.mark.parametrize("options", [{"require": "list"}, {"fence": "keep"}])
def test_unknown_words_are_refused(options: Any) -> None:
    """The message lists those that there are."""
    with pytest.raises(ArgumentError, match="must be one of"):
        JsonJudge(**options)


def test_a_path_is_a_string() -> None:
    """Configuration gives strings."""
    with pytest.raises(ArgumentTypeError):
        JsonJudge(path=Path("x"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "text"),
    [((), "(the whole)"), (("a", 0), "/a/0"), (("a/b", "c~d", ""), "/a~1b/c~0d/")],
)
def test_places_are_named_by_json_pointers(place: tuple[Any, ...], text: str) -> None:
    """Slashes and tildes in keys are escaped."""
    assert pointer(place) == text
    if place:
        assert parse_pointer(text, "x") == tuple(map(str, place))


def test_long_and_unprintable_places_are_cut_and_escaped() -> None:
    """Keys come from the judged work."""
    assert pointer(["\x1b[2J"]) == r"/\x1b[2J"
    assert len(pointer(["x" * 1000])) < 300


@pytest.mark.parametrize("text", ["a", "/a~", "/~2"])
def test_what_is_no_json_pointer_is_refused(text: str) -> None:
    """The message shows how one is written."""
    with pytest.raises(ArgumentError, match="is no JSON Pointer"):
        parse_pointer(text, "weights")


def test_the_number_of_a_place_is_the_most_exact_one() -> None:
    """The longest pointer counts, and names before stars."""
    numbers = PlaceNumbers({"": 1, "/a": 2, "/a/*": 3, "/a/b": 4, "/*/b/c": 5}, "weights")

    assert numbers.at(()) == 1
    assert numbers.at(("x", "y")) == 1
    assert numbers.at(("a",)) == 2
    assert numbers.at(("a", "x", "y")) == 3
    assert numbers.at(("a", "b")) == 4
    assert numbers.at(("a", "b", "c")) == 5
    assert PlaceNumbers({"/a": 1}, "weights").at(("b",)) is None


@pytest.mark.parametrize(
    ("numbers", "error"),
    [
        ([1], ArgumentTypeError),
        ({1: 1}, ArgumentTypeError),
        ({"/a": "1"}, ArgumentTypeError),
        ({"/a": True}, ArgumentTypeError),
        ({"/a": -1}, ArgumentError),
        ({"/a": float("nan")}, ArgumentError),
        ({"/a": float("inf")}, ArgumentError),
    ],
)
def test_numbers_of_places_are_numbers(numbers: Any, error: type[Exception]) -> None:
    """Finite, and not negative."""
    with pytest.raises(error):
        PlaceNumbers(numbers, "weights")


def test_numbers_are_near_as_they_are_written() -> None:
    """0.4 is within 0.1 of 0.3, whatever binary fractions make of it."""
    assert near(0.4, 0.3, 0.1)
    assert not near(0.41, 0.3, 0.1)
    assert not near(float("inf"), 0.3, 1e300)
    assert near(10**400, 10**400, 0)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("é\n", r'"é\n"'),
        ("x" * 200, '"' + "x" * 119 + '…"'),
        ({"a": [1, None]}, '{"a": [1, null]}'),
    ],
)
def test_values_are_shown_in_json(value: Any, shown: str) -> None:
    """On one line, and cut."""
    assert shown_json(value) == shown
