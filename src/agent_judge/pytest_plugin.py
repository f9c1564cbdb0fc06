"""The pytest plugin, which pytest loads through the entry point `agent_judge`."""

from __future__ import annotations
