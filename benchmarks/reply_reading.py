"""How the reading of replies agrees with what the judges' own projects read.

    python benchmarks/reply_reading.py --data DIRECTORY [--json]

`DIRECTORY` holds raw replies of real judges as JSON Lines, each with what its source's own parser
read. Replies that state one verdict are compared with it. Where the two differ, the row says why;
it is a misreading of the source where the reply nowhere states what the source read, in the form
that its prompt asked for, or states it only as somebody else's. That is decided on the text alone,
without the reader. Replies that state several verdicts, and those that state none, are counted
apart. It ends with 1 where the two differ on more than one in a thousand beyond such misreadings,
or where anything is read from a reply that is empty, cut or filtered.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from agent_judge.llm.reading import (
    Fault,
    Menu,
    Note,
    Reading,
    Scale,
    Unreadable,
    read_label,
    read_object,
    read_score,
)
from agent_judge.models import FinishReason

Row: TypeAlias = Mapping[str, Any]
Verdict: TypeAlias = "str | float | Mapping[str, object]"

FINISH = {
    "length": FinishReason.LENGTH,
    "content management policy": FinishReason.CONTENT_FILTER,
    "stop": FinishReason.STOP,
}
TARGET = 0.999


@dataclass(frozen=True, slots=True)
class Source:
    """A set of replies, and how they were asked to give their verdict.

    Args:
        name: What the table calls it.
        file: The file, without its ending.
        read: Reads a reply.
        expect: What the source's own parser read; `None` where it read nothing.
        wanted: Which rows of the file belong to it.
        form: How a reply states a verdict, to tell whether it states the source's reading.
        stated: Whether the replies hold verdicts at all.
    """

    name: str
    file: str
    read: Callable[[Row], Reading[Any] | Unreadable]
    expect: Callable[[Row], Verdict | None]
    wanted: Callable[[Row], bool] = bool
    form: str = "[[{}]]"
    stated: bool = True


@dataclass(slots=True)
class Result:
    """What became of the replies of a source."""

    name: str
    replies: int = 0
    one_verdict: int = 0
    agree: int = 0
    misread_by_source: int = 0
    disagree: int = 0
    unread_by_source: int = 0
    missed: int = 0
    final_of_several: int = 0
    conflicting: int = 0
    none_stated: int = 0
    empty_cut_or_filtered: int = 0
    read_from_those: int = 0
    differences: list[dict[str, object]] = field(default_factory=list[dict[str, object]])

    @property
    def compared(self) -> int:
        """Replies with one verdict that the source read as well."""
        return self.agree + self.misread_by_source + self.disagree

    @property
    def raw_agreement(self) -> float | None:
        """The share of those on which the source read the same."""
        return self.agree / self.compared if self.compared else None

    @property
    def agreement(self) -> float | None:
        """The same with the misreadings of the source set aside."""
        rest = self.agree + self.disagree
        return self.agree / rest if rest else None


OUTPUTS = Menu(("Output (a)", "Output (b)"), sentence="{label} is better")
PREFERENCES = Menu(("A>>B", "A>B", "A=B", "B>A", "B>>A"))


def labelled(menu: Menu) -> Callable[[Row], Reading[str] | Unreadable]:
    """Read a label of a menu."""
    return lambda row: read_label(row["raw_text"], menu, finish_reason=finish_of(row))


def scored(scale: Scale) -> Callable[[Row], Reading[float] | Unreadable]:
    """Read a number on a scale."""
    return lambda row: read_score(row["raw_text"], scale, finish_reason=finish_of(row))


def finish_of(row: Row) -> FinishReason:
    """Why the reply ended, as far as its source kept it."""
    return FINISH.get(row.get("finish_reason") or "", FinishReason.UNREPORTED)


def preference(row: Row) -> Reading[str] | Unreadable:
    """A preference of which only the direction was kept."""
    reading = labelled(PREFERENCES)(row)
    if isinstance(reading, Unreadable):
        return reading
    return Reading(reading.value.replace(">>", ">"), reading.form, notes=reading.notes)


def ledger(row: Row) -> Reading[Any] | Unreadable:
    """The answers of a ledger's checklist."""
    reading = read_object(row["raw_text"])
    if isinstance(reading, Unreadable):
        return reading
    answers = {key: reading.members.get(key) for key in row["parsed_by_source"]}
    flat = {
        key: answer.get("answer") if isinstance(answer, Mapping) else answer
        for key, answer in answers.items()
    }
    return Reading(flat, reading.form, notes=reading.notes)


