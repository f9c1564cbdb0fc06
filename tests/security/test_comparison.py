"""Hostile documents: however deep, large, broken or clever, they are refused or judged."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges import compare
from agent_judge.judges.compare.document_judge import DocumentJudge
from agent_judge.judgment import Judgment

DEPTH = 10_000
LESS = 3_000

DEEP: list[tuple[type[DocumentJudge], Callable[[str], str]]] = [
    (compare.PythonSemanticJudge, lambda x: f"x = {'(' * 150}{x}{')' * 150}"),
    (compare.PythonSemanticJudge, lambda x: f"x = {'-' * DEPTH}{x}"),
    (compare.PythonSemanticJudge, lambda x: f"x = {x}{'.a' * DEPTH}"),
    (compare.PythonSemanticJudge, lambda x: f"x = {x}{' + 1' * DEPTH}"),
    (compare.JavaSemanticJudge, lambda x: f"class A {{ int x = {'(' * DEPTH}{x}{')' * DEPTH}; }}"),
    (
        compare.JavaSemanticJudge,
        lambda x: f"class A {{ void f() {{ {'if (a) ' * DEPTH}b({x}); }} }}",
    ),
    (compare.JavaSemanticJudge, lambda x: f"{'class A {' * 2000}int x = {x};{'}' * 2000}"),
    (compare.JavaScriptSemanticJudge, lambda x: f"x = {'[' * DEPTH}{x}{']' * DEPTH}"),
    (compare.JavaScriptSemanticJudge, lambda x: f"x = {'(' * DEPTH}{x}{')' * DEPTH}"),
    (compare.TypeScriptSemanticJudge, lambda x: f"let a: {'A<' * LESS}{x}{'>' * LESS}"),
    (compare.GoSemanticJudge, lambda x: f"package p\nvar x = {'(' * LESS}{x}{')' * LESS}"),
    (compare.RustSemanticJudge, lambda x: f"fn f() {{ {'{' * LESS}{x}{'}' * LESS} }}"),
    (compare.RustSemanticJudge, lambda x: f"use {'a::{' * LESS}b{x}{'}' * LESS};"),
    (compare.CSemanticJudge, lambda x: f"int {'*' * LESS}a = {x};"),
    (compare.CppSemanticJudge, lambda x: f"int a = {'(' * LESS}{x}{')' * LESS};"),
    (compare.SqlSemanticJudge, lambda x: f"select {'(' * LESS}{x}{')' * LESS}"),
    (compare.SqlSemanticJudge, lambda x: f"select {x}{' + 1' * LESS}"),
    (compare.JsonSemanticJudge, lambda x: f"{'[' * DEPTH}{x}{']' * DEPTH}"),
    (compare.JsonSemanticJudge, lambda x: f"""{'{"a":' * DEPTH}{x}{"}" * DEPTH}"""),
    (compare.YamlSemanticJudge, lambda x: f"{'[' * DEPTH}{x}{']' * DEPTH}"),
    (compare.YamlSemanticJudge, lambda x: f"{'- ' * 500}{x}"),
    (compare.TomlSemanticJudge, lambda x: f"a = {'[' * DEPTH}{x}{']' * DEPTH}"),
    (compare.XmlSemanticJudge, lambda x: f"{'<a>' * DEPTH}{x}{'</a>' * DEPTH}"),
    (compare.MavenSemanticJudge, lambda x: f"{'<a>' * LESS}{x}{'</a>' * LESS}"),
]

SOURCES: list[tuple[type[DocumentJudge], str]] = [
    (
        compare.PythonSemanticJudge,
        "@a\nclass B(C):\n    'd'\n    def f(self, g=1):\n        return f'{g!r}'\n",
    ),
    (
        compare.JavaSemanticJudge,
        (
            'import a.*; class A<T> { @B int[] x = {1, 2,}; F f = y -> C.d(y); Stri'
            'ng s = """\n  e\n  """; }'
        ),
    ),
    (
        compare.JavaScriptSemanticJudge,
        "import {a} from 'b'; x = `c${d?.e}`; const f = async ([,g]) => ({'h': 0x1F}); <i>{j}</i>",
    ),
    (
        compare.TypeScriptSemanticJudge,
        'interface A<T> { b?: T; c(): void } enum D { E = 1 } let f = g as H<I[]>',
    ),
    (
        compare.GoSemanticJudge,
        (
            'package p\nimport (\n"a"\nb "c"\n)\nfunc (t *T) f(x ...int) (int, error) { '
            'return <-c, nil }\n'
        ),
    ),
    (
        compare.RustSemanticJudge,
        (
            "use a::{b, c::*}; #[d] pub fn e<'f>(g: &'f H) -> (I,) { match j { K =>"
            ' vec![1; 2], _ => r#"l"# } }'
        ),
    ),
    (
        compare.CSemanticJudge,
        (
            "#include <a.h>\n#define B(c) ((c) + 1) /* d */\nint *e[] = { 0x1F, 'f', "
            '"g" "h" };\nint i(void) { for (;;) j(); }\n'
        ),
    ),
    (
        compare.CppSemanticJudge,
        (
            'template <typename T> class A : B { A() : c(1) {} auto d() -> decltype'
            '((e)); }; auto f = R"(g)";'
        ),
    ),
    (
        compare.SqlSemanticJudge,
        (
            "with a as (select 'b' from c) select d, count(*) over (partition by e)"
            ' from a join f using (g);'
        ),
    ),
    (compare.JsonSemanticJudge, '{"a": [1, -2.5e3, true, null, "\\u00e9\\n"], "b": {"c": {}}}'),
    (
        compare.YamlSemanticJudge,
        "a: &b [1, 'c']\nd:\n  <<: {e: *b}\n  f: |\n    g\n? [h]\n: !i j\n",
    ),
    (
        compare.TomlSemanticJudge,
        '[a]\nb.c = [1, {d = "e"}]\nf = """\ng"""\n[[h]]\ni = 2020-01-01\n',
    ),
    (compare.IniSemanticJudge, "a = 1\n[b]\nc: d\n  e\n# f\ng\n"),
    (compare.PropertiesSemanticJudge, "a = b\\\n  c\n! d\ne\\ f: \\u0041\n"),
    (
        compare.XmlSemanticJudge,
        '<?xml version="1.0"?><a:b xmlns:a="c" d="a:e">f<g/><![CDATA[h]]><!-- i --></a:b>',
    ),
    (
        compare.MavenSemanticJudge,
        '<project><properties><a>1</a></properties><version>${a}</version></project>',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("judge", "make"), DEEP)
def test_deep_nesting_is_judged_or_refused(
    judge: type[DocumentJudge], make: Callable[[str], str]
) -> None:
    """Thousands of levels: never a crash, never a pass of what differs."""
    judgment = judge(rules="strict")(JudgmentContext(output=make("2"), expected=make("1")))

    assert judgment.status in (Status.FAIL, Status.ERROR)
    assert (judgment.code is not None) is (judgment.status is Status.ERROR)


def test_rules_take_deep_nesting_as_well() -> None:
    """None of them recurses, or looks again and again at what is within."""
    nested, tests = f"{'(' * 3000}this.y{')' * 3000}", "if (a) " * 3000
    deep = f"class A {{ int x = {nested}; void f() {{ {tests}b(); }} }}"

    judgment = _judge(compare.JavaSemanticJudge, deep, deep.replace("b()", "c()"))

    assert judgment.status is Status.FAIL


@pytest.mark.parametrize(("judge", "source"), SOURCES)
def test_broken_documents_are_judged_or_refused(judge: type[DocumentJudge], source: str) -> None:
    """Cut short, with bytes changed, doubled or put in: always a finding or an error."""
    chance = random.Random(judge.__name__)
    assert _judge(judge, source, source).passed

    for _ in range(40):
        judgment = _judge(judge, source, _broken(source, chance))

        assert judgment.status in (Status.PASS, Status.FAIL, Status.ERROR)


def _judge(judge: type[DocumentJudge], reference: str, candidate: str) -> Judgment:
    return judge()(JudgmentContext(output=candidate, expected=reference))


def _broken(source: str, chance: random.Random) -> str:
    place = chance.randrange(len(source))
    match chance.randrange(4):
        case 0:
            return source[:place]
        case 1:
            return (
                source[:place]
                + chance.choice("(){}[]<>'\"`\\\0\n;:#\x85\u2028\ud7ff")
                + source[place:]
            )
        case 2:
            return source[:place] + source[place + chance.randrange(1, 5) :]
        case _:
            return source[:place] + source[place // 2 :]


@pytest.mark.parametrize("judge", [judge for judge, _ in SOURCES])
@pytest.mark.parametrize(
    "data", [b"", b"\0", b"\xff\xfe\x00", b"\xef\xbb\xbf", b"\xc3", b"\x80" * 99]
)
def test_bytes_in_any_encoding_are_judged_or_refused(
    judge: type[DocumentJudge], data: bytes, tmp_path: Path
) -> None:
    """No byte that came from elsewhere raises."""
    (tmp_path / "a").write_bytes(data)

    judgment = judge("a", tmp_path)(JudgmentContext(workspace=tmp_path))

    assert judgment.status in (Status.PASS, Status.FAIL, Status.ERROR)


@pytest.mark.parametrize("coding", ["utf-7", "rot13", "no-such", "unicode_escape", "idna", "hex"])
def test_python_in_a_strange_encoding_is_judged_or_refused(coding: str, tmp_path: Path) -> None:
    """The interpreter decides whether it reads that."""
    (tmp_path / "a.py").write_bytes(f"# coding: {coding}\nx = 1\n".encode())

    judgment = compare.PythonSemanticJudge("a.py", tmp_path)(JudgmentContext(workspace=tmp_path))

    assert judgment.status in (Status.PASS, Status.ERROR)


def test_aliases_that_multiply_are_not_expanded() -> None:
    """Sixty anchors of two aliases each would be more nodes than there is memory."""
    bomb = "a0: &a0 [x, x]\n" + "".join(
        f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)
    )

    judgment = _judge(compare.YamlSemanticJudge, bomb, bomb.replace("[x, x]", "[x, y]"))

    assert judgment.status is Status.FAIL
    assert _judge(compare.YamlSemanticJudge, bomb, bomb).passed


def test_merge_keys_that_multiply_are_refused() -> None:
    """What is merged counts as if it were written out."""
    keys = ", ".join(f"k{n}: 1" for n in range(2000))
    bomb = f"a: &a {{{keys}}}\nb: {{<<: [{', '.join(['*a'] * 2000)}]}}\n"

    assert _judge(compare.YamlSemanticJudge, bomb, bomb).status is Status.ERROR


def test_comments_in_directives_are_found_in_one_pass() -> None:
    """However many there are, and whatever is not closed."""
    for text in (
        "/*" * 50_000,
        "#define A \\\n" * 20_000,
        "# /* x */ " * 20_000,
        'R"(' * 30_000,
        "'" * 50_001,
    ):
        judgment = _judge(compare.CSemanticJudge, "int x;", text)

        assert judgment.status in (Status.FAIL, Status.ERROR)
