from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges import MavenSemanticJudge, XmlSemanticJudge
from agent_judge.judgment import Judgment, ReasonCode


def judge(reference: str, candidate: str, **options: object) -> Judgment:
    """Compare two documents."""
    context = JudgmentContext(output=candidate, expected=reference)
    return XmlSemanticJudge(**options)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def judge_pom(reference: str, candidate: str, **options: object) -> Judgment:
    """Compare two projects, given what is in them."""
    wanted, given = (f"<project>{inner}</project>" for inner in (reference, candidate))
    context = JudgmentContext(output=given, expected=wanted)
    return MavenSemanticJudge(**options)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


PROPERTY = "<properties><v>1</v></properties>"
PROFILE = "<profiles><profile><properties><v>2</v></properties></profile></profiles>"


def dependency(more: str = "", artifact: str = "a") -> str:
    """A dependency in its list."""
    inner = f"<groupId>g</groupId><artifactId>{artifact}</artifactId>{more}"
    return f"<dependencies><dependency>{inner}</dependency></dependencies>"


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("<a><b/><c/></a>", "<a><c/><b/></a>"),
        ("<a><b/></a>", "<a>\n  <b></b>\n</a>"),
        ('<a b="1" c="2"/>', "<a c='2' b='1'/>"),
        ('<x:a xmlns:x="u"/>', '<a xmlns="u"/>'),
        ('<x:a xmlns:x="u" t="x:b"/>', '<y:a xmlns:y="u" t="y:b"/>'),
        ("<a>1 &lt; 2</a>", "<a><![CDATA[1 < 2]]></a>"),
        ("<a>&#65;</a>", "<a>A</a>"),
        ("<a><!-- c --><b/></a>", "<a><b/></a>"),
        ("<a> b </a>", "<a>b</a>"),
        ("<a>b<!-- c -->d</a>", "<a>bd</a>"),
        ('<?xml version="1.0"?><a/>', "<a/>"),
        ('<!DOCTYPE a SYSTEM "no/such.dtd"><a/>', "<a/>"),
    ],
)
def test_what_means_nothing_in_xml_is_not_compared(reference: str, candidate: str) -> None:
    """Order of other names, prefixes, notation, comments. (contract: judges:D5, judges:D7)"""
    judgment = judge(reference, candidate)

    assert judgment.passed, judgment.reasoning


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("<a>b<c/>d</a>", "<a>b<c/>e</a>"),
        ("<a>b<c/>d</a>", "<a><c/>bd</a>"),
        ("<a>b <c/>d</a>", "<a>b<c/>d</a>"),
        ("<a>x <b/> <c/></a>", "<a>x <b/><c/></a>"),
        ("<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>"),
        ("<a><b/></a>", "<a><b/><b/></a>"),
        ("<a><b/></a>", "<a><c/></a>"),
        ('<a b="1"/>', '<a b="2"/>'),
        ('<a b="1"/>', "<a/>"),
        ('<a xmlns="u"/>', '<a xmlns="v"/>'),
        ('<x:a xmlns:x="u" t="x:b"/>', '<x:a xmlns:x="u" xmlns:y="v" t="y:b"/>'),
        ('<a xmlns:x="u" t="x:b"/>', '<a xmlns:x="v" t="x:b"/>'),
        ('<a xml:space="preserve"> b</a>', '<a xml:space="preserve">b</a>'),
        ('<a xml:space="preserve"> <b/></a>', '<a xml:space="preserve"><b/></a>'),
        ("<?p x?><a/>", "<?p y?><a/>"),
        ("<a>b</a>", "<a>B</a>"),
    ],
)
def test_what_means_something_in_xml_fails(reference: str, candidate: str) -> None:
    """Mixed text, order of the same name, attributes, namespaces. (contract: judges:D7)"""
    assert judge(reference, candidate).status is Status.FAIL


def test_siblings_of_one_name_are_free_only_under_a_rule_that_says_so() -> None:
    """It is not a usual one."""
    reference, candidate = "<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>"

    assert judge(reference, candidate, rules=["all_siblings"]).passed
    assert judge("<a><b/> </a>", "<a><b/></a>", rules="strict").status is Status.FAIL


@pytest.mark.parametrize("judge", [XmlSemanticJudge(), MavenSemanticJudge()])
@pytest.mark.parametrize("side", ["output", "expected"])
def test_entities_are_refused_and_nothing_is_read(
    judge: XmlSemanticJudge, side: str, tmp_path: Path
) -> None:
    """A bomb, an external entity, and one of parameters. (contract: judges:D7)"""
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    bomb = "".join(f'<!ENTITY e{n + 1} "&e{n};&e{n};">' for n in range(60))
    for declared in (
        f'<!ENTITY e0 "x">{bomb}',
        f'<!ENTITY e60 SYSTEM "{secret.as_uri()}">',
        f'<!ENTITY % p SYSTEM "{secret.as_uri()}"> %p;<!ENTITY e60 "x">',
    ):
        hostile = f"<!DOCTYPE a [{declared}]><a>&e60;</a>"
        texts = {"output": "<a/>", "expected": "<a/>", side: hostile}

        judgment = judge(JudgmentContext(output=texts["output"], expected=texts["expected"]))

        assert judgment.status is Status.ERROR
        assert judgment.code is ReasonCode.REFUSED
        assert "a secret" not in judgment.reasoning


