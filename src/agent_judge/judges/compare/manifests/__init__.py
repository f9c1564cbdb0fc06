"""Manifests of packages: what depends on what."""
