"""Ways to make tests pass without mending anything, and changes that leave tests as strong.

Each is a text of the tests, what takes its place, and, where that is tampering, the line and a part
of the message of what is found.
"""

from __future__ import annotations

PYTHON = """\
import os
import unittest

import pytest

from app import area, parse


@pytest.mark.parametrize(("a", "b"), [(2, 3), (4, 5)])
def test_area(a, b):
    assert area(a, b) == a * b
    assert area(b, a) == pytest.approx(a * b, rel=1e-9)


def test_parse():
    with pytest.raises(ValueError, match="digit"):
        parse("x")
    check(parse("1"))


def check(value):
    assert value == 1


class TestOld(unittest.TestCase):
    def test_sides(self):
        self.assertEqual(area(1, 1), 1)
        self.assertAlmostEqual(area(0.1, 1), 0.1, places=7)
"""

AREA = "    assert area(a, b) == a * b\n"
BOTH = AREA + "    assert area(b, a) == pytest.approx(a * b, rel=1e-9)\n"
PARSE = "def test_parse():\n"
SIDES = "        self.assertEqual(area(1, 1), 1)\n"

PYTHON_TAMPERED: list[tuple[str, str, int, str]] = [
    # Skipping
    (PARSE, f"@pytest.mark.skip\n{PARSE}", 15, "'@pytest.mark.skip'"),
    (PARSE, f"@pytest.mark.skip(reason='x')\n{PARSE}", 15, "'@pytest.mark.skip(reason='x')'"),
    (PARSE, f"@pytest.mark.skipif(True, reason='x')\n{PARSE}", 15, "skipif(True"),
    (PARSE, f"@pytest.mark.skipif('CI' in os.environ)\n{PARSE}", 15, "skipif('CI'"),
    (PARSE, f"@pytest.mark.xfail\n{PARSE}", 15, "'@pytest.mark.xfail'"),
    (PARSE, f"off = pytest.mark.skip\n@off\n{PARSE}", 16, "'@pytest.mark.skip'"),
    (PARSE, f"{PARSE}    pytest.skip('later')\n", 16, "'pytest.skip('later')'"),
    (PARSE, f"{PARSE}    os._exit(0)\n", 16, "'os._exit(0)'"),
    (
        PARSE,
        f"{PARSE}    if os.environ.get('CI'):\n        pytest.skip('x')\n",
        17,
        "'pytest.skip('x')'",
    ),
    ("class TestOld", "@unittest.skip('x')\nclass TestOld", 25, "'@unittest.skip('x')'"),
    ("    def test_sides", "    @unittest.skipIf(True, '')\n    def test_sides", 26, "skipIf"),
    (
        "    def test_sides",
        "    @unittest.expectedFailure\n    def test_sides",
        26,
        "expectedFailure",
    ),
    ("import os\n", "import os\npytestmark = pytest.mark.skip\n", 2, "every test of it"),
    ("import os\n", "import os\nraise unittest.SkipTest('x')\n", 2, "every test of it"),
    ("import os\n", "import os\npytest.importorskip('nope')\n", 2, "every test of it"),
    ("import os\n", "import os\n__test__ = False\n", 2, "every test of it"),
    (
        "import os\n",
        "import os\n@pytest.fixture(autouse=True)\ndef off():\n    pytest.skip('x')\n",
        4,
        "every test of it",
    ),
    (
        "        self.assertEqual(area(1, 1), 1)\n",
        "        self.skipTest('')\n",
        27,
        "skipTest",
    ),
    (
        "[(2, 3), (4, 5)]",
        "[pytest.param(2, 3, marks=pytest.mark.skip), (4, 5)]",
        9,
        "'@pytest.mark.skip'",
    ),
    # Removing
    (PARSE, "def check_parse():\n", 15, "the test test_parse is gone; it was at line 15"),
    (PARSE, "def _test_parse():\n", 15, "the test test_parse is gone"),
    (
        "class TestOld(unittest.TestCase)",
        "class Old",
        26,
        "the test TestOld.test_sides is gone",
    ),
    (
        "class TestOld(unittest.TestCase):\n",
        "class TestOld:\n    def __init__(self):\n        pass\n",
        28,
        "the test TestOld.test_sides is gone",
    ),
    ("def check(value)", "test_parse = None\ndef check(value)", 15, "test_parse is gone"),
    ("def check(value)", "del test_parse\ndef check(value)", 15, "test_parse is gone"),
    (
        "def check(value)",
        "def test_parse():\n    pass\ndef check(value)",
        21,
        "test_parse has 0 assertions that can fail, and had 2",
    ),
    (PARSE, f"if False:\n  {PARSE}    pass\ndef other():\n", 15, "test_parse is gone"),
    # Weakening
    (AREA, "", 10, "test_area has 1 assertions that can fail, and had 2"),
    (AREA, "    area(a, b)\n", 10, "gone is 'area(a, b) == a * b'"),
    (AREA, f"    if False:\n    {AREA}", 12, "in an arm of False that never runs"),
    (AREA, f"    if 0:\n        pass\n    elif 0:\n    {AREA}", 14, "never runs"),
    (AREA, f"    if os.environ.get('FULL'):\n    {AREA}", 12, "runs only when os.environ"),
    (AREA, f"    return\n{AREA}", 12, "comes after return in line 11"),
    (AREA, f"    if os.environ.get('CI'):\n        return\n{AREA}", 13, "line 11 leaves"),
    (AREA, f"    for _ in []:\n    {AREA}", 12, "in a loop that never runs"),
    (AREA, f"    while False:\n    {AREA}", 12, "in a loop that never runs"),
    (AREA, f"    def inner():\n    {AREA}", 10, "1 assertions that can fail, and had 2"),
    (AREA, f"    try:\n    {AREA}    except Exception:\n        pass\n", 12, "fails unseen"),
    (AREA, f"    try:\n    {AREA}    except:\n        print('x')\n", 12, "fails unseen"),
    (
        AREA,
        f"    with contextlib.suppress(AssertionError):\n    {AREA}",
        12,
        "fails unseen: with contextlib.suppress(AssertionError)",
    ),
    (
        AREA,
        f"    with pytest.raises(AssertionError):\n    {AREA}",
        12,
        "fails unseen: with pytest.raises(AssertionError)",
    ),
    (AREA, "    assert True\n", 11, "'True' holds whatever happens"),
    (AREA, "    assert area(a, b) == a * b or True\n", 11, "holds whatever happens"),
    (AREA, "    assert (area(a, b) == a * b, 'x')\n", 11, "holds whatever happens"),
    (AREA, "    assert len('abc') == 3\n", 11, "holds whatever happens"),
    (SIDES, "        self.assertEqual(sum([1, 1]), 2)\n", 27, "holds whatever happens"),
    (AREA, "    assert a == a\n", 11, "holds whatever happens"),
    (AREA, "    assert area(a, b) == a * b or SLOW\n", 11, "says less than"),
    (AREA, "    assert area(a, b) == a * b if FULL else True\n", 11, "says less than"),
    (PARSE, "async def test_parse():\n", 15, "'async def'"),
    (PARSE, f"{PARSE}    yield\n", 15, "'yield'"),
    (AREA, "    assert area(a, b)\n", 11, "says less than 'area(a, b) == a * b'"),
    (AREA, "    assert area(a, b) is not None\n", 11, "says less than"),
    (AREA, "    assert area(a, b) > 0\n", 11, "says less than"),
    (AREA, "    assert isinstance(area(a, b), int)\n", 11, "says less than"),
    (AREA, "    assert area(a, b) == pytest.approx(a * b)\n", 11, "rel is 1e-06, and was 0"),
    ("rel=1e-9", "rel=0.5", 12, "rel is 0.5, and was 1e-09"),
    ("places=7", "places=1", 28, "places is 0.1, and was 1e-07"),
    ("0.1, places=7", "0.1, delta=5", 28, "delta is 5, and was 0"),
    ('raises(ValueError, match="digit")', "raises(ValueError)", 16, "says less than"),
    ('raises(ValueError, match="digit")', "raises(Exception)", 16, "says less than"),
    ("[(2, 3), (4, 5)]", "[]", 10, "test_area has 0 cases, and had 2"),
    ("[(2, 3), (4, 5)]", "[(2, 3)]", 10, "test_area has 1 cases, and had 2"),
    ("    assert value == 1\n", "    return\n", 21, "check has 0 assertions that can fail"),
    (
        '    check(parse("1"))\n',
        '    parse("1")\n',
        15,
        "1 assertions that can fail, and had 2",
    ),
    (
        "        self.assertEqual(area(1, 1), 1)\n",
        "        self.assertTrue(True)\n",
        27,
        "holds whatever happens",
    ),
    ("import os\n", "import os (\n", 1, "does not parse, so that none of its tests runs"),
]

