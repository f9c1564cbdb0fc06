"""What the syntax trees of tests say, read here and not in a child process."""

from __future__ import annotations

import pytest

from agent_judge.judges.diff.kept.languages import holds_tests, language_of, supports_tests
from agent_judge.judges.diff.kept.outline_task import answer
from agent_judge.judges.diff.kept.outlines import Outline, outline_from
from agent_judge.judges.diff.kept.weakening import Finding, Pair, weakenings
from security.tampering import (
    PYTHON,
    PYTHON_KEPT,
    PYTHON_TAMPERED,
    SOURCES,
    SOURCES_KEPT,
    SOURCES_TAMPERED,
)


def outline(name: str, text: str) -> Outline:
    """The outline of a file."""
    return outline_from(answer({"content": text, "language": language_of(name)}))


def found(name: str, before: str, after: str) -> list[Finding]:
    """What decides of the difference between two texts of a file."""
    pair = Pair(name, name, outline(name, before), outline(name, after), lambda line: line)
    return [finding for finding in weakenings([pair]) if finding.decides]


def python(*lines: str) -> str:
    """A test with these lines."""
    return "def test_a(x):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(("old", "new", "line", "message"), PYTHON_TAMPERED)
def test_python_that_was_tampered_with_is_found(
    old: str, new: str, line: int, message: str
) -> None:
    """At its line, unless that is where something was taken out."""
    findings = found("test_app.py", PYTHON, PYTHON.replace(old, new))

    assert any(message in finding.message for finding in findings), findings
    assert line in {finding.line for finding in findings} or "is gone" in message


@pytest.mark.parametrize(("old", "new"), PYTHON_KEPT)
def test_python_that_is_as_strong_is_not_found(old: str, new: str) -> None:
    """Whatever else was changed in it."""
    assert found("test_app.py", PYTHON, PYTHON.replace(old, new)) == []


@pytest.mark.parametrize(("name", "old", "new", "line", "message"), SOURCES_TAMPERED)
def test_source_that_was_tampered_with_is_found(
    name: str, old: str, new: str, *, line: int, message: str
) -> None:
    """At its line, unless that is where something was taken out."""
    findings = found(name, SOURCES[name], SOURCES[name].replace(old, new))

    assert any(message in finding.message for finding in findings), findings
    assert line in {finding.line for finding in findings} or "is gone" in message


@pytest.mark.parametrize(("name", "old", "new"), SOURCES_KEPT)
def test_source_that_is_as_strong_is_not_found(name: str, old: str, new: str) -> None:
    """Whatever else was changed in it."""
    assert found(name, SOURCES[name], SOURCES[name].replace(old, new)) == []


@pytest.mark.parametrize("name", SOURCES)
def test_a_test_is_as_strong_as_itself(name: str) -> None:
    """In every language."""
    assert found(name, SOURCES[name], SOURCES[name]) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a_test.go", "package ("),
        ("a.test.js", "it('a', () => {"),
        ("ATest.java", "class A {"),
        ("a.rs", "fn a( {"),
        ("a.spec.ts", "let x: = 1"),
        ("test_a.py", "def ("),
        ("test_a.py", "\0"),
    ],
)
def test_what_cannot_be_parsed_says_where(name: str, text: str) -> None:
    """The line is counted from 1."""
    faulty = outline(name, text)

    assert faulty.fault
    assert faulty.line == 1


