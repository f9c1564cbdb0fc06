from __future__ import annotations

import base64
import random
import string

import pytest

from agent_judge import Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import ChangeBounds, GitChanges, SecretsJudge
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.records import FileChange, Hunk, Line, Sign, Version
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.objects import Mode
from agent_judge.judgment import ReasonCode
from agent_judge.secrecy.rules import MAX_LINE, RULES, entropy, find_secrets
from unit.judges.diff.works import Work, said

RANDOM = random.Random(7)


def made(length: int, letters: str = string.ascii_letters + string.digits) -> str:
    """A text that nobody was ever given."""
    return "".join(RANDOM.choice(letters) for _ in range(length))


UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"
JWT = ".".join(
    base64.urlsafe_b64encode(part.encode()).decode().rstrip("=")
    for part in ('{"alg":"HS256"}', '{"sub":"1","iat":2}', made(32))
)

# Joined from parts, so that no scanner of secrets takes this file for a leak.
SECRETS = {
    "AWS access key": ["AK" + "IA" + made(16, UPPER), "AS" + "IA" + made(16, UPPER)],
    "AWS secret key": [made(40)],
    "Anthropic key": ["sk-" + "ant-" + "api03-" + made(80)],
    "Azure storage key": [made(86) + "=="],
    "DigitalOcean token": ["dop" + "_v1_" + made(64, HEX)],
    "Docker token": ["dckr" + "_pat_" + made(27)],
    "GitHub token": ["gh" + "p_" + made(36), "github" + "_pat_" + made(22) + "_" + made(59)],
    "GitLab token": ["gl" + "pat-" + made(20)],
    "Google API key": ["AI" + "za" + made(35)],
    "Google OAuth secret": ["GOC" + "SPX-" + made(28)],
    "Hugging Face token": ["h" + "f_" + made(34)],
    "JSON web token": [JWT],
    "OpenAI key": ["sk-" + "proj-" + made(60), "sk-" + made(48)],
    "PyPI token": ["pypi-" + "AgE" + made(80)],
    "SendGrid key": ["S" + "G." + made(22) + "." + made(43)],
    "Shopify token": ["shp" + "at_" + made(32, HEX)],
    "Slack token": ["xo" + "xb-" + made(24), "xa" + "pp-1-" + made(24)],
    "Slack webhook": [
        "https://hooks.slack" + ".com/services/T" + made(8) + "/B" + made(8) + "/" + made(24)
    ],
    "Stripe key": ["sk" + "_live_" + made(24)],
    "Stripe webhook secret": ["wh" + "sec_" + made(32)],
    "Telegram bot token": [made(9, string.digits) + ":AA" + made(33)],
    "Vault token": ["hv" + "s." + made(30)],
    "hard-coded secret": [made(24)],
    "npm token": ["np" + "m_" + made(36), made(36)],
    "password in a URL": [made(16)],
    "private key": ["-----BEGIN RSA " + "PRIVATE KEY-----", "PuTTY-User-Key" + "-File-3:"],
}
AROUND = {
    "AWS secret key": "aws_secret_access_key = {}",
    "Azure storage key": "AccountName=a;AccountKey={};",
    "hard-coded secret": 'API_KEY = "{}"',
    "password in a URL": "postgres://app:{}@db.internal/x",
    "private key": "{}",
}


def line_with(rule: str, secret: str) -> str:
    """A line that holds a secret as it is found in the wild."""
    if rule == "npm token" and not secret.startswith("npm_"):
        return f"//registry.npmjs.org/:_authToken={secret}"
    return AROUND.get(rule, 'value: "{}"').format(secret)


CASES = [(rule, secret) for rule, secrets in SECRETS.items() for secret in secrets]


def test_every_rule_has_a_sample() -> None:
    """None of them goes untried."""
    assert {rule.name for rule in RULES} == set(SECRETS)


@pytest.mark.parametrize(("rule", "secret"), CASES, ids=[rule for rule, _ in CASES])
def test_a_secret_is_found_at_its_place(rule: str, secret: str) -> None:
    """Once, by the rule that knows it."""
    line = line_with(rule, secret)

    assert [(found.rule, line[found.start : found.end]) for found in find_secrets(line)] == [
        (rule, secret)
    ]


@pytest.mark.parametrize(("rule", "secret"), CASES, ids=[rule for rule, _ in CASES])
def test_a_judgment_does_not_hold_the_secret(work: Work, rule: str, secret: str) -> None:
    """It says what it is, how long, and where."""
    work.write({"a.cfg": f"x\n{line_with(rule, secret)}\n"})

    judgment = work.judged(SecretsJudge(GitChanges(work.base)))

    assert said(judgment) == [f"a.cfg:2: {rule} of {len(secret)} characters"]
    assert secret not in repr(judgment)


