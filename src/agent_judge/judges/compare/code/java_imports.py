"""Normalisations of the imports of Java."""

from __future__ import annotations

from agent_judge.judges.compare.code.code_rules import text_of, unordered
from agent_judge.judges.compare.node import Node, top_down

_STAR = "*"


def import_order(root: Node) -> bool:
    """Make one unordered node of all imports: none of them depends on another (JLS 7.5)."""
    imports = root.of_kind("import_declaration")
    if not imports:
        return False
    once = {imported_name(declaration): declaration for declaration in imports}
    together = unordered("imports", list(once.values()), imports)
    for name, declaration in once.items():
        declaration.name = name
    others = [child for child in root.children if child.kind != "import_declaration"]
    place = root.children.index(imports[0])
    root.children = [*others[:place], together, *others[place:]]
    return True


def wildcard_imports(reference: Node, candidate: Node) -> bool:
    """Where one side imports all of a package, count single imports of the other as all of it."""
    ours, theirs = _imports(reference), _imports(candidate)
    if ours is None or theirs is None:
        return False
    declared = _declared(reference) | _declared(candidate)
    packages = _packages(ours) | _packages(theirs)
    changed = [_widen(side, packages, declared) for side in (ours, theirs)]
    return any(changed)


def _imports(root: Node) -> Node | None:
    return next(iter(root.of_kind("imports")), None)


def _packages(imports: Node) -> set[str]:
    """What is imported with all that is in it."""
    names = (imported_name(declaration) for declaration in imports.children)
    return {name.removesuffix(f".{_STAR}") for name in names if name.endswith(_STAR)}


def _widen(imports: Node, packages: set[str], declared: set[str]) -> bool:
    widened: dict[str, Node] = {}
    for declaration in imports.children:
        name = imported_name(declaration)
        package, _, single = name.rpartition(".")
        if package in packages and single not in declared:
            name = f"{package}.{_STAR}"
        kept = Node("import", name, name=name, line=declaration.line)
        kept.start, kept.end = declaration.start, declaration.end
        widened.setdefault(name, kept)
    before = [imported_name(declaration) for declaration in imports.children]
    imports.children = list(widened.values())
    return list(widened) != before


def imported_name(declaration: Node) -> str:
    """For example `java.util.List`, `java.util.*` or `static org.junit.Assert.fail`."""
    if declaration.kind == "import":
        return declaration.name
    text = text_of(declaration).removeprefix("import").removesuffix(";")
    return f"static {text.removeprefix('static')}" if declaration.has("static") else text


def _declared(root: Node) -> set[str]:
    """The names of types that a file declares."""
    return {
        node.name for node in top_down(root) if node.kind.endswith("_declaration") and node.name
    }
