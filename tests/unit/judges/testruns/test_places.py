from __future__ import annotations

import pytest

from agent_judge.judges.testruns.formats.places import place_in

PYTHON = 'Traceback\n  File "/src/cart.py", line 3, in pay\n  File "/src/money.py", line 9, in to\n'
JAVA = (
    "Error: x\n\tat org.junit.Assert.fail(Assert.java:88)\n"
    "\tat java.base/shop.CartTest.pays(CartTest.java:12)\n"
)
NODE = (
    "Error: 3\n    at node:internal/x:1:1\n    at Object.check (/src/help.js:4:1)\n"
    "    at Context.<anonymous> (/src/cart.test.js:9:2)\n"
)


@pytest.mark.parametrize(
    ("text", "file", "class_name", "place"),
    [
        (PYTHON, None, "", ("/src/money.py", 9)),
        (PYTHON, "src/cart.py", "", ("src/cart.py", 3)),
        (PYTHON, "other.py", "", None),
        ("E   x\n\ntests/test_a.py:9: AssertionError", None, "", ("tests/test_a.py", 9)),
        (JAVA, None, "shop.CartTest", ("shop/CartTest.java", 12)),
        (JAVA, None, "", ("org/junit/Assert.java", 88)),
        (NODE, None, "", ("/src/help.js", 4)),
        (NODE, "cart.test.js", "", ("cart.test.js", 9)),
        ("   at A.B() in C:\\src\\a b.cs:line 7", None, "", ("C:\\src\\a b.cs", 7)),
        ("main.go:0: x", None, "", None),
        ("", None, "", None),
    ],
)
def test_the_place_of_a_failure_is_told_by_its_text(
    text: str, file: str | None, class_name: str, place: tuple[str, int] | None
) -> None:
    """Python puts it last, others first; in the test's own file where that is known."""
    assert place_in(text, file, class_name) == place
