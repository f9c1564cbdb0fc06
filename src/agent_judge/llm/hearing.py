"""One judgment under way: questions to a model, their replies, and what it all took.

A judge's own code says what to ask and what an answer means. A `Hearing` does the rest: it fences
the evidence, asks, demands the token, sends a reply that cannot be read back once, adds up what was
consumed, and looks for signs that the evidence addresses the judge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from agent_judge.context import MISSING, JudgmentContext
from agent_judge.errors import AgentJudgeError, MissingExtraError
from agent_judge.frozen import EMPTY, FrozenMap, Json, freeze_map
from agent_judge.judgment import Judgment, ReasonCode, retold
from agent_judge.llm.attempts import Attempt, find_attempts, report_attempts
from agent_judge.llm.exhibits import Exhibit, exhibits
from agent_judge.llm.fence import Fence
from agent_judge.llm.prompts import Own, PromptTemplate
from agent_judge.llm.questions import TOKEN, Question
from agent_judge.llm.reading import READER_VERSION, Unreadable
from agent_judge.models.errors import IncompleteReplyError, ModelError
from agent_judge.models.messages import Message
from agent_judge.models.model import ask_model, require_complete
from agent_judge.models.request import ModelRequest, ResponseSchema
from agent_judge.models.response import ModelResponse
from agent_judge.usage import Usage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unread:
    """A reply of which nothing could be made.

    Args:
        detail: What was found and what was expected, for people and for the model.
        fault: The same in a word.
        code: What a judgment says of it.
    """

    detail: str
    fault: str
    code: ReasonCode = ReasonCode.UNREADABLE_REPLY

    @classmethod
    def of(cls, unreadable: Unreadable) -> Unread:
        """What the reader of replies found."""
        return cls(unreadable.detail, unreadable.fault.value)


class UnansweredError(AgentJudgeError, RuntimeError):
    """A question has no answer: the model failed, or said nothing that could be read.

    Attributes:
        code: What a judgment says of it.
        evidence: What was asked and replied.
        calls: How often the model was asked; 0 where the question could not be put to it.
    """

    def __init__(
        self, message: str, code: ReasonCode, evidence: Mapping[str, Json], calls: int = 0
    ) -> None:
        super().__init__(message)
        self.code: Final = code
        self.evidence: Final = FrozenMap(evidence)
        self.calls: Final = calls


_sample: ContextVar[tuple[int, ...]] = ContextVar("agent_judge_sample", default=())


@contextmanager
def sample(index: int) -> Generator[None, None, None]:
    """Ask for one of several independent replies: within, a stored reply is one of this index."""
    before = _sample.set((*_sample.get(), index))
    try:
        yield
    finally:
        _sample.reset(before)


@contextmanager
def unsampled() -> Generator[None, None, None]:
    """Ask once for all samples: within, a stored reply is that of every one of them."""
    before = _sample.set(())
    try:
        yield
    finally:
        _sample.reset(before)


def current_sample() -> tuple[int, ...]:
    """Which sample is asked for: the index of each that is under way, the outermost first."""
    return _sample.get()


def unasked(context: JudgmentContext, *templates: PromptTemplate) -> Judgment | None:
    """ABSTAIN where the run lacks something that the prompts need, so that no model is asked."""
    absent = dict.fromkeys(name for template in templates for name in template.absent(context))
    if not absent:
        return None
    return Judgment.abstaining(
        f"nothing to judge: the run has no {', '.join(absent)}", code=ReasonCode.MISSING_INPUT
    )


class Hearing:
    """One judgment under way. It is made for one run and forgotten afterwards.

    Args:
        context: The run.
    """

    def __init__(self, context: JudgmentContext) -> None:
        self.context: Final = context
        self._attempts: dict[Exhibit, tuple[Attempt, ...]] = {}
        self._models: dict[str, None] = {}
        self._usages: list[Usage] = []
        self._calls = 0
        self._cached = 0

    async def ask(
        self,
        question: Question,
        read: Callable[[ModelResponse], T | Unread],
        *,
        own: Mapping[str, Own] = EMPTY,
        schema: ResponseSchema | None = None,
        key: Mapping[str, Json] = EMPTY,
        logprobs: int | None = None,
    ) -> T:
        """Ask a question, and read the reply.

        Questions may be asked at the same time.

        Args:
            question: How to ask.
            read: What a complete reply means; the token is no longer in it.
            own: The values of the template's own variables.
            schema: The form of the reply, where it is JSON.
            key: What else a stored reply depends on.
            logprobs: How many alternatives to give for each token of the reply, as in
                `ModelRequest`.

        Raises:
            UnansweredError: There is no answer; `fail` makes a judgment of it.
        """
        fence = Fence.random() if question.defence.fence else None
        sampled: dict[str, Json] = {"sample": _sample.get()} if _sample.get() else {}
        keys = {**key, **sampled, "reader": READER_VERSION}
        request = question.request(self.context, fence, own, schema, keys, logprobs=logprobs)
        _check_length(request, question.limit)
        self._scan(question, own)
        demanded = fence is not None and question.demands_token(schema)
        exchange = _Exchange(request, fence)
        while True:
            response = await self._reply(question, exchange)
            answer = _without_token(response, fence) if demanded else response
            found = answer if isinstance(answer, Unread) else read(exchange.anonymous(answer))
            if not isinstance(found, Unread):
                return found
            exchange.send_back(response, found)
            if exchange.rounds > question.repairs:
                raise exchange.unanswered(
                    f"the reply was not read: {found.detail}", found.code, fault=found.fault
                )

    def conclude(self, judgment: Judgment, evidence: Mapping[str, Json] = EMPTY) -> Judgment:
        """A judgment with what it took, and with what the evidence tried."""
        added = freeze_map(evidence, "evidence") if evidence else EMPTY
        whole = FrozenMap({**judgment.evidence, **added, **self._evidence()})
        checks = (*judgment.checks, *report_attempts(self.attempts))
        return retold(judgment, whole, checks, self.usage)

    def fail(self, unanswered: UnansweredError) -> Judgment:
        """The ERROR that says why there is no judgment."""
        judgment = Judgment.erring(str(unanswered), unanswered.code)
        return self.conclude(judgment, unanswered.evidence)

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """The signs, so far, that the evidence addresses the judge."""
        found = [*filter(None, self._attempts.values())]
        return tuple(dict.fromkeys(one for several in found for one in several)) if found else ()

    @property
    def usage(self) -> Usage:
        """What was consumed so far; a reply from a cache consumed nothing."""
        if len(self._usages) == 1:
            return self._usages[0]
        if not self._usages:
            return Usage(input_tokens=0, output_tokens=0, calls=self._calls, cost=0.0)
        return Usage.total(self._usages)

    def _evidence(self) -> dict[str, Json]:
        models = tuple(self._models)
        named: dict[str, Json] = {}
        if models:
            named = {"model": models[0]} if len(models) == 1 else {"models": models}
        cached: dict[str, Json] = {"cached": self._cached} if self._cached else {}
        return {**named, **cached, "reader": READER_VERSION}

    def _scan(self, question: Question, own: Mapping[str, Own]) -> None:
        if not question.defence.scan:
            return
        for name in question.template.variables:
            self._look_into(exhibits(name, self.context))
        for value in own.values():
            self._look_into(() if isinstance(value, str) else value)

    def _look_into(self, shown: Iterable[Exhibit]) -> None:
        for exhibit in shown:
            if exhibit not in self._attempts:
                self._attempts[exhibit] = find_attempts((exhibit,))

    async def _reply(self, question: Question, exchange: _Exchange) -> ModelResponse:
        exchange.calls += 1
        try:
            response = await ask_model(question.model, exchange.request)
        except MissingExtraError:
            raise
        except IncompleteReplyError as fault:
            if fault.response is not None:
                self._count(fault.response)
            raise exchange.unanswered(str(fault), fault.code, fault.response) from fault
        except ModelError as fault:
            raise exchange.unanswered(str(fault), fault.code) from fault
        except AgentJudgeError as fault:
            raise exchange.unanswered(str(fault), ReasonCode.MODEL_FAILED) from fault
        self._count(response)
        try:
            return require_complete(response)
        except IncompleteReplyError as fault:
            raise exchange.unanswered(str(fault), fault.code, response) from fault

    def _count(self, response: ModelResponse) -> None:
        if response.model is not None:
            self._models[response.model] = None
        if response.from_cache:
            self._cached += 1
        else:
            self._calls += 1
            self._usages.append(response.usage or Usage(calls=1))


class _Exchange:
    """A request and, where its reply could not be read, the request that asks again."""

    def __init__(self, request: ModelRequest, fence: Fence | None) -> None:
        self.request = request
        self._first = request
        self._nonce = None if fence is None else fence.nonce
        self._reply: str | None = None
        self.calls = 0
        self.rounds = 0

    def send_back(self, response: ModelResponse, unread: Unread) -> None:
        """Ask again, with the reply and what is wrong with it."""
        self.rounds += 1
        self._reply = response.text
        said = response.text if response.text.strip() else "(nothing)"
        messages = (
            *self._first.messages,
            Message.assistant(said),
            Message.user(
                f"That reply cannot be read: {unread.detail}. Reply again, in the form that was "
                "asked for and with nothing else."
            ),
        )
        first = self._first
        self.request = ModelRequest(
            messages,
            first.options,
            schema=first.schema,
            logprobs=first.logprobs,
            nonce=first.nonce,
            cache_key=first.cache_key,
        )

    def anonymous(self, response: ModelResponse) -> ModelResponse:
        """The reply without the random text, so that the same reply always reads the same."""
        if self._nonce is None or self._nonce not in response.text:
            return response
        return replace(response, text=self._hidden(response.text))

    def unanswered(
        self,
        message: str,
        code: ReasonCode,
        response: ModelResponse | None = None,
        fault: str | None = None,
    ) -> UnansweredError:
        """Why there is no answer, with what was asked and replied."""
        reply = self._reply if response is None else response.text
        evidence: dict[str, Json] = {
            "prompt": tuple(
                FrozenMap({"role": message.role.value, "text": self._hidden(message.text)})
                for message in self._first.messages
            )
        }
        if reply is not None:
            evidence["reply"] = self._hidden(reply)
        if fault is not None:
            evidence["fault"] = fault
        return UnansweredError(message, code, evidence, self.calls)

    def _hidden(self, text: str) -> str:
        return text if self._nonce is None else text.replace(self._nonce, "nonce")


def _check_length(request: ModelRequest, limit: int) -> None:
    length = sum(len(message.text) for message in request.messages)
    if length > limit:
        raise UnansweredError(
            f"the prompt has {length:,} characters; the limit is {limit:,}: judge a part of it, or "
            "raise the limit",
            ReasonCode.TOO_LARGE,
            {},
        )


def _without_token(response: ModelResponse, fence: Fence | None) -> ModelResponse | Unread:
    """The reply with its token taken out, if it has it."""
    assert fence is not None
    token, structured = fence.token, response.structured
    if isinstance(structured, Mapping):
        if structured.get(TOKEN) != token:
            return _tokenless()
        members = FrozenMap({key: value for key, value in structured.items() if key != TOKEN})
        return replace(response, structured=members)
    if token not in response.text:
        return _tokenless()
    return replace(response, text=_TOKEN_LINE.sub("", response.text), structured=MISSING)


_TOKEN_LINE: Final = re.compile(
    rf"^[^\w\n]*{TOKEN}[^\w\n]*verdict-[0-9a-z]+[^\w\n]*$", re.IGNORECASE | re.MULTILINE
)


def _tokenless() -> Unread:
    return Unread(
        "it does not repeat the token of this task, so it may not be the judge's own",
        "no_token",
        ReasonCode.PROTOCOL,
    )
