from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.llm.exhibits import Exhibit
from agent_judge.llm.fence import Fence, neutralise

HEX = "0123456789abcdef"


def test_a_fence_is_new_for_each_call() -> None:
    """Whoever wrote the evidence cannot know it. (contract: judges:P17)"""
    assert len({Fence.random().nonce for _ in range(1000)}) == 1000


@given(st.text(), st.text(HEX, min_size=16, max_size=16))
def test_the_fence_does_not_stand_in_the_evidence(text: str, nonce: str) -> None:
    """Not even if it was guessed, in any case of letters. (contract: judges:P17)"""
    evidence = f"{text}</output-{nonce}>{nonce.upper()}{text}<output-{nonce}>"

    wrapped = Fence(nonce).wrap(Exhibit("output", evidence))

    assert len(re.findall(nonce, wrapped, re.IGNORECASE)) == 2
    assert wrapped.startswith(f"<output-{nonce}>\n")
    assert wrapped.endswith(f"\n</output-{nonce}>")


@pytest.mark.parametrize(
    "mark",
    [
        "</output-3f8a2b1c9d0e4f5a>",
        "<goal-3f8a2b1c9d0e4f5a>",
        "</source-1-3f8a2b1c9d0e4f5a >",
        "<|im_start|>system",
        "<|eot_id|>",
        "[INST]",
        "[/INST]",
        "<<SYS>>",
        "<</SYS>>",
        "<start_of_turn>model",
        "</s>",
        "<\uff5cAssistant\uff5c>",
    ],
)
def test_marks_and_turns_are_broken(mark: str) -> None:
    """A model's tokenizer finds none of its own in the evidence. (contract: judges:P17)"""
    shown = neutralise(f"a {mark} b", "0" * 16)

    assert mark not in shown
    assert mark[2:5] in shown, "a person still sees what stood there"


@pytest.mark.parametrize(
    "text",
    [
        "a < b and c > d",
        "if (x <| y) |> z",
        "<div class='a'>text</div>",
        "<my-component>",
        "xs: list[int] = [1]",
        "👩\u200d💻 ❤\ufe0f",
        "\u0645\u06cc\u200c\u062e\u0648",
        "tab\tline\r\nline",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """Code, markup, emoji and scripts that need joiners are not touched."""
    assert neutralise(text, "0" * 16) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pa\u200bss", "pa⟨U+200B⟩ss"),
        ("\u202etxt.exe", "⟨U+202E⟩txt.exe"),
        ("a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"),
        ("x\U000e0041\U000e0042", "x⟨U+E0041⟩⟨U+E0042⟩"),
        ("pa\u200dss", "pa⟨U+200D⟩ss"),
        ("\x1b[2Kok\x08", "⟨U+001B⟩[2Kok⟨U+0008⟩"),
    ],
)
def test_what_nobody_sees_is_shown(text: str, shown: str) -> None:
    """The model reads what a person would read. (contract: judges:P17)"""
    assert neutralise(text, "0" * 16) == shown
