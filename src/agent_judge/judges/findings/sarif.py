"""SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS), of any tool.

Numbers in the comments are sections of the standard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from agent_judge.judges.findings.gathering import MAX_FINDINGS, Gathering, text
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.json_entries import Begin, Keys, Shape, is_array, is_object

VERSION: Final = "2.1.0"

_SEVERITIES: Final = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "note": Severity.NOTE,
    "none": Severity.NOTE,
}

_PLACEHOLDER: Final = re.compile(r"\{(\d{1,3})\}|\{\{|\}\}")

_NOTHING: Final[Mapping[str, Any]] = {}

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


ENTERED: Final[tuple[Shape, ...]] = (
    ("runs",),
    ("runs", ...),
    ("runs", ..., "results"),
    ("runs", ..., "artifacts"),
)
"""What is read entry by entry."""

ENTRY: Final = 4
"""How many keys lead to such an entry."""


class SarifReader:
    """Reads a SARIF log, a result at a time.

    The members of a run come in any order, so that what the results refer to is looked up at its
    end.
    """

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._run: _Run | None = None
        self._index: object = None
        self._has_version = False

    def version(self, version: object) -> None:
        """The version of the standard; others have other members."""
        if version != VERSION:
            raise FormatError(f"it is SARIF {str(version)[:40]!r}, and only {VERSION} is read")
        self._has_version = True

    def entry(self, keys: Keys, value: Any) -> None:
        """A value at or below `runs`."""
        match len(keys):
            case 1:
                pass
            case 2:
                self._begin_run(value)
            case _:
                assert self._run is not None
                self._run.take(str(keys[2]), value, in_list=len(keys) == ENTRY)

    def finish(self) -> None:
        """The log ends."""
        if not self._has_version:
            raise FormatError("it states no version of SARIF")
        if self._run is None:
            self._gathering.problem("it holds no run: nothing was analysed (3.13.4)")
        self._end_run()

    def _begin_run(self, value: Any) -> None:
        if value is not Begin.OBJECT:
            raise FormatError("a run is no object")
        self._end_run()
        self._run = _Run(self._gathering)

    def _end_run(self) -> None:
        if self._run is not None:
            self._run.finish()
        self._run = None


class _Place(NamedTuple):
    """An artifact location (3.4): a URI and what it is relative to, or the index of an artifact."""

    uri: str
    base: str
    artifact: object


class _Result(NamedTuple):
    """What is kept of a result until the run ends; a result can be large (3.27)."""

    rule: str
    rule_index: object
    extension: object
    level: str
    message: Mapping[str, Any]
    line: object
    column: object
    context: str
    place: _Place


class _Run:
    """What was read of a run (3.14)."""

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._results: list[_Result] = []
        self._has_results = False
        self._artifacts: list[_Place] = []
        self._analysed: list[_Place] = []
        self._driver: Mapping[str, Any] = _NOTHING
        self._extensions: list[Mapping[str, Any]] = []
        self._bases: Mapping[str, Any] = _NOTHING
        self._by_id: dict[int, Mapping[str, Mapping[str, Any]]] = {}

    def take(self, member: str, value: Any, *, in_list: bool) -> None:
        """A member of the run, or an entry of one that is a list."""
        match member:
            case "results":
                self._take_result(value, in_list=in_list)
            case "artifacts" if in_list:
                self._take_artifact(value)
            case "tool" if is_object(value):
                self._take_tool(value)
            case "originalUriBaseIds" if is_object(value):
                self._bases = value
            case "invocations" if is_array(value):
                self._take_invocations(value)
            case "externalPropertyFileReferences" if is_object(value) and value.get("results"):
                self._gathering.problem("its results are in another file")
            case _:
                pass

    def finish(self) -> None:
        """Note the findings of the run, and the files that it says it analysed."""
        if not self._has_results:
            self._gathering.problem("a run has no results: nothing was analysed (3.14.23)")
        for place in self._analysed:
            self._gathering.analysed_file(self._path(place))
        for result in self._results:
            self._note(result)

    def _take_result(self, value: Any, *, in_list: bool) -> None:
        if not in_list:
            self._has_results = value is Begin.ARRAY
            return
        if not is_object(value):
            raise FormatError("a result is no object")
        if len(self._results) >= MAX_FINDINGS:
            raise FormatError(f"a run has more than {MAX_FINDINGS} results")
        if _is_suppressed(value):
            self._gathering.suppressed += 1
        elif value.get("kind", "fail") == "fail" and value.get("baselineState") != "absent":
            self._results.append(_result(value))

    def _take_artifact(self, artifact: Any) -> None:
        """One was analysed where its roles say so, or nothing is said of them (3.24.6)."""
        if not is_object(artifact):
            raise FormatError("an artifact is no object")
        place = _place(_object(artifact, "location"))
        roles = artifact.get("roles")
        self._artifacts.append(place)
        if not is_array(roles) or "analysisTarget" in roles:
            self._analysed.append(place)

    def _take_tool(self, tool: Mapping[str, Any]) -> None:
        self._driver = _object(tool, "driver")
        extensions = tool.get("extensions")
        if is_array(extensions):
            self._extensions = [item for item in extensions if is_object(item)]
        self._gathering.tool = self._gathering.tool or text(self._driver.get("name"))

    def _take_invocations(self, invocations: Any) -> None:
        for invocation in invocations:
            if not is_object(invocation):
                raise FormatError("an invocation is no object")
            if invocation.get("executionSuccessful") is False:
                self._gathering.problem("the tool says that it did not succeed")
            for name in ("toolExecutionNotifications", "toolConfigurationNotifications"):
                notifications = invocation.get(name)
                for item in notifications if is_array(notifications) else ():
                    if is_object(item) and item.get("level") == "error":
                        self._gathering.problem(_message_text(item.get("message")))

    def _note(self, result: _Result) -> None:
        rule = self._rule(result)
        level = result.level or _default_level(rule) or "warning"
        if level not in _SEVERITIES:
            raise FormatError(f"a result has the unknown level {level[:40]!r}")
        self._gathering.finding(
            rule=result.rule or text(rule.get("id")),
            message=_resolved(result.message, rule),
            severity=_SEVERITIES[level],
            path=self._path(result.place),
            line=result.line,
            column=result.column,
            context=result.context,
        )

    def _rule(self, result: _Result) -> Mapping[str, Any]:
        """The rule of a result, by its index or else its identifier (3.52)."""
        component = self._driver
        if result.extension is not None:
            component = _item(self._extensions, result.extension) or _NOTHING
        rules = component.get("rules")
        if not is_array(rules):
            return _NOTHING
        by_index = _item(rules, result.rule_index)
        if by_index is not None or not result.rule:
            return by_index or _NOTHING
        return self._rules_by_id(rules).get(result.rule, _NOTHING)

    def _rules_by_id(self, rules: list[Any]) -> Mapping[str, Mapping[str, Any]]:
        """The rules of a component by their identifiers, of which the first one counts."""
        if id(rules) not in self._by_id:
            named = [rule for rule in reversed(rules) if is_object(rule)]
            self._by_id[id(rules)] = {text(rule.get("id")): rule for rule in named}
        return self._by_id[id(rules)]

    def _path(self, place: _Place, depth: int = 8) -> str:
        """The file of an artifact location: its URI, from its base where it has one (3.4)."""
        if not place.uri:
            artifact = _entry(self._artifacts, place.artifact)
            return self._path(artifact, depth - 1) if artifact and depth else ""
        if _URI.match(place.uri):
            return place.uri
        path = unquote(place.uri) if "%" in place.uri else place.uri
        base = _object(self._bases, place.base) if place.base else None
        folder = self._path(_place(base), depth - 1) if base and depth else ""
        return f"{folder.rstrip('/')}/{path}" if folder else path


def _result(result: Mapping[str, Any]) -> _Result:
    locations = result.get("locations")
    location = _item(locations, 0) if is_array(locations) else None
    physical = _NOTHING if location is None else _object(location, "physicalLocation")
    region = _object(physical, "region")
    rule = _object(result, "rule")
    return _Result(
        text(result.get("ruleId")) or text(rule.get("id")),
        result.get("ruleIndex", rule.get("index")),
        _object(rule, "toolComponent").get("index") if rule else None,
        text(result.get("level")),
        _object(result, "message"),
        region.get("startLine"),
        region.get("startColumn"),
        text(_object(region, "snippet").get("text")) if "snippet" in region else "",
        _place(_object(physical, "artifactLocation")),
    )


def _place(location: Mapping[str, Any]) -> _Place:
    return _Place(text(location.get("uri")), text(location.get("uriBaseId")), location.get("index"))


def _is_suppressed(result: Mapping[str, Any]) -> bool:
    """Whether a suppression is in force: all of them are accepted, as far as they say (3.27.23)."""
    suppressions = result.get("suppressions")
    if not is_array(suppressions) or not suppressions:
        return False
    return all(
        is_object(item) and item.get("status", "accepted") == "accepted" for item in suppressions
    )


def _default_level(rule: Mapping[str, Any]) -> str:
    return text(_object(rule, "defaultConfiguration").get("level"))


def _resolved(message: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    """The text of a message: its own, or that of its rule under its identifier (3.11.7)."""
    own = text(message.get("text")) or text(message.get("markdown"))
    if not own:
        strings = _object(rule, "messageStrings")
        named = _object(strings, text(message.get("id")) or "default")
        own = text(named.get("text")) or text(_object(rule, "shortDescription").get("text"))
    arguments = message.get("arguments")
    return _filled(own, arguments) if is_array(arguments) else own


def _filled(template: str, arguments: Any) -> str:
    def fill(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0]
        argument = _entry(arguments, int(found[1]))
        return text(argument)[:1_000] if argument is not None else found[0]

    return _PLACEHOLDER.sub(fill, template[:10_000])


def _message_text(message: Any) -> str:
    return text(message.get("text")) if is_object(message) else ""


def _object(value: Mapping[str, Any], member: str) -> Mapping[str, Any]:
    """A member that is an object; anything else is an empty one."""
    found = value.get(member)
    return found if is_object(found) else _NOTHING


def _entry(items: Any, index: object) -> Any:
    return items[index] if type(index) is int and 0 <= index < len(items) else None


def _item(items: Any, index: object) -> Mapping[str, Any] | None:
    """The object at an index; -1 stands for none (3.5.4)."""
    found = _entry(items, index)
    return found if is_object(found) else None
