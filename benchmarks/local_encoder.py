"""How well the sentence encoder tells apart what its judges rest on, and what their bars cost.

    python benchmarks/local_encoder.py [--data DIRECTORY]

`encoder_pairs/` holds texts that were written for this: passages with claims that they support,
claims that were made up on the same subject or the next one, and claims that contradict them; goals
with outputs on their subject; and small talk other than what the screen knows. `DIRECTORY`, where
there is one, holds real questions with answers, functions with their descriptions, and talks of an
agent that looks things up. AUC is the probability that a pair of the first kind is nearer than one
of the second (0.5 is chance). Everything at a bar is asked of the screens themselves.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

from agent_judge import Judgment, JudgmentContext, Source, Status, evaluate
from agent_judge.judges import AnswerRelevanceScreen, GroundednessScreen
from agent_judge.judges.meaning.encoder import encoder
from agent_judge.judges.meaning.passages import joined, parts

PAIRS = Path(__file__).with_name("encoder_pairs")

Row: TypeAlias = Mapping[str, Any]
Pair: TypeAlias = tuple[str, str]


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description="Measure the judges of meaning.")
    arguments.add_argument("--data", type=Path, help="real pairs, as the project's data has them")
    data: Path | None = arguments.parse_args().data
    began = perf_counter()
    encoder()
    print(f"loaded in {perf_counter() - began:.2f} s")
    passages = read(PAIRS / "passages.jsonl")
    groundedness(passages)
    numbers(passages)
    relevance("36 questions", [(row["question"], row["answer"]) for row in passages])
    relevance("34 odd goals", [(row["goal"], row["output"]) for row in read(PAIRS / "goals.jsonl")])
    if data is not None:
        relevance("functions by their description", functions(data))
        relevance("answers that people reviewed", reviewed(data))
        talks(data)


def groundedness(passages: Sequence[Row]) -> None:
    """Claims in and not in the sources."""
    claims = {
        kind: [(claim, row["source"]) for row in passages for claim in row[kind]]
        for kind in ("supported", "absent", "contradicted")
    }
    claims["elsewhere"] = [
        (claim, row["source"])
        for at, row in enumerate(passages)
        for claim in passages[at - 1]["supported"] + passages[at - 2]["supported"]
    ]
    talk = read(PAIRS / "small_talk.jsonl")
    claims["small talk"] = [(str(said), row["source"]) for said in talk for row in passages]
    near = {kind: [nearest(*pair) for pair in pairs] for kind, pairs in claims.items()}
    print("\nclaims and their sources          pairs     AUC of supported    FAIL at the bar")
    for kind, pairs in claims.items():
        failed = [fails(GroundednessScreen(numbers="ignore"), *pair) for pair in pairs]
        told = "" if kind == "supported" else f"{auc(near['supported'], near[kind]):.3f}"
        print(f"{kind:32} {len(pairs):6} {told:>20} {share(failed):>18}")


def numbers(passages: Sequence[Row]) -> None:
    """Numbers in and not in the sources, in sentences that are otherwise taken from them."""
    as_they_are: list[bool] = []
    changed: list[bool] = []
    for row in passages:
        for sentence in re.split(r"(?<=[.])\s", row["source"]):
            for number in re.finditer(r"(?<![\d.,])\d{2,}(?![\d.,]*\d)", sentence):
                other = str(int(number[0]) + 7)
                wrong = sentence[: number.start()] + other + sentence[number.end() :]
                as_they_are.append(fails(GroundednessScreen(), sentence, row["source"]))
                changed.append(fails(GroundednessScreen(), wrong, row["source"]))
    said = [
        fails(GroundednessScreen(), claim, row["source"])
        for row in passages
        for claim in [row["answer"], *row["supported"]]
    ]
    print("\nnumbers                           cases                          FAIL")
    for name, cases in (
        ("in a sentence of the source", as_they_are),
        ("the same, one number changed by 7", changed),
        ("in answers and supported claims", said),
    ):
        print(f"{name:34} {len(cases):4} {share(cases):>30}")


def relevance(name: str, pairs: Sequence[Pair]) -> None:
    """Outputs for a goal, and for another one of the same set."""
    others = [
        (goal, pairs[(at + step) % len(pairs)][1])
        for at, (goal, _) in enumerate(pairs)
        for step in (1, 2, 3)
    ]
    told = auc([cosine(*pair) for pair in pairs], [cosine(*pair) for pair in others])
    own, other = ([off(*pair) for pair in some] for some in (pairs, others))
    print(f"\n{name}: AUC {told:.3f}; FAIL: own {share(own)}, of another {share(other)}")


def talks(data: Path) -> None:
    """What an agent that succeeded said, beside all that it had looked up and been told."""
    failed: list[bool] = []
    said: list[str] = []
    file = next((data / "trajectories/openai_chat_tools").glob("*.jsonl"))
    for run in [run for run in read(file) if run["reward"] == 1][:12]:
        known: list[str] = []
        for message in run["messages"]:
            content = message.get("content") or ""
            if message["role"] != "assistant":
                known.append(content)
            elif content:
                judgment = screened(GroundednessScreen(), content, known)
                failed.append(judgment.status is Status.FAIL)
                said += [judgment.reasoning] if failed[-1] else []
    print(f"\nturns of an agent that succeeded: FAIL {share(failed)}")
    print("".join(f"  {reason[:160]}\n" for reason in said), end="")


def functions(data: Path) -> list[Pair]:
    """Functions and what their documentation asks for."""
    found: dict[str, Pair] = {}
    for row in read(data / "code_pairs/pairs.jsonl"):
        described = re.search(r'"""(.*?)(?:>>>|""")', row["left"], re.DOTALL)
        if "HumanEval" in row["id"] and row["language"] == "python" and described:
            code = re.sub(r'""".*?"""', "", row["left"], flags=re.DOTALL)
            found[row["id"].rpartition("/")[2]] = (described[1].strip(), code.strip())
    return list(found.values())


def reviewed(data: Path) -> list[Pair]:
    """Questions and answers."""
    rows = [row["meta"] for row in read(data / "judge_verdicts/ragas_annotated.jsonl")]
    return sorted({(row["user_input"], row["response"]) for row in rows})


def nearest(claim: str, source: str) -> float:
    """The greatest cosine of a claim to a passage of the source."""
    loaded = encoder()
    known = loaded.vectors([passage.pieces for passage in joined(source)])
    return float((known @ loaded.vectors(parts(claim)).T).max())


def cosine(one: str, other: str) -> float:
    """The greatest cosine of their parts."""
    loaded = encoder()
    return float((loaded.vectors(parts(one)) @ loaded.vectors(parts(other)).T).max())


def fails(screen: GroundednessScreen, output: str, source: str) -> bool:
    """Whether the screen FAILs an output."""
    return screened(screen, output, [source]).status is Status.FAIL


def screened(screen: GroundednessScreen, output: str, sources: Iterable[str]) -> Judgment:
    """What the screen says of an output."""
    kept = tuple(Source(source) for source in sources)
    return examined(evaluate(screen, JudgmentContext(output=output, sources=kept)))


def off(goal: str, output: str) -> bool:
    """Whether an output is off the subject."""
    judgment = evaluate(AnswerRelevanceScreen(), JudgmentContext(goal=goal, output=output))
    return examined(judgment).status is Status.FAIL


def examined(judgment: Judgment) -> Judgment:
    """The judgment, unless it is an ERROR, which is no figure."""
    if judgment.status is Status.ERROR:
        raise SystemExit(judgment.reasoning)
    return judgment


def auc(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that one of the first is greater than one of the second."""
    wins = sum((one > other) + 0.5 * (one == other) for one in first for other in second)
    return wins / (len(first) * len(second))


def share(cases: Sequence[bool]) -> str:
    """How many are true, and their share."""
    return f"{sum(cases)} of {len(cases)} ({sum(cases) / max(1, len(cases)):.1%})"


def read(file: Path) -> list[Any]:
    """The rows of a file of JSON Lines."""
    return list(_rows(file))


def _rows(file: Path) -> Iterator[Any]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main()
