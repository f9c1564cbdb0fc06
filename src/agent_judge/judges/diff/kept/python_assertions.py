"""What asserts and what skips in Python, by the names that pytest, unittest and others use."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from typing import Final

from agent_judge.judges.diff.kept.statements import Assertion, Rank

_ASSERTING: Final = re.compile(
    r"_*(assert|expect|verify|ensure|should|must|check_that)", re.IGNORECASE
)
_SKIPPING: Final = re.compile(
    r"skip|xfail|expectedFailure|expected_failure|disabled?$|^ignore", re.IGNORECASE
)
_LEAVING: Final = frozenset(
    {"sys.exit", "os._exit", "exit", "quit", "os.abort", "pytest.exit", "os.kill"}
)
_SKIP_CALLS: Final = re.compile(
    r"(pytest\.)?(skip|xfail|importorskip)|(self|cls|\w+)\.skipTest|(unittest\.)?SkipTest"
)
_FAIL_CALLS: Final = re.compile(r"(pytest|self|cls)\.fail|fail")
_RAISES: Final = re.compile(
    r"(pytest\.)?(raises|warns|deprecated_call|RaisesGroup)|(self|cls)\.assert(Raises|Warns|Logs)\w*"
)
_BROAD: Final = frozenset({"Exception", "BaseException", "AssertionError"})
_ANYTHING: Final = frozenset({"Exception", "BaseException"})
_MAX_TEXT: Final = 300

_EXISTING: Final = re.compile(
    r"(true|false|is_?not_?none|(not_?)?is_?instance|truthy|falsy)", re.IGNORECASE
)
_EQUALLING: Final = re.compile(
    r"(\w*equals?|\w*close|is|is_?none|array|frame|series)$", re.IGNORECASE
)

TOLERANCES: Final = frozenset({"rel", "abs", "delta", "atol", "rtol", "rel_tol", "abs_tol", "nulp"})
"""Arguments that say how far apart two numbers may be: the more, the looser."""

PLACES: Final = frozenset({"places", "decimal", "significant"})
"""Arguments that say to how many digits two numbers agree: the fewer, the looser."""


_DEFAULTS: Final = {
    "approx": ("rel", 1e-6),
    "isclose": ("rel_tol", 1e-9),
    "assert_allclose": ("rtol", 1e-7),
    "allclose": ("rtol", 1e-5),
    "assertAlmostEqual": ("places", 1e-7),
    "assert_almost_equal": ("decimal", 1e-7),
}
"""The tolerance that each of these has unless it is told another one, as it is documented."""


def dotted(node: ast.AST) -> str:
    """A name with its dots; what is called stands for its calls; else nothing."""
    parts: list[str] = []
    while True:
        match node:
            case ast.Attribute(inner, name):
                parts.append(name)
                node = inner
            case ast.Call(inner):
                node = inner
            case ast.Name(name):
                return ".".join([name, *reversed(parts)])
            case _:
                return ".".join(reversed(parts))


def source_of(node: ast.AST) -> str:
    """Its code in one line, cut where it is long."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"


def constant(node: ast.expr) -> bool | None:
    """Whether an expression is true whatever happens, or false; `None` where that depends."""
    match node:
        case ast.Constant(value):
            return bool(value)
        case ast.UnaryOp(ast.Not(), operand):
            known = constant(operand)
            return None if known is None else not known
        case ast.BoolOp(operator, values):
            known_values = [constant(value) for value in values]
            return _junction(known_values, decides=isinstance(operator, ast.Or))
        case ast.Compare():
            return _compared(node)
        case ast.Call(ast.Name("bool"), [argument]):
            return constant(argument)
        case ast.Name("__debug__") | ast.Lambda():
            return True
        case ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return False
        case _:
            return _holds_something(node)


def _holds_something(node: ast.expr) -> bool | None:
    """Whether a display of a container is empty."""
    match node:
        case ast.Tuple(elts) | ast.List(elts) | ast.Set(elts):
            if any(not isinstance(item, ast.Starred) for item in elts):
                return True
            return None if elts else False
        case ast.Dict(keys):
            if any(key is not None for key in keys):
                return True
            return None if keys else False
        case _:
            return None


