"""Telling files that tools write from those that people write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from fnmatch import fnmatchcase
from typing import Final

from agent_judge.judges.diff.records import FileChange, Version

LOCK_FILES: Final[Mapping[str, tuple[str, ...]]] = {
    "package-lock.json": ("package.json",),
    "npm-shrinkwrap.json": ("package.json",),
    "yarn.lock": ("package.json",),
    "pnpm-lock.yaml": ("package.json", "pnpm-workspace.yaml"),
    "bun.lock": ("package.json",),
    "bun.lockb": ("package.json",),
    "deno.lock": ("deno.json", "deno.jsonc", "package.json"),
    "poetry.lock": ("pyproject.toml",),
    "uv.lock": ("pyproject.toml", "uv.toml"),
    "pdm.lock": ("pyproject.toml",),
    "pylock.toml": ("pyproject.toml",),
    "Pipfile.lock": ("Pipfile",),
    "Cargo.lock": ("Cargo.toml",),
    "go.sum": ("go.mod",),
    "go.work.sum": ("go.work", "go.mod"),
    "composer.lock": ("composer.json",),
    "Gemfile.lock": ("Gemfile", "*.gemspec"),
    "gradle.lockfile": ("build.gradle", "build.gradle.kts", "*.versions.toml"),
    "packages.lock.json": ("*.csproj", "*.fsproj", "*.vbproj", "Directory.Packages.props"),
    "mix.lock": ("mix.exs",),
    "pubspec.lock": ("pubspec.yaml",),
    "Podfile.lock": ("Podfile",),
    "Package.resolved": ("Package.swift",),
    "flake.lock": ("flake.nix",),
    "Chart.lock": ("Chart.yaml",),
    ".terraform.lock.hcl": ("*.tf",),
}
"""Lock files, and the manifests of which their tools make them, as those tools document them."""

VENDORED: Final[Mapping[str, tuple[str, ...]]] = {
    "node_modules": ("package.json",),
    "vendor": ("go.mod", "composer.json", "Cargo.toml", "Gemfile", "package.json"),
    "third_party": (),
    "bower_components": ("bower.json",),
}
"""Directories of other people's code, and the manifests that say what is in them."""

GENERATED: Final[Mapping[str, tuple[str, ...]]] = {
    "*_pb2.py": ("*.proto",),
    "*_pb2.pyi": ("*.proto",),
    "*_pb2_grpc.py": ("*.proto",),
    "*.pb.go": ("*.proto",),
    "*.pb.cc": ("*.proto",),
    "*.pb.h": ("*.proto",),
    "*.min.js": ("*.js", "*.mjs", "*.ts", "*.jsx", "*.tsx"),
    "*.min.css": ("*.css", "*.scss", "*.sass", "*.less"),
    "*.js.map": ("*.js", "*.mjs", "*.ts", "*.jsx", "*.tsx"),
    "*.css.map": ("*.css", "*.scss", "*.sass", "*.less"),
    "*.g.dart": ("*.dart",),
    "*.freezed.dart": ("*.dart",),
    "zz_generated.*.go": ("*.go",),
}
"""Names that generators give to files, and those of what they are made from."""

_MARK: Final = re.compile(rb"Code generated [^\n]{0,200} DO NOT EDIT|(?<![\w@])@generated\b")
"""What generators write at the top of a file: https://go.dev/s/generatedcode, and `@generated`,
which Rust, Buck and many others know."""

_TOP: Final = 2_000
"""Bytes in which it stands."""


class Origin(Enum):
    """How a file that nobody writes by hand comes to be."""

    LOCK = "lock file"
    VENDORED = "vendored file"
    NAMED = "generated file"
    MARKED = "file that says it is generated"


def origin_by_name(path: str) -> tuple[Origin, tuple[str, ...]] | None:
    """What the path says of a file's origin, with the names of what it is made from."""
    *folders, name = path.split("/")
    for folder in folders:
        if folder in VENDORED:
            return Origin.VENDORED, VENDORED[folder]
    if name in LOCK_FILES:
        return Origin.LOCK, LOCK_FILES[name]
    for pattern, sources in GENERATED.items():
        if fnmatchcase(name, pattern):
            return Origin.NAMED, sources
    return None


def says_generated(version: Version | None) -> bool:
    """Whether a file says of itself that it is generated."""
    return bool(version and version.content and _MARK.search(version.content[:_TOP]))


def is_generated(file: FileChange) -> bool:
    """Whether a file was not written by hand, whatever the change itself makes it say."""
    return all(map(origin_by_name, file.paths)) or says_generated(file.before)
