"""What the models that stand before another model have in common."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from agent_judge.errors import ArgumentTypeError
from agent_judge.models.model import Feature, JudgeModel, features_of, name_of

if TYPE_CHECKING:
    from typing import Self


class Wrapper:
    """A model that passes on what is known of the one behind it, and closes it.

    Args:
        model: The model behind it.

    Raises:
        ArgumentTypeError: It cannot be called.
    """

    def __init__(self, model: JudgeModel) -> None:
        if not callable(model):
            raise ArgumentTypeError(f"a model is a callable that takes a request, not {model!r}")
        self.model = model

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.model!r}>"

    @property
    def name(self) -> str:
        """What people call the model behind it."""
        return name_of(self.model)

    @property
    def identity(self) -> str | None:
        """What the answers of the model behind it depend on, where that is known."""
        identity = getattr(self.model, "identity", None)
        return identity if isinstance(identity, str) else None

    @property
    def features(self) -> frozenset[Feature] | None:
        """What the model behind it can be asked, where that is known."""
        return features_of(self.model)

    async def aclose(self) -> None:
        """Close the model behind it, where it can be closed."""
        close = getattr(self.model, "aclose", None)
        if close is not None:
            await close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()
