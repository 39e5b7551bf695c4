"""The exponential mechanism: a random candidate, more likely the higher its score (Naor).

Candidate r is chosen among m with probability proportional to e^(ε·w(r)/(2Δ)), where one person
changes every score w(r) by at most Δ. That changes each weight by a factor of at most e^(ε/2) and
their sum by as much, so the choice is ε-private. (Naor weighs by e^(w(r)) and calls that
2Δ-private, which is the same.)

The bound. Let x = εγ/(2Δ), and let the best candidate weigh 1. At most m − 1 others score γ or
more below it; each weighs at most e^(−x), and a share b/(b + rest) grows with b, so

    Pr[score ≤ best − γ] ≤ (m − 1)e^(−x)/((m − 1)e^(−x) + 1) = (m − 1)/(m − 1 + e^x),

with equality if all others score exactly best − γ. Solved for γ at failure β:

    γ = (2Δ/ε)·ln((m − 1)(1 − β)/β), or 0 where that is negative.

Naor's union bound, m·e^(−x), gives the slightly larger (2Δ/ε)·ln(m/β).

The 2 may be dropped where the weights and their sum cannot change in opposite directions: where one
person moves all scores the same way (joining a count, as in Naor's lunch), or where the sum is
the same for all data. Laplace noise is of the second kind: its candidates are all numbers r, its
score is −|q − r|, and ∫e^(−ε|q−r|/Δ)dr = 2Δ/ε whatever q is. With the 2 its scale is 2Δ/ε,
without Δ/ε. To drop the 2, pass 2ε for ε.

The noise here is made of rounded floats. It shows how the mechanism performs on data, but the last
digits of such noise can reveal data, so do not publish its results.

The net mechanism, run by enumerating every small database, for tiny universes (Naor; BLR08).

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


def chances(scores: Any, epsilon: float, sensitivity: float = 1.0) -> Array:
    """The probability of every candidate, e^(ε·w(r)/(2Δ)) over the sum of all.

    Args:
        scores: w(r), one finite number for each of m ≥ 1 candidates.
        epsilon: ε [> 0].
        sensitivity: Δ, the most that one person changes a score [> 0, in units of the scores].

    Raises:
        ValueError: an argument is outside its range.
    """
    weights = np.exp(_exponents(scores, epsilon, sensitivity))
    return weights / weights.sum()


def choose(
    scores: Any, epsilon: float, rng: "np.random.Generator", sensitivity: float = 1.0
) -> int:
    """The index of one candidate, drawn with the probabilities `chances`.

    The largest of the exponents plus independent Gumbel noise has that distribution.

    Args:
        scores: w(r), one finite number for each of m ≥ 1 candidates.
        epsilon: ε [> 0].
        rng: the random generator.
        sensitivity: Δ, the most that one person changes a score [> 0, in units of the scores].

    Raises:
        ValueError: an argument is outside its range.
    """
    exponents = _exponents(scores, epsilon, sensitivity)
    return int(np.argmax(exponents + rng.gumbel(size=exponents.size)))


def _exponents(scores: Any, epsilon: float, sensitivity: float) -> Array:
    """ε(w(r) − best)/(2Δ), at most 0, without overflow."""
    scores = checks.finite("scores", scores)
    _check(scores.size, epsilon, sensitivity)
    below = scores / 2 - scores.max() / 2
    with np.errstate(over="ignore", divide="ignore"):
        rate = np.float64(epsilon) / sensitivity
        return below * rate if np.isfinite(rate) else below / sensitivity * epsilon


def _check(candidates: int, epsilon: float, sensitivity: float) -> None:
    checks.whole("candidates", candidates, 1)
    checks.positive("epsilon", epsilon)
    checks.positive("sensitivity", sensitivity)


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
