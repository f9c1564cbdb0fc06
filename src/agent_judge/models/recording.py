"""Recording what a model answers, and replaying it without the model."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from pathlib import Path

from agent_judge.errors import ArgumentError
from agent_judge.models.cassette import (
    Entry,
    first_difference,
    nearest_entry,
    read_entries,
    write_entry,
)
from agent_judge.models.errors import UnknownRequestError
from agent_judge.models.model import JudgeModel, ask_model
from agent_judge.models.records import fingerprint, request_to_json, response_from_json
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import ModelResponse
from agent_judge.models.wrapping import Wrapper


class RecordingModel(Wrapper):
    """A model whose requests and responses are written to a cassette, one JSON object a line.

    Responses are written as they arrive, cut and refused ones too; errors are not written. No
    credential is ever part of a request or a response. Images and files are written by their
    SHA-256.

    Args:
        model: The model to ask.
        path: The cassette.
        append: Write behind what a cassette holds already; else it must be new or empty, since
            older replies would be replayed first.

    Raises:
        ArgumentError: The file holds something already.
        WireError: The file to append to is not a cassette.

    Example:
        >>> import asyncio
        >>> from agent_judge.models import Message, ModelRequest, ModelResponse, ReplayModel
        >>> model = RecordingModel(lambda request: ModelResponse("PASS"), "judge.jsonl")
        >>> request = ModelRequest([Message.user("Is 2 + 2 = 4?")])
        >>> asyncio.run(model(request)).text
        'PASS'
        >>> asyncio.run(ReplayModel("judge.jsonl")(request)).text
        'PASS'
    """

    def __init__(self, model: JudgeModel, path: str | Path, *, append: bool = False) -> None:
        super().__init__(model)
        self.path = Path(path)
        if append and self.path.exists():
            read_entries(self.path)
        elif self.path.exists() and self.path.stat().st_size:
            raise ArgumentError(
                f"{self.path} holds something already; delete it, or give append=True"
            )
        self.path.touch()

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Ask the model, and write down what it was asked and answered.

        Raises:
            ModelError: The model gave no answer.
            OSError: The cassette cannot be written.
        """
        response = await ask_model(self.model, request)
        write_entry(self.path, self.name, request, response)
        return response


class ReplayModel:
    """A model that answers from a cassette and calls nobody.

    The k-th identical request gets the k-th recorded reply. What identical means is told by the
    request alone, its `cache_key` included and its nonce left out.

    Args:
        path: The cassette.
        model: The name of the recorded model to replay, where there are several.

    Raises:
        ArgumentError: Nothing was recorded, or nothing of this model.
        FileNotFoundError: There is no such file.
        WireError: It is not a cassette.
    """

    def __init__(self, path: str | Path, *, model: str | None = None) -> None:
        self.path = Path(path)
        entries = read_entries(self.path)
        self._entries = tuple(entry for entry in entries if model is None or entry.model == model)
        if not self._entries:
            known = sorted({entry.model for entry in entries})
            raise ArgumentError(f"{self.path} holds no reply of {model!r}; it holds {known}")
        self._replies: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in self._entries:
            self._replies[entry.key].append(entry)
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"<ReplayModel {self.path}>"

    @property
    def name(self) -> str:
        """What people call it: the recorded model's name where there is one."""
        names = {entry.model for entry in self._entries}
        return names.pop() if len(names) == 1 else f"replay:{self.path}"

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Give the next recorded reply to this very request.

        Raises:
            UnknownRequestError: There is none; the message names the nearest request, and where
                it differs.
            WireError: What was recorded cannot be read as a response.
        """
        document = request_to_json(request)
        key = fingerprint(document)
        replies = self._replies.get(key)
        if replies is None:
            raise UnknownRequestError(self._unknown(document))
        models = {entry.model for entry in replies}
        if len(models) > 1:
            raise UnknownRequestError(
                f"{self.path}: several models answered this request; name one of them as model: "
                f"{', '.join(sorted(models))}"
            )
        with self._lock:
            turn = self._asked[key]
            self._asked[key] += 1
        if turn >= len(replies):
            raise UnknownRequestError(
                f"{self.path}: this request was asked {turn + 1} times and recorded "
                f"{len(replies)} times, last in line {replies[-1].line}"
            )
        entry = replies[turn]
        return response_from_json(entry.response, request, f"{self.path}:{entry.line}")

    def _unknown(self, document: dict[str, object]) -> str:
        nearest = nearest_entry(document, self._entries)
        assert nearest is not None
        difference = first_difference(document, nearest.request)
        return (
            f"{self.path}: this request was not recorded; the nearest one, in line "
            f"{nearest.line}, differs in {difference}"
        )