def shown_output(row: Row) -> str | None:
    """The output that LLMBar read, under the name that the judge saw."""
    winner = row["parsed_by_source"]
    if winner is None:
        return None
    return "Output (a)" if (winner == "1") == (row["order"] == "AB") else "Output (b)"


def as_tie(row: Row) -> str | None:
    """PandaLM's reading, in which 0 is a tie."""
    read = str(row["parsed_by_source"])
    return {"0": "Tie", "garbage": None}.get(read, read)


SOURCES = (
    Source(
        "llmbar",
        "llmbar",
        labelled(OUTPUTS),
        shown_output,
        lambda row: row["task"] == "pairwise",
        "{} is better",
    ),
    Source("judgebench", "judgebench", preference, lambda row: row["parsed_by_source"]),
    Source(
        "mtbench_single",
        "mtbench_single",
        scored(Scale(1, 10)),
        lambda row: None if row["parsed_by_source"] == -1 else row["parsed_by_source"],
    ),
    Source(
        "benchjudge",
        "benchjudge",
        labelled(Menu(("A", "B", "C"))),
        lambda row: row["parsed_by_source"],
        lambda row: row.get("raw_is") is None,
    ),
    Source("magentic_ledger", "magentic_ledger", ledger, lambda row: row["parsed_by_source"]),
    Source(
        "ragas",
        "ragas_annotated",
        labelled(Menu(("0", "1"))),
        lambda row: str(row["parsed_by_source"]),
    ),
    Source(
        "llmbar ratings",
        "llmbar",
        scored(Scale(0, 9)),
        lambda row: row["parsed_by_source"],
        lambda row: row["task"] == "rating",
    ),
    Source("pandalm", "pandalm", labelled(Menu(("1", "2", "Tie"))), as_tie, stated=False),
    Source(
        "pandalm sentences",
        "pandalm",
        labelled(Menu(("1", "2", "Tie"), sentence="Response {label} is better")),
        as_tie,
        form="Response {} is better",
        stated=False,
    ),
    Source(
        "prometheus",
        "prometheus_gpt4_feedback",
        scored(Scale(1, 5)),
        lambda row: row["parsed_by_source"],
        stated=False,
    ),
)


def rows_of(source: Source, folder: Path) -> Iterator[Row]:
    """The rows of a source."""
    with (folder / f"{source.file}.jsonl").open(encoding="utf-8") as lines:
        yield from (row for line in lines if source.wanted(row := json.loads(line)))


def measure(source: Source, folder: Path) -> Result:
    """Read every reply of a source, and compare."""
    result = Result(source.name)
    for row in rows_of(source, folder):
        result.replies += 1
        reading = source.read(row)
        bad = not row["raw_text"].strip() or finish_of(row) in (
            FinishReason.LENGTH,
            FinishReason.CONTENT_FILTER,
        )
        result.empty_cut_or_filtered += bad
        if isinstance(reading, Unreadable):
            if not bad:
                count_unread(result, source, row, reading)
        else:
            result.read_from_those += bad
            count_read(result, source, row, reading)
    return result


def count_unread(result: Result, source: Source, row: Row, reading: Unreadable) -> None:
    """Count a reply that was not read."""
    expected = source.expect(row)
    if reading.fault is Fault.CONFLICTING:
        result.conflicting += 1
    elif expected is not None and source.stated and plainly_states(row, source, expected):
        result.missed += 1
    else:
        result.none_stated += 1
    if expected is not None and source.stated:
        result.differences.append(difference(row, expected, reading.fault.value, reading.detail))


def count_read(result: Result, source: Source, row: Row, reading: Reading[Any]) -> None:
    """Count a reply that was read."""
    expected, several = source.expect(row), Note.FINAL_OF_SEVERAL in reading.notes
    result.final_of_several += several
    result.one_verdict += not several
    if expected is None:
        result.unread_by_source += not several
    elif reading.value == expected:
        result.agree += not several
    else:
        reason, misread = why(row["raw_text"], source, expected, several=several)
        result.misread_by_source += misread and not several
        result.disagree += not misread and not several
        result.differences.append(difference(row, expected, reading.value, reason))


