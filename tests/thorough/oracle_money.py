"""What people are owed and what a study costs, from Hsu14's definitions; arrays of ε broadcast."""

import math

import numpy as np

from tests.thorough.case import Case

Array = np.ndarray


def compensation(case: Case, epsilon: Array, delta: float) -> Array:
    """Money owed to each participant.

    (e^ε − 1)E + δW (Hsu14 Definition 13), for a family (e^(gε) − 1)(E + δW/(e^ε − 1)), at most W if
    capped.
    """
    e = np.asarray(epsilon, dtype=float)
    worst = case.worst_cost or 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        owed = np.expm1(case.family * e) * case.base_cost if case.base_cost else 0 * e
        if delta * worst:
            # (e^(gε) − 1)/(e^ε − 1) = 1 + e^ε + … + e^((g − 1)ε)
            owed = owed + delta * worst * sum(np.exp(j * e) for j in range(case.family))
    return np.minimum(owed, worst) if case.capped else owed


def cost(case: Case, epsilon: Array, n: Array, delta: float) -> Array:
    """N·(the larger of compensation and incentive + per_person) + overhead."""
    with np.errstate(over="ignore"):
        paid = np.maximum(compensation(case, epsilon, delta), case.incentive)
        return n * (paid + case.per_person) + case.overhead


def targeted_bound(case: Case) -> float:
    """ε stays under the larger of eqs 11 and 12: ln(p|X|) and ln((|X| − 1)/(|X|(1 − p)))."""
    if case.targeted is None:
        return math.inf
    p, size = case.targeted
    return max(math.log(p * size), math.log1p(-1 / size) - math.log1p(-p))


def exposed(case: Case, exposure: float) -> float:
    """What each person is paid without privacy: the exposure counts as a δ at ε = 0."""
    return min(1.0, case.family * exposure) * (case.worst_cost or 0.0)
