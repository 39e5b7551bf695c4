"""The distribution of a total privacy loss, and its (ε, δ), rounded up.

The loss is x with probability P(x) on a database, and with e^(−x)·P(x) on its neighbour. So
the total is (ε, δ)-private if and only if

    δ ≥ Σ P(x)·(1 − e^(ε − x)),  over x > ε,

for which KOV15 Theorem 3.3 gives the values at the losses themselves. Between two of them δ is
a straight line in e^ε, so the smallest ε for a δ usually lies between them.
"""

import math
from dataclasses import dataclass

from planner.libraries import np, scipy
from planner.numbers import Array

UNIT = 2.0**-53
"""The largest relative error of one rounding."""
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
