from __future__ import annotations

from typing import Any

import pytest

from agent_judge.errors import ArgumentError
from agent_judge.judges.process.isolation import MEMORY, Limits


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "5", 2**41, None])
def test_a_limit_that_is_no_number_from_1_up_is_refused(value: Any) -> None:
    """A limit of nothing, or of more than a kernel counts, is none. (contract: judges:X15)"""
    with pytest.raises(ArgumentError, match="cpu_seconds"):
        Limits(cpu_seconds=value)


def test_limits_are_in_the_units_of_the_kernel() -> None:
    """Sizes are in MB of 2**20 bytes. (contract: judges:X15)"""
    limits = Limits(memory_mb=2, file_mb=3).by_resource()

    assert (limits[MEMORY], limits["RLIMIT_FSIZE"]) == (2 * 2**20, 3 * 2**20)
