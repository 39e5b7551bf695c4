"""The distribution of the total loss of queries of equal ε, and its (ε, δ), rounded up.

The loss is x with probability P(x) on a database, and with e^(−x)·P(x) on its neighbour. So
the total is (ε, δ)-private if and only if

    δ ≥ Σ P(x)·(1 − e^(ε − x)),  over x > ε,

for which KOV15 Theorem 3.3 gives the values at the losses themselves. Between two of them δ is
a straight line in e^ε, so the smallest ε for a δ usually lies between them. Probabilities are sums
of positive terms, so that they stay accurate far out in the tails.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from planner.libraries import np, scipy
from planner.numbers import Array

UNIT = 2.0**-53
"""The largest relative error of one rounding."""
UNDERFLOW = 1e-300
"""More than the sum of 10^7 probabilities that underflow, each under 2.3·10^(−308)."""
_NO_ODDS = 746.0  # e^(−746) is 0 as a double
_SUMMING = 64 * UNIT  # pairwise sums, differences and the exponential together


@dataclass(frozen=True)
class Law:
    """Losses and their probabilities, with bounds on the errors of both.

    Attributes:
        losses: x [ε], any order.
        masses: P(x) [0 to 1].
        error: the largest relative error of a mass.
        lost: an upper bound on the mass left out.
        blur: the largest error of a loss [ε].
    """

    losses: Array
    masses: Array
    error: float
    lost: float
    blur: float

    def delta(self, epsilon: float) -> float:
        """The smallest δ at a total ε [≥ 0], rounded up."""
        above = self.losses > epsilon - self.blur
        terms = -self.masses[above] * np.expm1(epsilon - self.blur - self.losses[above])
        return min(1.0, float(terms.sum()) * (1 + self.error + _SUMMING) + self.lost)

    def least_epsilon(self, slack: float) -> float:
        """The smallest total ε ≥ 0 whose δ is at most the slack [over `lost`, < 1], rounded up."""
        if self.delta(0.0) <= slack:
            return 0.0

        def excess(epsilon: float) -> float:
            return math.log(self.delta(epsilon)) - math.log(slack)

        high = float(self.losses.max()) + 2 * self.blur
        least = float(scipy.optimize.brentq(excess, 0.0, high, xtol=1e-300, rtol=1e-15))
        step = max(least, self.blur) * UNIT
        while self.delta(least) > slack:
            least, step = math.nextafter(least + step, math.inf), 2 * step
        return least


def of_equal(epsilon: Fraction, times: int, cut: float) -> Law:
    """The total loss of `times` queries, each ±ε, a loss of ε having p = 1/(1 + e^(−ε)).

    Probabilities are computed from the largest one by C(k, s + 1)/C(k, s) = (k − s)/(s + 1), for
    the s losses of ε that leave out at most `cut` at either end.

    Args:
        epsilon: ε of one query [> 0].
        times: k [whole, ≥ 1].
        cut: the mass that may be left out at either end [> 0].
    """
    # extended precision, where available, for the products of many factors
    odds = np.exp(-np.longdouble(float(epsilon)))
    mode = min(int((times + 1) / (1 + odds)), times)
    # Hoeffding, with one more for the mode, which is not the mean
    reach = math.ceil(math.sqrt(-times * math.log(cut) / 2)) + 1
    up = np.arange(mode, min(mode + reach, times))
    down = np.arange(mode, max(mode - reach, 0), -1)
    with np.errstate(under="ignore"):
        rising = np.cumprod((times - up) / ((up + 1) * odds))
        falling = np.cumprod(down * odds / (times - down + 1))
        masses = np.concatenate([falling[::-1], [1.0], rising])
        masses = (masses / masses.sum()).astype(float)
    # ε to a double, and a few roundings, at each of the steps from the mode: in mass and in sum
    at_each = min(float(epsilon), _NO_ODDS) * UNIT + 6 * float(np.finfo(np.longdouble).eps)
    error = 2 * at_each * (max(len(up), len(down)) + 1) + 2 * UNIT
    lost = 2 * cut + UNDERFLOW
    losses = float(epsilon) * (2 * (mode - len(down)) - times + 2.0 * np.arange(len(masses)))
    blur = 4 * UNIT * float(np.abs(losses).max())
    return Law(losses, masses, error, lost, blur)
