from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges import PythonSemanticJudge
from agent_judge.judgment import Judgment


def judge(reference: str, candidate: str, **options: object) -> Judgment:
    """Compare two modules."""
    context = JudgmentContext(output=candidate, expected=reference)
    return PythonSemanticJudge(**options)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("x = 1", "x  =  1  # one\n\n"),
        ("x = 'a'", 'x = "a"'),
        ("x = 'a' 'b'", "x = 'ab'"),
        ("f(1, 2)", "f(\n    1,\n    2,\n)"),
        ("x = (1 + 2)", "x = 1 + 2"),
        ("x = 1e3", "x = 1000.0"),
        ("x = 0x10", "x = 16"),
        ("if a: b()", "if a:\n    b()"),
        ("if a:\n b()\nelse:\n if c:\n  d()", "if a:\n b()\nelif c:\n d()"),
        ("a; b", "a\nb"),
    ],
)
def test_how_source_is_written_means_nothing(reference: str, candidate: str) -> None:
    """White space, comments, quotes, commas, parentheses, even in strict mode.

    (contract: judges:D1)
    """
    judgment = judge(reference, candidate, rules="strict")

    assert judgment.passed
    assert judgment.metadata["equal_under"] == ()


@pytest.mark.parametrize(
    ("reference", "candidate", "rule"),
    [
        ("import a\nimport b", "import b\nimport a", "import_order"),
        ("import a, b", "import b\nimport a", "import_order"),
        ("from a import b, c", "from a import c\nfrom a import b", "import_order"),
        ("import a.b\nimport a.c", "import a.c\nimport a.b", "import_order"),
        ("import a\nimport a", "import a", "import_order"),
        (
            "def f():\n  '''a\n     b'''",
            "def f():\n    '''a\n       b\n    '''",
            "docstring_indentation",
        ),
        ("x = u'a'", "x = 'a'", "string_prefix"),
        ("del (a, b)", "del a, b", "parentheses"),
        ("x = f'a'", "x = 'a'", "plain_f_string"),
        ("x = not a in b", "x = a not in b", "negated_comparison"),
        ("x = not a is b", "x = a is not b", "negated_comparison"),
        ("x = not (a or b)", "x = not a and not b", "de_morgan"),
        ("x = 'a{}b{!r:>3}'.format(c, d)", "x = f'a{c}b{d!r:>3}'", "format_call"),
        ("x = '{0}{1}'.format(c, 1)", "x = f'{c}{1}'", "format_call"),
    ],
)
def test_a_normalisation_is_named_and_can_be_switched_off(
    reference: str, candidate: str, rule: str
) -> None:
    """What made two sources equal is in the metadata, and strict mode is without.

    (contract: judges:D1, judges:D11)
    """
    judgment = judge(reference, candidate)

    assert judgment.passed
    assert judgment.metadata["equal_under"] == (rule,)
    assert judge(reference, candidate, rules=[rule]).passed
    assert judge(reference, candidate, rules="strict").status is Status.FAIL


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("x = 1", "x = 2"),
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 0.0", "x = -0.0"),
        ("x = 'a'", "x = b'a'"),
        ("x = (1)", "x = (1,)"),
        ("x = a + b", "x = a - b"),
        ("x = a == 1", "x = a is 1"),
        ("x = a is None", "x = a == None"),
        ("x = a", "x = b"),
        ("def f(a=1): pass", "def f(a=2): pass"),
        ("def f(a, *, b): pass", "def f(a, b): pass"),
        ("def f(*, a, b=1): pass", "def f(*, a=1, b): pass"),
        ("@a\ndef f(): pass", "@b\ndef f(): pass"),
        ("@a\ndef f(): pass", "def f(): pass"),
        ("@a\n@b\ndef f(): pass", "@b\n@a\ndef f(): pass"),
        ("class A:\n def f(self): pass\n def g(self): pass", "class A:\n def f(self): pass"),
        ("class A:\n def __init__(self): self.a = 1", "class A:\n def __init__(self): pass"),
        ("class A(B): pass", "class A: pass"),
        ("class A(B, metaclass=C): pass", "class A(B): pass"),
        ("async def f(): pass", "def f(): pass"),
        ("def f() -> int: pass", "def f() -> str: pass"),
        ("x: int = 1", "x: str = 1"),
        ("try: a()\nexcept A: b()", "try: a()\nexcept B: b()"),
        ("raise A from b", "raise A"),
        ("for a in b: c()\nelse: d()", "for a in b: c()"),
        ("{**a, 'b': 1}", "{'b': 1, **a}"),
        ("{None: 1}", "{**1}"),
        ("f'{a!r}'", "f'{a!s}'"),
        ("f'{a:>3}'", "f'{a:<3}'"),
        ("'''doc'''", "'''other'''"),
        ("def f():\n 'a  b'", "def f():\n 'a b'"),
        ("x = '''a\n  b'''", "x = '''a\n b'''"),
        ("global_ = 1\na()", "a()\nglobal_ = 1"),
        ("lambda a: a", "lambda a: b"),
        ("a[1:2]", "a[1:2:1]"),
        ("print(a, file=b)", "print(a)"),
        ("match a:\n case 1: b()", "match a:\n case 2: b()"),
        ("with a as b: c()", "with a: c()"),
        ("nonlocal_ = [a for a in b if c]", "nonlocal_ = [a for a in b]"),
    ],
)
def test_what_means_something_else_fails(reference: str, candidate: str) -> None:
    """Literals, operators, names, defaults, decorators, members. (contract: judges:D2)"""
    judgment = judge(reference, candidate)

    assert judgment.status is Status.FAIL
    assert judgment.failed_checks


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("from a import x\nfrom b import x", "from b import x\nfrom a import x"),
        ("from a import *\nfrom b import *", "from b import *\nfrom a import *"),
        ("import a\nf()\nimport b", "import b\nf()\nimport a"),
        ("import a as x\nimport b as x", "import b as x\nimport a as x"),
        ("import a\nimport b as a", "import b as a\nimport a"),
        ("from . import a", "from .. import a"),
        ("from a import b as c", "from a import b"),
        ("'{}{}'.format(f(), g())", "f'{f()}{g()}'"),
        ("'{0}{0}'.format(a)", "f'{a}{a}'"),
        ("'{1}{0}'.format(a, b)", "f'{b}{a}'"),
        ("'{a}'.format(a=a)", "f'{a}'"),
        ("b'{}'.format(a)", "f'{a}'"),
        ("not a == b", "a != b"),
        ("not not a", "a"),
        ("not (a and b)", "not a and not b"),
        ("not (a in b in c)", "a not in b not in c"),
    ],
)
def test_what_may_behave_differently_is_not_normalised(reference: str, candidate: str) -> None:
    """Imports that shadow each other, arguments that do something, comparisons one can define."""
    assert judge(reference, candidate).status is Status.FAIL


