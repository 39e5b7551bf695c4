"""The net mechanism, run by enumerating every small database, for tiny universes (Naor; BLR08).

Its bound is derived in `planner.mechanisms.net`. There each of the |U|^m lists of m records is a
candidate; here lists that differ only in order count once, so there are fewer, (|U| + m − 1 choose
m), and the bound still holds.
"""

import math
from itertools import combinations
from typing import Any

from planner import checks
from planner.libraries import np
from planner.numbers import WHOLE_LIMIT, Array
from planner.selection.exponential import choose

MOST_DATABASES = 200_000  # each takes about a microsecond and four bytes for each possible record


def databases(universe_size: int, size: int) -> Array:
    """Every database of m records, as counts; shape (databases, |U|).

    Args:
        universe_size: |U| [whole, ≥ 2].
        size: m [whole, 1 to 2^53].

    Raises:
        ValueError: an argument is outside its range, or there are over 200,000 databases.
    """
    checks.whole("universe_size", universe_size, 2)
    checks.whole("size", size, 1, WHOLE_LIMIT)
    row = universe_size + size - 1
    # the exact number may be too long to compute, and with 20 digits it is surely too large
    digits = math.lgamma(row + 1) - math.lgamma(size + 1) - math.lgamma(universe_size)
    digits /= math.log(10)
    if digits > 20 or math.comb(row, size) > MOST_DATABASES:
        raise ValueError(
            f"universe_size = {universe_size} with size = {size} makes about 10^{digits:.0f} "
            f"databases, too many to run; planning still works, and to run it give sizes that "
            f"make at most {MOST_DATABASES:,}"
        )
    # m records and |U| − 1 bars in a row: the gaps between bars are counts
    bars = np.array(list(combinations(range(row), universe_size - 1)), dtype=np.int32)
    return np.diff(bars, axis=1, prepend=-1, append=row) - 1


def run_net(
    histogram: Any, queries: Any, size: int, epsilon: float, rng: "np.random.Generator"
) -> Array:
    """A synthetic database of m records, as the count of each possible record.

    Args:
        histogram: how many people have each of the |U| possible records [whole, N in all].
        queries: the value of each query (row) on each record (column) [0 to 1].
        size: m [whole, ≥ 1]; `Net.database_size` gives the size of the bound.
        epsilon: ε [> 0].
        rng: the random generator.

    Returns:
        Whole numbers that add up to m; a query's answer is their mean over m.

    Raises:
        ValueError: an argument is outside its range, or there are over 200,000 databases.
    """
    people = checks.people(histogram)
    asked = checks.shares("queries", queries, people.size, dimensions=2)
    candidates = databases(people.size, size)
    participants = people.sum()
    errors = np.zeros(len(candidates))
    for query in asked:  # one at a time: all at once may not fit into memory
        off = np.abs(candidates @ query / size - people @ query / participants)
        np.maximum(errors, off, out=errors)
    return candidates[choose(-errors, epsilon, rng, sensitivity=1 / participants)]
