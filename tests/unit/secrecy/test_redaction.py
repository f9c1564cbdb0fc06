"""Text without the secrets in it. The samples are made up here, in two parts each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentTypeError
from agent_judge.secrecy import Redactor, is_secret_name

GITHUB = "ghp_" + "q8Rt2LxZ0vB5nM7cK1jH4gF6dS9aP3wEyUoI"
SECRET = "c7J-fq2X" + "mW9zR4kT"
BEGIN, END = "-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----"


def redact(text: str, *values: str, **environ: str) -> str:
    """The text as it is shown."""
    return Redactor(values, environ).redact(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"pushed with {GITHUB}!", "pushed with [redacted GitHub token]!"),
        (f"{GITHUB} {GITHUB}", "[redacted GitHub token] [redacted GitHub token]"),
        (f"api_key = '{SECRET}'", "api_key = '[redacted hard-coded secret]'"),
        (f"export API_KEY={SECRET}", "export API_KEY=[redacted value]"),
        (f"Authorization: Bearer {SECRET}", "Authorization: Bearer [redacted credentials]"),
        (f"postgres://app:{SECRET}@db/x", "postgres://app:[redacted password in a URL]@db/x"),
        (f"a\n{BEGIN}\nMIIE\n{END}\nb", "a\n[redacted private key]\nb"),
        (f"a {BEGIN}\\nMIIE\\n{END} b", "a [redacted private key] b"),
        (f"a\n{BEGIN}\nMIIEow", "a\n[redacted private key]"),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str, shown: str) -> None:
    """And it is said what it was."""
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "the key is missing",
        "token = 'changeme-please'",
        "password: required by the form",
        "basic implementation of the bearer authentication",
        "https://example.com/a:b@c",
        "KEY=short",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    """Also where it speaks of keys."""
    assert redact(text) == text


def test_values_of_telling_variables_are_hidden() -> None:
    """The longest first, so that nothing of it is left; the names of others tell nothing."""
    environ = {"APP_TOKEN": "abcdefgh", "APP_SECRET": "abcdefghij", "EDITOR": "emacsclient"}

    shown = redact("abcdefghij abcdefgh emacsclient", **environ)

    assert shown == "[redacted APP_SECRET] [redacted APP_TOKEN] emacsclient"


def test_short_values_stay() -> None:
    """They are in any text."""
    assert redact("yes 1", SECRET_KEY="1", USE_TOKEN="yes") == "yes 1"


def test_the_environment_of_the_process_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no other is given."""
    monkeypatch.setenv("DEPLOY_PASSWORD", "correct horse")

    assert Redactor().redact("a correct horse") == "a [redacted DEPLOY_PASSWORD]"


def test_values_that_the_caller_names_are_hidden() -> None:
    """As they are, whatever they hold."""
    assert redact("a.b axb", "a.b") == "[redacted] axb"
    assert redact("ab", "") == "ab"


@pytest.mark.parametrize("values", ["one string", [b"bytes"]])
def test_values_have_to_be_strings(values: object) -> None:
    """One string would be taken for its characters."""
    with pytest.raises(ArgumentTypeError):
        Redactor(values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        *((name, True) for name in ("API_KEY", "OPENAI_API_KEY", "token", "DB_PASSWORD", "PGPASS")),
        *((name, True) for name in ("AWS_SECRET_ACCESS_KEY", "GH_PAT", "CI_JOB_TOKEN", "APIKEY")),
        *((name, False) for name in ("PATH", "PWD", "OLDPWD", "KEYBOARD", "HOME", "LESSKEYIN")),
        *((name, False) for name in ("SSH_AUTH_SOCK", "KEY_FILE", "PASSENGERS", "PATTERN")),
    ],
)
def test_names_that_say_so(name: str, secret: bool) -> None:
    """By whole words, and not where they name a file."""
    assert is_secret_name(name) is secret


@given(st.text(st.sampled_from("abc 1\n-=:'\"é")), st.text(), st.text())
def test_nothing_of_a_known_value_is_left(value: str, before: str, after: str) -> None:
    """Wherever it stands, when it is long enough to be told from other text."""
    secret = f"zq{value}9x"

    assert secret not in redact(f"{before}{secret}{after}", secret)