def difference(row: Row, source: object, ours: object, reason: str) -> dict[str, object]:
    """A row of the list of differences."""
    text = " ".join(row["raw_text"].split())
    shown = text if len(text) <= 160 else f"{text[:90]} … {text[-60:]}"
    return {"id": row["id"], "source": source, "ours": ours, "reason": reason, "text": shown}


def why(text: str, source: Source, expected: Verdict, *, several: bool) -> tuple[str, bool]:
    """Why the source read something else, and whether it misread."""
    if several:
        return "the source did not take the verdict that is marked as final", False
    if not states(text, source, expected):
        begins = re.search(rf"^{re.escape(str(expected))}", text, re.MULTILINE)
        how = " (a line begins with that label)" if begins else ""
        return f"the reply nowhere states what the source read{how}", True
    if only_reported(text, source, expected):
        return "the reply states what the source read only as another's, or on a condition", True
    return "both are stated", False


def states(text: str, source: Source, verdict: Verdict) -> bool:
    """Whether a reply states a verdict, in the literal form that was asked for or alone."""
    return source.form.format(verdict) in text or text.strip() == str(verdict)


def plainly_states(row: Row, source: Source, verdict: Verdict) -> bool:
    """Whether a reply states a verdict as the judge's own."""
    text = row["raw_text"]
    return states(text, source, verdict) and not only_reported(text, source, verdict)


def only_reported(text: str, source: Source, verdict: Verdict) -> bool:
    """Whether each place that states it says "argues that" or "nor" before, or "if" behind."""
    form = re.escape(source.form.format(verdict))
    places = len(re.findall(form, text))
    return places == len(re.findall(rf"(?:argues that|nor) {form}|{form} if\b", text))


def share(value: float | None) -> str:
    """A share for people."""
    return "-" if value is None else f"{value:.3%}"


def as_table(results: list[Result]) -> str:
    """The results, a line each."""
    head = (
        f"{'source':<18}{'replies':>8}{'one':>6}{'agree':>7}{'misread':>8}{'differ':>7}"
        f"{'unread':>7}{'raw':>10}{'agreement':>11}{'missed':>7}{'final':>6}{'confl.':>7}{'none':>6}"
        f"{'bad':>5}{'read':>5}"
    )
    lines = [
        f"{r.name:<18}{r.replies:>8}{r.one_verdict:>6}{r.agree:>7}{r.misread_by_source:>8}"
        f"{r.disagree:>7}{r.unread_by_source:>7}{share(r.raw_agreement):>10}{share(r.agreement):>11}{r.missed:>7}"
        f"{r.final_of_several:>6}{r.conflicting:>7}{r.none_stated:>6}"
        f"{r.empty_cut_or_filtered:>5}{r.read_from_those:>5}"
        for r in results
    ]
    return "\n".join([head, *lines])


def as_list(results: list[Result]) -> str:
    """Each difference with its reason, and how often each reason occurs."""
    lines: list[str] = []
    for result in results:
        counted = Counter(str(entry["reason"]) for entry in result.differences)
        lines += [
            f"\n{result.name}: {count} times: {reason}" for reason, count in counted.most_common()
        ]
        lines += [
            f"  {entry['id']}\n    source {entry['source']!r}, ours {entry['ours']!r}: "
            f"{entry['reason']}\n    {entry['text']}"
            for entry in result.differences
        ]
    return "\n".join(lines)


LEGEND = """
one: one verdict is read. misread: the source read what the reply does not state as its own.
differ: any other difference. unread: the source read nothing. raw: the share that agrees;
agreement: the same with misreadings set aside. missed: stated plainly and not read. final: the one
marked as final of several. confl.: several, none marked. none: none is stated. bad: empty, cut or
filtered; read: read from those nevertheless.
"""


def main() -> int:
    """Print the table, or the same as JSON; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description="How the reading of replies agrees with others.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the replies")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    results = [measure(source, options.data) for source in SOURCES]
    if options.json:
        shown = [
            asdict(r) | {"raw_agreement": r.raw_agreement, "agreement": r.agreement}
            for r in results
        ]
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        print(as_table(results) + "\n" + LEGEND + as_list(results))
    good = all((r.agreement is None or r.agreement >= TARGET) for r in results)
    return 0 if good and not any(r.read_from_those for r in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
