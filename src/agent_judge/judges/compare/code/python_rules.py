"""Normalisations of Python source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from inspect import cleandoc
from string import Formatter
from typing import Final

from agent_judge.judges.compare.code.code_rules import gather, unordered
from agent_judge.judges.compare.node import Node
from agent_judge.judges.compare.rules import Rule, each_node

_DOCUMENTED: Final = ("Module", "ClassDef", "FunctionDef", "AsyncFunctionDef")
_IMPORTS: Final = ("Import", "ImportFrom")
_BLOCKS: Final = ("body", "orelse", "finalbody")
_NEGATED: Final = {"In": ("NotIn", "not in"), "Is": ("IsNot", "is not")}
_CONVERSIONS: Final = {None: -1, "s": 115, "r": 114, "a": 97}


def _import_order(node: Node) -> bool:
    """Make one unordered node of each run of adjacent imports."""
    return True in [_gather_in(node, block) for block in _BLOCKS]


def _gather_in(node: Node, block: str) -> bool:
    return gather(node, lambda child: child.kind in _IMPORTS and child.role == block, _joined)


def _joined(run: list[Node]) -> Node:
    """The imports as one node, in their order only where that means something."""
    singles = [single for statement in run for single in _split(statement)]
    bound: dict[str, tuple[object, ...]] = {}
    for _, name, source in singles:
        if name == "*" or bound.setdefault(name, source) != source:
            together = unordered("imports", run, run)
            together.free = False
            return together
    once = {_import_key(single): single for single, _, _ in singles}
    return unordered("imports", list(once.values()), run)


def _split(statement: Node) -> Iterator[tuple[Node, str, tuple[object, ...]]]:
    """One statement for each name that is imported, the name it binds, and what that is."""
    shared = [child for child in statement.children if child.kind != "alias"]
    module = tuple(child.value for child in shared)
    for alias in statement.of_kind("alias"):
        single = Node(statement.kind, name=alias.name)
        single.children = [*shared, alias]
        single.start, single.end, single.line = statement.start, statement.end, statement.line
        renamed = alias.child("asname")
        if renamed is not None:
            yield single, str(renamed.value), (*module, alias.name, "as")
        elif statement.kind == "Import":
            # All of `import a.b` and `import a.c` bind the one package `a`.
            package = alias.name.partition(".")[0]
            yield single, package, (package,)
        else:
            yield single, alias.name, (*module, alias.name)


def _import_key(single: Node) -> tuple[object, ...]:
    parts = (part for child in single.children for part in (child, *child.children))
    return (single.kind, *((part.kind, part.role, part.value) for part in parts))


def _docstring(node: Node) -> Node | None:
    """The constant that documents a module, class or function."""
    if node.kind not in _DOCUMENTED:
        return None
    first = next((child for child in node.children if child.role == "body"), None)
    text = first.children[0] if first is not None and first.kind == "Expr" else None
    if text is None or text.kind != "Constant" or not isinstance(text.value, tuple):
        return None
    return text if text.value[0] == "str" else None


def _docstring_indentation(node: Node) -> bool:
    text = _docstring(node)
    if text is None or not isinstance(text.value, tuple):
        return False
    lines = cleandoc(text.value[1]).splitlines()
    return _set_value(text, "\n".join(line.rstrip() for line in lines).strip())


def _docstrings(node: Node) -> bool:
    text = _docstring(node)
    return text is not None and _set_value(text, "")


def _set_value(constant: Node, text: str) -> bool:
    before, constant.value = constant.value, ("str", text)
    return before != constant.value


def _string_prefix(node: Node) -> bool:
    if node.kind != "Constant" or not node.children:
        return False
    node.children = []
    return True


def _plain_f_string(node: Node) -> bool:
    """Make a constant of an f-string that formats nothing."""
    if node.kind != "JoinedStr" or node.role == "format_spec":
        return False
    if any(child.kind != "Constant" for child in node.children):
        return False
    node.kind, node.value = "Constant", ("str", "".join(map(_string, node.children)))
    node.children = []
    return True


def _string(constant: Node) -> str:
    return constant.value[1] if isinstance(constant.value, tuple) else ""


def _del_parentheses(node: Node) -> bool:
    """Name the targets of `del (a, b)` as those of `del a, b`."""
    if node.kind != "Delete" or not any(child.kind == "Tuple" for child in node.children):
        return False
    targets: list[Node] = []
    pending = list(reversed(node.children))
    while pending:
        target = pending.pop()
        if target.kind == "Tuple" and target.children:
            pending.extend(reversed(target.children))
        else:
            target.role = "targets"
            targets.append(target)
    node.children = targets
    return True


def _not(operand: Node) -> Node:
    operand.role = "operand"
    negation = Node("Not", "not", "op", line=operand.line)
    return Node("UnaryOp", role="values", children=[negation, operand], line=operand.line)


def _negation(node: Node) -> Node | None:
    """What `not` is said of."""
    negated = node.kind == "UnaryOp" and node.children[0].kind == "Not"
    return node.child("operand") if negated else None


def _de_morgan(root: Node) -> bool:
    """Move `not` inwards, from the outside in, as far as there are `and` and `or`."""
    changed = False
    pending = [root]
    while pending:
        node = pending.pop()
        inner = _negation(node)
        if inner is not None and inner.kind == "BoolOp":
            conjunction = inner.children[0].kind == "And"
            operator = Node(*(("Or", "or") if conjunction else ("And", "and")), role="op")
            node.kind, node.children = "BoolOp", [operator, *map(_not, inner.children[1:])]
            changed = True
        pending.extend(node.children)
    return changed


def _negated_comparison(node: Node) -> bool:
    """Say `a not in b` for `not a in b`, and `a is not b` for `not a is b`."""
    inner = _negation(node)
    if inner is None or inner.kind != "Compare":
        return False
    operators = [child for child in inner.children if child.role == "ops"]
    if len(operators) != 1 or operators[0].kind not in _NEGATED:
        return False
    operators[0].kind, operators[0].value = _NEGATED[operators[0].kind]
    node.become(inner)
    return True


def _format_call(node: Node) -> bool:
    """Make an f-string of `"…{}…".format(a)` whose arguments are names or constants."""
    function = node.child("func") if node.kind == "Call" else None
    template = function.child("value") if function is not None else None
    if function is None or template is None or template.kind != "Constant":
        return False
    method, arguments = function.child("attr"), [c for c in node.children if c.role == "args"]
    plain = all(argument.kind in ("Name", "Constant") for argument in arguments)
    if method is None or method.value != "format" or len(arguments) + 1 != len(node.children):
        return False
    if not plain or not isinstance(template.value, tuple) or template.value[0] != "str":
        return False
    parts = _formatted(template.value[1], arguments)
    if parts is None:
        return False
    node.kind, node.children = "JoinedStr", parts
    return True


def _formatted(template: str, arguments: list[Node]) -> list[Node] | None:
    """The parts of the f-string; none where each argument is not used once, and in order."""
    parts: list[Node] = []
    used = 0
    try:
        for literal, name, specification, conversion in Formatter().parse(template):
            if literal:
                parts.append(Node("Constant", ("str", literal), "values"))
            if name is None:
                continue
            nested = "{" in (specification or "")
            if name not in ("", str(used)) or used == len(arguments) or nested:
                return None
            parts.append(_field(arguments[used], specification, conversion))
            used += 1
    except ValueError:
        return None
    return _merged(parts) if used == len(arguments) else None


def _field(argument: Node, specification: str | None, conversion: str | None) -> Node:
    argument.role = "value"
    code = _CONVERSIONS.get(conversion, 0)
    children = [argument, Node("value", ("int", hex(code)), "conversion")]
    if specification:
        text = Node("Constant", ("str", specification), "values")
        children.append(Node("JoinedStr", role="format_spec", children=[text]))
    return Node("FormattedValue", role="values", children=children)


def _merged(parts: Iterable[Node]) -> list[Node]:
    """The parts, with adjacent constants as one."""
    merged: list[Node] = []
    for part in parts:
        if merged and merged[-1].kind == part.kind == "Constant":
            merged[-1].value = ("str", _string(merged[-1]) + _string(part))
        else:
            merged.append(part)
    return merged


PYTHON_RULES: Final = (
    Rule(
        "import_order",
        "the order and grouping of adjacent imports, none of which is `*` or takes a name from "
        "another: importing one module is taken to have no effect on another",
        each_node(_import_order),
    ),
    Rule(
        "docstring_indentation",
        "the indentation of docstrings, and white space at the ends of their lines",
        each_node(_docstring_indentation),
    ),
    Rule("string_prefix", "the prefix u of strings", each_node(_string_prefix)),
    Rule("parentheses", "parentheses around what `del` deletes", each_node(_del_parentheses)),
    Rule(
        "format_call",
        '`"{}".format(x)` for `f"{x}"`, of names and constants',
        each_node(_format_call),
    ),
    Rule(
        "plain_f_string", "the prefix f of strings that format nothing", each_node(_plain_f_string)
    ),
    Rule(
        "de_morgan",
        "`not (a and b)` for `not a or not b`: truth is taken to have no side effect",
        lambda left, right: _de_morgan(left) | _de_morgan(right),
    ),
    Rule(
        "negated_comparison",
        "`not a in b` for `a not in b`, and `not a is b` for `a is not b`",
        each_node(_negated_comparison),
    ),
    Rule("docstrings", "what docstrings say", each_node(_docstrings), usual=False),
)