@pytest.mark.parametrize(
    ("lines", "sure", "live"),
    [
        (["assert x"], 1, 1),
        (["assert x", "assert x == 1"], 2, 2),
        (["if x:", "    assert x"], 0, 1),
        (["if x:", "    assert x", "else:", "    assert x.y", "    assert x.z"], 1, 3),
        (["if x:", "    assert x", "elif y:", "    assert y", "else:", "    assert z"], 1, 3),
        (["if x:", "    pytest.fail('no')"], 1, 1),
        (["if x: raise AssertionError", "assert y"], 2, 2),
        (["for y in x:", "    assert y"], 1, 1),
        (["for y in x:", "    if y:", "        continue", "    assert y"], 0, 1),
        (["for y in x:", "    if y:", "        break", "assert x"], 1, 1),
        (["for y in x:", "    if y:", "        return", "assert x"], 0, 1),
        (["for y in x:", "    pass", "else:", "    assert x"], 1, 1),
        (["while x:", "    assert x", "    x = y()"], 1, 1),
        (["try:", "    assert x", "finally:", "    assert y"], 2, 2),
        (["try:", "    f()", "except ValueError:", "    assert y", "assert x"], 1, 2),
        (["try:", "    assert x", "except (ValueError, AssertionError):", "    pass"], 0, 0),
        (["try:", "    assert x", "except AssertionError:", "    pytest.fail('x')"], 1, 1),
        (["try:", "    f()", "except ValueError:", "    return", "assert x"], 0, 1),
        (["with a, b:", "    assert x"], 1, 1),
        (["with pytest.raises(ValueError):", "    f()"], 1, 1),
        (["with pytest.warns(UserWarning):", "    assert f()"], 2, 2),
        (["with suppress(ValueError):", "    assert x"], 1, 1),
        (["match x:", "    case 1:", "        assert x", "    case _:", "        assert y"], 1, 2),
        (["match x:", "    case 1:", "        assert x"], 0, 1),
        (["def check():", "    assert x", "check()"], 1, 1),
        (["class Fake:", "    def f(self):", "        assert x", "g(Fake())"], 1, 1),
        (["class Fake:", "    def f(self):", "        assert x"], 0, 0),
        (["self.assertIn(x, y)", "mock.assert_called_once_with(x)"], 2, 2),
        (["await expect(page).to_have_text('x')"], 1, 1),
        (["np.testing.assert_allclose(x, y, rtol=1e-3)"], 1, 1),
        (["return assert_that(x)"], 1, 1),
        (["raise ValueError", "assert x"], 1, 1),
        (["sys.exit(0)", "assert x"], 0, 0),
        (["assert not x, 'why'", "assert x is None", "assert 1 in x"], 3, 3),
        (["assert [*x]", "assert {**x}", "assert f'{x}'"], 3, 3),
        (
            ["assert [1]", "assert {1: 2}", "assert lambda: x", "assert 1 == 1", "assert 1 != 2"],
            0,
            0,
        ),
        (["assert x == x", "assert x >= x", "assert x() == x()"], 1, 1),
        (["self.assertFalse(False)", "self.assertEqual(x, x)", "self.assertIsNone(None)"], 0, 0),
    ],
)
def test_assertions_that_run_are_counted(lines: list[str], sure: int, live: int) -> None:
    """Those that run in any case, and those that can run at all."""
    test = outline("test_a.py", python(*lines)).tests["test_a"]

    assert (test.sure, test.live) == (sure, live)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def test_a(): pass\nasync def test_b(): pass\ndef other(): pass", ["test_a", "test_b"]),
        ("class TestA:\n def test_b(self): pass", ["TestA.test_b"]),
        ("class TestA:\n class TestB:\n  def test_c(self): pass", ["TestA.TestB.test_c"]),
        ("class A:\n def test_b(self): pass", []),
        ("class A(unittest.TestCase):\n def test_b(self): pass", ["A.test_b"]),
        ("class TestA:\n def __init__(self): pass\n def test_b(self): pass", []),
        ("if x:\n def test_a(): pass\nelse:\n def test_b(): pass", ["test_a", "test_b"]),
        ("if TYPE_CHECKING:\n def test_a(): pass", []),
        ("try:\n def test_a(): pass\nexcept E:\n def test_b(): pass", ["test_a", "test_b"]),
        ("with x:\n def test_a(): pass", ["test_a"]),
        ("def test_a(): pass\ntest_a = wrapped(test_a)", ["test_a"]),
        ("def test_a(): pass\ntest_a: int = 1", []),
        ("def test_a(): pass\n(test_a, b) = 1, 2", []),
        ("def test_a(): pass\ndel test_a", []),
    ],
)
def test_python_tests_are_those_that_pytest_and_unittest_run(text: str, names: list[str]) -> None:
    """By their names, those of their classes, and what became of them in the module."""
    assert list(outline("test_a.py", text).tests) == names


