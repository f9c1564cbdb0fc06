"""Whether a static analysis found something new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker
from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.judges.diff.findings import counted
from agent_judge.judges.diff.reading import facts_of, shared_changes
from agent_judge.judges.diff.records import ChangeSet
from agent_judge.judges.diff.sources import Changes, FolderChanges, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.globs import check_patterns, is_glob
from agent_judge.judges.files.paths import WorkspaceError, check_trusted_path
from agent_judge.judges.findings.analysed import count_analysed
from agent_judge.judges.findings.baseline import Baseline, baseline_of_base, read_baseline
from agent_judge.judges.findings.formats import FORMATS, ReadFindings
from agent_judge.judges.findings.matching import new_findings
from agent_judge.judges.findings.moves import LineMoves
from agent_judge.judges.findings.record import SEVERITIES, Finding, FindingsReport, Severity
from agent_judge.judges.process.options import texts
from agent_judge.judges.reports.evidence import Read, ReportEvidence, Stale, report_evidence
from agent_judge.judges.reports.names import WorkspaceNames, workspace_names
from agent_judge.judges.reports.source import REPORT_LIMIT
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Check, Judgment, Location, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

MAX_CHECKS: Final = 1_000
"""New findings that have a check of their own."""

_NAMED: Final = 5
"""New findings that the reasoning names."""

_LENGTH: Final = 200
"""Characters of a place, rule or message in the reasoning; the checks have all of them."""


@dataclass(frozen=True, slots=True)
class FindingsJudge:
    r"""Whether a static analysis found nothing new, by its report in the workspace.

    The format is recognised by its content: SARIF 2.1.0 of any tool, the JSON of ruff, pyright,
    ESLint, Pylint, Bandit and mypy, the text of mypy, flake8, Pylint and compilers, and the XML of
    Checkstyle, PMD and SpotBugs.

    What was found before is no longer new: a baseline is a report on the side of whoever judges,
    or the one that the base of a change has under the same path. Without either, every finding is
    new. Where a change is given, lines are followed from its base: a finding is the old one when it
    is on the line that the old one moved to, or is like it on a line that was rewritten. Without
    one, a finding is an old one when it has the same rule, message and quoted code in the same
    file, as many times as before.

    A report that says that no file was analysed, or that the analysis was not complete, is ERROR.
    One that says neither which files were analysed nor anything of one is no evidence: ABSTAIN,
    unless `files` names what the tool was to look at.

    Args:
        report: The report, or several: paths or patterns in the workspace.
        baseline: A report of the same tool from before, on the side of whoever judges.
        changes: The change that led to the report, for example `GitChanges("main")` (extra
            `diff`). Without a baseline, the base's own report is the baseline.
        severity: The least severity that counts; `"note"` is all of them.
        rules: Rules that count, by names with `*` and `?`; unless given, all of them.
        ignore: Rules that do not count.
        exclude: Files that do not count, by patterns as in a `.gitignore` file (extra `files`).
        files: Files that the tool was to look at, by patterns; that some of them exist stands for
            an analysis of which the report says nothing.
        format: The format, where it is known; an empty report does not tell it.
        command: What writes the report, as for `CoverageJudge`; it may end with 0, or with 1 as
            most tools do that found something.
        stale: What becomes of an older report, as for `CoverageJudge`.
        size_limit: Bytes of a report that are read at most.

    Raises:
        ArgumentError: An unknown word, a path out of the workspace, a bad pattern or command.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs `pathspec`.

    Example:
        >>> from tempfile import mkdtemp
        >>> from agent_judge import JudgmentContext, evaluate
        >>> workspace = Path(mkdtemp())
        >>> _ = (workspace / "flake8.txt").write_text("app.py:1:1: F401 'os' imported but unused\n")
        >>> judge = FindingsJudge("flake8.txt")
        >>> evaluate(judge, JudgmentContext(workspace=workspace)).reasoning
        "1 new finding of 1: app.py:1:1: F401 'os' imported but unused"
    """

    report: str | Sequence[str]
    _: KW_ONLY
    baseline: str | Path | None = None
    changes: Changes | None = None
    severity: Literal["note", "warning", "error"] = "note"
    rules: Sequence[str] = ()
    ignore: Sequence[str] = ()
    exclude: Sequence[str] = ()
    files: Sequence[str] = ()
    format: str | None = None
    command: str | Sequence[str] | Mapping[str, Any] | None = None
    stale: Stale = "error"
    size_limit: int = REPORT_LIMIT
    _evidence: ReportEvidence = field(init=False, repr=False, compare=False)
    _excludes: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FindingsJudge", cost=Cost.COMMAND, type="findings", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_choice(self.severity, SEVERITIES, "severity")
        if self.format is not None:
            check_choice(self.format, FORMATS, "format")
        for name in ("rules", "ignore"):
            _set(self, name, texts(getattr(self, name), name))
        if self.files != ():
            _set(self, "files", check_patterns(self.files, "files"))
        if self.baseline is not None:
            _set(self, "baseline", check_trusted_path(self.baseline, "baseline"))
        _set(self, "exclude", check_exclude(self.exclude))
        _set(self, "_excludes", Excludes(self.exclude))
        evidence = report_evidence(
            self.report, self.command, self.stale, self.size_limit, exits=(0, 1)
        )
        _set(self, "_evidence", evidence)
        self._check_changes()

    def _check_changes(self) -> None:
        if self.changes is None:
            return
        check_changes(self.changes)
        if isinstance(self.changes, FolderChanges) and self.changes.after != ".":
            raise ArgumentError("changes must be of the whole workspace, as the report is")
        if self.baseline is None and (len(self._paths) != 1 or is_glob(self._paths[0])):
            raise ArgumentError(
                "several reports have no one report in the base; name one as baseline"
            )

    @property
    def _paths(self) -> tuple[str, ...]:
        return self._evidence.paths

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at what was found in the context's workspace."""
        try:
            reads = await self._evidence.read(context, ReadFindings(self.format))
            change = None
            if self.changes is not None:
                change = await shared_changes(context, self.changes, lines=True)
            return await in_worker(lambda: self._look(context, reads, change))
        except WorkspaceError as fault:
            return fault.judgment

    def _look(
        self,
        context: JudgmentContext,
        reads: Sequence[Read[FindingsReport]],
        change: ChangeSet | None,
    ) -> Judgment:
        names = workspace_names(context)
        found = [*self._counting(names, (item for read in reads for item in read.content.findings))]
        baseline = self._baseline(context)
        known = [] if baseline is None else _placed(names, baseline.report.findings)
        new = new_findings(found, known, None if change is None else LineMoves(change))
        facts: dict[str, Json] = {
            "found": len(found),
            "new": len(new),
            "suppressed": sum(read.content.suppressed for read in reads),
            "reports": [_facts_of(read) for read in reads],
        }
        if baseline is not None:
            facts["baseline"] = {**baseline.origin, "found": len(known)}
        if change is not None:
            facts["change"] = facts_of(change)
        if new:
            return _failing(found, new, facts, self._problems(reads))
        return self._passing(context, reads, found, facts)

    def _counting(self, names: WorkspaceNames, findings: Iterable[Finding]) -> Iterable[Finding]:
        """The findings that count, each in the file of the workspace that it is about."""
        least = Severity[self.severity.upper()]
        for finding in _placed(names, findings):
            if finding.severity < least or (finding.path and self._excludes.path(finding.path)):
                continue
            if self.rules and not _matches(finding.rule, self.rules):
                continue
            if not _matches(finding.rule, self.ignore):
                yield finding

    def _baseline(self, context: JudgmentContext) -> Baseline | None:
        read = ReadFindings(self.format)
        if self.baseline is not None:
            return read_baseline(self.baseline, read, self.size_limit)
        if self.changes is None:
            return None
        return baseline_of_base(context, self.changes, self._paths[0], read, self.size_limit)

    def _passing(
        self,
        context: JudgmentContext,
        reads: Sequence[Read[FindingsReport]],
        found: Sequence[Finding],
        facts: dict[str, Json],
    ) -> Judgment:
        """PASS, where it is known that something was analysed, and that the analysis was whole."""
        problems = self._problems(reads)
        if problems:
            raise WorkspaceError(
                f"the analysis was not complete: {problems[0].message}",
                ReasonCode.MALFORMED_EVIDENCE,
            )
        analysed = count_analysed(context, reads, self.files)
        if analysed is None:
            reasoning = (
                "nothing was found, and the report does not say that any file was analysed; name "
                "what the tool was to look at in files="
            )
            return Judgment.abstaining(reasoning, metadata=facts, code=ReasonCode.MISSING_INPUT)
        message = f"nothing new in {counted(analysed, 'file')}; {counted(len(found), 'finding')}"
        said = f"{message} from before" if found else message.partition(";")[0]
        check = Check("findings", True, said, analysed)
        return Judgment.passing(said, checks=[check], metadata={**facts, "analysed": analysed})

    def _problems(self, reads: Iterable[Read[FindingsReport]]) -> list[Check]:
        """Why an analysis was not complete, as advice."""
        return [
            Check(shown(read.path), False, shown(problem), examined=0, advisory=True)
            for read in reads
            for problem in read.content.problems
        ]