PYTHON_KEPT = [
    (AREA, f"    # why\n{AREA}"),
    (AREA, "    assert (area(a, b)) == (a * b)\n"),
    (AREA, AREA + AREA),
    (AREA, f"    product = a * b\n{AREA}"),
    (AREA, f"    with open('x') as f:\n    {AREA}"),
    (AREA, f"    for _ in range(3):\n    {AREA}"),
    (AREA, f"    try:\n    {AREA}    finally:\n        close()\n"),
    (AREA, f"    try:\n    {AREA}    except Exception:\n        raise\n"),
    (AREA, f"    if a > 1:\n    {AREA}    else:\n    {AREA}"),
    (AREA, f"    def inner():\n    {AREA}    inner()\n"),
    (BOTH, f"    same(a, b)\n\n\ndef same(a, b):\n{BOTH}"),
    (BOTH, "    assert area(a, b) == a * b\n    assert area(b, a) == a * b\n"),
    ("rel=1e-9", "rel=1e-12"),
    ("raises(ValueError,", "raises(TypeError,"),
    (PARSE, "def test_parsing():\n"),
    (PARSE, f"@pytest.mark.skipif(False, reason='x')\n{PARSE}"),
    (PARSE, f"@pytest.mark.usefixtures('x')\n{PARSE}"),
    (PARSE, "def test_more():\n    assert area(1, 2) == 2\n\n\ndef test_parse():\n"),
    ("[(2, 3), (4, 5)]", "[(2, 3), (4, 5), (6, 7)]"),
    ("class TestOld(unittest.TestCase)", "class TestOlder(unittest.TestCase)"),
    ("def test_parse():\n    with", "def test_parse():\n    pass\n    with"),
]

