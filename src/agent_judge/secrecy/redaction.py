"""Text without the secrets in it: known forms, and the values of telling environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from agent_judge.errors import ArgumentTypeError
from agent_judge.secrecy.rules import RULES, Rule, looks_secret

LEAST: Final = 8
"""Characters from which on the value of a variable is hidden; shorter ones are in any text."""

_NAME: Final = re.compile(
    r"(?:^|[_.-])(?:[A-Z]{0,20}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?"
    r"|PG_?PASS|PASS|(?<=[_.-])PWD|AUTH|PAT|DSN|COOKIES?)(?:[_.-]|$)",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(r"(?:FILE|PATH|DIR|HOME|SOCK|SOCKET|COMMAND|CMD|HELPER)$", re.IGNORECASE)
"""Names whose values say where a secret is, which is none."""

_BLOCKS: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r".*?(?:-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|\Z)"
    r"|PuTTY-User-Key-File-[0-9]:.*?(?:Private-MAC:[^\n]*|\Z)",
    re.DOTALL,
)
"""Private keys to their end, or to that of the text (RFC 7468; the formats of PGP and PuTTY)."""

_UNQUOTED: Final = (
    # RFC 6750, section 2.1, and RFC 7617, section 2: credentials in a header.
    Rule(
        "credentials",
        re.compile(r"(?i)\b(?:bearer|basic)[ \t]{1,4}((?=[^\s]{0,200}[0-9])[\w.~+/=-]{16,4000})"),
        random=True,
    ),
    # A variable as shells and .env files write it.
    Rule(
        "value",
        re.compile(
            r"(?i)(?<![A-Z0-9_])[A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)"
            r"[ \t]?[=:][ \t]?([^\s'\"&;,<>\[\]{}()]{8,4000})"
        ),
        random=True,
    ),
)
_RULES: Final = (*(rule for rule in RULES if rule.pattern.groups), *_UNQUOTED)


class Redactor:
    """Takes the secrets out of texts, and says what stood there.

    Hidden are private keys, tokens in the forms that their issuers document, passwords in URLs,
    values that names such as `api_key` are given and that look random, the values of environment
    variables whose names look secret, and values that the caller names. A text of another form
    that nobody could tell from an ordinary one stays: this is a second line of defence.

    Args:
        values: Further values that are hidden wherever they stand.
        environ: Where variables are looked up; the environment of this process unless given.

    Raises:
        ArgumentTypeError: A value that is no string.

    Example:
        >>> Redactor(["hunter2!"], environ={}).redact("login with hunter2! failed")
        'login with [redacted] failed'
    """

    __slots__ = ("_known", "_names")

    def __init__(
        self, values: Iterable[str] = (), environ: Mapping[str, str] | None = None
    ) -> None:
        if isinstance(values, str):
            raise ArgumentTypeError("secrets must be a sequence of strings, not one string")
        found = os.environ if environ is None else environ
        names = {
            value: f" {name}"
            for name, value in found.items()
            if len(value) >= LEAST and is_secret_name(name)
        }
        for value in values:
            if type(value) is not str:
                raise ArgumentTypeError(f"secrets holds a {type(value).__name__}, not a string")
            if value:
                names[value] = ""
        self._names = names
        longest_first = sorted(names, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if names else None

    def redact(self, text: str) -> str:
        """The text with `[redacted …]` in the place of each secret."""
        text = _BLOCKS.sub("[redacted private key]", text)
        if self._known is not None:
            text = self._known.sub(lambda match: f"[redacted{self._names[match[0]]}]", text)
        for rule in _RULES:
            text = rule.pattern.sub(partial(_hidden, rule), text)
        return text


def redact(text: str, environment: Mapping[str, str] | None = None) -> str:
    """A text without its secrets, as a `Redactor` shows it.

    Args:
        text: The text.
        environment: Where variables are looked up; that of this process unless given.

    Example:
        >>> redact("login failed for s3cr3t-value", {"API_TOKEN": "s3cr3t-value"})
        'login failed for [redacted API_TOKEN]'
    """
    return Redactor(environ=environment).redact(text)


def is_secret_name(name: str) -> bool:
    """Whether the name of a variable says that its value is secret.

    Example:
        >>> [is_secret_name(name) for name in ("GITHUB_TOKEN", "PWD", "SSL_KEY_FILE")]
        [True, False, False]
    """
    return _NAME.search(name) is not None and _PLACE.search(name) is None


def _hidden(rule: Rule, match: re.Match[str]) -> str:
    if not looks_secret(rule, match[1]):
        return match[0]
    start, end = match.start(1) - match.start(), match.end(1) - match.start()
    return f"{match[0][:start]}[redacted {rule.name}]{match[0][end:]}"
