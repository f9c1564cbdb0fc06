"""When enough samples were asked: the chance that the majority so far is that of all of them."""

from __future__ import annotations

from math import comb


def chance_of_majority(leading: int, others: int, remaining: int) -> float:
    """The probability that what leads now is more than half of all samples in the end.

    Before any sample, the share p of those that say the same as the leading ones is taken to be
    anything between 0 and 1 (Beta(1, 1)). After s that do and f that do not it is
    Beta(1 + s, 1 + f), and of the r that remain, x do with the beta-binomial probability

        P(x) = C(s + x, x) * C(f + r - x, r - x) / C(s + f + r + 1, r)

    (Gelman et al., "Bayesian Data Analysis", 3rd edition, appendix A). The chance is the sum of
    P(x) over all x with s + x > (s + f + r) / 2. It is exact but for the rounding to a float.

    Args:
        leading: How many samples say what leads, from 0 up.
        others: How many say anything else.
        remaining: How many are still to be asked.

    Example:
        >>> chance_of_majority(3, 0, 2), chance_of_majority(2, 0, 3), chance_of_majority(1, 1, 1)
        (1.0, 0.95, 0.5)
    """
    everyone = leading + others + remaining
    needed = max(0, everyone // 2 + 1 - leading)
    ways = sum(
        comb(leading + more, more) * comb(others + remaining - more, remaining - more)
        for more in range(needed, remaining + 1)
    )
    return ways / comb(everyone + 1, remaining)