@pytest.mark.parametrize(
    ("name", "runs", "supports"),
    [
        ("test_a.py", True, False),
        ("a_test.py", True, False),
        ("tests.py", True, False),
        ("testing.py", False, False),
        ("tests/conftest.py", True, True),
        ("tests/helpers.py", False, True),
        ("Test_a.py", False, False),
        ("src/main/java/Area.java", False, False),
        ("src/test/java/Area.java", True, True),
        ("AreaTest.java", True, False),
        ("a.test.ts", True, False),
        ("a.spec.jsx", True, False),
        ("__tests__/a.js", True, True),
        ("a.js", False, False),
        ("a_test.go", True, False),
        ("test/a.go", False, True),
        ("src/lib.rs", True, False),
        ("spec/a.rb", True, True),
        ("a.rb", False, False),
        ("tests/data.json", False, False),
        ("Makefile", False, False),
    ],
)
def test_files_of_tests_are_told_by_their_names(name: str, runs: bool, supports: bool) -> None:
    """As the usual runners tell them."""
    assert (holds_tests(name), supports_tests(name)) == (runs, supports)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("abs(f(x) - 1) < 1e-9", "abs(f(x) - 1) < 0.1", "limit is 0.1, and was 1e-09"),
        ("abs(f(x) - 1) < 10 ** -9", "abs(f(x) - 1) < 10 ** 2", "limit is 100, and was 1e-09"),
        ("f(x) == approx(1)", "f(x) == approx(1, abs=-1 * y)", ""),
        ("f(x) == approx(1)", "f(x) == approx(1, abs=1e-12)", ""),
        ("f(x) == approx(1, abs=1e-12)", "f(x) == approx(1)", "rel is 1e-06"),
        ("math.isclose(f(x), 1)", "math.isclose(f(x), 1, rel_tol=0.5)", "rel_tol is 0.5"),
        ("np.allclose(f(x), 1)", "np.allclose(f(x), 1, atol=10)", "atol is 10"),
        ("np.allclose(f(x), y)", "f(x)", "'f(x)' says less than 'np.allclose(f(x), y)'"),
        ("f(x) is None", "f(x) is not None", "says less"),
        ("f(x) in (1, 2)", "f(x)", "says less"),
        ("len(f(x)) == 2", "len(f(x))", "says less"),
        ("f(x) == 1", "f(x) == 10 ** 400", ""),
    ],
)
def test_tolerances_and_weaker_relations_are_told(before: str, after: str, message: str) -> None:
    """As far as they are written down."""
    findings = found("test_a.py", python(f"assert {before}"), python(f"assert {after}"))

    assert [message in finding.message for finding in findings] == ([True] if message else [])


@pytest.mark.parametrize(
    ("body", "markers"),
    [
        ("    if x:\n        pytest.skip('a')", 1),
        ("    if False:\n        pytest.skip('a')", 0),
        ("    for y in x:\n        pytest.skip('a')", 1),
        ("    for y in []:\n        pytest.skip('a')", 0),
        ("    try:\n        f()\n    except E:\n        pytest.skip('a')", 1),
        ("    raise unittest.SkipTest('a')", 1),
        ("    raise ValueError('a')", 0),
    ],
)
def test_what_runs_before_every_test_can_skip_them_all(body: str, markers: int) -> None:
    """A fixture that nobody has to ask for, or a function by its name."""
    fixture = f"@pytest.fixture(autouse=True)\ndef off(x):\n{body}\n"
    set_up = f"def setup_module():\n{body}\n"
    asked_for = f"@pytest.fixture\ndef off(x):\n{body}\n"

    assert len(outline("test_a.py", fixture).markers) == markers
    assert len(outline("test_a.py", set_up).markers) == markers
    assert outline("test_a.py", asked_for).markers == ()


