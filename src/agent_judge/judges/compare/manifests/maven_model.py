"""A Maven POM as its model means it: what is written in two ways is one tree.

The defaults are those of the reference of the model (maven.apache.org/ref/current/maven-model).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent_judge.judges.compare.formats.xml_rules import said, sort_siblings
from agent_judge.judges.compare.node import Node, rewrite, top_down

_NAMESPACE: Final = re.compile(r"\{http://maven\.apache\.org/POM/[0-9.]+\}")
_PROPERTY: Final = re.compile(r"\$\{([^${}]+)\}")
_LONGEST: Final = 10_000
"""Characters that a text may grow to when properties are put in."""

_DEFAULTS: Final = {
    "dependency": {"scope": "compile", "type": "jar", "optional": "false"},
    "project": {"packaging": "jar"},
    "plugin": {
        "groupId": "org.apache.maven.plugins",
        "extensions": "false",
        "inherited": "true",
    },
    "parent": {"relativePath": "../pom.xml"},
}
_MANAGEMENT: Final = "dependencyManagement"
_IDENTIFIED: Final = ("dependency", "plugin", "exclusion", "extension", "parent")
_COORDINATES: Final = ("groupId", "artifactId", "type", "classifier")


def name_artifacts(root: Node) -> None:
    """Name dependencies and plugins by what they are, so that each is compared with itself."""
    for element in top_down(root):
        if element.name in _IDENTIFIED:
            said_of = (text_of(part) for part in _parts(element, _COORDINATES))
            element.name = f"{element.name} {':'.join(said_of)}"


def keep_configuration(root: Node) -> None:
    """Within the configuration of a plugin, keep the order of elements of the same name."""
    for configuration in top_down(root):
        if configuration.kind == "element" and configuration.name == "configuration":
            for node in top_down(configuration):
                node.free = False
            sort_siblings(configuration)


def namespace(root: Node) -> bool:
    """Drop the namespace of POMs."""

    def visit(node: Node) -> bool:
        if node.kind != "element" or not isinstance(node.value, str):
            return False
        before, node.value = node.value, _NAMESPACE.sub("", node.value)
        return before != node.value

    changed = rewrite(root, visit)
    for project in _named(root, "project"):
        kept = [child for child in project.children if not _names_schema(child)]
        changed = changed or len(kept) < len(project.children)
        project.children = kept
    return changed


def _names_schema(node: Node) -> bool:
    return node.kind == "attribute" and node.name == "@schemaLocation"


def property_interpolation(root: Node) -> bool:
    """Put in the values of properties that the POM itself defines, and no profile of it."""
    known = dict(_properties(root))
    changed = False
    for node in top_down(root):
        if node.kind == "text":
            text = _interpolated(said(node), known)
            changed = changed or text != said(node)
            node.value = (text,)
    return changed


def _properties(root: Node) -> Iterator[tuple[str, str]]:
    for project in _named(root, "project"):
        overridden = {
            child.name
            for profile in top_down(project)
            if profile.name == "profile"
            for properties in _parts(profile, ("properties",))
            for child in properties.of_kind("element")
        }
        for part in _parts(project, ("groupId", "artifactId", "version")):
            yield f"project.{part.name}", text_of(part)
            yield f"pom.{part.name}", text_of(part)
        for properties in _parts(project, ("properties",)):
            for child in properties.of_kind("element"):
                if child.name not in overridden:
                    yield child.name, text_of(child)


def _interpolated(text: str, known: dict[str, str]) -> str:
    for _ in range(10):
        if "${" not in text or len(text) > _LONGEST:
            break
        longer = _PROPERTY.sub(lambda found: known.get(found[1], found[0]), text)
        if longer == text or len(longer) > _LONGEST:
            break
        text = longer
    return text


def model_defaults(node: Node) -> bool:
    """Drop what says no more than what holds anyway."""
    defaults = _DEFAULTS.get(node.name.partition(" ")[0], {})
    kept = [child for child in node.children if defaults.get(child.name) != text_of(child)]
    changed = len(kept) < len(node.children)
    node.children = kept
    return changed


def managed_versions(root: Node) -> bool:
    """Drop the version of a dependency that is the one that the POM itself manages."""
    managed = {
        dependency.name: text_of(version)
        for project in _named(root, "project")
        for management in _parts(project, (_MANAGEMENT,))
        for dependency in _dependencies(management)
        for version in _parts(dependency, ("version",))
    }
    changed = False
    for project in _named(root, "project"):
        for dependency in _dependencies(project):
            for version in _parts(dependency, ("version",)):
                if managed.get(dependency.name) == text_of(version):
                    dependency.children.remove(version)
                    changed = True
    return changed


def _dependencies(around: Node) -> list[Node]:
    lists = _parts(around, ("dependencies",))
    return [dependency for each in lists for dependency in each.of_kind("element")]


def _named(root: Node, name: str) -> list[Node]:
    return [child for child in root.of_kind("element") if child.name == name]


def _parts(element: Node, names: tuple[str, ...]) -> list[Node]:
    """The parts of an element that have one of these names, in the order of the names."""
    return [child for name in names for child in element.of_kind("element") if child.name == name]


def text_of(element: Node) -> str:
    """The text of an element that holds nothing else; otherwise none."""
    texts = element.of_kind("text")
    return said(texts[0]) if len(texts) == len(element.children) == 1 else ""
