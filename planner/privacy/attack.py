"""Privacy as what an attacker gains who knows all but which of two records a person has.

Of all tests between the two records the *advantage* is the largest power less the test's size. It
is 0 where the results say nothing and 1 where they decide; a guess between two records that are
equally likely is right with probability (1 + advantage)/2.
"""

import math
from typing import NamedTuple

from planner.privacy.gaussian import scale


class Attack(NamedTuple):
    """What an attacker gains by the results of a study.

    Attributes:
        advantage: the largest power of a test of two records, less its size [[0, 1]].
        mu: μ of Gaussian differential privacy (Dong, Roth and Su 2022), where all noise is
            Gaussian; else None [> 0].
        rho: ρ of zero-concentrated differential privacy, likewise [> 0].
    """

    advantage: float
    mu: float | None = None
    rho: float | None = None


def advantage(epsilon: float, delta: float = 0.0) -> float:
    """The largest advantage that ε [≥ 0] and δ [[0, 1]] allow: (e^ε − 1 + 2δ)/(e^ε + 1).

    Source: Kairouz, Oh and Viswanath 2015, Theorem 2.1, where both errors of a test are equal.
    """
    alone = math.tanh(epsilon / 2)
    return alone + delta * (1 - alone)


def of_gaussian(mu: float) -> float:
    """The advantage with Gaussian noise that a person moves by μ deviations: 2Φ(μ/2) − 1."""
    return math.erf(mu / math.sqrt(8))


def attack(epsilon: float, delta: float = 0.0, gaussian: bool = False) -> Attack:
    """What an attacker gains by results that are (ε, δ)-private.

    Args:
        epsilon: [> 0].
        delta: [[0, 1)]; above 0 with Gaussian noise.
        gaussian: whether all noise is Gaussian, and the least that is so private.
    """
    if not gaussian:
        return Attack(advantage(epsilon, delta))
    mu = 1 / float(scale(epsilon, delta))
    return Attack(of_gaussian(mu), mu, mu**2 / 2)
