"""What juries, cascades and meta juries have in common: how each is asked for its verdict."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from agent_judge.context import JudgmentContext
from agent_judge.engine.ask import Asked
from agent_judge.engine.doors import aenter, enter
from agent_judge.engine.run import Run
from agent_judge.frozen import Json
from agent_judge.judgment import Judgment
from agent_judge.jury.verdict import Verdict
from agent_judge.protocol import JudgeMetadata


class JudgingBody(ABC):
    """Judges that give one verdict together, and count as one judge among others."""

    __slots__ = ("_asked", "_metadata", "_options")

    _asked: tuple[Asked, ...]
    _metadata: JudgeMetadata
    _options: Mapping[str, Json]

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of it as a judge."""
        return self._metadata

    @property
    def children(self) -> tuple[Asked, ...]:
        """The judges, tiers or members, as the engine asks them."""
        return self._asked

    @property
    def options(self) -> Mapping[str, Json]:
        """The options that differ from their defaults, as configuration writes them."""
        return self._options

    @property
    def _own_class(self) -> str | None:
        """Its class, where somebody derived one from the library's."""
        cls = type(self)
        return None if cls.__module__.startswith(f"{__package__}.") else cls.__qualname__

    def vote(self, context: JudgmentContext) -> Verdict:
        """Judge one run, from any thread, also from one whose event loop is running.

        Raises:
            ArgumentTypeError: Not a `JudgmentContext`.
        """
        run = self._new_run()
        return enter(run, self.judge_in(run, context))

    async def avote(self, context: JudgmentContext) -> Verdict:
        """`vote` for callers that run an event loop."""
        run = self._new_run()
        return await aenter(run, self.judge_in(run, context))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Judge one run as a judge among others."""
        return (await self.avote(context)).judgment

    @abstractmethod
    async def judge_in(self, run: Run, context: JudgmentContext) -> Verdict:
        """Judge within a run that others belong to as well."""

    def _new_run(self) -> Run:
        return Run()
