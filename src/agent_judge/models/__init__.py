"""Asking models: one port, and backends, recordings and a cache behind it.

A model is any callable that takes a `ModelRequest` and gives a `ModelResponse`, or an awaitable of
one. `parse_model("openai:…")` makes one of a name; everything here is imported when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.models.backends.anthropic import AnthropicModel
    from agent_judge.models.backends.command_line import CommandLineModel
    from agent_judge.models.backends.litellm import LiteLLMModel
    from agent_judge.models.backends.ollama import OllamaModel
    from agent_judge.models.backends.openai import OpenAIModel
    from agent_judge.models.backends.retry import Clock, Retries
    from agent_judge.models.budget import Budget, BudgetedModel, Price, PricedModel
    from agent_judge.models.cache import CachedModel
    from agent_judge.models.errors import (
        BudgetExceededError,
        CacheError,
        IncompleteReplyError,
        MalformedReplyError,
        ModelError,
        ModelTimeoutError,
        ModelUnavailableError,
        RateLimitedError,
        RefusedError,
        RejectedRequestError,
        RequestTooLargeError,
        TruncatedReplyError,
        UnknownRequestError,
        UnsupportedOptionError,
    )
    from agent_judge.models.messages import FilePart, ImagePart, Message, Part, Role, TextPart
    from agent_judge.models.model import (
        Feature,
        JudgeModel,
        ask_model,
        features_of,
        name_of,
        require_complete,
    )
    from agent_judge.models.naming import parse_model
    from agent_judge.models.recording import RecordingModel, ReplayModel
    from agent_judge.models.request import ModelOptions, ModelRequest, ResponseSchema
    from agent_judge.models.response import FinishReason, ModelResponse, TokenLogprob

__all__ = [
    "AnthropicModel",
    "Budget",
    "BudgetExceededError",
    "BudgetedModel",
    "CacheError",
    "CachedModel",
    "Clock",
    "CommandLineModel",
    "Feature",
    "FilePart",
    "FinishReason",
    "ImagePart",
    "IncompleteReplyError",
    "JudgeModel",
    "LiteLLMModel",
    "MalformedReplyError",
    "Message",
    "ModelError",
    "ModelOptions",
    "ModelRequest",
    "ModelResponse",
    "ModelTimeoutError",
    "ModelUnavailableError",
    "OllamaModel",
    "OpenAIModel",
    "Part",
    "Price",
    "PricedModel",
    "RateLimitedError",
    "RecordingModel",
    "RefusedError",
    "RejectedRequestError",
    "ReplayModel",
    "RequestTooLargeError",
    "ResponseSchema",
    "Retries",
    "Role",
    "TextPart",
    "TokenLogprob",
    "TruncatedReplyError",
    "UnknownRequestError",
    "UnsupportedOptionError",
    "ask_model",
    "features_of",
    "name_of",
    "parse_model",
    "require_complete",
]

_HOMES = {
    "backends.anthropic": ("AnthropicModel",),
    "backends.command_line": ("CommandLineModel",),
    "backends.litellm": ("LiteLLMModel",),
    "backends.ollama": ("OllamaModel",),
    "backends.openai": ("OpenAIModel",),
    "backends.retry": ("Clock", "Retries"),
    "budget": ("Budget", "BudgetedModel", "Price", "PricedModel"),
    "cache": ("CachedModel",),
    "errors": (
        "BudgetExceededError",
        "CacheError",
        "IncompleteReplyError",
        "MalformedReplyError",
        "ModelError",
        "ModelTimeoutError",
        "ModelUnavailableError",
        "RateLimitedError",
        "RefusedError",
        "RejectedRequestError",
        "RequestTooLargeError",
        "TruncatedReplyError",
        "UnknownRequestError",
        "UnsupportedOptionError",
    ),
    "messages": ("FilePart", "ImagePart", "Message", "Part", "Role", "TextPart"),
    "model": (
        "Feature",
        "JudgeModel",
        "ask_model",
        "features_of",
        "name_of",
        "require_complete",
    ),
    "naming": ("parse_model",),
    "recording": ("RecordingModel", "ReplayModel"),
    "request": ("ModelOptions", "ModelRequest", "ResponseSchema"),
    "response": ("FinishReason", "ModelResponse", "TokenLogprob"),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
