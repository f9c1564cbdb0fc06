from __future__ import annotations

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges import JavaSemanticJudge
from agent_judge.judgment import Judgment


def judge(reference: str, candidate: str, **options: object) -> Judgment:
    """Compare two compilation units."""
    context = JudgmentContext(output=candidate, expected=reference)
    return JavaSemanticJudge(**options)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def body(code: str) -> str:
    """A class with some members."""
    return f"class A {{ {code} }}"


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("int x = 1;", "int  x=1; /* one */"),
        ("static final int X = 1;", "final static int X = 1;"),
        ("int[] x;", "int x[];"),
        ("int x; int[] y;", "int x, y[];"),
        ("int[] x = {1, 2};", "int[] x = {1, 2,};"),
        ("int x = 0x10;", "int x = 1_6;"),
        ("long x = 16l;", "long x = 0x10L;"),
        ("double x = 1e3;", "double x = 1000.0D;"),
        ("float x = 0.1f;", "float x = 0x1.99999ap-4f;"),
        ("char x = 'a';", "char x = '\\u0061';"),
        ('String x = "a\\tb";', 'String x = "a\\u0009b";'),
        ('String x = "ab";', 'String x = "a" + "b";'),
        ('String x = "a\\nb";', 'String x = """\n    a\n    b""";'),
        ('String x = "a\\n  b\\n";', 'String x = """\n    a\n      b   \n    """;'),
        ('String x = "a b";', 'String x = """\n    a \\\n    b""";'),
        ("void f() {} ;", "void f() {}"),
        ("@B() void f() {}", "@B void f() {}"),
        ("F f = x -> x;", "F f = (x) -> x;"),
        ("enum E { X, Y; }", "enum E { X, Y, }"),
        ("void f(int[] a) {}", "void f(int a[]) {}"),
    ],
)
def test_how_source_is_written_means_nothing(reference: str, candidate: str) -> None:
    """Even in strict mode: the compiler makes one tree of both. (contract: judges:D1)"""
    judgment = judge(body(reference), body(candidate), rules="strict")

    assert judgment.passed, judgment.reasoning


