"""Whether the output is valid against a JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, cast

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_seconds
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.extras import load
from agent_judge.frozen import Json, freeze, thaw
from agent_judge.judges.data.pointers import pointer
from agent_judge.judges.data.reading import Fence, ask, check_source, read_json, source_name
from agent_judge.judges.data.values import is_object
from agent_judge.judges.killable import Pool
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata

LATEST: Final = "https://json-schema.org/draft/2020-12/schema"
"""The draft of a schema that does not say."""

_SHOWN: Final = 300
"""Characters that are kept of what is wrong."""

_CHILDREN: Final = Pool(Path(__file__).with_name("schema_task.py"))


@dataclass(frozen=True, slots=True)
class JsonSchemaJudge:
    """Whether the output, or a file of the workspace, is valid against a schema (extra `data`).

    Each violation of the JSON Schema, up to a hundred, is a check with its place as a JSON
    Pointer. Validation ends at its deadline, whatever patterns the schema holds and whatever it is
    given: it is done in a child process. Nothing is ever fetched: a reference has to lead to a
    place within the schema, or to one of the published drafts.

    Args:
        schema: The schema. Its `$schema` chooses the draft, from 4 to 2020-12, which is the one of
            a schema without.
        path: A file of the workspace to read instead of the output, in UTF-8.
        fence: Whether a Markdown code fence around the whole text is no JSON (`"refuse"`), or
            taken off first (`"strip"`).
        formats: Whether `format` only informs (`"ignore"`, as drafts since 2019-09 have it), or is
            a requirement (`"require"`). Then a format that cannot be checked here is refused.
        timeout: Seconds that validation may take.

    Raises:
        ArgumentError: A schema that is none, a reference that leads out of it, an unknown draft,
            format or word, or a path that leaves the workspace.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `jsonschema` is not installed.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = JsonSchemaJudge({"properties": {"a": {"type": "integer"}}})
        >>> evaluate(judge, JudgmentContext(output='{"a": "1"}')).reasoning
        "/a: '1' is not of type 'integer'"
    """

    schema: Mapping[str, Json] | bool
    path: str | None = None
    fence: Fence = "refuse"
    formats: Literal["ignore", "require"] = "ignore"
    timeout: float = 10.0
    _text: str = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "JsonSchemaJudge",
        cost=Cost.FILE,
        type="json_schema",
        needs=("output", "workspace"),
        version="1",
    )

    def __post_init__(self) -> None:
        _set(self, "path", check_source(self.path, self.fence))
        check_choice(self.formats, ("ignore", "require"), "formats")
        check_seconds(self.timeout, "timeout")
        if not isinstance(self.schema, bool | Mapping):
            raise ArgumentTypeError(f"schema must be an object or a boolean, not {self.schema!r}")
        _set(self, "schema", freeze(self.schema, "schema"))
        _check_schema(thaw(self.schema), self.formats == "require")
        _set(self, "_text", json.dumps(thaw(self.schema)))

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Validate the output or file."""
        value = read_json(context, self.path, self.fence)
        if isinstance(value, Judgment):
            return value
        formats = self.formats == "require"
        request = {"schema": self._text, "formats": formats, "value": thaw(value)}
        violations = ask(_CHILDREN, request, self.timeout, "validation against the schema")
        if isinstance(violations, Judgment):
            return violations
        if not violations:
            message = f"{source_name(self.path)} is valid against the schema"
            return Judgment.passing(message, checks=(Check("schema", True, "is valid"),))
        checks = [_check(place, keyword, message) for place, keyword, message in violations]
        return Judgment.from_checks(checks)


_set = object.__setattr__


def _check(place: list[str | int], keyword: str | None, message: str) -> Check:
    found = shown(message if len(message) <= _SHOWN else f"{message[:_SHOWN]}…")
    return Check(pointer(place), False, found if keyword else "nothing is allowed here")


def _check_schema(schema: Any, formats: bool) -> None:
    """Refuse what is no schema, and what it asks for that cannot be done here."""
    validators: Any = load("jsonschema.validators", extra="data", needed_by="JsonSchemaJudge")
    registry: Any = load("jsonschema_specifications", extra="data", needed_by="JsonSchemaJudge")
    from jsonschema import SchemaError
    from referencing import Resource
    from referencing.jsonschema import DRAFT202012

    draft: object = schema.get("$schema", LATEST) if is_object(schema) else LATEST
    kind = validators.validator_for({"$schema": draft}, None) if isinstance(draft, str) else None
    if kind is None:
        raise ArgumentError(f"schema has the unknown draft {draft!r} as its $schema")
    try:
        kind.check_schema(schema)
    except SchemaError as fault:
        raise ArgumentError(
            f"schema is no JSON Schema: at {pointer(list(fault.absolute_path))}, {fault.message}"
        ) from None
    resource: Any = Resource.from_contents(schema, default_specification=DRAFT202012)
    parts = list(_parts(resource, registry.REGISTRY.resolver_with_root(resource)))
    for part, resolver in parts:
        _check_references(part, resolver)
        if formats:
            _check_format(part, kind.FORMAT_CHECKER.checkers)


def _parts(resource: Any, resolver: Any) -> Iterator[tuple[Mapping[str, Any], Any]]:
    """A schema and every schema within it, each with what finds its references."""
    contents: object = resource.contents
    if isinstance(contents, dict):
        yield cast("dict[str, Any]", contents), resolver
    for part in resource.subresources():
        yield from _parts(part, resolver.in_subresource(part))


def _check_references(part: Mapping[str, Any], resolver: Any) -> None:
    from referencing.exceptions import Unresolvable

    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        reference = part.get(keyword)
        if isinstance(reference, str):
            try:
                resolver.lookup(reference)
            except Unresolvable:
                raise ArgumentError(
                    f"schema refers to {reference!r}, which is not in it; nothing is fetched, so "
                    "put it under $defs"
                ) from None


def _check_format(part: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    required = part.get("format")
    if isinstance(required, str) and required not in known:
        raise ArgumentError(
            f"schema has the format {required!r}, which cannot be checked here; "
            f"these can: {', '.join(sorted(known))}"
        )
