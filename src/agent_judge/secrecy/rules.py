"""What secrets look like, by the documentation of those who issue them.

Each rule says where its form is documented. A token that its issuer marks by a prefix is told by
that alone; what has none is told by what stands before it, and only where it looks random: at least
`ENTROPY` bits a character by the formula of Shannon (A Mathematical Theory of Communication, 1948).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log2
from typing import Final

ENTROPY: Final = 3.0
"""Bits a character from which on a value without a known form is taken for random."""

MAX_LINE: Final = 20_000
"""Characters of a line that are looked at; a longer one is looked at in overlapping parts."""

OVERLAP: Final = 1_000

MAX_SECRETS: Final = 20
"""Secrets that are found in one line."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of secret.

    Attributes:
        name: What it is.
        pattern: Its form; the first group is the secret, where there is one.
        random: Whether it counts only where it looks random.
    """

    name: str
    pattern: re.Pattern[str]
    random: bool = False


def _rule(name: str, pattern: str, *, random: bool = False) -> Rule:
    return Rule(name, re.compile(pattern), random)


_EDGE: Final = r"(?<![A-Za-z0-9_])"

RULES: Final = (
    # RFC 7468 (PEM), and PuTTY's and PGP's forms of a private key.
    _rule("private key", r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
    _rule("private key", r"^PuTTY-User-Key-File-[0-9]:"),
    # https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
    _rule("AWS access key", _EDGE + r"((?:AKIA|ASIA)[A-Z2-7]{16})(?![A-Za-z0-9])"),
    # https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html
    _rule(
        "AWS secret key",
        r"(?i:aws_?secret_?(?:access_?)?key)\W{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        random=True,
    ),
    # https://github.blog/engineering/behind-githubs-new-authentication-token-formats/
    _rule("GitHub token", _EDGE + r"(gh[pousr]_[A-Za-z0-9]{36,251})"),
    _rule("GitHub token", _EDGE + r"(github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    # https://docs.gitlab.com/security/tokens/#token-prefixes
    _rule("GitLab token", _EDGE + r"(gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent)-[\w-]{20,64})"),
    # https://api.slack.com/authentication/token-types
    _rule("Slack token", _EDGE + r"(xox[abeoprs]-[A-Za-z0-9-]{10,250})"),
    _rule("Slack token", _EDGE + r"(xapp-[0-9]-[A-Za-z0-9-]{10,250})"),
    # https://api.slack.com/messaging/webhooks
    _rule("Slack webhook", r"(https://hooks\.slack\.com/services/T\w{6,20}/B\w{6,20}/\w{16,40})"),
    # https://docs.stripe.com/keys
    _rule("Stripe key", _EDGE + r"((?:sk|rk)_live_[A-Za-z0-9]{16,247})"),
    _rule("Stripe webhook secret", _EDGE + r"(whsec_[A-Za-z0-9+/=]{24,100})"),
    # https://cloud.google.com/docs/authentication/api-keys
    _rule("Google API key", _EDGE + r"(AIza[\w-]{35})(?![\w-])"),
    # https://developers.google.com/identity/protocols/oauth2
    _rule("Google OAuth secret", _EDGE + r"(GOCSPX-[\w-]{28})"),
    # https://docs.anthropic.com/en/api/admin-api/apikeys
    _rule("Anthropic key", _EDGE + r"(sk-ant-[a-z]{2,8}[0-9]{2}-[\w-]{24,200})"),
    # https://platform.openai.com/docs/api-reference/authentication
    _rule("OpenAI key", _EDGE + r"(sk-(?:proj|svcacct|admin|None)-[\w-]{40,200})"),
    _rule("OpenAI key", _EDGE + r"(sk-[A-Za-z0-9]{48})(?![A-Za-z0-9])"),
    # https://huggingface.co/docs/hub/security-tokens
    _rule("Hugging Face token", _EDGE + r"(hf_[A-Za-z0-9]{34,40})(?![A-Za-z0-9])"),
    # https://docs.npmjs.com/about-access-tokens
    _rule("npm token", _EDGE + r"(npm_[A-Za-z0-9]{36})(?![A-Za-z0-9])"),
    _rule("npm token", r"//[\w.-]{1,100}/:_authToken=([\w-]{20,100})"),
    # https://pypi.org/help/#apitoken: a macaroon that begins with the name of the site
    _rule("PyPI token", _EDGE + r"(pypi-AgE[\w-]{50,500})"),
    # https://www.twilio.com/docs/sendgrid/for-developers/sending-email/authentication
    _rule("SendGrid key", _EDGE + r"(SG\.[\w-]{22}\.[\w-]{43})"),
    # https://docs.digitalocean.com/reference/api/create-personal-access-token/
    _rule("DigitalOcean token", _EDGE + r"(do[opr]_v1_[0-9a-f]{64})"),
    # https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
    _rule("Azure storage key", r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    # https://core.telegram.org/bots/api#authorizing-your-bot
    _rule("Telegram bot token", _EDGE + r"([0-9]{8,10}:AA[\w-]{33})(?![\w-])"),
    # https://docs.docker.com/security/access-tokens/
    _rule("Docker token", _EDGE + r"(dckr_[po]at_[\w-]{27,52})"),
    # https://developer.hashicorp.com/vault/docs/concepts/tokens
    _rule("Vault token", _EDGE + r"(hv[sbr]\.[\w-]{24,200})"),
    # https://shopify.dev/docs/apps/build/authentication-authorization
    _rule("Shopify token", _EDGE + r"(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})"),
    # RFC 7519: three parts in base64url, of which the first two begin as JSON objects do
    _rule("JSON web token", _EDGE + r"(eyJ[\w-]{10,400}\.eyJ[\w-]{10,4000}\.[\w-]{20,1000})"),
    # RFC 3986, section 3.2.1: the password in the user information of a URL
    _rule(
        "password in a URL",
        r"[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\"<>{}$%]{1,100}:([^\s/:@'\"<>{}$%]{6,200})@",
        random=True,
    ),
    # A name that says it holds a secret, and a quoted value: CWE-798, hard-coded credentials.
    _rule(
        "hard-coded secret",
        r"(?i:(?:api|access|secret|private|auth|signing|encryption|client)[_-]?(?:key|token|secret)"
        r"|passw(?:or)?d|passphrase|\bpwd|credentials?|auth[_-]?token|\bsecret|\btoken)"
        r"['\"\]]{0,2}\s{0,4}(?::|=>|:=|=)\s{0,4}[bru]?['\"]([^'\"\s]{8,200})['\"]",
        random=True,
    ),
)

_PLACEHOLDER: Final = re.compile(
    r"(?i)example|placeholder|changeme|change_me|your[-_]|dummy|sample|redacted|xxxx|\*\*\*|\.\.\."
    r"|^<.*>$|^\$\{?|^\{\{|%\(|^env[.:(]|0123456789|1234567|abcdef|test|fake|none$|null$"
)
"""Values that documentation and tests put in the place of a secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret that was found: what it is, and where in a line it begins and ends."""

    rule: str
    start: int
    end: int


def find_secrets(line: str, between: Callable[[], None] = lambda: None) -> list[Secret]:
    """The secrets in a line, each once, and at most `MAX_SECRETS`.

    Args:
        line: The line.
        between: Called between the parts of a long line; what it raises ends the search.
    """
    found: list[Secret] = []
    for start in range(0, max(1, len(line)), MAX_LINE - OVERLAP):
        between()
        for rule in RULES:
            for match in rule.pattern.finditer(line, start, start + MAX_LINE):
                secret = Secret(rule.name, *match.span(1 if rule.pattern.groups else 0))
                if looks_secret(rule, line[secret.start : secret.end]) and _is_new(secret, found):
                    found.append(secret)
                if len(found) == MAX_SECRETS:
                    return found
    return found


def _is_new(secret: Secret, found: Iterable[Secret]) -> bool:
    """Whether no other rule, and no part before, found something at its place."""
    return not any(other.start < secret.end and secret.start < other.end for other in found)


def looks_secret(rule: Rule, value: str) -> bool:
    """Whether a value is no placeholder, and where it has to be random, no word either."""
    if not rule.random:
        return "EXAMPLE" not in value and len(set(value)) > _FEW
    if value.isalpha() or _PLACEHOLDER.search(value):
        return False
    return entropy(value) >= ENTROPY


_FEW: Final = 5
"""A token of so few different characters was typed by hand to stand for one."""


def entropy(text: str) -> float:
    """Bits a character, by how often each occurs in the text."""
    return -sum(count / len(text) * log2(count / len(text)) for count in Counter(text).values())
