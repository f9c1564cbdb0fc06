"""Judging by a checklist: questions of yes and no, of which all or enough must hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from unicodedata import normalize

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json
from agent_judge.judgment import Judgment
from agent_judge.llm.account import listed, named, open_or_lost, undecided
from agent_judge.llm.criteria import Criterion, as_criteria
from agent_judge.llm.inquiry import Inquiry, Mode
from agent_judge.llm.marking import Marks, Standing
from agent_judge.llm.questions import Defence, Example
from agent_judge.llm.rubric import assess
from agent_judge.models.model import JudgeModel
from agent_judge.models.request import ModelOptions
from agent_judge.protocol import MAX_NAME, Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class ChecklistJudge:
    """Whether all items of a list, or enough of them, hold, each by the word of a model.

    An item that the model leaves undecided may hold or not: the judge passes when enough hold
    without it, fails when there are not enough even with it, and abstains otherwise. An item
    without an answer is ERROR, unless the work fails whatever the answer. The score is the share
    of the items that hold.

    Args:
        items: What has to hold, each a text, or a table of a `name` and a `description`.
        model: The model, or its name as `"provider:model"`.
        at_least: How many have to hold; all, unless given.
        mode: One call for each item (`"each"`), or one call for all (`"batch"`), in an order that
            differs from run to run.
        evidence: The variables of the run that the model is shown; see `PromptTemplate`.
        optional: Those of them that may be absent; without any other the judge abstains.
        seed: Another seed gives other orders in a batch.
        concurrency: How many calls may be under way at once for one judgment.
        options: How the model is to answer; only what is set is sent.
        defence: How the judge protects itself from the evidence.
        examples: Runs with the findings that were right, as for `RubricJudge`.

    Raises:
        ArgumentError: A value that is not allowed.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.testing import ScriptedModel
        >>> model = ScriptedModel([
        ...     {"reason": "It says 4.", "quote": "4", "finding": "met"},
        ...     {"reason": "It does not say why.", "quote": "", "finding": "unmet"},
        ... ])
        >>> judge = ChecklistJudge(["It gives the sum.", "It says why."], model)
        >>> judgment = evaluate(judge, JudgmentContext(goal="2 + 2?", output="4"))
        >>> judgment.status.name, judgment.reasoning
        ('FAIL', "1 of 2 items hold; all are wanted. Lost: 'It says why.'")
    """

    items: tuple[str | Criterion | Mapping[str, Json], ...]
    model: JudgeModel | str
    at_least: int | None = None
    mode: Mode = "each"
    evidence: tuple[str, ...] = ("goal", "output")
    optional: tuple[str, ...] = ()
    seed: int = 0
    concurrency: int = 8
    options: ModelOptions = field(default_factory=ModelOptions)
    defence: Defence = field(default_factory=Defence)
    examples: tuple[Example, ...] = ()
    _inquiry: Inquiry = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ChecklistJudge", cost=Cost.MODEL, type="checklist", needs=("goal", "output"), version="1"
    )

    def __post_init__(self) -> None:
        items = _as_items(self.items)
        count = self.at_least
        if count is not None and (type(count) is not int or not 1 <= count <= len(items)):
            raise ArgumentError(
                f"at_least must be a whole number in 1..{len(items)}, got {count!r}"
            )
        inquiry = Inquiry(
            {"judge": self.metadata.type, "version": self.metadata.version},
            items,
            self.model,
            self.mode,
            1,
            self.evidence,
            self.optional,
            self.seed,
            self.concurrency,
            self.options,
            self.defence,
            self.examples,
        )
        object.__setattr__(self, "items", items)
        object.__setattr__(self, "_inquiry", inquiry)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Ask the model about one run."""
        wanted = len(self.items) if self.at_least is None else self.at_least
        return await assess(self._inquiry, context, wanted / len(self.items), self._tell)

    def _tell(self, marks: Marks) -> str:
        hold, unsure = len(named(marks, Standing.HELD)), len(undecided(marks) + marks.unanswered)
        many = f"{hold} to {hold + unsure}" if unsure else f"{hold}"
        wanted = "all are wanted" if self.at_least is None else f"{self.at_least} are wanted"
        told = f"{many} of {len(self.items)} items hold; {wanted}"
        return ". ".join((told, *listed(open_or_lost(marks))))


def _as_items(given: Iterable[Any]) -> tuple[Criterion, ...]:
    """Items as criteria that weigh the same."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ArgumentTypeError(f"items must be a sequence of texts, not {given!r:.80}")
    items = as_criteria(_as_item(item) for item in given)
    for item in items:
        if item != Criterion(item.name, item.description):
            raise ArgumentError(
                f"item {item.name!r} has more than a name and a description; "
                "what weighs more or less belongs in a RubricJudge"
            )
    return items


def _as_item(item: object) -> Any:
    """A text under its own name, as far as a name may go."""
    if not isinstance(item, str):
        return item
    text = normalize("NFC", " ".join(item.split()))
    return {
        "name": text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 1].rstrip()}…",
        "description": item,
    }
