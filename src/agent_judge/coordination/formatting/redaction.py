"""Secrets taken out of what is told to an agent."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

from agent_judge.judges.diff.secret_rules import find_secrets

REDACTED: Final = "[redacted]"

_SECRET_NAME: Final = re.compile(
    r"(?i)(?:^|_)(?:key|token|secret|passwd|password|credentials?|auth)(?:_|$)"
)
_SHORTEST: Final = 8
_KEY_BLOCK: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----.*?"
    r"(?:-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)


def redact(text: str, environment: Mapping[str, str] | None = None) -> str:
    """Text without secrets: known forms of tokens and keys, and values of secret variables.

    Args:
        text: The text.
        environment: Variables whose values are taken out where their names say that they are
            secret, as `GITHUB_TOKEN`; those of this process unless said otherwise.

    Example:
        >>> redact("login failed for s3cr3t-value", {"API_TOKEN": "s3cr3t-value"})
        'login failed for [redacted]'
    """
    variables = os.environ if environment is None else environment
    for name, value in variables.items():
        if len(value) >= _SHORTEST and _SECRET_NAME.search(name):
            text = text.replace(value, REDACTED)
    text = _KEY_BLOCK.sub(REDACTED, text)
    return "\n".join([_redacted_line(line) for line in text.split("\n")])


def _redacted_line(line: str) -> str:
    for secret in sorted(find_secrets(line), key=lambda secret: secret.start, reverse=True):
        line = f"{line[: secret.start]}{REDACTED}{line[secret.end :]}"
    return line
