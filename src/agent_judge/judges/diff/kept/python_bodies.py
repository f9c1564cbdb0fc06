"""The statements of a Python function, as far as they matter to its assertions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agent_judge.judges.diff.kept.python_assertions import (
    catches_assertions,
    constant,
    dotted,
    expects_raise,
    failing,
    from_assert,
    from_call,
    skipping,
    source_of,
)
from agent_judge.judges.diff.kept.statements import (
    Attempting,
    Block,
    Branching,
    Calling,
    Failing,
    Leaving,
    Looping,
    Marker,
    Skipping,
    Statement,
)
from agent_judge.judges.diff.kept.strength import skips_in


class Bodies:
    """Turns the statements of functions into those that matter."""

    def block(self, nodes: Iterable[ast.stmt]) -> Block:
        """The statements of a block."""
        found = list(nodes)
        used = {part.id for node in found for part in ast.walk(node) if isinstance(part, ast.Name)}
        return tuple(statement for node in found for statement in self._of(node, used))

    def skips_in(self, nodes: Iterable[ast.stmt]) -> list[Marker]:
        """Every skip in some statements, whatever it is in."""
        return list(skips_in(self.block(nodes)))

    def _of(self, node: ast.stmt, used: set[str]) -> Iterator[Statement]:
        line = node.lineno
        match node:
            case ast.Assert():
                yield from _calls(node)
                yield from_assert(node)
            case ast.Return():
                yield from self._expressions(node)
                yield Leaving(line, source_of(node))
            case ast.Raise():
                yield _raise(node)
            case ast.Break() | ast.Continue():
                yield Leaving(line, source_of(node), far=False)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if node.name in used:
                    yield from self.block(node.body)
            case ast.ClassDef():
                if node.name in used:
                    for method in node.body:
                        yield from self.block(getattr(method, "body", ()))
            case _:
                yield from self._compound(node)

    def _compound(self, node: ast.stmt) -> Iterator[Statement]:
        line = node.lineno
        match node:
            case ast.If(test, body, orelse):
                yield from _calls(test)
                known = constant(test)
                taken = None if known is None else int(not known)
                both = (self.block(body), self.block(orelse))
                yield Branching(line, source_of(test), both, taken, bool(orelse))
            case ast.Match(subject, cases):
                arms = tuple(self.block(case.body) for case in cases)
                complete = any(map(_is_wildcard, cases))
                yield Branching(line, source_of(subject), arms, None, complete)
            case ast.For() | ast.AsyncFor():
                yield from self._loop(node, source_of(node.iter), _is_nothing(node.iter))
            case ast.While():
                yield from self._loop(node, source_of(node.test), constant(node.test) is False)
            case ast.Try() | ast.TryStar():
                yield self._try(node)
            case ast.With() | ast.AsyncWith():
                yield from self._with(node)
            case _:
                yield from self._expressions(node)

    def _expressions(self, node: ast.stmt) -> Iterator[Statement]:
        """What the calls in a simple statement do, the outer one by its name first."""
        value = getattr(node, "value", None)
        inner = value.value if isinstance(value, ast.Await) else value
        if isinstance(inner, ast.Call):
            if skipping(inner):
                yield Skipping(node.lineno, source_of(inner))
                return
            if failing(inner):
                yield Failing(node.lineno, source_of(inner))
                return
            assertion = expects_raise(inner) or from_call(inner)
            if assertion is not None:
                yield assertion
                return
        yield from _calls(node)

    def _loop(
        self, node: ast.For | ast.AsyncFor | ast.While, text: str, never: bool
    ) -> Iterator[Statement]:
        yield Looping(node.lineno, text, self.block(node.body), never)
        yield from self.block(node.orelse)

    def _try(self, node: ast.Try | ast.TryStar) -> Statement:
        swallowing = [
            handler
            for handler in node.handlers
            if catches_assertions(iter([handler.type])) and not _fails_again(handler.body)
        ]
        caught = swallowing[0].type if swallowing else None
        text = f"except {source_of(caught)}" if caught is not None else "except"
        return Attempting(
            node.lineno,
            text,
            (*self.block(node.body), *self.block(node.orelse)),
            tuple(self.block(handler.body) for handler in node.handlers),
            self.block(node.finalbody),
            bool(swallowing),
        )

    def _with(self, node: ast.With | ast.AsyncWith) -> Iterator[Statement]:
        swallows = ""
        for item in node.items:
            call = item.context_expr
            expected = expects_raise(call)
            if expected is not None:
                yield expected
            name = dotted(call)
            raises = expected is not None and "warn" not in name.lower()
            if (raises or name.endswith("suppress")) and isinstance(call, ast.Call):
                if catches_assertions(iter(call.args)):
                    swallows = source_of(call)
            else:
                yield from _calls(call)
        body = self.block(node.body)
        if swallows:
            yield Attempting(node.lineno, f"with {swallows}", body, swallows=True)
        else:
            yield from body


def _raise(node: ast.Raise) -> Statement:
    """What is raised fails the test, unless it skips it."""
    if node.exc is not None and skipping(node.exc):
        return Skipping(node.lineno, source_of(node))
    return Failing(node.lineno, source_of(node))


def _calls(node: ast.AST) -> Iterator[Calling]:
    """Calls by a plain name, or of a method of the test's own object."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            match part.func:
                case ast.Name(name) | ast.Attribute(ast.Name("self" | "cls"), name):
                    yield Calling(part.lineno, name)
                case _:
                    pass


def _fails_again(body: Iterable[ast.stmt]) -> bool:
    """Whether a handler raises again, or fails the test, at its own level."""
    for node in body:
        if isinstance(node, ast.Raise) and not (node.exc is not None and skipping(node.exc)):
            return True
        if isinstance(node, ast.Expr) and failing(node.value):
            return True
        if isinstance(node, ast.Assert) and constant(node.test) is False:
            return True
    return False


def _is_nothing(node: ast.expr) -> bool:
    """Whether a loop over it never runs."""
    match node:
        case ast.List([]) | ast.Tuple([]) | ast.Constant("" | b""):
            return True
        case ast.Dict(keys):
            return not keys
        case ast.Call(ast.Name("range"), [ast.Constant(int() as end)]):
            return end <= 0
        case ast.Call(ast.Name("list" | "set" | "tuple" | "dict" | "iter"), arguments):
            return not arguments or _is_nothing(arguments[0])
        case _:
            return False


def _is_wildcard(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and not case.guard
