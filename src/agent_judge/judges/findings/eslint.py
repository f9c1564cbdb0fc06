"""The JSON of ESLint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_judge.judges.findings.gathering import Gathering, text
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.json_entries import is_array, is_object

_IGNORED: Final = "File ignored"


def is_eslint(item: Mapping[str, Any]) -> bool:
    """Whether an item is one of ESLint's: a file with its messages."""
    return {"filePath", "messages"} <= item.keys()


def read_eslint(item: Mapping[str, Any], gathering: Gathering) -> None:
    """Read a file; one that is ignored has a warning that says so, and was not analysed."""
    messages = item["messages"]
    if not is_array(messages):
        raise FormatError("the messages of a file are no list")
    ignored = False
    for message in messages:
        if not is_object(message):
            raise FormatError("a message is no object")
        ignored = ignored or text(message.get("message")).startswith(_IGNORED)
        _read_message(item["filePath"], message, gathering)
    suppressed = item.get("suppressedMessages")
    gathering.suppressed += len(suppressed) if is_array(suppressed) else 0
    gathering.analysed_files()
    if not ignored:
        gathering.analysed_file(text(item["filePath"]))


def _read_message(path: object, message: Mapping[str, Any], gathering: Gathering) -> None:
    gathering.finding(
        rule=text(message.get("ruleId")) or ("fatal" if message.get("fatal") else ""),
        message=message.get("message"),
        severity=Severity.ERROR if message.get("severity") == 2 else Severity.WARNING,
        path=path,
        line=message.get("line"),
        column=message.get("column"),
    )
