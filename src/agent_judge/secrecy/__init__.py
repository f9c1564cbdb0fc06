"""What secrets look like, and text without them."""

from __future__ import annotations

from agent_judge.secrecy.redaction import Redactor, is_secret_name, redact
from agent_judge.secrecy.rules import Secret, find_secrets

__all__ = ["Redactor", "Secret", "find_secrets", "is_secret_name", "redact"]
