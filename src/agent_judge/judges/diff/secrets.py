"""Whether the work added a secret."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar, Final, cast

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.findings import finding, left_in
from agent_judge.judges.diff.lines import judge_lines
from agent_judge.judges.diff.reading import Empty, check_empty, judge_changes
from agent_judge.judges.diff.records import ChangeSet, FileChange, Sign
from agent_judge.judges.diff.sources import Changes, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.secrecy.rules import Secret, find_secrets

MAX_FINDINGS: Final = 1_000
"""Findings after which the search ends: the change does not pass by then."""


@dataclass(frozen=True, slots=True)
class SecretsJudge:
    """Whether no key, token or password was added (extra `diff`).

    Added lines, and the names of files, are searched for private keys, tokens in the forms that
    their issuers document, passwords in URLs, and quoted values of names such as `api_key` that
    look random. The rules, with their sources, are in `secrecy.rules`. A judgment never
    holds the secret: it says what it is, how long, and where. Nothing is asked of any issuer.

    What looks like a secret in a sample is left out by `allow` or `exclude`, not by a comment in
    the judged file.

    Args:
        changes: Which change is judged.
        allow: Values that are known not to be secret, as they are.
        exclude: Files that are not looked at, by patterns as in a `.gitignore` file.
        empty: What a change that touches nothing is: ABSTAIN, PASS or FAIL.

    Raises:
        ArgumentError: An empty value, or a pattern that is none.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs `pathspec`.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> for folder in ("before", "work"):
        ...     Path(folder).mkdir()
        >>> key = "AK" + "IAQ3EGRWT5ZXCVB2NM"
        >>> _ = Path("work/settings.py").write_text(f"KEY = '{key}'")
        >>> judge = SecretsJudge(FolderChanges("before"))
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        'settings.py:1: AWS access key of 20 characters'
    """

    changes: Changes
    allow: Collection[str] = ()
    exclude: Sequence[str] = ()
    empty: Empty = "abstain"
    _excludes: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "SecretsJudge", cost=Cost.COMMAND, type="secrets", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        check_empty(self.empty)
        _set(self, "allow", _check_allowed(self.allow))
        _set(self, "exclude", check_exclude(self.exclude))
        _set(self, "_excludes", Excludes(self.exclude))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at every line that was added."""
        return await judge_changes(context, self.changes, self._look, empty=self.empty, lines=True)

    def _look(self, change: ChangeSet) -> Judgment:
        files = left_in(change, self._excludes)
        deadline = Deadline(self.changes.bounds.timeout, "looking for secrets")
        found = (finding for file in files for finding in self._findings(file, deadline))
        findings = list(islice(found, MAX_FINDINGS))
        return judge_lines(files, findings, shown_as=self._hide)

    def _findings(self, file: FileChange, deadline: Deadline) -> Iterator[Check]:
        path = self._hide(file.path)
        if file.before is None or file.before.path != file.path:
            for secret in self._secrets(file.path):
                yield finding(path, f"its name holds a {secret.rule}")
        for line in file.lines:
            if line.sign is Sign.ADDED:
                for secret in self._secrets(line.text, deadline.check):
                    length = secret.end - secret.start
                    message = f"{secret.rule} of {length} characters"
                    yield finding(path, message, line.after)

    def _secrets(self, text: str, between: Callable[[], None] = lambda: None) -> list[Secret]:
        return [
            secret
            for secret in find_secrets(text, between)
            if text[secret.start : secret.end] not in self.allow
        ]

    def _hide(self, path: str) -> str:
        """A path without the secrets in it."""
        for secret in sorted(self._secrets(path), key=lambda found: -found.start):
            path = f"{path[: secret.start]}[redacted]{path[secret.end :]}"
        return path


def _check_allowed(allow: object) -> frozenset[str]:
    if not isinstance(allow, list | tuple | set | frozenset):
        raise ArgumentTypeError(f"allow must be a list of values, not {allow!r}")
    values = cast("Collection[object]", allow)
    for value in values:
        if type(value) is not str:
            raise ArgumentTypeError(f"allow holds {value!r}, which is not a string")
        if not value:
            raise ArgumentError("allow holds an empty value")
    return frozenset(cast("Collection[str]", values))


_set = object.__setattr__
