"""The tests in a Python file, as pytest and unittest find them."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from agent_judge.judges.diff.kept.python_assertions import (
    constant,
    dotted,
    skips,
    source_of,
)
from agent_judge.judges.diff.kept.python_bodies import Bodies
from agent_judge.judges.diff.kept.statements import Block, Calling, Function, Marker, SourceFile

_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

HOOKS: Final = frozenset(
    {
        "load_tests",
        "pytest_collect_file",
        "pytest_collection_modifyitems",
        "pytest_deselected",
        "pytest_generate_tests",
        "pytest_ignore_collect",
        "pytest_itemcollected",
        "pytest_make_collect_report",
        "pytest_pycollect_makeitem",
        "pytest_pyfunc_call",
        "pytest_runtest_call",
        "pytest_runtest_makereport",
        "pytest_runtest_protocol",
        "pytest_runtestloop",
    }
)
"""Functions that can leave tests out, or say how they ended, by their mere name."""

SWITCHES: Final = frozenset({"collect_ignore", "collect_ignore_glob", "__test__"})
"""Names whose assignment can leave tests out."""


def read_python(content: bytes) -> SourceFile:
    """The functions of a Python file.

    Raises:
        SyntaxError: It is none.
        ValueError: It holds a NUL, or an integer of too many digits.
    """
    tree = ast.parse(content)
    reader = _Reader(tree)
    reader.scope(tree.body, "", collected=True, markers=())
    return SourceFile(tuple(reader.functions.values()), tuple(reader.markers))


class _Reader:
    """Goes through the definitions of a module; of two with one name, the last one counts."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions: dict[str, Function] = {}
        self.markers: list[Marker] = []
        self._values = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self._bodies = Bodies()

    def scope(
        self, body: Iterable[ast.stmt], prefix: str, *, collected: bool, markers: tuple[Marker, ...]
    ) -> None:
        """Read the definitions of a module or class.

        Args:
            body: Its statements.
            prefix: The names of what it is in, each with a dot behind.
            collected: Whether functions in it are run as tests.
            markers: What keeps everything in it from being run.
        """
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._function(node, prefix, collected=collected, markers=markers)
                case ast.ClassDef():
                    self._class(node, prefix, collected=collected, markers=markers)
                case ast.Assign() | ast.AnnAssign() | ast.Delete():
                    self._assign(node, prefix)
                case ast.If():
                    self._if(node, prefix, collected=collected, markers=markers)
                case ast.Try() | ast.With():
                    self.scope(node.body, prefix, collected=collected, markers=markers)
                    if isinstance(node, ast.Try):
                        for part in (node.orelse, node.finalbody, *(h.body for h in node.handlers)):
                            self.scope(part, prefix, collected=collected, markers=markers)
                case _:
                    self.markers += self._bodies.skips_in([node])

    def _if(
        self, node: ast.If, prefix: str, *, collected: bool, markers: tuple[Marker, ...]
    ) -> None:
        known = constant(node.test)
        for arm, taken in ((node.body, known), (node.orelse, None if known is None else not known)):
            if taken is False:
                continue
            inside = markers
            if taken is None and arm is node.body:
                inside = (*markers, Marker(node.lineno, f"if {source_of(node.test)}:"))
            self.scope(arm, prefix, collected=collected, markers=inside)

    def _class(
        self, node: ast.ClassDef, prefix: str, *, collected: bool, markers: tuple[Marker, ...]
    ) -> None:
        name = f"{prefix}{node.name}."
        own = (*markers, *self._decorators(node.decorator_list), *self._class_marks(node))
        self.scope(node.body, name, collected=collected and _is_test_class(node), markers=own)

    def _class_marks(self, node: ast.ClassDef) -> Iterator[Marker]:
        for item in node.body:
            if isinstance(item, ast.Assign) and _names(item.targets) & {"pytestmark"}:
                yield from self._decorators(_elements(item.value))

    def _function(
        self, node: _Definition, prefix: str, *, collected: bool, markers: tuple[Marker, ...]
    ) -> None:
        name = prefix + node.name
        if node.name in HOOKS:
            self.markers.append(Marker(node.lineno, f"def {node.name}"))
        is_test = collected and node.name.startswith("test")
        body: Block = (*_fixtures(node), *self._bodies.block(node.body))
        self.functions[name] = Function(
            name,
            node.lineno,
            body,
            _shape(node.body),
            (*markers, *self._decorators(node.decorator_list), *_odd_kinds(node)),
            self._cases(node.decorator_list),
            is_test,
            node.name,
        )
        if not is_test and _runs_for_all(node):
            self.markers += self._bodies.skips_in(node.body)

    def _assign(self, node: ast.Assign | ast.AnnAssign | ast.Delete, prefix: str) -> None:
        """A name that is given another value is no longer the test of that name."""
        if isinstance(node, ast.AnnAssign):
            targets: list[ast.expr] = [node.target]
            value = node.value
        else:
            targets, value = node.targets, getattr(node, "value", None)
        names = _names(targets)
        if names & {"pytestmark"} and not prefix and value is not None:
            self.markers += self._decorators(_elements(value))
        if names & SWITCHES and _switches_off(names, value):
            self.markers.append(Marker(node.lineno, source_of(node)))
        for name in names:
            function = self.functions.pop(prefix + name, None)
            if function is not None and value is not None and name in _loaded(value):
                marks = (*function.markers, *self._decorators([value]))
                self.functions[prefix + name] = Function(
                    function.name,
                    function.line,
                    function.body,
                    function.shape,
                    marks,
                    function.cases,
                    function.is_test,
                    function.reachable_by,
                )

    def _decorators(self, nodes: Iterable[ast.expr]) -> Iterator[Marker]:
        """Those that keep a test from being run, by their own name or by what they stand for."""
        for node in nodes:
            meant = self._values.get(node.id, node) if isinstance(node, ast.Name) else node
            if skips(meant):
                yield Marker(node.lineno, f"@{source_of(meant)}")
            for call in ast.walk(meant):
                if isinstance(call, ast.Call) and dotted(call.func).endswith("param"):
                    for keyword in call.keywords:
                        if keyword.arg == "marks":
                            yield from self._decorators(_elements(keyword.value))

    def _cases(self, decorators: Iterable[ast.expr]) -> int | None:
        """How many sets of parameters the decorators give, where they are written down."""
        cases: int | None = 1
        for node in decorators:
            if not (isinstance(node, ast.Call) and dotted(node.func).endswith("parametrize")):
                continue
            values = next((k.value for k in node.keywords if k.arg == "argvalues"), None)
            values = node.args[1] if values is None and len(node.args) > 1 else values
            if isinstance(values, ast.Name):
                values = self._values.get(values.id, values)
            known = isinstance(values, ast.List | ast.Tuple | ast.Set)
            if not known or any(isinstance(item, ast.Starred) for item in values.elts):  # type: ignore[union-attr]
                return None
            cases *= len(values.elts)  # type: ignore[union-attr,operator]
        return cases


