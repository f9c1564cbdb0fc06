"""What is wrong with a configuration: every fault with its place, kept until all was read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import TypeVar

from agent_judge.errors import AgentJudgeError

T = TypeVar("T")


class Faults:
    """The faults found so far, in the order of the file."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def add(self, place: str, what: str) -> None:
        """Note a fault."""
        self._found.append(f"{place or 'the file'}: {what}")

    def attempt(self, place: str, make: Callable[[], T]) -> T | None:
        """Make something; whatever keeps it from being made is a fault of the configuration.

        Classes of one's own are made here, too: they may raise anything, or end the program.
        """
        try:
            return make()
        except AgentJudgeError as fault:
            self.add(place, str(fault))
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - one's own code may raise anything
            self.add(place, f"{type(fault).__name__}: {fault}")
        return None

    def check_known(self, table: Mapping[str, object], known: Collection[str], place: str) -> None:
        """Note every key that nobody knows."""
        for key in table:
            if key not in known:
                self.add(join(place, key), unknown("option", key, known))


def join(place: str, key: str) -> str:
    """The place of a key in a table."""
    return f"{place}.{key}" if place else key


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """That a name is not known, what may have been meant, and what is known."""
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"unknown {what} {name!r}; {hint}known are {', '.join(sorted(known)) or 'none'}"
