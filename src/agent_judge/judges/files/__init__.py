"""Judges that read the files of a workspace."""

from __future__ import annotations