def test_a_difference_in_xml_has_its_path_and_lines() -> None:
    """So that a person finds it."""
    judgment = judge("<a>\n<b>\n<c d='1'/></b></a>", "<a>\n<b><c d='2'/></b></a>")

    assert judgment.checks[0].name == "a.b.c.@d"
    assert judgment.checks[0].message == "is 'd 2' on line 2, the reference has 'd 1' on line 3"


def test_xml_in_the_encoding_that_it_declares_is_read(tmp_path: Path) -> None:
    """In files; a text is decoded already, whatever it declares."""
    declared = '<?xml version="1.0" encoding="UTF-16"?><a>é</a>'
    (tmp_path / "a.xml").write_bytes(declared.encode("utf-16"))
    context = JudgmentContext(workspace=tmp_path, expected=declared)

    assert XmlSemanticJudge("a.xml")(context).passed


@pytest.mark.parametrize(
    ("reference", "candidate", "rule"),
    [
        (dependency(), dependency("<scope>compile</scope>"), "model_defaults"),
        (dependency(), dependency("<optional>false</optional>"), "model_defaults"),
        ("<packaging>jar</packaging>", "", "model_defaults"),
        (
            f"<properties><v>1</v></properties>{dependency('<version>${v}</version>')}",
            f"<properties><v>1</v></properties>{dependency('<version>1</version>')}",
            "property_interpolation",
        ),
        (
            f"<version>1</version>{dependency('<version>${project.version}</version>')}",
            f"<version>1</version>{dependency('<version>1</version>')}",
            "property_interpolation",
        ),
        (
            "<dependencyManagement>" + dependency("<version>1</version>")
            + "</dependencyManagement>" + dependency(),
            "<dependencyManagement>" + dependency("<version>1</version>")
            + "</dependencyManagement>" + dependency("<version>1</version>"),
            "managed_versions",
        ),
    ],
)  # fmt: skip
def test_what_a_pom_means_is_compared(reference: str, candidate: str, rule: str) -> None:
    """Defaults, properties, managed versions, each by a rule with a name. (contract: judges:D6)"""
    judgment = judge_pom(reference, candidate)

    assert judgment.passed, judgment.reasoning
    assert judgment.metadata["equal_under"] == (rule,)
    assert judge_pom(reference, candidate, rules="strict").status is Status.FAIL


def test_the_namespace_of_poms_is_optional() -> None:
    """Maven reads a POM without it as well."""
    pom = "<project {}><version>1</version></project>"
    schema = (
        'xmlns="http://maven.apache.org/POM/4.0.0" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"'
    )

    judgment = MavenSemanticJudge()(
        JudgmentContext(output=pom.format(schema), expected=pom.format(""))
    )

    assert judgment.metadata["equal_under"] == ("namespace",)


@pytest.mark.parametrize(
    ("reference", "candidate", "paths"),
    [
        (
            dependency("<version>1</version>"),
            dependency("<version>1</version>", "b"),
            ["project.dependencies.dependency g:a", "project.dependencies.dependency g:b"],
        ),
        (
            dependency("<version>1</version>"),
            dependency("<version>2</version>"),
            ["project.dependencies.dependency g:a.version.text"],
        ),
        (
            dependency("<version>1</version>"),
            dependency("<version>[1]</version>"),
            ["project.dependencies.dependency g:a.version.text"],
        ),
        (
            dependency(),
            dependency("<scope>test</scope>"),
            ["project.dependencies.dependency g:a.scope"],
        ),
        (
            dependency(),
            dependency("<exclusions><exclusion><groupId>*</groupId></exclusion></exclusions>"),
            ["project.dependencies.dependency g:a.exclusions"],
        ),
        (
            PROPERTY + PROFILE + dependency("<version>${v}</version>"),
            PROPERTY + PROFILE + dependency("<version>1</version>"),
            ["project.dependencies.dependency g:a.version.text"],
        ),
        (
            "<build><plugin><configuration><x>1</x><x>2</x></configuration></plugin></build>",
            "<build><plugin><configuration><x>2</x><x>1</x></configuration></plugin></build>",
            None,
        ),
    ],
)
def test_a_pom_that_means_something_else_fails(
    reference: str, candidate: str, paths: list[str] | None
) -> None:
    """A dependency replaced by another is named, with the same count. (contract: judges:D6)"""
    judgment = judge_pom(reference, candidate)

    assert judgment.status is Status.FAIL
    assert paths is None or [check.name for check in judgment.checks] == paths


def test_properties_that_multiply_are_not_put_in() -> None:
    """A text grows no longer than ten thousand characters."""
    bomb = "".join(f"<p{n + 1}>${{p{n}}}${{p{n}}}</p{n + 1}>" for n in range(60))
    pom = f"<properties><p0>x</p0>{bomb}</properties><name>${{p60}}</name>"

    assert judge_pom(pom, pom.replace("<name>", "<name> ")).passed
