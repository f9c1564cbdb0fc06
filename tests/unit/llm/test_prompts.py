from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, Source, ToolCall
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm import PromptTemplate
from agent_judge.llm.exhibits import Exhibit
from agent_judge.testing import a_context


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{{goal}}", "Add 2 and 2"),
        ("{{ goal }}", "Add 2 and 2"),
        ("{{metadata.x}} of {{metadata.deep.er}}", "1 of {'a'}"),
        ("{goal} {{{output}}}", "{goal} {4}"),
    ],
)
def test_a_placeholder_is_replaced(template: str, filled: str) -> None:
    """Spaces inside the braces do not matter, and single braces are text. (contract: judges:P1)"""
    context = a_context(metadata={"x": 1, "deep": {"er": "{'a'}"}})

    assert PromptTemplate(template).fill(context) == filled


def test_values_are_filled_in_in_one_pass() -> None:
    """What a value holds is not looked at again. (contract: judges:P1)"""
    context = a_context(goal="{{output}}", output="{{goal}}")

    assert PromptTemplate("{{goal}}|{{output}}").fill(context) == "{{output}}|{{goal}}"


def test_an_unknown_placeholder_is_refused() -> None:
    """It is named when the template is made, with what is near. (contract: judges:P2)"""
    with pytest.raises(ArgumentError, match=r"\{\{outputs\}\}.*did you mean 'output'"):
        PromptTemplate("Judge {{outputs}}")


def test_an_unknown_placeholder_can_be_left_out_or_kept() -> None:
    """The policy is chosen when the template is made. (contract: judges:P2)"""
    context = a_context()

    assert PromptTemplate("<{{what}}>", unknown="empty").fill(context) == "<>"
    assert PromptTemplate("<{{ what }}>", unknown="leave").fill(context) == "<{{ what }}>"
    with pytest.raises(ArgumentError, match="unknown must be"):
        PromptTemplate("x", unknown="maybe")  # type: ignore[arg-type]


@pytest.mark.parametrize("unknown", ["strict", "empty", "leave"])
@given(output=st.text(st.sampled_from("{}gmetadata.secrtfoxl %$<>\n"), max_size=60))
def test_braces_in_a_value_stay_literal(unknown: str, output: str) -> None:
    """The agent cannot reach the run's secrets by a placeholder. (contract: judges:P3)"""
    text = f"{{{{metadata.secret}}}}{output}{{{{foo}}}}"
    context = a_context(output=text, metadata={"secret": "hunter2"})
    template = PromptTemplate("[{{output}}]", unknown=unknown)  # type: ignore[arg-type]

    assert template.fill(context) == f"[{text}]"


def test_absent_and_blank_variables_are_named() -> None:
    """All but the optional ones are needed. (contract: judges:P4)"""
    template = PromptTemplate(
        "{{goal}} {{output}} {{expected}} {{sources}} {{metadata.a.b}} {{error}}",
        optional=("error",),
    )

    assert template.absent(JudgmentContext(goal=" \n", output="x", metadata={"a": 1})) == (
        "goal",
        "expected",
        "sources",
        "metadata.a.b",
    )


def test_an_optional_variable_can_leave_a_word_in_its_place() -> None:
    """A model that is shown nothing at all may take that for the value."""
    template = PromptTemplate("{{goal}}, {{output}}", optional=("goal",), blank="(not given)")

    assert template.fill(JudgmentContext(goal=" ", output="4")) == "(not given), 4"


@pytest.mark.parametrize("output", [None, False, 0])
def test_a_value_that_is_not_text_is_shown_as_json(output: object) -> None:
    """Null, false and nought are outputs, not their absence."""
    template = PromptTemplate("{{output}}")

    assert template.absent(a_context(output=output)) == ()
    assert template.fill(a_context(output=output)) in ("null", "false", "0")


def test_a_template_is_read_from_a_file_once(tmp_path: Path) -> None:
    """What becomes of the file later does not matter. (contract: judges:P5)"""
    file = tmp_path / "prompt.md"
    file.write_text("Grüße {{goal}}", encoding="utf-8")
    template = PromptTemplate.from_file(file)
    file.unlink()

    assert template.fill(a_context()) == "Grüße Add 2 and 2"
    assert template.digest == sha256("Grüße {{goal}}".encode()).hexdigest()


def test_a_template_is_read_from_a_package() -> None:
    """Any file that a package carries will do. (contract: judges:P5)"""
    template = PromptTemplate.from_package("agent_judge.llm", "prompts.py", unknown="leave")

    assert template.text.startswith('"""Prompt templates')


def test_a_missing_template_is_refused(tmp_path: Path) -> None:
    """The error names the file. (contract: judges:P5)"""
    with pytest.raises(ArgumentError, match="nowhere"):
        PromptTemplate.from_file(tmp_path / "nowhere.md")
    with pytest.raises(ArgumentError, match=r"nothing\.md"):
        PromptTemplate.from_package("agent_judge.llm", "nothing.md")
    with pytest.raises(ArgumentError, match="no_such_package"):
        PromptTemplate.from_package("no_such_package", "x.md")


def test_a_template_that_is_not_text_in_utf_8_is_refused(tmp_path: Path) -> None:
    """It is never decoded by guess."""
    (tmp_path / "p.md").write_bytes(b"\xff\xfe{{goal}}")

    with pytest.raises(ArgumentError, match="cannot be read"):
        PromptTemplate.from_file(tmp_path / "p.md")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": " "}, "blank"),
        ({"text": "x" * 1_000_001}, "at most"),
        ({"text": "{{goal}}", "optional": ("output",)}, "does not use"),
    ],
)
def test_a_template_that_cannot_be_meant_is_refused(
    arguments: dict[str, object], message: str
) -> None:
    """The message says why."""
    with pytest.raises(ArgumentError, match=message):
        PromptTemplate(**arguments)  # type: ignore[arg-type]


def test_names_in_one_string_are_refused() -> None:
    """A string is a sequence of letters, which nobody means."""
    with pytest.raises(ArgumentTypeError, match="not one string"):
        PromptTemplate("{{a}}", own="a")  # type: ignore[arg-type]


def test_variables_of_the_judges_own_need_a_value() -> None:
    """Those of evidence are shown piece by piece, as the evidence of a run is."""
    template = PromptTemplate("{{criterion}}: {{claims}}", own=("criterion", "claims", "unused"))
    claims = (Exhibit("claim-1", "a"), Exhibit("claim-2", "b"))

    filled = template.fill(a_context(), {"criterion": "short", "claims": claims})

    assert filled == "short: a\nb"
    with pytest.raises(ArgumentError, match="no value for claims"):
        template.fill(a_context(), {"criterion": "short"})


def test_sources_and_tool_calls_are_shown_one_by_one() -> None:
    """Each source is a piece of evidence of its own, so that none can forge another."""
    context = a_context(
        sources=[Source("Paris.", title="France"), Source("Rome.")],
        tool_calls=[ToolCall("add", {"a": 2}, 4), ToolCall("sub", error="no"), ToolCall("mul")],
    )
    shown = PromptTemplate("{{sources}}").fill(context, show=lambda one: f"{one.label}={one.text}")

    assert shown == "source-1=France\nParis.\nsource-2=Rome."
    assert PromptTemplate("{{tool_calls}}").fill(context) == (
        '1. add({"a": 2}) -> 4\n2. sub({}) failed: no\n3. mul({})'
    )
