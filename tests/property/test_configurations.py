"""What a configuration builds is described so that it can be built again."""

from __future__ import annotations

import json

from hypothesis import given

from agent_judge.config import build_from, to_config
from property.configurations import Table, configurations


@given(configurations)
def test_what_is_described_is_built_again(configuration: Table) -> None:
    """Build, describe, write, build: the description is the same. (contract: edges:S3)"""
    description = build_from(configuration).describe()

    written = to_config(description)

    assert not description.opaque
    assert build_from(json.loads(json.dumps(written))).describe() == description
