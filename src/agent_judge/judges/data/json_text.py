"""Whether the output is JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext
from agent_judge.judges.data.reading import Fence, check_source, read_json, source_name
from agent_judge.judges.text.reading import check_choice, kind_of
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class JsonJudge:
    """Whether the output, or a file of the workspace, is valid JSON (RFC 8259).

    A text has to be JSON as a whole and strictly: NaN, a key that occurs twice in one object and
    numbers that no float reaches are refused. An output that is no string is a JSON value already.

    Args:
        require: What the value has to be: `"any"`, an `"object"` or an `"array"`.
        path: A file of the workspace to read instead of the output, in UTF-8.
        fence: Whether a Markdown code fence around the whole text is no JSON (`"refuse"`), or
            taken off first (`"strip"`).

    Raises:
        ArgumentError: An unknown word, or a path that leaves the workspace.
        ArgumentTypeError: A path that is no string.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> evaluate(JsonJudge(), JudgmentContext(output='{"a": 1, "a": 2}')).reasoning
        "the output is no JSON: the key 'a' occurs twice in one object"
    """

    require: Literal["any", "object", "array"] = "any"
    path: str | None = None
    fence: Fence = "refuse"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "JsonJudge", cost=Cost.FILE, type="json", needs=("output", "workspace"), version="1"
    )

    def __post_init__(self) -> None:
        check_choice(self.require, ("any", "object", "array"), "require")
        object.__setattr__(self, "path", check_source(self.path, self.fence))

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Read the output or file."""
        value = read_json(context, self.path, self.fence)
        if isinstance(value, Judgment):
            return value
        passed = self._fits(value)
        message = f"is {kind_of(value)}" + ("" if passed else f", not an {self.require}")
        make = Judgment.passing if passed else Judgment.failing
        check = Check("JSON", passed, message)
        return make(f"{source_name(self.path)} {message}", checks=(check,))

    def _fits(self, value: object) -> bool:
        match self.require:
            case "any":
                return True
            case "object":
                return isinstance(value, Mapping)
            case "array":
                return isinstance(value, list | tuple)
