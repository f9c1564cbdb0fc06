"""What all models behind a provider's protocol have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text, thaw
from agent_judge.models.backends.calls import Calls
from agent_judge.models.backends.retry import Clock, Retries
from agent_judge.models.errors import MalformedReplyError, UnsupportedOptionError
from agent_judge.models.model import Feature, refuse_unsupported
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import ModelResponse

if TYPE_CHECKING:
    from typing import Self


class Transport(Protocol):
    """What takes a body to a model."""

    async def send(self, body: Mapping[str, Any], /) -> Any:
        """Send one body and give the JSON of the answer.

        Raises:
            AttemptFailed: There is none.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections; a later call opens new ones."""
        ...


class RemoteModel:
    """A model behind a protocol: how a request becomes a body, and a body a response.

    Args:
        name: What people call it, for example `"openai:gpt-5"`.
        identity: Everything besides the request that its answers depend on.
        features: What it can be asked.
        encode: Makes the body of a request.
        decode: Reads the body of an answer.
        transport: Sends bodies.
        timeout: As for `Calls`.
        concurrency: As for `Calls`.
        retries: As for `Calls`.
        clock: As for `Calls`.

    Attributes:
        name: What people call it.
        identity: Everything besides the request that its answers depend on; no credential.
        features: What it can be asked.
    """

    def __init__(
        self,
        *,
        name: str,
        identity: str,
        features: frozenset[Feature],
        encode: Callable[[ModelRequest], dict[str, Any]],
        decode: Callable[[object, ModelRequest], ModelResponse],
        transport: Transport,
        timeout: float,
        concurrency: int,
        retries: Retries,
        clock: Clock,
    ) -> None:
        self.name = name
        self.identity = identity
        self.features = features
        self._encode = encode
        self._decode = decode
        self._close = transport.aclose
        self._calls = Calls(
            transport.send,
            name=name,
            timeout=timeout,
            concurrency=concurrency,
            retries=retries,
            clock=clock,
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.identity}>"

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Answer one question.

        Raises:
            UnsupportedOptionError: The request asks for what this model cannot be asked.
            ModelError: There is no answer.
        """
        answer = await self._calls(self.body_of(request))
        try:
            return self._decode(answer, request)
        except (ArgumentError, ArgumentTypeError) as fault:
            raise MalformedReplyError(f"{self.name}: {fault}") from fault

    def body_of(self, request: ModelRequest) -> dict[str, Any]:
        """The body that a request is sent as.

        Raises:
            UnsupportedOptionError: The request asks for what this model cannot be asked.
        """
        refuse_unsupported(request, self.features, self.name)
        body = self._encode(request)
        for key, value in request.options.extra.items():
            if key in body:
                raise UnsupportedOptionError(
                    f"{self.name}: extra.{key} would overwrite a field that the request sets"
                )
            body[key] = thaw(value)
        return body

    async def aclose(self) -> None:
        """Close the connections; a later call opens new ones."""
        await self._close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()


def check_model(model: object) -> str:
    """A provider's name of a model.

    Raises:
        ArgumentError: A blank one.
        ArgumentTypeError: It is not a string.
    """
    check_text(model, "model")
    if not str(model).strip():
        raise ArgumentError("model must not be blank; give the provider's name of it")
    return str(model)
