"""What comparisons come to when the recorded replies of real judges are replayed.

    python benchmarks/pairwise_replay.py --data DIRECTORY [--json]

`DIRECTORY` holds `judge_verdicts` (raw replies, each with the order in which the two answers were
shown) and `judge_labels` (what each project itself made of them, the gold label of each pair, and
figures computed elsewhere). Every reply goes through `PairwiseJudge`, in the order AB or BA that it
was given for, and the accuracy is put beside that of the stored labels on the same replies; then
the pairs that have both orders go through `order="both"`.

A reply is left out of the comparison where one of the two read nothing, and where the project read
what the reply does not state as its own, or did not take the verdict that is marked as final; each
is listed with its reason. It ends with 1 where an accuracy is not the very same on the rest, or
where the labels do not give the figures that were computed elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from agent_judge import Judgment, JudgmentContext, aevaluate
from agent_judge.llm import FirstSlotPull, PairwiseJudge, PreferenceClassifier, first_slot_pull
from agent_judge.models import ModelRequest, ModelResponse
from reply_reading import SOURCES, Row, finish_of, plainly_states, shown_output, why

Items: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The pairs of a study by their names, with their gold labels and the labels of its judges."""

ORDERS: Final = ("AB", "BA")
FORMS: Final = {source.name: source for source in SOURCES}


@dataclass(frozen=True, slots=True)
class Study:
    """A set of replies, and how it calls what a comparison comes to.

    Args:
        name: Its file, without the ending.
        classifier: Reads its replies.
        better: Its label for a pair whose first answer, in its own numbering, is better.
        worse: The same for the second answer.
        tie: The same where neither is.
    """

    name: str
    classifier: PreferenceClassifier
    better: str
    worse: str
    tie: str

    def label(self, judgment: Judgment) -> str | None:
        """What a judgment says, as the study calls it; nothing where there is no finding."""
        names = {"better": self.better, "worse": self.worse, "tie": self.tie}
        return names[judgment.label] if judgment.label is not None else None


STUDIES = (
    Study(
        "llmbar",
        PreferenceClassifier(
            {"Output (a)": "first", "Output (b)": "second"}, sentence="{label} is better"
        ),
        "1",
        "2",
        "tie",
    ),
    Study(
        "judgebench",
        PreferenceClassifier(
            {"A>>B": "first", "A>B": "first", "A=B": "tie", "B>A": "second", "B>>A": "second"}
        ),
        "A>B",
        "B>A",
        "A=B",
    ),
)


class Recorded:
    """A model that answers with what was recorded for the order in which it is asked."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self.rows = rows

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Give the reply to the order of the answers in the prompt."""
        prompt = request.messages[-1].text
        order = "AB" if prompt.index(FIRST) < prompt.index(SECOND) else "BA"
        row = self.rows[order]
        return ModelResponse(row["raw_text"], finish_reason=finish_of(row))


FIRST, SECOND = "(the answer that the study calls the first)", "(the one it calls the second)"
PAIR = JudgmentContext(output=FIRST, baseline=SECOND)


@dataclass(frozen=True, slots=True)
class Replayed:
    """One reply, as the judge and as the study read it.

    Args:
        row: The reply.
        ours: What the judge found; nothing where it errs.
        label: What the study stored; nothing where its parser failed.
        left_out: Why it is not compared, where it is not.
    """

    row: Row
    ours: str | None
    label: str | None
    left_out: str | None


@dataclass(frozen=True, slots=True)
class Figures:
    """The replies of one judge in one order, or its pairs in both.

    Args:
        study: The set of replies.
        judge: Whose they are.
        order: AB or BA; `tie` and `average` are both orders, by what a flip counts as.
        replayed: How many there are.
        compared: How many of them are compared.
        correct: How many of those are right.
        correct_by_labels: How many are by the labels that the study stored.
        by_all_labels: How many of all are, by those labels.
        elsewhere: The share of all, as another program computed it.
    """

    study: str
    judge: str
    order: str
    replayed: int
    compared: int
    correct: int
    correct_by_labels: int
    by_all_labels: int
    elsewhere: float | None = None

    @property
    def good(self) -> bool:
        """Whether the accuracies are the same, and so is the one that was computed elsewhere."""
        known = self.elsewhere is None or self.elsewhere == round(
            self.by_all_labels / self.replayed, 6
        )
        return self.correct == self.correct_by_labels and known


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a study."""

    figures: list[Figures]
    pulls: dict[str, FirstSlotPull]
    left_out: list[Replayed]


def read_lines(path: Path) -> list[Any]:
    """The values of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def measure(study: Study, folder: Path) -> Result:
    """Replay all replies of a study."""
    verdicts = read_lines(folder / "judge_verdicts" / f"{study.name}.jsonl")
    rows = [row for row in verdicts if row["task"] == "pairwise"]
    items = {
        row["item_id"]: row for row in read_lines(folder / "judge_labels" / f"{study.name}.jsonl")
    }
    judge = PairwiseJudge(Recorded({}), "baseline", classifier=study.classifier)
    replayed = [one for order in ORDERS for one in replay(study, judge, order, rows, items)]
    figures = [
        in_one_order(name, order, of_one, items)
        for (name, order), of_one in grouped(replayed, "judge", "order").items()
    ]
    pulls: dict[str, FirstSlotPull] = {}
    for (name,), of_one in grouped(replayed, "judge").items():
        pairs = [pair for pair in paired(of_one) if len(pair) == 2]
        elsewhere = computed_elsewhere(study, name, folder)
        for on_flip in ("tie", "average"):
            found = judge_all(judge, (rows_of(pair) for pair in pairs), on_flip=on_flip)
            known = elsewhere if on_flip == "average" else None
            figures.append(
                in_both(
                    study,
                    name,
                    on_flip,
                    pairs=pairs,
                    found=found,
                    items=items,
                    elsewhere=known,
                )
            )
            pulls[name] = first_slot_pull(found)
    return Result(figures, pulls, [one for one in replayed if one.left_out])


