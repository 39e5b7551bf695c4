"""Hsu14's two bounds on a sample mean of N zero-one records of mean μ (Theorems 6 and 8).

Both are stated for every T in [0, 1], and both are false there:

- Theorem 6, Pr[|Y − μ| ≥ T] ≤ 2·exp(−NT²/(3μ)), fails for some T > μ (N = 1, μ = 0.01, T = 0.5).
  Eq. 5 needs only the bound 2·exp(−NT²/3), which Hoeffding's 2·exp(−2NT²) implies.
- Theorem 8, Pr[|Y − μ| ≥ T] ≥ ½·exp(−2NT²/μ) for μ ≤ 1/4, fails for some T > μ (N = 2, μ = 1/4,
  T = 0.3), and for T < μ too: at N = 6, μ = 1/4 and T just over 1/12 (0.347 against 0.358).

Eq. 10 needs Theorem 8 at μ = 1/4 alone. There, for T ≤ 1/4, it holds at every N but 6:
- N < 200: a test compares both sides at every T at which the probability jumps.
- N ≥ 200, with σ² = 3N/16, z = NT/σ and Q the normal tail: for z ≤ 1 the probability is at least
  2Q(z) − 2·0.4748·1.4434/√N (Berry and Esseen, with Shevtsova's constant), which is over
  ½·exp(−3z²/2) (tested in balls). For z ≥ 1 the upper tail alone is at least Q(z + 1/σ) (Slud 1977,
  Theorem 2.1), which is over ½·exp(−3z²/2) at z = 1 and, as Q falls no faster than
  (z + 1/σ) + 1/(z + 1/σ) ≤ 3z in logarithm, beyond.
At N = 6 it fails only where both sides are over 1/3. So at μ = 1/4, T ≤ 1/4 and α ≤ 1/3 no sample
smaller than eq. 10 is accurate.
"""

from planner import numbers
from planner.numbers import Number

LARGEST_MEAN = 0.25
"""The largest μ of Theorem 8, at which eq. 10 uses it."""


def applies(error: float, failure: float, mean_range: tuple[float, float]) -> bool:
    """Whether eq. 10 is proven at T and α (see above); a mean of 1/4 or 3/4 must be possible."""
    low, high = mean_range
    possible = low <= LARGEST_MEAN <= high or low <= 1 - LARGEST_MEAN <= high
    return possible and error <= LARGEST_MEAN and failure <= 1 / 3


def upper_bound(participants: Number, error: Number, mean: Number) -> Number:
    """2·exp(−NT²/(3μ)) (Hsu14 Theorem 6; true for T ≤ μ)."""
    system = numbers.of(participants, error, mean)
    return 2 * system.exp(-participants * error**2 / (3 * mean))


def lower_bound(participants: Number, error: Number, mean: Number) -> Number:
    """½·exp(−2NT²/μ) (Hsu14 Theorem 8; its range is above)."""
    system = numbers.of(participants, error, mean)
    return system.exp(-2 * participants * error**2 / mean) / 2


def least_participants(error: Number, failure: Number) -> Number:
    """ln(1/(2α))/(8T²), the N at which Theorem 8 at μ = 1/4 gives α (Hsu14 eq. 10)."""
    system = numbers.of(error, failure)
    return -system.log(2 * failure) / (8 * error**2)


def sufficient_participants(error: Number, failure: Number) -> Number:
    """ln(2/α)/(2T²), the N from which every sample is accurate (Hoeffding 1963, Theorem 2)."""
    system = numbers.of(error, failure)
    return system.log(2 / failure) / (2 * error**2)