def _odd_kinds(node: _Definition) -> Iterator[Marker]:
    """What runners do not run as it stands: a coroutine, unless a plugin does, and a generator."""
    marks = " ".join(dotted(decorator) for decorator in node.decorator_list)
    if isinstance(node, ast.AsyncFunctionDef) and not re.search("asyncio|anyio|trio", marks):
        yield Marker(node.lineno, "async def")
    if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in _own_parts(node)):
        yield Marker(node.lineno, "yield")


def _own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """What a function is made of, less the functions in it."""
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield part
            yield from _own_parts(part)


def _switches_off(names: set[str], value: ast.expr | None) -> bool:
    """Whether a value can leave tests out: of `__test__` all but a true one, else any of some."""
    known = None if value is None else constant(value)
    return known is not True if "__test__" in names else known is not False


SET_UPS: Final = frozenset(
    {
        "asyncSetUp",
        "setUp",
        "setUpClass",
        "setUpModule",
        "setup_class",
        "setup_function",
        "setup_method",
        "setup_module",
    }
)
"""Functions that run before tests by their mere name."""


def _runs_for_all(node: _Definition) -> bool:
    """Whether a function runs before tests that do not ask for it."""
    autouse = any(
        keyword.arg == "autouse" and constant(keyword.value) is not False
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
    )
    return autouse or node.name in SET_UPS


def _fixtures(node: _Definition) -> Iterator[Calling]:
    """What a test asks for by its parameters, or by `usefixtures`, runs before it."""
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    for argument in given:
        if argument.arg not in ("self", "cls"):
            yield Calling(node.lineno, argument.arg)
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and dotted(decorator).endswith("usefixtures"):
            for name in decorator.args:
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    yield Calling(node.lineno, name.value)


def _is_test_class(node: ast.ClassDef) -> bool:
    bases = [dotted(base) for base in node.bases]
    if any(base.endswith(("TestCase", "Test", "Tests", "TestBase", "TestMixin")) for base in bases):
        return True
    has_init = any(
        isinstance(item, ast.FunctionDef) and item.name == "__init__" for item in node.body
    )
    return node.name.startswith("Test") and not has_init


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else [node]


def _names(targets: Iterable[ast.expr]) -> set[str]:
    """The names that are assigned, that of an attribute included."""
    names: set[str] = set()
    for target in targets:
        match target:
            case ast.Name(name) | ast.Attribute(attr=name):
                names.add(name)
            case ast.Tuple(parts) | ast.List(parts):
                names |= _names(parts)
            case _:
                pass
    return names


def _loaded(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _shape(body: Iterable[ast.stmt]) -> str:
    dumped = "\n".join(ast.dump(node) for node in body)
    return hashlib.sha256(dumped.encode("utf-8", "surrogatepass")).hexdigest()[:16]