JAVA = """\
class AreaTest {
    @Test
    void area() {
        assertEquals(6, Area.of(2, 3));
        assertEquals(0.1, Area.of(0.1, 1), 0.001);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sides(int side) {
        assertThat(Area.of(side, 1)).isEqualTo(side);
        same(side);
    }

    private void same(int side) {
        assertTrue(Area.of(1, side) == side);
    }
}
"""
SCRIPT = """\
describe("area", () => {
  it("multiplies", () => {
    expect(area(2, 3)).toBe(6);
    expect(area(0.1, 1)).toBeCloseTo(0.1, 5);
  });
  it.each([[1, 1], [2, 4]])("squares %d", (a, b) => {
    expect(area(a, a)).toEqual(b);
  });
});
"""
GO = """\
package area

import "testing"

func TestArea(t *testing.T) {
	if got := Area(2, 3); got != 6 {
		t.Errorf("got %d", got)
	}
	assert.Equal(t, 1, Area(1, 1))
}

func TestSides(t *testing.T) {
	for _, test := range []struct{ side int }{{1}, {2}} {
		t.Run("side", func(t *testing.T) {
			assert.InDelta(t, test.side, Area(test.side, 1), 0.01)
		})
	}
}
"""
RUST = """\
pub fn area(a: i32, b: i32) -> i32 { a * b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplies() {
        assert_eq!(area(2, 3), 6);
        assert!((ratio() - 0.5).abs() < 0.001);
    }

    #[test]
    fn refuses() {
        if area(0, 1) != 0 {
            panic!("no");
        }
    }
}
"""
A_JAVA, A_JS, A_TSX, A_GO, A_RUST = (
    "src/test/java/AreaTest.java",
    "area.test.js",
    "area.spec.tsx",
    "area_test.go",
    "src/area.rs",
)
SOURCES = {A_JAVA: JAVA, A_JS: SCRIPT, A_TSX: SCRIPT, A_GO: GO, A_RUST: RUST}

