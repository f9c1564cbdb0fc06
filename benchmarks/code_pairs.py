"""How comparing agrees with independent parsers and with tests, pair by pair.

    python benchmarks/code_pairs.py --data DIRECTORY [--json]

`DIRECTORY` holds `pairs.jsonl`: pairs of files with what an independent parser says of their
structure, and what running tests says of their behaviour; and `config_traps.jsonl`: small pairs
written by hand, each with whether both mean the same.

In strict mode a judge has to agree with the independent parser. As it comes, it may find more pairs
equal, and has to name the rules that made them so; it must find none equal whose behaviour differs,
and has to be right on every trap. It ends with 1 where any of that does not hold.

For XML the independent parser ignores the order of all elements and white space around texts, which
the judge does under rules: these are in force in both modes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from agent_judge import Judgment, JudgmentContext
from agent_judge.judges import (
    JavaSemanticJudge,
    JsonSemanticJudge,
    ManifestJudge,
    MavenSemanticJudge,
    PropertiesSemanticJudge,
    PythonSemanticJudge,
    TomlSemanticJudge,
    XmlSemanticJudge,
    YamlSemanticJudge,
)

Row: TypeAlias = Mapping[str, Any]
Mode: TypeAlias = Literal["default", "strict"]

XML_RULES: Final = ["blank_text", "text_space", "all_siblings"]
TARGET: Final = 0.995

JUDGES: Final[Mapping[str, Callable[[Mode], Any]]] = {
    "java": lambda mode: JavaSemanticJudge(rules=mode),
    "json": lambda mode: JsonSemanticJudge(rules=mode),
    "package.json": lambda mode: ManifestJudge(rules=mode, manifest="package.json"),
    "pom.xml": lambda mode: MavenSemanticJudge(rules=mode),
    "properties": lambda mode: PropertiesSemanticJudge(rules=mode),
    "pyproject.toml": lambda mode: ManifestJudge(rules=mode, manifest="pyproject.toml"),
    "python": lambda mode: PythonSemanticJudge(rules=mode),
    "toml": lambda mode: TomlSemanticJudge(rules=mode),
    "xml": lambda _: XmlSemanticJudge(rules=XML_RULES),
    "yaml": lambda mode: YamlSemanticJudge(rules=mode),
}


@dataclass(slots=True)
class Tally:
    """What came out for the pairs of one source and language.

    Attributes:
        source: Where they come from.
        language: What they are in.
        agree: Pairs on which strict mode and the independent parser agree.
        disagree: Those on which they do not.
        not_told: Those on which the independent parser says nothing.
        more_equal: Those that are equal under rules only, by the rules.
    """

    source: str
    language: str
    agree: int = 0
    disagree: int = 0
    not_told: int = 0
    more_equal: Counter[str] = field(default_factory=Counter[str])


@dataclass(slots=True)
class Outcome:
    """All that came out.

    Attributes:
        tallies: The table.
        disagreements: Each pair on which strict mode and the independent parser differ.
        unnamed: Pairs that are equal by default and not strictly, without a rule that says why.
        misjudged: Pairs that are found equal although they behave differently.
        traps: How many traps there are.
        trapped: The traps that a judge fell into.
    """

    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    disagreements: list[str] = field(default_factory=list[str])
    unnamed: list[str] = field(default_factory=list[str])
    misjudged: list[str] = field(default_factory=list[str])
    traps: int = 0
    trapped: list[str] = field(default_factory=list[str])

    @property
    def agreement(self) -> float:
        """The share of the pairs with a finding of the independent parser that agree with it."""
        agree = sum(tally.agree for tally in self.tallies.values())
        disagree = sum(tally.disagree for tally in self.tallies.values())
        return agree / (agree + disagree) if agree else 0.0

    @property
    def holds(self) -> bool:
        """Whether everything is as it should be."""
        faults = self.unnamed or self.misjudged or self.trapped
        return self.agreement >= TARGET and not faults


def main() -> int:
    """Judge every pair, and print what came out."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--data", type=Path, required=True, help="holds pairs.jsonl")
    arguments.add_argument("--json", action="store_true", help="print for machines")
    options = arguments.parse_args()
    outcome = Outcome()
    for row in read(options.data / "pairs.jsonl"):
        take_pair(row, outcome)
    for row in read(options.data / "config_traps.jsonl"):
        take_trap(row, outcome)
    print(as_json(outcome) if options.json else "\n".join(lines(outcome)))
    return 0 if outcome.holds else 1


