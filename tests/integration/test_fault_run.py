from __future__ import annotations

import pytest

from agent_judge.engine import workers
from integration import faults

pytestmark = pytest.mark.integration


def test_no_rule_is_broken_by_judges_that_go_wrong() -> None:
    """Three hundred random juries: no seat is lost, nothing passes that nobody passed.

    (contract: core:J3, core:J5, core:J8, core:J8b, core:J10, core:V10)
    """
    seen = faults.run(300)

    assert seen["verdict PASS"]
    assert seen["ended by a judge"]
    assert seen["judges that hang"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_rule_is_broken_in_a_long_run() -> None:
    """Ten thousand, of another seed; and no abandoned thread is left.

    (contract: core:J3, core:J5, core:J8, core:J8b, core:J10, core:V10)
    """
    faults.run(10_000, seed=1)

    assert workers.workers().abandoned < workers.MAX_ABANDONED


def test_the_same_seed_gives_the_same_jury() -> None:
    """So that one that broke a rule can be tried again."""
    one, other = faults.World("0/7"), faults.World("0/7")

    assert one.root.describe() == other.root.describe()
    assert faults.World("0/8").root.describe() != one.root.describe()