@pytest.mark.parametrize(
    "line",
    [
        "password = os.environ['PASSWORD']",
        'password = getpass("Your password: ")',
        'password: "changeme-please-1"',
        'API_KEY = "your-api-key-goes-here"',
        'token = "<your token, please>"',
        'secret = "${VAULT_SECRET_4f9a2b}"',
        'token: "{{ secrets.TOKEN_9f8e }}"',
        'token = "aaaaaaaaaaaa"',
        'create_user("admin", password="something")',
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ghp_" + "x" * 36,
        "https://user:password@example.org/",
        "https://user:$PASSWORD@host/",
        "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "0f8fad5b-d9cd-469f-a165-70867728950e",
        "task-2f8a9c3d1e4b5a6f7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f",
        "def secret(token): return token == 'abc'",
        "import secrets; token = secrets.token_hex(16)",
    ],
)
def test_what_is_none_is_not_found(line: str) -> None:
    """Names, placeholders, public keys, hashes."""
    assert list(find_secrets(line)) == []


KEY = SECRETS["GitHub token"][0]


def test_only_what_was_added_is_looked_at(work: Work) -> None:
    """A secret that was there before is no fault of the work."""
    base = work.commit({"a.cfg": f"{KEY}\n", "b.cfg": f"{KEY}\n"})
    work.write({"a.cfg": f"{KEY}\nx\n", "b.cfg": ""})

    judgment = work.judged(SecretsJudge(GitChanges(base)))

    assert judgment.passed
    assert judgment.reasoning == "1 added line in 2 files looked at"


def test_a_secret_in_a_name_is_found_and_hidden(work: Work) -> None:
    """Wherever the name is shown."""
    work.write({f"{KEY}/a.txt": f"{KEY}\n", f"x-{KEY}.bin": "\0"})

    judgment = work.judged(SecretsJudge(GitChanges(work.base)))

    assert said(judgment) == [
        "[redacted]/a.txt: its name holds a GitHub token",
        f"[redacted]/a.txt:1: GitHub token of {len(KEY)} characters",
        "x-[redacted].bin: its name holds a GitHub token",
    ]
    assert KEY not in repr(judgment)


def test_known_samples_can_be_allowed(work: Work) -> None:
    """By their value, or by the file that they are in."""
    work.write({"a.cfg": f"{KEY}\n", "tests/b.cfg": f"{SECRETS['GitLab token'][0]}\n"})

    judge = SecretsJudge(GitChanges(work.base), allow=[KEY], exclude=["tests/"])

    assert work.judged(judge).passed


def test_a_comment_of_the_work_hides_nothing(work: Work) -> None:
    """Whatever other tools take it for."""
    work.write({"a.cfg": f"{KEY}  # pragma: allowlist secret, gitleaks:allow, noqa, nosec\n"})

    assert not work.judged(SecretsJudge(GitChanges(work.base))).passed


def test_a_long_line_is_searched_to_its_end(work: Work) -> None:
    """Also where a secret lies across the parts in which it is read."""
    lines = [" " * (MAX_LINE - 10 + shift) + KEY + " " * 30_000 for shift in (0, -950, 950)]
    work.write({"a.min.js": "\n".join(lines)})

    found = said(work.judged(SecretsJudge(GitChanges(work.base))))

    assert [item.partition(": ")[0] for item in found] == [f"a.min.js:{n}" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "line",
    ["eyJ-" * 50_000, "a" * 200_000, "token=" * 40_000, "a://a:" * 40_000, "secret: '" * 30_000],
)
def test_hostile_lines_are_searched_in_time(work: Work, line: str) -> None:
    """No form can be looked for without end."""
    work.write({"a.txt": line})

    judge = SecretsJudge(GitChanges(work.base, bounds=ChangeBounds(timeout=20)))

    assert work.judged(judge).passed


def test_the_search_has_a_deadline() -> None:
    """It is looked at between the lines, and between the parts of a long one."""
    line = Line(Sign.ADDED, None, 1, "x" * 3 * MAX_LINE)
    file = FileChange(None, Version("a.txt", Mode.FILE), 1, 0, (Hunk((line,), 1),))
    judge = SecretsJudge(GitChanges("main"))
    parts: list[int] = []

    find_secrets(line.text, lambda: parts.append(1))

    assert len(parts) == 4
    with pytest.raises(WorkspaceError) as fault:
        list(judge._findings(file, Deadline(1e-9, "the test")))
    assert fault.value.code is ReasonCode.TIMEOUT


def test_binary_files_are_named_as_not_looked_at(work: Work) -> None:
    """Where nothing else changed, nothing was examined."""
    work.write({"logo.png": b"\0" + KEY.encode()})

    judgment = work.judged(SecretsJudge(GitChanges(work.base)))

    assert judgment.status is Status.ABSTAIN


def test_entropy_is_that_of_shannon() -> None:
    """In bits a character."""
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2
    assert entropy("aabb") == 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"allow": "x"}, ArgumentTypeError),
        ({"allow": [1]}, ArgumentTypeError),
        ({"allow": [""]}, ArgumentError),
        ({"exclude": "x"}, ArgumentTypeError),
        ({"empty": "x"}, ArgumentError),
    ],
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """When it is built, not when it judges."""
    with pytest.raises(error):
        SecretsJudge(GitChanges("main"), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