@pytest.mark.parametrize(
    ("reference", "candidate", "rules"),
    [
        (
            "import a.B;\nimport c.D;\nclass A {}",
            "import c.D; import a.B; class A {}",
            "import_order",
        ),
        ("import a.B; import a.B; class A {}", "import a.B; class A {}", "import_order"),
        (
            "import a.B; import a.C; class A {}",
            "import a.*; class A {}",
            "import_order wildcard_imports",
        ),
        (body("int x = (1);"), body("int x = 1;"), "parentheses"),
        (body("int f() { if (a) return 1; }"), body("int f() { if (a) { return 1; } }"), "braces"),
        (
            body("void f() { if (a) b(); else if (c) d(); }"),
            body("void f() { if (a) { b(); } else { if (c) { d(); } } }"),
            "braces",
        ),
        (body("@Override public int f() {}"), body("public int f() {}"), "override_annotation"),
        (body("@Override int f() {}"), body("int f() {}"), "override_annotation"),
        (body("@B(value = 1) int f() {}"), body("@B(1) int f() {}"), "annotation_shorthand"),
        (body("@B({1}) int f() {}"), body("@B(1) int f() {}"), "annotation_shorthand"),
        (body("@B(c = {1}) int f() {}"), body("@B(c = 1) int f() {}"), "annotation_shorthand"),
        (body("int f() { return this.x; }"), body("int f() { return x; }"), "this_qualifier"),
        (body("int f() { return this.g(); }"), body("int f() { return g(); }"), "this_qualifier"),
        (body("void f() { g(x -> B.h(x)); }"), body("void f() { g(B::h); }"), "method_references"),
        (
            body("void f() { g(() -> new B()); }"),
            body("void f() { g(B::new); }"),
            "method_references",
        ),
        (
            body("void f() { g(() -> new B<>()); }"),
            body("void f() { g(B::new); }"),
            "method_references",
        ),
        (
            body("void f() { g((x, y) -> this.h(x, y)); }"),
            body("void f() { g(this::h); }"),
            "method_references",
        ),
        (
            body("Function<String, Integer> f = s -> s.length();"),
            body("Function<String, Integer> f = String::length;"),
            "method_references",
        ),
        (body("void a() {} void b() {}"), body("void b() {} void a() {}"), "member_order"),
        (body("A() {} class B {}"), body("class B {} A() {}"), "member_order"),
    ],
)
def test_a_normalisation_is_named_and_can_be_switched_off(
    reference: str, candidate: str, rules: str
) -> None:
    """What made two sources equal is in the metadata, and strict mode is without.

    (contract: judges:D1, judges:D11)
    """
    judgment = judge(reference, candidate)

    assert judgment.passed, judgment.reasoning
    assert judgment.metadata["equal_under"] == tuple(rules.split())
    assert judge(reference, candidate, rules="strict").status is Status.FAIL


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        (body("int x = 1;"), body("int x = 2;")),
        (body("int x = 1;"), body("long x = 1;")),
        (body("long x = 1;"), body("long x = 1L;")),
        (body("double x = 1.0;"), body("double x = 1.0f;")),
        (body('String x = "a";'), body('String x = "a ";')),
        (body("char x = 'a';"), body("char x = 'b';")),
        (body("int x = a + b;"), body("int x = a - b;")),
        (body("int x = (a + b) * c;"), body("int x = a + b * c;")),
        (body("int x;"), body("int y;")),
        (body("int x; int y;"), body("int x;")),
        (body("A() { x = 1; }"), body("A() { }")),
        (body("void f() throws B {}"), body("void f() {}")),
        (body("void f() throws B {}"), body("void f() throws C {}")),
        (body("@Deprecated void f() {}"), body("void f() {}")),
        (body("@B(1) void f() {}"), body("@B(2) void f() {}")),
        (body("@B(value = 1, c = 2) void f() {}"), body("@B(c = 2) void f() {}")),
        (body("public void f() {}"), body("private void f() {}")),
        (body("static void f() {}"), body("void f() {}")),
        (body("<T> void f() {}"), body("<T extends B> void f() {}")),
        (body("void f(int a) {}"), body("void f(int a, int b) {}")),
        (body("void f(int... a) {}"), body("void f(int[] a) {}")),
        (body("int f() { return 1; }"), body("int f() { return 2; }")),
        (body("void f() { a(); b(); }"), body("void f() { b(); a(); }")),
        (body("int x = 1; int y = x;"), body("int y = x; int x = 1;")),
        (
            body("int f(int x) { if (x > 0) x++; x--; }"),
            body("int f(int x) { if (x > 0) { x++; x--; } }"),
        ),
        ("class A<T> {}", "class A<T, U> {}"),
        ("class A<T> {}", "class A {}"),
        ("class A extends B {}", "class A {}"),
        ("class A implements B {}", "class A implements C {}"),
        ("enum E { X, Y }", "enum E { X }"),
        ("enum E { X, Y }", "enum E { Y, X }"),
        ("enum E { X(1) }", "enum E { X(2) }"),
        ("record R(int a) {}", "record R(int a, int b) {}"),
        ("record R(int a) {}", "record R(long a) {}"),
        ("record R(int a) {}", "record R(int a) { R { } }"),
        ("interface I { void f(); }", "interface I { default void f() {} }"),
        ("sealed interface I permits A {}", "sealed interface I permits B {}"),
        ("import a.B; class A {}", "import a.C; class A {}"),
        ("import a.B; class A {}", "import static a.B; class A {}"),
        ("package a; class A {}", "package b; class A {}"),
    ],
)
def test_what_means_something_else_fails(reference: str, candidate: str) -> None:
    """Literals, names, constructors, enums, records, throws, type parameters.

    (contract: judges:D2)
    """
    judgment = judge(reference, candidate)

    assert judgment.status is Status.FAIL
    assert "does not parse" not in judgment.reasoning


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        (body("int f(int x) { return this.x; }"), body("int f(int x) { return x; }")),
        (body("int f() { int x; return this.x; }"), body("int f() { int x; return x; }")),
        (body("F f(B x) { return y -> this.x; }"), body("F f(B x) { return y -> x; }")),
        (body("void f() { g(x -> b.h(x)); }"), body("void f() { g(b::h); }")),
        (body("void f() { g(x -> B.h(x, x)); }"), body("void f() { g(B::h); }")),
        (body("void f() { g((x, y) -> B.h(y, x)); }"), body("void f() { g(B::h); }")),
        (body("void f() { g(x -> CONSTANT.h(x)); }"), body("void f() { g(CONSTANT::h); }")),
        (body("void f() { g(x -> x.h()); }"), body("void f() { g(B::h); }")),
        (body("F<String, B> f = s -> s.h();"), body("F<String, B> f = Util::h;")),
        ("import a.B; class B {}", "import a.*; class B {}"),
        ("import a.B; import c.D; class A {}", "import a.*; import c.E; class A {}"),
    ],
)
def test_what_may_behave_differently_is_not_normalised(reference: str, candidate: str) -> None:
    """Names that a local variable hides, receivers that may change, types that are not known."""
    assert judge(reference, candidate).status is Status.FAIL


def test_a_difference_names_the_member_and_both_lines() -> None:
    """So that a person finds it. (contract: judges:D2)"""
    judgment = judge(
        "class A {\n int f() {\n  return 1;\n }\n}", "class A {\n int f() { return 2; }\n}"
    )

    assert judgment.checks[0].name == "A.body.members.f.body.return_statement.number"
    assert judgment.checks[0].message == "is '2' on line 2, the reference has '1' on line 3"


def test_types_cannot_multiply_when_declarations_are_split() -> None:
    """A large type before many variables is left as it stands."""
    kind = "A<" * 300 + "B" + ">" * 300
    names = ", ".join(f"x{number}" for number in range(300))

    assert judge(body(f"{kind} {names};"), body(f"{kind}  {names};")).passed