def _junction(known: list[bool | None], *, decides: bool) -> bool | None:
    if any(value is decides for value in known):
        return decides
    return (not decides) if all(value is not None for value in known) else None


def _compared(node: ast.Compare) -> bool | None:
    """Two sides that are written alike, or two constants; and what runs only as a program."""
    if len(node.ops) != 1:
        return None
    left, operator, right = node.left, node.ops[0], node.comparators[0]
    if ast.unparse(node) == "__name__ == '__main__'":
        return False
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
        same = left.value == right.value
    elif ast.dump(left) == ast.dump(right) and not _may_vary(left):
        same = True
    else:
        return None
    if isinstance(operator, ast.Eq | ast.Is):
        return same
    if isinstance(operator, ast.NotEq | ast.IsNot):
        return not same
    return True if same and isinstance(operator, ast.LtE | ast.GtE) else None


_BUILTINS: Final = frozenset(dir(builtins)) - {
    *("__import__", "eval", "exec", "globals", "input", "locals", "open", "vars")
}


def _reads_anything(nodes: Iterable[ast.AST]) -> bool:
    """Whether expressions hold a name that is not a builtin one: else they test no code."""
    return any(
        isinstance(part, ast.Name) and part.id not in _BUILTINS
        for node in nodes
        for part in ast.walk(node)
    )


def _may_vary(node: ast.AST) -> bool:
    """Whether an expression can differ from itself: whatever is called may."""
    return any(isinstance(part, ast.Call | ast.Await) for part in ast.walk(node))


def skips(node: ast.expr) -> bool:
    """Whether an annotation keeps a test from being run, or its failure from being one."""
    name = dotted(node)
    if not any(_SKIPPING.search(part) for part in name.split(".")):
        return False
    if isinstance(node, ast.Call) and name.lower().endswith(("skipif", "skipunless", "xfail")):
        conditions = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "condition")]
        known = constant(conditions[0]) if conditions else None
        never = name.lower().endswith("skipunless")
        is_text = bool(conditions) and isinstance(getattr(conditions[0], "value", None), str)
        return is_text or known is not never
    return True


def skipping(call: ast.expr) -> bool:
    """Whether a call, or what is raised, ends a test without a verdict."""
    name = dotted(call)
    return name in _LEAVING or _SKIP_CALLS.fullmatch(name) is not None


def failing(call: ast.expr) -> bool:
    """Whether a call fails the test wherever it is reached."""
    return isinstance(call, ast.Call) and _FAIL_CALLS.fullmatch(dotted(call)) is not None


def expects_raise(call: ast.expr) -> Assertion | None:
    """The assertion that something is raised, warned of or logged, as a call."""
    if not isinstance(call, ast.Call) or not _RAISES.fullmatch(dotted(call.func)):
        return None
    first = source_of(call.args[0]) if call.args else ""
    matched = any(keyword.arg == "match" for keyword in call.keywords) or "Regex" in dotted(call)
    rank = Rank.EQUALS_ALL if matched else Rank.EQUALS
    rank = Rank.EXISTS if first in _ANYTHING else rank
    return Assertion(call.lineno, source_of(call), "what is raised", rank)


def catches_assertions(names: Iterator[ast.expr | None]) -> bool:
    """Whether a handler of these exceptions catches a failed assertion."""
    for node in names:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        for part in parts:
            if part is None or dotted(part).rpartition(".")[2] in _BROAD:
                return True
    return False


def from_assert(node: ast.Assert) -> Assertion:
    """The assertion of an `assert` statement."""
    always = constant(node.test) is True or not _reads_anything([node.test])
    return _assertion(node.lineno, node.test, always)


def _assertion(line: int, test: ast.expr, always: bool) -> Assertion:
    tolerances: dict[str, float] = {}
    plain = _Plain(tolerances)
    text = source_of(plain.visit(_copy(test)))
    match test:
        case ast.Compare(left, [operator], [right]):
            subject, rank = source_of(left), _rank(operator, right)
            if isinstance(operator, ast.Lt | ast.LtE) and "abs" in source_of(left):
                limit = _number(right)
                if limit is not None:
                    tolerances["limit"] = limit
                    text = f"{source_of(left)} <"
        case ast.Call(func, [first, *_]) if dotted(func) in _EXISTING_CALLS:
            subject, rank = source_of(first), Rank.EXISTS
        case ast.Call(func, [first, *_]) if dotted(func).rpartition(".")[2] in _CLOSE:
            subject, rank = source_of(first), Rank.EQUALS
        case ast.BoolOp(ast.Or(), [first, *_]) | ast.IfExp(_, first, _):
            subject, rank = _assertion(line, first, always).subject, Rank.EXISTS
        case _:
            subject, rank = source_of(test), Rank.EXISTS
    return Assertion(line, text, subject, rank, tolerances, always)


