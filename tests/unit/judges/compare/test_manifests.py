from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges import ManifestJudge
from agent_judge.judgment import Judgment

GO = "module m\n\ngo 1.22\n"


def judge(kind: str, reference: str, candidate: str) -> Judgment:
    """Compare two manifests of a kind."""
    context = JudgmentContext(output=candidate, expected=reference)
    return ManifestJudge(manifest=kind)(context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def project(requirements: str) -> str:
    """A `pyproject.toml` with some dependencies."""
    return f'[project]\nname = "p"\ndependencies = [{requirements}]\n'


@pytest.mark.parametrize(
    ("kind", "reference", "candidate"),
    [
        ("pyproject.toml", project('"Foo_Bar>=1.0"'), project('"foo-bar >= 1.0"')),
        ("pyproject.toml", project('"x==1.0"'), project('"x==1.0.0"')),
        ("pyproject.toml", project('"x>=1,<2"'), project('"x<2,>=1"')),
        ("pyproject.toml", project('"a", "b"'), project('"b", "a"')),
        (
            'pyproject.toml',
            project('"x; python_version<\'3.9\'"'),
            project('\'x ; python_version < "3.9"\''),
        ),
        ("pyproject.toml", project('"x[a,b]"'), project('"x[b, A]"')),
        ("pyproject.toml", '[build-system]\nrequires = ["A"]', '[build-system]\nrequires = ["a"]'),
        ("pyproject.toml", '[dependency-groups]\nt = ["A"]', '[dependency-groups]\nt = ["a"]'),
        (
            'pyproject.toml',
            '[tool.poetry.dependencies]\nA_b = "^1, <2"',
            '[tool.poetry.dependencies]\na-b = "<2,^1"',
        ),
        ("requirements.txt", "a==1.0\nb\n", "# c\nB\na == 1.0.0  # d\n"),
        ("requirements.txt", "a==1 --hash=sha256:x", "a==1 \\\n  --hash=sha256:x"),
        ("requirements.txt", "-r b.txt\na", "a\n-r  b.txt"),
        (
            'package.json',
            '{"dependencies": {"a": "^1", "b": "1"}}',
            '{"dependencies": {"b": "1", "a": " ^1 "}}',
        ),
        ("package.json", '{"dependencies": {"a": ""}}', '{"dependencies": {"a": "*"}}'),
        ("Cargo.toml", '[dependencies]\na = "1"', '[dependencies.a]\nversion = "^1"'),
        (
            'Cargo.toml',
            '[dependencies]\na = "1"',
            '[dependencies]\na = {version = "1", optional = false}',
        ),
        ("Cargo.toml", '[dependencies]\na = ">=1, <2"', '[dependencies]\na = "<2,>=1"'),
        (
            "Cargo.toml",
            '[target.x.dependencies]\na = {version = "1", features = ["b", "c"]}',
            '[target.x.dependencies.a]\nversion = "1"\nfeatures = ["c", "b"]\noptional = false',
        ),
        ("go.mod", f"{GO}require a/b v1.0.0\n", f"{GO}require (\n\ta/b v1.0.0 // note\n)\n"),
        ("go.mod", f"{GO}require a v1\nrequire b v1", f"{GO}require (\n b v1\n a v1\n)"),
        ("go.mod", f'{GO}require "a" v1', f"{GO}require a v1\n\n"),
        ("pom.xml", "<project><name>a</name></project>", "<project> <name>a</name> </project>"),
    ],
)  # fmt: skip
def test_how_dependencies_are_written_means_nothing(
    kind: str, reference: str, candidate: str
) -> None:
    """Their order, their notation, what holds anyway. (contract: judges:D6)"""
    judgment = judge(kind, reference, candidate)

    assert judgment.passed, judgment.reasoning


@pytest.mark.parametrize(
    ("kind", "reference", "candidate"),
    [
        ("pyproject.toml", project('"a"'), project('"b"')),
        ("pyproject.toml", project('"a==1"'), project('"a==2"')),
        ("pyproject.toml", project('"a~=1.0"'), project('"a~=1.0.0"')),
        ("pyproject.toml", project('"a===1.0"'), project('"a===1.0.0"')),
        ("pyproject.toml", project('"a==1.*"'), project('"a==1"')),
        ("pyproject.toml", project('"a>=1"'), project('"a>1"')),
        ("pyproject.toml", project('"a[b]"'), project('"a"')),
        ("pyproject.toml", project("\"a; python_version<'3.9'\""), project('"a"')),
        ("pyproject.toml", project('"a @ https://x/a.whl"'), project('"a @ https://y/a.whl"')),
        ("pyproject.toml", project('"a", "a"'), project('"a"')),
        ("pyproject.toml", project('"a", "not a requirement !"'), project('"a", "nor this !"')),
        ("pyproject.toml", project('"a"'), '[project]\nname = "q"\ndependencies = ["a"]'),
        (
            "pyproject.toml",
            '[project.optional-dependencies]\nx = ["a"]',
            '[project.optional-dependencies]\ny = ["a"]',
        ),
        ("requirements.txt", "a==1\nb==1", "a==1\nc==1"),
        ("requirements.txt", "a==1", "a==1\nb"),
        ("requirements.txt", "a==1 --hash=sha256:x", "a==1 --hash=sha256:y"),
        ("requirements.txt", "-r a.txt\n-r b.txt", "-r b.txt\n-r a.txt"),
        ("requirements.txt", "--index-url x\na", "a"),
        ("package.json", '{"dependencies": {"x": "^1"}}', '{"dependencies": {"x": "~1"}}'),
        ("package.json", '{"dependencies": {"x": "1"}}', '{"devDependencies": {"x": "1"}}'),
        ("package.json", '{"dependencies": {"x": "1"}}', '{"dependencies": {"y": "1"}}'),
        ("package.json", '{"exports": {"import": "a", "default": "b"}}',
         '{"exports": {"default": "b", "import": "a"}}'),
        ("package.json", '{"scripts": {"a": "b"}}', '{"scripts": {"a": "c"}}'),
        ("Cargo.toml", '[dependencies]\na = "1"', '[dependencies]\na = "=1"'),
        ("Cargo.toml", '[dependencies]\na = "1"', '[dev-dependencies]\na = "1"'),
        ("Cargo.toml", '[dependencies]\na = "1"', '[dependencies]\nb = "1"'),
        (
            'Cargo.toml',
            '[dependencies]\na = "1"',
            '[dependencies]\na = {version = "1", optional = true}',
        ),
        ("Cargo.toml", '[dependencies]\na = "1"', '[dependencies]\na = {git = "x"}'),
        ("go.mod", f"{GO}require a v1", f"{GO}require b v1"),
        ("go.mod", f"{GO}require a v1", f"{GO}require a v2"),
        ("go.mod", f"{GO}require a v1 // indirect", f"{GO}require a v1"),
        ("go.mod", f"{GO}require a v1", f"{GO}exclude a v1"),
        ("go.mod", f"{GO}replace a => b v1", f"{GO}replace a => c v1"),
        ("go.mod", "module m", "module n"),
    ],
)  # fmt: skip
def test_other_dependencies_fail(kind: str, reference: str, candidate: str) -> None:
    """By identity, version and scope, also with the same count. (contract: judges:D6)"""
    assert judge(kind, reference, candidate).status is Status.FAIL


def test_a_replaced_dependency_is_named_on_both_sides() -> None:
    """As the one that is missing and the one that is not expected. (contract: judges:D6)"""
    judgment = judge("requirements.txt", "a==1\nb==1", "a==1\nc==1")

    assert [(check.name, check.message.partition(":")[0]) for check in judgment.checks] == [
        ("/requirements/b", "is missing"),
        ("/requirements/c", "is not in the reference"),
    ]


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "requirements-dev.txt", "package.json", "Cargo.toml", "go.mod"]
)
def test_a_manifest_is_known_by_its_name(name: str, tmp_path: Path) -> None:
    """In whatever directory it is."""
    text = {"package.json": "{}", "go.mod": "module m\n"}.get(name, "")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / name).write_text(text)

    judgment = ManifestJudge(f"x/{name}", tmp_path)(JudgmentContext(workspace=tmp_path))

    assert judgment.passed
    assert judgment.metadata["compared_as"] == "manifest"


@pytest.mark.parametrize("text", ["modul m", "module m\nrequire (\n a v1"])
def test_what_is_no_go_mod_fails(text: str) -> None:
    """A word that is no directive, a block without an end. (contract: judges:D3)"""
    assert "does not parse as go.mod" in judge("go.mod", "module m", text).reasoning
