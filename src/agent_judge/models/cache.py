"""A model that is asked each question once."""

from __future__ import annotations

import asyncio
import json
import threading
import warnings
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from agent_judge.errors import ArgumentError
from agent_judge.models.errors import CacheError
from agent_judge.models.model import JudgeModel, ask_model
from agent_judge.models.records import (
    fingerprint,
    request_to_json,
    response_from_json,
    response_to_json,
)
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import ModelResponse
from agent_judge.models.store import ReplyStore
from agent_judge.models.wrapping import Wrapper


class CachedModel(Wrapper):
    """A model whose replies are kept in a SQLite file that many processes may share.

    A reply is found again by the fingerprint of its request (messages without the nonce, options,
    schema, `cache_key`) and of the model. Whoever asks for several samples gives each an index in
    the `cache_key`, or gets the same one each time. Errors, and replies that are cut, refused or
    empty, are not kept. Of those who ask the same at the same time in one process, one calls.

    Args:
        model: The model to ask.
        path: The file; it is made when first needed.
        identity: Everything besides the request that the model's answers depend on; needed where
            the model does not say it itself.

    Raises:
        ArgumentError: Nothing says what the model's answers depend on.

    Example:
        >>> import asyncio
        >>> from agent_judge.models import Message, ModelRequest, ModelResponse
        >>> async def ask_twice() -> bool:
        ...     model = CachedModel(lambda request: ModelResponse("4"), "c.sqlite", identity="v1")
        ...     async with model:
        ...         await model(ModelRequest([Message.user("2 + 2?")]))
        ...         return (await model(ModelRequest([Message.user("2 + 2?")]))).from_cache
        >>> asyncio.run(ask_twice())
        True
    """

    def __init__(self, model: JudgeModel, path: str | Path, *, identity: str | None = None) -> None:
        super().__init__(model)
        known = identity or super().identity
        if not known:
            raise ArgumentError(
                f"nothing says what the answers of {self.name!r} depend on; give identity, and "
                "change it whenever they may change"
            )
        self.path = Path(path)
        self._identity = known
        self._store = ReplyStore(self.path)
        self._flights: dict[str, Future[dict[str, Any]]] = {}
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        """What the answers depend on."""
        return self._identity

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Give the kept reply, or ask the model and keep what it says.

        Raises:
            ModelError: The model gave no answer, or the file cannot be read.
        """
        key = self._key(request)
        while True:
            kept = self._store.get(key)
            if kept is not None:
                return self._read(json.loads(kept), request)
            flight, first = self._join(key)
            if first:
                return await self._lead(key, flight, request)
            try:
                document = await asyncio.wrap_future(flight)
            except _LeaderGaveUp:
                continue
            return self._read(document, request)

    async def forget(self, request: ModelRequest) -> None:
        """Forget the reply to a request: one that turned out to be unreadable, for example.

        Raises:
            CacheError: The file cannot be written.
        """
        await self._store.delete(self._key(request))

    async def clear(self) -> None:
        """Forget everything that the file holds, replies of other models too.

        Raises:
            CacheError: The file cannot be written.
        """
        await self._store.clear()

    async def aclose(self) -> None:
        """Close the file and the model."""
        self._store.close()
        await super().aclose()

    def _key(self, request: ModelRequest) -> str:
        return fingerprint(request_to_json(request), self._identity)

    def _read(self, document: Any, request: ModelRequest) -> ModelResponse:
        return response_from_json(document, request, str(self.path))

    def _join(self, key: str) -> tuple[Future[dict[str, Any]], bool]:
        """The call that is under way for a key, and whether the caller is to make it."""
        with self._lock:
            flight = self._flights.get(key)
            if flight is not None:
                return flight, False
            flight = self._flights[key] = Future()
            flight.set_running_or_notify_cancel()
            return flight, True

    async def _lead(
        self, key: str, flight: Future[dict[str, Any]], request: ModelRequest
    ) -> ModelResponse:
        raised: BaseException = _LeaderGaveUp()
        document: dict[str, Any] | None = None
        try:
            response = await self._ask_and_keep(key, request)
            document = response_to_json(response, request)
        except Exception as error:
            raised = error
            raise
        finally:
            with self._lock:
                del self._flights[key]
            if document is None:
                flight.set_exception(raised)
            else:
                flight.set_result(document)
        return response

    async def _ask_and_keep(self, key: str, request: ModelRequest) -> ModelResponse:
        kept = self._store.get(key)  # by a call that ended since this one looked
        if kept is not None:
            return self._read(json.loads(kept), request)
        response = await ask_model(self.model, request)
        if response.complete and response.text.strip():
            text = json.dumps(response_to_json(response, request), separators=(",", ":"))
            await self._keep(key, text)
        return response

    async def _keep(self, key: str, text: str) -> None:
        """Store a reply; one that was paid for is not lost because the disk is full."""
        try:
            await self._store.put(key, text)
        except CacheError as fault:
            warnings.warn(f"a reply was not kept: {fault}", RuntimeWarning, stacklevel=2)


class _LeaderGaveUp(Exception):  # noqa: N818 - it tells the others to ask themselves
    """Whoever made the call was cancelled."""