_EXISTING_CALLS: Final = ("bool", "callable", "hasattr", "isinstance")
_CLOSE: Final = ("isclose", "allclose", "array_equal", "array_equiv")


def _rank(operator: ast.cmpop, right: ast.expr) -> Rank:
    if isinstance(operator, ast.Eq | ast.Is):
        return Rank.EQUALS
    nothing = isinstance(right, ast.Constant) and right.value is None
    return Rank.EXISTS if isinstance(operator, ast.IsNot) and nothing else Rank.COMPARES


def from_call(call: ast.expr) -> Assertion | None:
    """The assertion that a call makes by its name, if it makes one."""
    if not isinstance(call, ast.Call):
        return None
    names = dotted(call).split(".")
    name = next((part for part in reversed(names) if _ASSERTING.match(part)), None)
    if name is None:
        return None
    tolerances: dict[str, float] = {}
    text = source_of(_Plain(tolerances).visit(_copy(call)))
    first = source_of(call.args[0]) if call.args else source_of(call.func)
    kind = _ASSERTING.sub("", name, count=1).lstrip("_")
    always = _holds_always(kind.lower(), call)
    own = len(names) == 1 or (len(names) == 2 and names[0] in ("self", "cls"))
    if own and call.args:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        always = always or not _reads_anything(given)
    return Assertion(call.lineno, text, first, _rank_of(kind), tolerances, always)


def _rank_of(kind: str) -> Rank:
    if _EXISTING.match(kind):
        return Rank.EXISTS
    return Rank.EQUALS if _EQUALLING.match(kind) else Rank.COMPARES


def _holds_always(kind: str, call: ast.Call) -> bool:
    """Whether `assertTrue(True)` and the like can fail."""
    arguments = [constant(argument) for argument in call.args]
    if kind in ("true", "_") and arguments:
        return arguments[0] is True
    if kind == "false" and arguments:
        return arguments[0] is False
    if kind in ("equal", "equals", "is") and len(call.args) > 1:
        left, right = call.args[:2]
        return ast.dump(left) == ast.dump(right) and not _may_vary(left)
    return kind == "isnone" and bool(call.args) and ast.unparse(call.args[0]) == "None"


class _Plain(ast.NodeTransformer):
    """Takes tolerances out of an expression, and keeps them."""

    def __init__(self, tolerances: dict[str, float]) -> None:
        self._tolerances = tolerances

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        for keyword in node.keywords:
            value = _number(keyword.value)
            if value is not None and keyword.arg in TOLERANCES:
                self._tolerances[keyword.arg or ""] = value
            elif value is not None and keyword.arg in PLACES:
                self._tolerances[keyword.arg or ""] = 10.0 ** -max(-300.0, min(value, 300.0))
        known = TOLERANCES | PLACES
        node.keywords = [keyword for keyword in node.keywords if keyword.arg not in known]
        name = dotted(node.func).rpartition(".")[2]
        default, tolerance = _DEFAULTS.get(name, ("", 0.0))
        if default and not self._tolerances:
            self._tolerances[default] = tolerance
        return node.args[0] if name == "approx" and node.args else node


def _number(node: ast.expr) -> float | None:
    match node:
        case ast.Constant(int() | float() as value):
            return _as_float(value)
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -_as_float(value)
        case ast.BinOp(ast.Constant(int() | float() as base), ast.Pow(), exponent):
            power = _number(exponent)
            if power is None or abs(power) > 90 or abs(base) > 1_000:
                return None
            return pow(float(base), power) if base > 0 else None
        case _:
            return None


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _copy(node: ast.expr) -> ast.expr:
    from copy import deepcopy

    return deepcopy(node)