def judge_all(
    judge: PairwiseJudge, replies: Iterable[Mapping[str, Row]], **changes: Any
) -> list[Judgment]:
    """What a judge finds when it gets recorded replies, those of each pair in turn."""

    async def judge_each() -> list[Judgment]:
        changed = replace(judge, **changes)
        return [await aevaluate(replace(changed, model=Recorded(rows)), PAIR) for rows in replies]

    return asyncio.run(judge_each())


def replay(
    study: Study, judge: PairwiseJudge, order: str, rows: Sequence[Row], items: Items
) -> list[Replayed]:
    """Put every reply that was given in one order through the judge in that order."""
    shown = [row for row in rows if row["order"] == order]
    found = judge_all(judge, ({order: row} for row in shown), order=order)
    return [
        compared(study, row, judgment, stored_label(row, items[row["item_id"]]))
        for row, judgment in zip(shown, found, strict=True)
    ]


def stored_label(row: Row, item: Mapping[str, Any]) -> str | None:
    """The label of a reply, by the study's own numbering of the answers.

    Where a judge was asked twice, LLMBar keeps its first labels under `round1`. JudgeBench keeps
    what was shown, so that in the order BA it has to be turned round.
    """
    labels = item["judges"][f"{row['judge']}|{row['prompt_style']}"]
    order = row["order"]
    if "#r0#" in row["id"] and "round1" in labels:
        first: str | None = labels["round1"][ORDERS.index(order)]
        return first
    turned = {"A>B": "B>A", "B>A": "A>B"} if row["source"] == "judgebench" else {}
    label: str | None = labels[order]
    return turned.get(label or "", label) if order == "BA" else label


def compared(study: Study, row: Row, judgment: Judgment, label: str | None) -> Replayed:
    """A reply with both readings, and why it is left out where it is."""
    ours = study.label(judgment)
    if ours == label:
        why_not = None if ours is not None else "neither read it"
    elif label is None:
        why_not = "the study read nothing"
    elif ours is None:
        why_not = judgment.reasoning
    else:
        why_not = misread(study, row)
    return Replayed(row, ours, label, why_not)


def misread(study: Study, row: Row) -> str | None:
    """Why the study's reading is not to be followed; nothing where it is."""
    form = FORMS[study.name]
    read = shown_output(row) if study.name == "llmbar" else row["parsed_by_source"]
    assert read is not None
    reason, misreading = why(row["raw_text"], form, read, several=False)
    if misreading:
        return reason
    stated = [label for label in study.classifier.labels if plainly_states(row, form, label)]
    return (
        "it states several, of which the study did not take the final one" if stated[1:] else None
    )


def in_one_order(judge: str, order: str, replayed: Sequence[Replayed], items: Items) -> Figures:
    """The figures of one judge in one order."""
    kept = [one for one in replayed if not one.left_out]
    gold = {one.row["id"]: items[one.row["item_id"]]["gold"] for one in replayed}
    return Figures(
        replayed[0].row["source"],
        judge,
        order,
        len(replayed),
        len(kept),
        sum(one.ours == gold[one.row["id"]] for one in kept),
        sum(one.label == gold[one.row["id"]] for one in kept),
        sum(one.label == gold[one.row["id"]] for one in replayed),
    )


def in_both(
    study: Study,
    judge: str,
    on_flip: str,
    *,
    pairs: Sequence[Sequence[Replayed]],
    found: Sequence[Judgment],
    items: Items,
    elsewhere: float | None,
) -> Figures:
    """The figures of one judge in both orders."""
    gold = [items[pair[0].row["item_id"]]["gold"] for pair in pairs]
    by_labels = [
        of_both(study, [one.label for one in pair], average=on_flip == "average") for pair in pairs
    ]
    kept = [not any(one.left_out for one in pair) for pair in pairs]
    return Figures(
        study.name,
        judge,
        on_flip,
        len(pairs),
        sum(kept),
        sum(k and study.label(f) == g for k, f, g in zip(kept, found, gold, strict=True)),
        sum(k and label == g for k, label, g in zip(kept, by_labels, gold, strict=True)),
        sum(label == g for label, g in zip(by_labels, gold, strict=True)),
        elsewhere,
    )


