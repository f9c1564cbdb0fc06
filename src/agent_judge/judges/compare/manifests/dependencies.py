"""Dependencies by identity, version and scope, as each ecosystem defines them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from agent_judge.extras import load
from agent_judge.judges.compare.comparison import Build
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.formats.json_tree import parse_json_tree
from agent_judge.judges.compare.formats.values import Keys
from agent_judge.judges.compare.node import Node, top_down

_CARGO_OPERATOR: Final = re.compile(r"(\^|~|=|<=|>=|<|>)?([0-9*].*)")
_LONGEST: Final = 2_000
"""Characters of a requirement that is read; a longer one is compared as it stands."""

_NPM_FIELDS: Final = (
    "dependencies", "devDependencies", "peerDependencies", "optionalDependencies",
)  # fmt: skip
_CARGO_TABLES: Final = ("dependencies", "dev-dependencies", "build-dependencies",
                        "dev_dependencies", "build_dependencies")  # fmt: skip


def requirement(text: str, line: int = 0) -> Node:
    """A requirement of Python (PEP 508): its name normalised, its version by value.

    One that is none is compared as it stands.
    """
    packaging: Any = load("packaging.requirements", extra="compare", needed_by="requirements")
    utils: Any = load("packaging.utils", extra="compare", needed_by="requirements")
    try:
        found = packaging.Requirement(text[:_LONGEST])
    except packaging.InvalidRequirement:
        found = None
    if found is None or len(text) > _LONGEST:
        return Node("string", text.strip(), name=text.strip()[:40], line=line)
    said = (
        ",".join(sorted(utils.canonicalize_name(extra) for extra in found.extras)),
        ",".join(sorted(_specifier(each, utils) for each in found.specifier)),
        str(found.marker or ""),
        found.url or "",
    )
    name: str = utils.canonicalize_name(found.name)
    return Node("requirement", (name, *said), name=name, line=line)


def _specifier(specifier: Any, utils: Any) -> str:
    """A version as PEP 440 compares it: `1.0` is `1.0.0`, but not after `~=`, which counts them."""
    operator, version = specifier.operator, specifier.version
    if operator == "===" or version.endswith(".*"):
        return f"{operator}{version}"
    strips = operator != "~="
    return f"{operator}{utils.canonicalize_version(version, strip_trailing_zero=strips)}"


def python_project(root: Node) -> bool:
    """Compare the requirements of a `pyproject.toml` as such, without order."""
    project = at(root, "project")
    arrays = [at(project, "dependencies"), at(root, "build-system", "requires")]
    for table in (at(project, "optional-dependencies"), at(root, "dependency-groups")):
        arrays += table.children if table is not None else []
    changed = [_requirements(array) for array in arrays if array is not None]
    poetry = at(root, "tool", "poetry")
    if poetry is not None:
        changed += [_poetry(table) for table in _poetry_tables(poetry)]
    return any(changed)


def _requirements(array: Node) -> bool:
    if array.kind != "array":
        return False
    array.free = True
    array.children = [
        requirement(child.value, child.line)
        if child.kind == "string" and isinstance(child.value, str)
        else child
        for child in array.children
    ]
    return True


def _poetry_tables(poetry: Node) -> Iterable[Node]:
    groups = at(poetry, "group")
    within = [at(group, "dependencies") for group in groups.children] if groups else []
    tables = [at(poetry, "dependencies"), at(poetry, "dev-dependencies"), *within]
    return [table for table in tables if table is not None]


def _poetry(table: Node) -> bool:
    utils: Any = load("packaging.utils", extra="compare", needed_by="requirements")
    _rename(table, utils.canonicalize_name)
    return _each_version(table, lambda text: ",".join(sorted("".join(text.split()).split(","))))


def node_package(root: Node) -> bool:
    """Compare the ranges of a `package.json` without the white space in them."""
    changed = [
        _each_version(table, _npm_range)
        for table in (at(root, name) for name in _NPM_FIELDS)
        if table is not None
    ]
    return any(changed)


def parse_package_json(document: Document) -> Build:
    """Read a `package.json`; the order of the conditions in `exports` and `imports` counts.

    Raises:
        SyntaxFaultError: It is no JSON.
        NotComparedError: It is not in UTF-8.
    """
    build = parse_json_tree(document)

    def build_ordered() -> Node:
        root = build()
        for name in ("exports", "imports"):
            conditions = at(root, name)
            for node in top_down(conditions) if conditions is not None else ():
                node.free = False
        return root

    return build_ordered


def _npm_range(text: str) -> str:
    return " ".join(text.split()) or "*"


def cargo_package(root: Node) -> bool:
    """Compare the dependencies of a `Cargo.toml`: `"1"` is `{ version = "^1" }`."""
    places = [root, at(root, "workspace"), *(_children(at(root, "target")))]
    tables = [at(place, name) for place in places if place is not None for name in _CARGO_TABLES]
    changed = False
    for table in tables:
        for dependency in _children(table):
            _cargo_dependency(dependency)
            changed = True
    return changed


def _cargo_dependency(dependency: Node) -> None:
    if dependency.kind == "string":
        version = Keys().name(Node("string", dependency.value, line=dependency.line), "version")
        dependency.kind, dependency.value, dependency.children = "object", None, [version]
        dependency.free = True
    _rename(dependency, lambda key: "default-features" if key == "default_features" else key)
    usual = {"default-features": "true", "optional": "false"}
    dependency.children = [
        child for child in dependency.children if usual.get(child.name) != child.kind
    ]
    for child in dependency.children:
        if child.name == "version" and isinstance(child.value, str):
            child.value = cargo_version(child.value)
        child.free = child.free or child.name == "features"


def cargo_version(text: str) -> str:
    """A requirement of Cargo, sorted and with its operators: without one it is a caret."""
    parts: list[str] = []
    for part in "".join(text.split()).split(","):
        match = _CARGO_OPERATOR.fullmatch(part)
        if match is None:
            return text
        operator = match[1] or ("" if "*" in match[2] else "^")
        parts.append(f"{operator}{match[2]}")
    return ",".join(sorted(parts))


def at(node: Node | None, *keys: str) -> Node | None:
    """The member that keys lead to."""
    for key in keys:
        node = next((child for child in _children(node) if child.name == key), None)
    return node


def _children(node: Node | None) -> list[Node]:
    return node.children if node is not None and node.kind == "object" else []


def _rename(table: Node, rename: Callable[[str], str]) -> None:
    keys = Keys()
    for child in table.children:
        keys.name(child, rename(child.name))


def _each_version(table: Node, change: Callable[[str], str]) -> bool:
    changed = False
    for child in _children(table):
        if child.kind == "string" and isinstance(child.value, str):
            before, child.value = child.value, change(child.value)
            changed = changed or before != child.value
    return changed
