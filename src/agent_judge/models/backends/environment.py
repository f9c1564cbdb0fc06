"""Credentials and addresses from the environment, under the names that the official SDKs read."""

from __future__ import annotations

import os

from agent_judge.errors import ArgumentError


def from_environment(name: str) -> str | None:
    """A variable of the environment; one that is empty counts as absent."""
    return os.environ.get(name) or None


def headers_from_environment(name: str) -> dict[str, str]:
    """Headers of every request, one a line as `Name: value`.

    Raises:
        ArgumentError: A line that is no header; it is not shown, since it may hold a credential.
    """
    headers: dict[str, str] = {}
    for line in (from_environment(name) or "").splitlines():
        if not line.strip():
            continue
        header, colon, value = line.partition(":")
        if not colon:
            raise ArgumentError(f"{name} must hold one header a line, as 'Name: value'")
        headers[header.strip()] = value.strip()
    return headers


def read_ollama_host(host: str | None) -> str:
    """The base URL that Ollama's own clients make of `OLLAMA_HOST`.

    The scheme, host and port may each be left out: `http`, `127.0.0.1` and 11434, or the port of
    the scheme where one is named.
    """
    given = (host or "").strip()
    scheme, separator, rest = given.partition("://")
    if not separator:
        scheme, rest, port = "http", given, "11434"
    else:
        port = {"http": "80", "https": "443"}.get(scheme, "11434")
    where, slash, path = rest.partition("/")
    name, named_port = _split_port(where)
    return f"{scheme}://{name or '127.0.0.1'}:{named_port or port}{slash}{path}".rstrip("/")


def _split_port(where: str) -> tuple[str, str]:
    """The host, an IPv6 address in brackets, and the port, each possibly empty."""
    if where.startswith("["):
        host, _, rest = where.partition("]")
        return f"{host}]", rest.removeprefix(":")
    host, _, port = where.rpartition(":") if ":" in where else (where, "", "")
    return (f"[{where}]", "") if ":" in host else (host, port)
