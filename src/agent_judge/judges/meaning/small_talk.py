"""What answers say around their claims, and no source says."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from agent_judge.judges.meaning.passages import parts

if TYPE_CHECKING:
    from agent_judge.judges.meaning.encoder import Encoder, Vector

BAR: Final = 0.25
"""The cosine to one of these from which a sentence that is far from all sources is small talk."""

SMALL_TALK: Final = (
    "I hope this helps, let me know if you have any other questions.",
    "Sure, I can help you with that.",
    "Here is the answer to your question.",
    "Thank you for your question.",
    "In summary, these are the main points.",
    "The provided sources do not say anything about this.",
    "I could not find any information about that in the documents.",
    "Please consult a professional or check the official website.",
    "As an AI language model, I cannot do that.",
    "There are several reasons and factors to consider.",
    "The following list shows the steps in order.",
    "Would you like more details or an example?",
    "It depends on your needs and situation.",
    "This is important to keep in mind.",
    "Note that this answer is based on the context.",
)


def is_small_talk(vector: Vector, loaded: Encoder) -> bool:
    """Whether a sentence, by its vector, is near to small talk."""
    return bool((loaded.vectors(_pieces()) @ vector).max() >= BAR)


@lru_cache(maxsize=1)
def _pieces() -> list[tuple[int, ...]]:
    return [pieces for said in SMALL_TALK for pieces in parts(said)]
