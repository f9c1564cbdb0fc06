from __future__ import annotations

import inspect
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pytest

import agent_judge
from agent_judge import models

SOURCE = Path(agent_judge.__file__).resolve().parents[1]

HEAVY = ("aiohttp", "anthropic", "httpx", "httpx2", "litellm", "openai", "pydantic", "sqlite3")


def run(program: str, *options: str) -> str:
    """Run a program in a fresh interpreter that sees the source folder."""
    start = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); "
    command = [sys.executable, "-I", "-W", "error", *options, "-c", start + program]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_importing_the_models_loads_nothing_heavy() -> None:
    """Neither a client nor an event loop is loaded before a model is made."""
    program = (
        "before = set(sys.modules); "
        "from agent_judge.models import ModelRequest, ModelResponse, Message; "
        f"print([name for name in {(*HEAVY, 'asyncio')!r} if name in set(sys.modules) - before])"
    )

    assert run(program) == "[]\n"


def test_making_a_model_loads_no_client() -> None:
    """The client is loaded with the first call, so that listing models is quick."""
    program = (
        "from agent_judge.models import OpenAIModel, CachedModel; "
        "CachedModel(OpenAIModel('m', base_url='http://localhost/v1'), 'unused'); "
        f"print([name for name in {HEAVY[:-1]!r} if name in sys.modules])"
    )

    assert run(program) == "[]\n"


def test_every_public_name_is_there_without_a_package() -> None:
    """With -S there is no site-packages: the port needs only the standard library."""
    assert run("from agent_judge.models import *; print('there')", "-S") == "there\n"


@pytest.mark.parametrize(
    ("make", "extra"),
    [
        ("OpenAIModel('m', base_url='http://localhost/v1')", "models"),
        ("AnthropicModel('m', base_url='http://localhost')", "models"),
        ("OllamaModel('m')", "models"),
        ("OpenAIModel('m', client=object())", "openai"),
        ("AnthropicModel('m', client=object())", "anthropic"),
        ("LiteLLMModel('openai/m')", "litellm"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(make: str, extra: str) -> None:
    """The message is the command that installs what is missing."""
    program = f"""
import asyncio
from agent_judge.errors import MissingExtraError
from agent_judge.models import *
async def ask():
    return await ask_model({make}, ModelRequest([Message.user('?')]))
try:
    asyncio.run(ask())
except MissingExtraError as missing:
    print(missing)
"""

    assert f"pip install 'agent-judge[{extra}]'" in run(f"exec({program!r})", "-S")


@pytest.mark.parametrize("name", models.__all__)
def test_a_public_name_is_there_and_documented(name: str) -> None:
    """Every public class and function says in words of its own what it is."""
    public = getattr(models, name)

    if inspect.isclass(public) or inspect.isroutine(public):
        documentation = public.__doc__ or ""
        assert documentation.strip()
        assert not documentation.startswith(f"{name}("), "a dataclass made this docstring up"


def test_the_public_names_are_sorted_and_offered() -> None:
    """Classes come before functions, and `dir` shows them all."""
    assert list(models.__all__) == sorted(
        set(models.__all__), key=lambda name: (name[0].islower(), name)
    )
    assert set(models.__all__) <= set(dir(models))


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A lazily loaded package still says in the usual way that it lacks a name."""
    with pytest.raises(AttributeError, match="no_such_name"):
        attrgetter("no_such_name")(models)
