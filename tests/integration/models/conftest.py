"""Tests of models see no proxy, key or address of the machine they run on."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out what would change where requests go, or with which key."""
    for name in list(os.environ):
        known = name.upper().startswith(("OPENAI_", "ANTHROPIC_", "OLLAMA_"))
        if known or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