def read(path: Path) -> Iterator[Row]:
    """The rows of a file of JSON Lines."""
    with path.open(encoding="utf-8") as stream:
        yield from (json.loads(line) for line in stream)


def take_pair(row: Row, outcome: Outcome) -> None:
    """Judge one pair in both modes."""
    strict, usual = judge(row, "strict"), judge(row, "default")
    found, told = finding(strict), row["gold_structural"]
    key = f"{row['source']} {row['language']}"
    tally = outcome.tallies.setdefault(key, Tally(row["source"], row["language"]))
    if told is None:
        tally.not_told += 1
    elif found == told:
        tally.agree += 1
    else:
        tally.disagree += 1
        outcome.disagreements.append(f"{row['id']}: {told}, judged {found}: {strict.reasoning}")
    if usual.passed and not strict.passed:
        rules = ", ".join(map(str, usual.metadata.get("equal_under") or ()))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        tally.more_equal[rules] += 1
        if not rules:
            outcome.unnamed.append(row["id"])
    if row["gold_behaviour"] == "different" and (usual.passed or strict.passed):
        outcome.misjudged.append(row["id"])


def take_trap(row: Row, outcome: Outcome) -> None:
    """Judge one trap as the judge comes."""
    outcome.traps += 1
    found = finding(judge(row, "default"))
    if found != ("equal" if row["same_meaning"] else "different"):
        outcome.trapped.append(f"{row['id']}: {row['why']}, judged {found}")


def judge(row: Row, mode: Mode) -> Judgment:
    """The judgment of a pair: the left side is the reference."""
    judgment: Judgment = JUDGES[row["language"]](mode)(
        JudgmentContext(output=row["right"], expected=row["left"])
    )
    return judgment


def finding(judgment: Judgment) -> str:
    """What a judgment says of a pair; one that is no finding says what it is."""
    return {"pass": "equal", "fail": "different"}.get(judgment.status.value, judgment.status.value)


def lines(outcome: Outcome) -> Iterator[str]:
    """The outcome for people."""
    counted = f"{'agree':>6} {'disagree':>9} {'not told':>9}"
    yield f"{'source':24} {'language':12} {counted}  equal by rules"
    for tally in sorted(outcome.tallies.values(), key=lambda tally: (tally.source, tally.language)):
        more = "; ".join(f"{count} by {rules}" for rules, count in tally.more_equal.most_common())
        counts = f"{tally.agree:6} {tally.disagree:9} {tally.not_told:9}"
        yield f"{tally.source:24} {tally.language:12} {counts}  {more}"
    yield f"agreement in strict mode: {outcome.agreement:.2%} (at least {TARGET:.1%} is wanted)"
    yield from (f"  {text}" for text in outcome.disagreements)
    yield f"equal by default, and no rule says why: {len(outcome.unnamed)}"
    yield from (f"  {text}" for text in outcome.unnamed)
    yield f"found equal, and behave differently: {len(outcome.misjudged)}"
    yield from (f"  {text}" for text in outcome.misjudged)
    yield f"traps: {outcome.traps - len(outcome.trapped)} of {outcome.traps} right"
    yield from (f"  {text}" for text in outcome.trapped)


def as_json(outcome: Outcome) -> str:
    """The outcome for machines."""
    return json.dumps(
        {**asdict(outcome), "agreement": outcome.agreement, "holds": outcome.holds}, indent=2
    )


if __name__ == "__main__":
    sys.exit(main())