def test_docstrings_are_data_unless_told_otherwise() -> None:
    """A rule that is not usual leaves what they say out."""
    reference, candidate = "def f():\n 'Add.'\n return 1", "def f():\n 'Sum.'\n return 1"

    assert judge(reference, candidate).status is Status.FAIL
    assert judge(reference, candidate, rules=["docstrings"]).passed


def test_a_difference_has_its_path_both_sides_and_the_line(tmp_path: Path) -> None:
    """Each is a check with the place in the candidate. (contract: judges:D2)"""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.py").write_text("class A:\n    def f(self):\n        return 1 + 3\n")
    (tmp_path / "a.py").write_text("class A:\n    def f(self):\n        return 1 + 2\n")

    judgment = PythonSemanticJudge("a.py", tmp_path)(JudgmentContext(workspace=tmp_path / "work"))

    (check,) = judgment.checks
    assert check.name == "A.f.body.value.right"
    assert check.message == "is '3' on line 3, the reference has '2' on line 3"
    assert str(check.location) == "a.py:3"


def test_a_missing_and_an_extra_member_are_named() -> None:
    """Neither makes all that follows a difference."""
    reference = "class A:\n def f(self): pass\n def g(self): pass\n def h(self): pass\n"
    candidate = "class A:\n def f(self): pass\n def h(self): pass\n def i(self): pass\n"

    judgment = judge(reference, candidate)

    assert [(check.name, check.message.partition(":")[0]) for check in judgment.checks] == [
        ("A.g", "is missing"),
        ("A.i", "is not in the reference"),
    ]


def test_members_in_another_order_are_said_to_be() -> None:
    """In Python the order of statements is their meaning."""
    judgment = judge("def f(): pass\ndef g(): pass", "def g(): pass\ndef f(): pass")

    assert judgment.checks[0].message.startswith("is in another order")


def test_source_in_another_encoding_is_read_as_it_declares(tmp_path: Path) -> None:
    """The same bytes in two encodings are two texts."""
    (tmp_path / "wanted.py").write_bytes(b"# coding: latin-1\nx = '\xc3\xa9'\n")
    (tmp_path / "a.py").write_bytes(b"# coding: utf-8\nx = '\xc3\xa9'\n")
    context = JudgmentContext(workspace=tmp_path)

    assert PythonSemanticJudge("a.py", tmp_path / "wanted.py")(context).status is Status.FAIL
    assert PythonSemanticJudge("a.py", tmp_path / "a.py")(context).passed


def test_what_the_parser_warns_of_is_not_the_judge_s_to_say() -> None:
    """A bad escape in judged source neither fails under `-W error` nor is printed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        judgment = judge(r"x = '\d'", r"x  =  '\d'")

    assert judgment.passed


def test_a_statement_of_the_same_text_under_another_decorator_differs() -> None:
    """The lines of a function do not hold its decorators."""
    assert judge("@a\ndef f():\n    pass", "@b\ndef f():\n    pass").status is Status.FAIL
    assert judge("@a\ndef f():\n    pass", "@a\ndef f():\n    pass\n").passed


def test_statements_that_move_with_the_imports_before_them_are_still_equal() -> None:
    """What both sides share is left out in pairs, and never paired with another place."""
    reference = "import a, b\ns()\ns()\nimport c\nimport d\nt('''x\n''')"
    candidate = "import a\nimport b\ns()\ns()\nimport c, d\nt('''x\n''')"

    assert judge(reference, candidate).metadata["equal_under"] == ("import_order",)