_set = object.__setattr__


def _placed(names: WorkspaceNames, findings: Iterable[Finding]) -> list[Finding]:
    """The findings, each with the path of its file in the workspace where that is known."""
    return [
        replace(finding, path=names.find(finding.path) or finding.path) if finding.path else finding
        for finding in findings
    ]


def _matches(rule: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(rule, pattern) for pattern in patterns)


def _failing(
    found: Sequence[Finding], new: Sequence[Finding], facts: dict[str, Json], problems: list[Check]
) -> Judgment:
    checks = [_check(finding) for finding in new[:MAX_CHECKS]]
    more = len(new) - len(checks)
    if more:
        checks.append(Check("findings", False, f"{more} more are new", examined=more))
    said = [_said(finding) for finding in new[:_NAMED]]
    others = f"; and {len(new) - _NAMED} more" if len(new) > _NAMED else ""
    reasoning = f"{counted(len(new), 'new finding')} of {len(found)}: {'; '.join(said)}{others}"
    return Judgment.failing(reasoning, checks=[*checks, *problems], metadata=facts)


def _check(finding: Finding) -> Check:
    name = shown(finding.rule) if finding.rule.strip() else finding.severity.word
    message = shown(finding.message) if finding.message else ""
    return Check(name, False, message, location=_location(finding))


def _location(finding: Finding) -> Location | None:
    if not finding.path.strip():
        return None
    return Location(shown(finding.path), finding.line, finding.column)


def _said(finding: Finding) -> str:
    """A finding in a sentence: its place, rule and message, each cut where it is long."""
    location = _location(finding)
    place = [] if location is None else [f"{str(location)[-_LENGTH:]}:"]
    texts = (text for text in (finding.rule, finding.message) if text.strip())
    return " ".join([*place, *(shown(text)[:_LENGTH] for text in texts)])


def _facts_of(read: Read[FindingsReport]) -> dict[str, Json]:
    severities = Counter(finding.severity.word for finding in read.content.findings)
    return {
        "path": shown(read.path),
        "sha256": read.sha256,
        "format": read.content.format,
        "tool": shown(read.content.tool),
        "severities": dict(severities),
    }
