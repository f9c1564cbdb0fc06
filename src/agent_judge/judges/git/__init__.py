"""Reading git repositories, which may be hostile, without running anything that they configure."""

from __future__ import annotations
