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
"""

from typing import Any

from planner import checks
from planner.libraries import np
from planner.numbers import Array


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
