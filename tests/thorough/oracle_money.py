"""What people are owed and what a study costs, from Hsu14's definitions; arrays of ε broadcast."""

import math

import numpy as np
from scipy.special import ndtr, ndtri

from tests.thorough.case import Case
from tests.thorough.oracle_gaussian import sigma_of

Array = np.ndarray


def compensation(case: Case, epsilon: Array, delta: float) -> Array:
    """Money owed to each participant.

    (e^ε − 1)E + δW (Hsu14 Definition 13), for a family (e^(gε) − 1)(E + δW/(e^ε − 1)), at most W if
    capped; or Σ c·(rise in risk) of the events.
    """
    e = np.asarray(epsilon, dtype=float)
    if case.events:
        return np.asarray(sum(c * rise(case, p, e, delta) for p, c in case.events if c) + 0 * e)
    worst = case.worst_cost or 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        owed = np.expm1(case.family * e) * case.base_cost if case.base_cost else 0 * e
        if delta * worst:
            # (e^(gε) − 1)/(e^ε − 1) = 1 + e^ε + … + e^((g − 1)ε)
            owed = owed + delta * worst * sum(np.exp(j * e) for j in range(case.family))
    return np.minimum(owed, worst) if case.capped else owed


def rise(case: Case, probability: float, epsilon: Array, delta: float) -> Array:
    """How much an event's probability can rise for a person who takes part."""
    p, e = probability, epsilon
    laplace = case.mechanism in ("paper", "hoeffding", "laplace")
    if case.by_mechanism and case.mechanism == "gaussian":
        shift = np.array([1 / sigma_of(float(x), delta) if x > 0 else 0.0 for x in np.ravel(e)])
        return ndtr(ndtri(p) + shift.reshape(np.shape(e))) - p
    if case.by_mechanism and laplace:
        return _laplace_rise(p, e)
    # (ε, δ)-privacy read both ways (Hsu14 eqs 1, 2)
    event = np.expm1(np.minimum(e, 700.0)) * p + delta
    absence = (1 - p) - np.exp(-e) * (1 - p - delta)
    small = -np.expm1(-e) * (1 - p) + np.exp(-e) * delta  # the same, with more digits
    absence = np.where(np.abs(absence) < 0.5, small, absence)
    return np.minimum(np.minimum(event, absence), 1 - p)


def _laplace_rise(p: float, e: Array) -> Array:
    """Pr[Z ≥ t − 1] − p where Pr[Z ≥ t] = p: the most powerful test of 0 against 1.

    In units of 1/ε: with x = εt the noise has tail ½e^(−x) for x ≥ 0, else 1 − ½e^x.
    """
    if p > 0.5:  # t < 0, and the tail's other side shrinks by e^(−ε)
        return (1 - p) * -np.expm1(-e)
    x = -math.log(2 * p)
    crossed = -(np.expm1(np.minimum(x - e, 0.0)) + math.expm1(-x)) / 2
    return np.where(e <= x, p * np.expm1(np.minimum(e, x)), crossed)


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
    if case.events:
        return float(sum(c * min(exposure, 1 - p) for p, c in case.events))
    return min(1.0, case.family * exposure) * (case.worst_cost or 0.0)
