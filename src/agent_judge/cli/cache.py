"""`agent-judge cache`: the replies that are kept, so that no model is asked the same twice."""

from __future__ import annotations

from pathlib import Path

import typer

from agent_judge.cli.terminal import emit, errors_explained

cache = typer.Typer(
    no_args_is_help=True, add_completion=False, help="See or clear the replies that are kept."
)


def cache_file() -> Path:
    """The file in which replies are kept: among the user's caches, made when first needed."""
    from agent_judge.extras import load

    platformdirs = load("platformdirs", extra="cli", needed_by="the cache of replies")
    return Path(platformdirs.user_cache_path("agent-judge")) / "replies.sqlite"


@cache.command()
def path() -> None:
    """Print the path of the file."""
    emit(f"{cache_file()}\n")


@cache.command()
def clear() -> None:
    """Forget every reply that is kept."""
    import asyncio

    from agent_judge.models.store import ReplyStore

    file = cache_file()
    with errors_explained():
        if file.exists():
            store = ReplyStore(file)
            asyncio.run(store.clear())
            store.close()
        emit(f"{file}: empty\n")
