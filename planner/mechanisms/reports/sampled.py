"""Randomised reports of a sample as it is: from a finite population, in clusters.

Of the people drawn K have the property, and the reports are Binomial(K, p) + Binomial(N − K, q).
K/N is sub-Gaussian with proxy mDf/(4N) (`mechanisms.sample`). One report is a coin of p or q, with
proxy (p − q)/(2ε) about its mean (Kearns and Saul 1998); divided by p − q, N of them add
1/(2Nε·tanh(ε/2)), whatever K is. So

    f ≤ 2·exp(−2NT²/V),   V = mDf + 2/(ε·tanh(ε/2)),

and where people are drawn one by one V = 1/tanh²(ε/2) as well, Hoeffding's for independent reports:
sums drawn without replacement are no farther off (Hoeffding 1963, Theorem 4). A census keeps the
reports' noise.
"""

import sys
from dataclasses import dataclass

from planner import numbers
from planner.libraries import np
from planner.mechanisms.floor import PROOF_ROOM, Regularity, Ripple
from planner.mechanisms.mechanism import MechanismFloor
from planner.mechanisms.reports.card import epsilon_of_strength, strength
from planner.mechanisms.sample import Sample
from planner.numbers import Number

_STEPS = 60  # a cap, as Newton's method converges quadratically
_WIDTHS = (13, 11, 9, 6, 3)  # powers of ten: the narrowest ball that is certain


@dataclass(frozen=True)
class SampledReportsFloor(MechanismFloor):
    """What an accuracy asks of the reports of such a sample, by a bound.

    Attributes:
        sample: how people are drawn.
    """

    sample: Sample

    @property
    def regularity(self) -> Regularity:
        """Falling."""
        return Regularity("falling", n_epsilon_grows=True, in_cells=True)

    def ripple(self, participants: int) -> Ripple:
        """Proofs need many cells near an edge."""
        return Ripple(spare=PROOF_ROOM)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The bound on the failure probability."""
        error, _ = self.target(epsilon, participants, delta)
        system = numbers.of(epsilon, participants)
        bound = 2 * system.exp(-2 * participants * error**2 / self._proxy(epsilon, participants))
        return system.minimum(bound, system.number(1.0))

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε, ∞ where the sample alone is too far off."""
        error, failure = self.target(participants, delta)
        system = numbers.of(participants)
        allowed = 2 * participants * error**2 / system.log(2 / failure)
        spread = allowed - self._of_sample(participants)
        if system is numbers.balls():
            return self._ball(spread, allowed)
        least = _product_root(2 / system.maximum(spread, 1e-300 + 0 * spread))
        least = system.maximum(least, -system.all_or_nothing(spread - 1e-300))
        if self._one_by_one:
            whole = system.sqrt(1 / system.maximum(allowed, 1.0 + 0 * allowed))
            least = system.minimum(least, epsilon_of_strength(whole))
        return least

    def _proxy(self, epsilon: Number, participants: Number) -> Number:
        """The V of the bound."""
        tells = strength(epsilon)
        both = self._of_sample(participants) + 2 / (epsilon * tells)
        if not self._one_by_one:
            return both
        return numbers.of(epsilon, participants).minimum(both, 1 / tells**2)

    def _of_sample(self, participants: Number) -> Number:
        design = self.sample.design(numbers.of(participants))
        return design * self.sample.left_out(participants)

    @property
    def _one_by_one(self) -> bool:
        return self.sample.design_effect == 1 and self.sample.clusters_of == 1

    def _ball(self, spread: Number, allowed: Number) -> Number:
        """The least ε as a ball: one that suffices, and one that does not."""
        number, infinity = numbers.balls().number, numbers.balls().infinity
        if not spread > 0 and not (self._one_by_one and allowed > 1):
            certify_none = spread <= 0 and (allowed <= 1 or not self._one_by_one)
            return infinity if certify_none else infinity.union(number(0.0))
        found = [float("inf")]
        if spread > 0:
            found.append(float(_product_root(2 / float(spread.mid()))))
        if self._one_by_one and allowed > 1:
            found.append(float(epsilon_of_strength(float(allowed.mid()) ** -0.5)))
        middle = number(min(found))

        def sufficient(epsilon: Number) -> Number:
            """Positive where ε suffices."""
            tells = strength(epsilon)
            left = spread - 2 / (epsilon * tells)
            return (
                numbers.balls().maximum(left, allowed - 1 / tells**2) if self._one_by_one else left
            )

        for exponent in _WIDTHS:
            step = number(10) ** -exponent
            low, high = middle * (1 - step), middle * (1 + step)
            if sufficient(low) < 0 and sufficient(high) >= 0:
                return low.union(high)
        return number(0.0).union(infinity)


def _product_root(product: Number) -> Number:
    """The ε at which ε·tanh(ε/2) is this, by Newton's method; of floats or arrays."""
    system = numbers.of(product)
    # over both: x·tanh(x/2) is at least min(x²/3, x − 1)
    epsilon = system.maximum(system.sqrt(3 * product), product + 1)
    for _ in range(_STEPS):
        tells = strength(epsilon)
        slope = tells + epsilon * (1 - tells**2) / 2
        step = (epsilon * tells - product) / slope
        epsilon = epsilon - step
        if np.all(np.abs(step) <= sys.float_info.epsilon * epsilon):
            break
    return epsilon
