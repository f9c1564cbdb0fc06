"""Judges of what the work changed."""

from __future__ import annotations