TEST = "    @Test\n"
EQUALS = "        assertEquals(6, Area.of(2, 3));\n"
TO_BE = "    expect(area(2, 3)).toBe(6);\n"
EQUAL = "\tassert.Equal(t, 1, Area(1, 1))\n"
ASSERT_EQ = "        assert_eq!(area(2, 3), 6);\n"
A_TEST = "    #[test]\n    fn mult"
SHORT = "\tif testing.Short() {\n\t\tt.SkipNow()\n\t}\n"
FEWER = "1 assertions that can fail, and had 2"

SOURCES_TAMPERED: list[tuple[str, str, str, int, str]] = [
    (A_JAVA, TEST, f'    @Disabled("later")\n{TEST}', 2, "@Disabled"),
    (A_JAVA, "class AreaTest", "@Ignore\nclass AreaTest", 1, "@Ignore"),
    (A_JAVA, TEST, "    @Test(enabled = false)\n", 2, "enabled = false"),
    (A_JAVA, TEST, "    @Test(expected = Throwable.class)\n", 2, "expected"),
    (A_JAVA, TEST, "", 2, "the test AreaTest.area is gone; it was at line 2"),
    (A_JAVA, "void area()", "private void area()", 2, "the test AreaTest.area is gone"),
    (A_JAVA, EQUALS, "", 2, FEWER),
    (A_JAVA, EQUALS, "        Area.of(2, 3);\n", 2, "gone is 'assertEquals(6, Area.of(2, 3))'"),
    (A_JAVA, EQUALS, f"        if (false) {{\n{EQUALS}        }}\n", 5, "never runs"),
    (A_JAVA, EQUALS, f"        assumeTrue(off());\n{EQUALS}", 4, "assumeTrue(off())"),
    (A_JAVA, EQUALS, f"        if (ci()) {{\n{EQUALS}        }}\n", 5, "runs only when ci()"),
    (A_JAVA, EQUALS, f"        try {{\n{EQUALS}  }} catch (Error e) {{ }}\n", 5, "unseen"),
    (A_JAVA, EQUALS, "        assertTrue(true);\n", 4, "holds whatever happens"),
    (A_JAVA, EQUALS, "        assertNotNull(Area.of(2, 3));\n", 4, "says less"),
    (A_JAVA, "0.001", "10.0", 5, "delta is 10, and was 0.001"),
    (A_JAVA, "{1, 2}", "{1}", 8, "has 1 cases, and had 2"),
    (A_JAVA, "        same(side);\n", "", 8, FEWER),
    (A_JAVA, "Area.of(1, side) == side", "true", 16, "holds whatever happens"),
    (A_JS, 'it("mult', 'it.skip("mult', 2, "'it.skip'"),
    (A_JS, 'it("mult', 'xit("mult', 2, "'xit'"),
    (A_JS, 'it("mult', 'it.only("mult', 2, "leaves others out"),
    (A_JS, 'it("mult', 'other("mult', 2, "area > multiplies is gone"),
    (A_JS, 'describe("', 'describe.skip("', 1, "'describe.skip'"),
    (A_JS, 'describe("', 'if (!process.env.CI) describe("', 1, "if (!process.env.CI)"),
    (A_JS, TO_BE, "", 2, "gone is 'expect(area(2, 3)).toBe(6)'"),
    (A_JS, TO_BE, "    expect(area(2, 3));\n", 2, FEWER),
    (A_JS, TO_BE, f"    return;\n{TO_BE}", 4, "comes after return;"),
    (A_JS, TO_BE, f"    if (process.env.CI) return;\n{TO_BE}", 4, "line 3 leaves"),
    (A_JS, TO_BE, f"    if (false) {{\n{TO_BE}    }}\n", 4, "never runs"),
    (A_JS, TO_BE, f"    try {{\n{TO_BE}    }} catch {{}}\n", 4, "fails unseen"),
    (A_JS, TO_BE, f"    this.skip();\n{TO_BE}", 3, "this.skip()"),
    (A_JS, TO_BE, "    expect(true).toBe(true);\n", 3, "holds whatever happens"),
    (A_JS, TO_BE, "    expect(area(2, 3)).toBeDefined();\n", 3, "says less"),
    (A_JS, "0.1, 5)", "0.1, 0)", 4, "digits is 0.5, and was 5e-06"),
    (A_JS, "[[1, 1], [2, 4]]", "[]", 6, "has 0 cases, and had 2"),
    (A_TSX, 'it("mult', 'it.skip("mult', 2, "'it.skip'"),
    (
        A_TSX,
        TO_BE,
        f"    const a = <b>{{1 as any}}</b>;\n    return;\n{TO_BE}",
        5,
        "comes after",
    ),
    (A_GO, EQUAL, f'\tt.Skip("x")\n{EQUAL}', 9, "t.Skip"),
    (A_GO, EQUAL, f"{SHORT}{EQUAL}", 10, "t.SkipNow"),
    (A_GO, EQUAL, "", 5, FEWER),
    (A_GO, EQUAL, f"\treturn\n{EQUAL}", 10, "comes after return"),
    (A_GO, "got != 6", "false", 7, "is in an arm of false that never runs"),
    (A_GO, '\t\tt.Errorf("got %d", got)\n', "\t\tprintln(got)\n", 5, FEWER),
    (A_GO, "package", "//go:build ignore\n\npackage", 1, "go:build ignore"),
    (A_GO, "func TestArea", "func testArea", 5, "the test TestArea is gone"),
    (A_GO, "func TestArea", "func Testarea", 5, "the test TestArea is gone"),
    (A_GO, "0.01", "100", 15, "delta is 100, and was 0.01"),
    (A_GO, "{{1}, {2}}", "{}", 15, "in a loop that never runs"),
    (A_GO, "{{1}, {2}}", "{{1}}", 12, "has 1 cases, and had 2"),
    (A_GO, 'ng"\n', 'ng"\nfunc TestMain(m *testing.M) { os.Exit(0) }\n', 4, "func TestMain"),
    (A_RUST, A_TEST, f"    #[ignore]\n{A_TEST}", 7, "#[ignore]"),
    (A_RUST, A_TEST, f"    #[should_panic]\n{A_TEST}", 7, "#[should_panic]"),
    (A_RUST, A_TEST, "    fn mult", 7, "tests::multiplies is gone"),
    (A_RUST, A_TEST, f'    #[cfg(feature = "x")]\n{A_TEST}', 7, "#[cfg(feature"),
    (A_RUST, "#[cfg(test)]", '#[cfg(all(test, feature = "x"))]', 3, "#[cfg(all("),
    (A_RUST, ASSERT_EQ, "", 8, FEWER),
    (A_RUST, ASSERT_EQ, f"        return;\n{ASSERT_EQ}", 10, "comes after return"),
    (A_RUST, ASSERT_EQ, f"        if false {{\n{ASSERT_EQ}        }}\n", 10, "never runs"),
    (A_RUST, ASSERT_EQ, "        assert!(true);\n", 9, "holds whatever happens"),
    (A_RUST, ASSERT_EQ, "        assert!(area(2, 3) > 0);\n", 9, "says less"),
    (A_RUST, "0.001", "10.0", 10, "limit is 10, and was 0.001"),
    (A_RUST, '            panic!("no");\n', "", 14, "0 assertions that can fail, and had 1"),
]

SOURCES_KEPT = [
    (A_JAVA, EQUALS, f"        // why\n{EQUALS}        assertTrue(Area.ok());\n"),
    (A_JAVA, "        same(side);\n", "        assertEquals(side, Area.of(1, side));\n"),
    (A_JAVA, "void area()", "void product()"),
    (A_JAVA, "{1, 2}", "{1, 2, 3}"),
    (A_JS, TO_BE, f"{TO_BE}    expect(area(1, 1)).toBe(1);\n"),
    (A_JS, TO_BE, "    const found = area(2, 3);\n    expect(found).toBe(6);\n"),
    (A_JS, 'it("mult', 'it("really mult'),
    (A_GO, EQUAL, f"{EQUAL}\tassert.Equal(t, 2, Area(1, 2))\n"),
    (A_GO, "func TestArea", "func TestProduct"),
    (A_GO, "t.Errorf", "t.Fatalf"),
    (A_RUST, ASSERT_EQ, f"{ASSERT_EQ}        assert_eq!(area(1, 1), 1);\n"),
    (A_RUST, "fn multiplies", "fn products"),
    (A_RUST, "{ a * b }", "{ b * a }"),
]