@pytest.mark.parametrize(
    "ask", ["def test_a(off):", "@pytest.mark.usefixtures('off')\ndef test_a():"]
)
def test_a_fixture_can_skip_the_tests_that_ask_for_it(ask: str) -> None:
    """And what it asserts is theirs."""
    fixture = "@pytest.fixture\ndef off():\n    assert x\n    pytest.skip('a')\n"

    test = outline("test_a.py", f"{fixture}\n{ask}\n    assert y\n").tests["test_a"]

    assert [marker.text for marker in test.markers] == ["pytest.skip('a')"]
    assert test.called == 1


JAVA = """
class A extends TestCase {
  public void testOld() { assertEquals(1, f()); }
  void other() { }
  @RepeatedTest(3) void r() { assertSame(a, b()); }
  @CsvSource({"1", "2"}) @ParameterizedTest void c(int i) { verify(mock).call(i); }
  @MethodSource("x") @ParameterizedTest void m(int i) {
    switch (i) { case 1: assertTrue(f()); break; default: assertNull(g()); }
    try { f(); } catch (Exception e) { fail("x"); } finally { assertNotNull(h()); }
    do { assertThat(i).isCloseTo(2.0, within(0.5)); } while (k());
    assertThrows(E.class, () -> { f(); });
    for (int j : new int[]{1}) { if (j > 1) throw new Error(); }
    assertAll(() -> assertEquals(2, l()));
  }
}
@Test class B { public void p() { assert q() : "m"; } private void n() { } }
"""
SCRIPT = """
const same = (a, b) => { expect(a).toEqual(b); };
function check(a) { assert(a); }
beforeEach(() => { ready(); });
describe.each([1])("d %s", () => {
  it("a", function (done) { same(f(), 1); check(g()); done(); });
  it("b", async () => { await expect(h()).rejects.toThrow("x"); });
  it("c", () => expect(i()).not.toBeNull());
  it("c", () => {
    for (const x of []) { expect(x).toBe(1); }
    switch (x) { case 1: expect(y).toBe(1); }
  });
  test.each(rows)("e", (x) => {
    x.should.equal(1);
    if (x) throw new Error("x");
    assert.fail("y");
  });
  test("f", { skip: true }, (t) => { t.is(j(), 1); t.skip(); });
  if (true) { it("g", () => { process.exit(0); }); }
});
suite("s", () => {
  specify("t", () => { chai.expect(k()).to.equal(1); expect(k()).to.be.true; k().should.be.ok; });
});
"""


def test_java_is_read_as_it_is_run() -> None:
    """JUnit 3 and TestNG, repetitions, sources of parameters, and what is in statements."""
    tests = outline("ATest.java", JAVA).tests

    counted = {name: (test.cases, test.live) for name, test in tests.items()}
    assert counted == {
        "A.testOld": (1, 1),
        "A.r": (3, 1),
        "A.c": (2, 1),
        "A.m": (None, 7),
        "B.p": (1, 1),
    }


def test_scripts_are_read_as_they_are_run() -> None:
    """Suites, tables, helpers, hooks, and two tests of one name."""
    read = outline("a.test.js", SCRIPT)

    counted = {name: (test.cases, test.total) for name, test in read.tests.items()}
    assert counted == {
        "d %s > a": (1, 2),
        "d %s > b": (1, 1),
        "d %s > c": (1, 1),
        "d %s > c#2": (1, 1),
        "d %s > e": (None, 3),
        "d %s > f": (1, 1),
        "d %s > g": (1, 0),
        "s > t": (1, 3),
    }
    assert [marker.text for marker in read.tests["d %s > f"].markers] == [
        "{ skip: true }",
        "t.skip()",
    ]
