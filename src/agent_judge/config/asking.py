"""What judges that ask a model are told: the model, the prompt, and how its reply is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from agent_judge.config.faults import Faults, unknown
from agent_judge.config.models import Models
from agent_judge.config.options import as_option, is_table
from agent_judge.config.settings import ModelSettings
from agent_judge.errors import ConfigurationError
from agent_judge.llm import (
    Classifier,
    JsonClassifier,
    LabelClassifier,
    PromptTemplate,
    ScoreClassifier,
)
from agent_judge.llm.pairwise_prompt import ReadPreference
from agent_judge.llm.preferences import PreferenceClassifier
from agent_judge.models import JudgeModel

CLASSIFIERS: Final[Mapping[object, Mapping[str, type]]] = {
    reads: {classifier.configured_as: classifier for classifier in classifiers}
    for reads, classifiers in (
        (Classifier, (JsonClassifier, LabelClassifier, ScoreClassifier)),
        (ReadPreference, (PreferenceClassifier,)),
    )
}
"""What reads replies: for each protocol the classes, by the type that configuration gives them."""

Reader = Callable[[Any, str], Any]


class Asking:
    """Reads the options that only judges that ask a model have.

    Args:
        data: The whole file.
        settings: What the call from outside says of all models.
        faults: Where what is wrong is noted.
        root: The folder from which prompt files count.
    """

    def __init__(
        self, data: Mapping[str, Any], settings: ModelSettings, faults: Faults, root: Path
    ) -> None:
        self._faults = faults
        self._root = root
        self._models = Models(data, settings, faults)
        self._readers: Mapping[object, Reader] = {
            JudgeModel: self.model,
            PromptTemplate: self.prompt,
            **{reads: partial(self.classifier, of) for reads, of in CLASSIFIERS.items()},
        }

    def reader(self, kind: object) -> Reader | None:
        """What reads an option of a kind; `None` where it is an ordinary one."""
        return self._readers.get(kind)

    def model(self, value: Any, place: str) -> JudgeModel | None:
        """A model, from its name; without one, the default model."""
        if value is not None and not isinstance(value, str):
            self._faults.add(place, f"expected a model's name, found {value!r:.80}")
            return None
        return self._models.find(value, place)

    def classifier(self, known: Mapping[str, type], value: Any, place: str) -> Any:
        """A classifier, from its type and options; `known` are those that the judge takes."""
        table = {"type": value} if isinstance(value, str) else value
        if not is_table(table) or not isinstance(table.get("type"), str):
            self._faults.add(place, "expected the name of a classifier, or a table with its type")
            return None
        name: str = table["type"]
        if name not in known:
            self._faults.add(place, unknown("classifier", name, known))
            return None
        options = {key: table[key] for key in table if key != "type"}
        return self._faults.attempt(place, lambda: as_option(options, known[name]))

    def prompt(self, value: Any, place: str) -> PromptTemplate | str | None:
        """A prompt: its text, or a table with its `text` or its `file`, and options."""
        if isinstance(value, str):
            return value
        return self._faults.attempt(place, lambda: self._template(value))

    def _template(self, table: Any) -> PromptTemplate:
        if not is_table(table) or ("file" in table) is ("text" in table):
            raise ConfigurationError(
                f"expected the text of a prompt, or a table with its text or file, "
                f"found {table!r:.80}"
            )
        if "file" not in table:
            read: PromptTemplate = as_option(table, PromptTemplate)
            return read
        file = self._root / as_option(table["file"], str)
        text = PromptTemplate.from_file(file, unknown="leave").text
        options = {key: table[key] for key in table if key != "file"}
        template: PromptTemplate = as_option({**options, "text": text}, PromptTemplate)
        return template
