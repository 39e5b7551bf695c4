"""The distribution of the total loss of any queries, by the method that fits them."""

import math

from planner.libraries import np
from planner.privacy.lattice import POINTS, as_law, common_unit, exact_law, upper_law, width
from planner.privacy.law import UNIT, Law
from planner.privacy.queries import Queries
from planner.privacy.steps import UNDERFLOW, binomial

_COMBINATIONS = 10**6  # arrays of 8 MB


def total_loss(queries: Queries, cut: float) -> tuple[Law, bool]:
    """The distribution of the total loss, and whether it is exact up to its error bounds.

    Equal ε give a binomial; multiples of a common unit, such as decimals, a lattice; a few
    different ε all combinations of their binomials. Anything else has an upper bound.

    Args:
        queries: each ε with its count, at least one.
        cut: the mass that may be left out at one end each time [> 0].
    """
    if len(queries) == 1:
        ((epsilon, count),) = queries
        return as_law(binomial(float(epsilon), count, cut), epsilon), True
    unit = common_unit(queries)
    if width(queries, cut) <= 2 * POINTS * unit:
        return exact_law(queries, unit, cut), True
    # 2^20 > 10^6: twenty different ε have too many combinations already
    if len(queries) < math.log2(_COMBINATIONS):
        law = _combined(queries, cut)
        if law is not None:
            return law, True
    return upper_law(queries, cut), False


def _combined(queries: Queries, cut: float) -> Law | None:
    """All combinations of the losses at each ε; None where they are too many."""
    parts = [binomial(float(epsilon), count, cut) for epsilon, count in queries]
    if math.prod(len(part.masses) for part in parts) > _COMBINATIONS:
        return None
    losses, masses, blur = np.zeros(1), np.ones(1), 0.0
    for (epsilon, _), part in zip(queries, parts, strict=True):
        more = float(epsilon) * (part.low + 2.0 * np.arange(len(part.masses)))
        losses = np.add.outer(losses, more).ravel()
        with np.errstate(under="ignore"):
            masses = np.multiply.outer(masses, part.masses).ravel()
        blur += (len(parts) + 2) * UNIT * float(np.abs(more).max())
    error = sum(part.error + UNIT for part in parts)
    return Law(losses, masses, error, sum(part.lost for part in parts) + UNDERFLOW, blur)
