"""Judges of the text that a run gave."""

from __future__ import annotations