def of_both(study: Study, labels: Sequence[str | None], *, average: bool) -> str:
    """What the labels of two orders come to; what was not read says nothing either way."""
    if not average:
        return labels[0] if labels[0] == labels[1] and labels[0] is not None else study.tie
    balance = labels.count(study.better) - labels.count(study.worse)
    return study.better if balance > 0 else study.worse if balance < 0 else study.tie


def grouped(replayed: Iterable[Replayed], *keys: str) -> dict[tuple[str, ...], list[Replayed]]:
    """Replies by what their rows have under some keys."""
    groups: dict[tuple[str, ...], list[Replayed]] = defaultdict(list)
    for one in replayed:
        groups[tuple(one.row[key] for key in keys)].append(one)
    return groups


def paired(replayed: Iterable[Replayed]) -> Iterable[list[Replayed]]:
    """Replies to the same question in the orders in which it was asked, AB first."""
    asked: dict[tuple[str, str, bool], list[Replayed]] = defaultdict(list)
    for one in replayed:
        again = "#r1#" in one.row["id"]
        asked[one.row["item_id"], one.row["prompt_style"], again].append(one)
    return asked.values()


def rows_of(pair: Iterable[Replayed]) -> dict[str, Row]:
    """The rows of replies by their orders."""
    return {one.row["order"]: one.row for one in pair}


def computed_elsewhere(study: Study, judge: str, folder: Path) -> float | None:
    """The accuracy over both orders that another program computed, to six digits."""
    text = (folder / "judge_labels" / "EXPECTED.json").read_text(encoding="utf-8")
    figures = json.loads(text)["dev"].get(study.name, {}).get(f"{judge}|arena_hard", {})
    accuracy: float | None = figures.get("accuracy")
    return accuracy


def share(part: int, whole: int) -> str:
    """A share for people."""
    return f"{part / whole:.4f}" if whole else "-"


def as_table(results: Iterable[Result]) -> str:
    """The figures, a line each, with the slots that the judges prefer, and what is left out."""
    head = f"{'study':<11}{'judge':<25}{'order':<9}{'replayed':>9}{'compared':>9}{'ours':>9}"
    lines = [f"{head}{'labels':>9}{'same':>6}{'elsewhere':>11}{'labels of all':>15}"]
    for result in results:
        lines += [
            f"{one.study:<11}{one.judge:<25}{one.order:<9}{one.replayed:>9}{one.compared:>9}"
            f"{share(one.correct, one.compared):>9}{share(one.correct_by_labels, one.compared):>9}"
            f"{'yes' if one.correct == one.correct_by_labels else 'NO':>6}"
            f"{'-' if one.elsewhere is None else one.elsewhere:>11}"
            f"{share(one.by_all_labels, one.replayed):>15}"
            for one in sorted(result.figures, key=lambda one: one.judge)
        ]
    lines.append(f"\n{'judge':<25}{'pairs':>7}{'flips':>7}{'first':>9}{'p':>11}")
    for result in results:
        lines += [
            f"{judge:<25}{pull.comparisons:>7}{pull.flips:>7}"
            f"{share(pull.first, pull.first + pull.second):>9}{pull.p_value or 1.0:>11.2e}"
            for judge, pull in result.pulls.items()
        ]
    left_out = [one for result in results for one in result.left_out]
    lines.append(f"\n{len(left_out)} replies are not compared:")
    lines += [
        f"  {one.row['id']}: ours {one.ours}, label {one.label}: {one.left_out}" for one in left_out
    ]
    return "\n".join(lines)


def as_json(results: Iterable[Result]) -> str:
    """The same for machines."""
    shown = [
        {
            "figures": [asdict(one) | {"good": one.good} for one in result.figures],
            "first_slot_pull": {
                judge: asdict(pull) | {"share": pull.share, "p_value": pull.p_value}
                for judge, pull in result.pulls.items()
            },
            "left_out": [
                {
                    "id": one.row["id"],
                    "ours": one.ours,
                    "label": one.label,
                    "reason": one.left_out,
                }
                for one in result.left_out
            ],
        }
        for result in results
    ]
    return json.dumps(shown, ensure_ascii=False, indent=1)


def main() -> int:
    """Print the table, or the same as JSON; 1 where an accuracy is not the very same."""
    parser = argparse.ArgumentParser(description="Recorded comparisons, replayed.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of both data sets")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    results = [measure(study, options.data) for study in STUDIES]
    print(as_json(results) if options.json else as_table(results))
    return 0 if all(one.good for result in results for one in result.figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
