"""YAML as data, with the line of each value, read from the parser's events without recursion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from agent_judge.extras import load
from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import NotComparedError, SyntaxFaultError, too_deep
from agent_judge.judges.compare.formats.values import Counter, Keys, number
from agent_judge.judges.compare.node import Node, Value
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from types import ModuleType

_TAG: Final = "tag:yaml.org,2002:"
PARSE_SECONDS: Final = 10.0
"""How long the parser in Python may take, which is slow where a text nests deep."""

_LONGEST: Final = 1000
"""Characters of a scalar that is read as a number or a date; longer ones are text."""


def parse_yaml_tree(document: Document) -> Build:
    """Read a stream of YAML documents, scalars as YAML 1.1 has them.

    Raises:
        SyntaxFaultError: It is none.
        NotComparedError: It holds itself, or too much.
    """
    yaml = load("yaml", extra="yaml", needed_by="comparing YAML")
    events = _events(yaml, document.data)
    _Reader(yaml).read(events)
    return lambda: _Reader(yaml).read(events)


def _events(yaml: ModuleType, data: bytes) -> list[Any]:
    """What the parser finds; where the one in C refuses a short text, the other one decides.

    The one in C knows less of YAML: no reserved directives, and tabs in fewer places.
    """
    quick = getattr(yaml, "CSafeLoader", None)
    if quick is not None:
        try:
            return list(yaml.parse(data, quick))
        except (yaml.YAMLError, ValueError) as fault:
            if "maximum nesting depth" in str(fault):
                raise too_deep() from None
    try:
        return list(_until(yaml.parse(data, yaml.SafeLoader), monotonic() + PARSE_SECONDS))
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        raise _fault(fault) from None


def _until(events: Iterator[Any], deadline: float) -> Iterator[Any]:
    for event in events:
        if monotonic() > deadline:
            reason = f"parsing it took more than {PARSE_SECONDS:g} s"
            raise NotComparedError(reason, ReasonCode.TIMEOUT)
        yield event


def _fault(fault: Any) -> Exception:
    if isinstance(fault, RecursionError):
        return too_deep()
    mark = getattr(fault, "problem_mark", None)
    reason = getattr(fault, "problem", None) or str(fault).partition("\n")[0]
    return SyntaxFaultError(reason, None if mark is None else mark.line + 1)


@dataclass(slots=True)
class _Open:
    """A collection that is not closed yet."""

    node: Node
    anchor: str | None
    keys: Keys = field(default_factory=Keys)
    key: Node | None = None
    merged: list[Node] = field(default_factory=list[Node])


class _Reader:
    """Makes nodes of events, holding what is not closed yet on a stack of its own."""

    def __init__(self, yaml: ModuleType) -> None:
        self._yaml = yaml
        self._scalars = _scalars(yaml)
        self._counter = Counter()
        self._documents: list[Node] = []
        self._open: list[_Open] = []
        self._anchors: dict[str, Node | None] = {}

    def read(self, events: list[Any]) -> Node:
        """The one document of a stream, or all of them under one node."""
        for event in events:
            self._take(event)
        if len(self._documents) == 1:
            return self._documents[0]
        for index, document in enumerate(self._documents):
            document.name = f"document {index + 1}"
        return Node("documents", children=self._documents, line=1)

    def _take(self, event: Any) -> None:
        match type(event).__name__:
            case "DocumentStartEvent":
                self._anchors = {}
            case "ScalarEvent":
                self._put(self._scalar(event), event.anchor)
            case "AliasEvent":
                self._put(self._aliased(event), None)
            case "SequenceStartEvent" | "MappingStartEvent":
                self._enter(event)
            case "SequenceEndEvent" | "MappingEndEvent":
                closed = self._open.pop()
                self._counter.count(sum(len(merged.children) for merged in closed.merged))
                _merge(closed)
                self._put(closed.node, closed.anchor)
            case _:
                pass

    def _enter(self, event: Any) -> None:
        mapping = isinstance(event, self._yaml.MappingStartEvent)
        plain = "object" if mapping else "array"
        usual = (None, "!", f"{_TAG}{'map' if mapping else 'seq'}")
        kind = plain if event.tag in usual else f"{plain} {event.tag}"
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        node = Node(kind, free=mapping, line=event.start_mark.line + 1)
        self._open.append(_Open(node, event.anchor))

    def _aliased(self, event: Any) -> Node:
        if event.anchor not in self._anchors:
            raise SyntaxFaultError(
                f"the alias {event.anchor!r} names nothing", event.start_mark.line + 1
            )
        node = self._anchors[event.anchor]
        if node is None:
            raise NotComparedError(f"{event.anchor!r} holds itself", ReasonCode.REFUSED)
        # The parts are shared; the role is that of this place.
        return replace(node, role="", name="", number=-1)

    def _put(self, node: Node, anchor: str | None) -> None:
        self._counter.count()
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._open:
            self._documents.append(node)
            return
        around = self._open[-1]
        if not around.node.kind.startswith("object"):
            around.node.children.append(node)
        elif around.key is None:
            around.key = node
        else:
            self._member(around, around.key, node)
            around.key = None

    def _member(self, around: _Open, key: Node, node: Node) -> None:
        if key.kind == "merge":
            around.merged += [node] if node.kind == "object" else node.children
        elif key.children:
            around.node.children.append(Node("pair", children=[key, node], line=key.line))
        else:
            # The anchor stands for the value; here it has a role of its own.
            placed = replace(node, number=-1)
            said = "".join(key.value or ())
            kind = "" if key.kind == "string" else key.kind
            around.node.children.append(around.keys.name(placed, said, kind))

    def _scalar(self, event: Any) -> Node:
        kind, value = self._scalars.read(event)
        return Node(kind, value, line=event.start_mark.line + 1)


def _merge(closed: _Open) -> None:
    """Add what `<<` brings, where the mapping does not say it itself (YAML 1.1 merge key)."""
    present = {child.role for child in closed.node.children}
    for mapping in closed.merged:
        for child in mapping.children:
            if child.role not in present:
                present.add(child.role)
                closed.node.children.append(child)


class _Scalars:
    """What scalars say, by the rules and constructors of the package."""

    def __init__(self, yaml: ModuleType) -> None:
        self._node = yaml.ScalarNode
        self._resolver = yaml.resolver.Resolver()
        self._constructor = yaml.constructor.SafeConstructor()
        self._constructors = {
            f"{_TAG}int": self._constructor.construct_yaml_int,
            f"{_TAG}float": self._constructor.construct_yaml_float,
            f"{_TAG}bool": self._constructor.construct_yaml_bool,
            f"{_TAG}timestamp": self._constructor.construct_yaml_timestamp,
            f"{_TAG}binary": self._constructor.construct_yaml_binary,
        }

    def read(self, event: Any) -> tuple[str, Value]:
        """The kind and value of a scalar."""
        tag: str | None = event.tag
        if tag is None:
            tag = self._resolver.resolve(self._node, event.value, event.implicit)
        if tag in ("!", f"{_TAG}str", f"{_TAG}value") or len(event.value) > _LONGEST:
            return "string", event.value
        if tag == f"{_TAG}null":
            return "null", None
        if tag == f"{_TAG}merge":
            return "merge", event.value
        if tag not in self._constructors:
            return f"scalar {tag}", event.value
        try:
            value = self._constructors[tag](self._node(tag, event.value))
        except (ValueError, KeyError, self._error()):
            return f"scalar {tag}", event.value
        return _said(value, tag.removeprefix(_TAG))

    def _error(self) -> type[Exception]:
        from yaml import YAMLError

        return YAMLError


def _said(value: object, kind: str) -> tuple[str, Value]:
    if isinstance(value, bool):
        return str(value).lower(), None
    if isinstance(value, int | float):
        return "number", number(str(value) if isinstance(value, int) else repr(value))
    return kind, value.hex() if isinstance(value, bytes) else str(value)


@cache
def _scalars(yaml: ModuleType) -> _Scalars:
    return _Scalars(yaml)
