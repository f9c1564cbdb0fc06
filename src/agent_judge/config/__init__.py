"""Juries from files: `agent-judge.toml`, or `[tool.agent-judge]` in `pyproject.toml`."""

from __future__ import annotations

from agent_judge.config.build import ConfiguredJuries, build, build_all, build_from
from agent_judge.config.builder import AnyJury
from agent_judge.config.load import Configuration, find_configuration, read_configuration
from agent_judge.config.settings import ModelSettings
from agent_judge.config.write import to_config

__all__ = [
    "AnyJury",
    "Configuration",
    "ConfiguredJuries",
    "ModelSettings",
    "build",
    "build_all",
    "build_from",
    "find_configuration",
    "read_configuration",
    "to_config",
]
