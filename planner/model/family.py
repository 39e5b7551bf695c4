"""The compensation of a family's members, solved for ε: the root of a convex, increasing function.

The payment (e^(gε) − 1)(E + δW/(e^ε − 1)) = (e^(gε) − 1)E + δW(1 + e^ε + … + e^((g − 1)ε)) is
convex in ε and at least (e^(gε) − 1)E + gδW, so Newton's method from the root of the latter, which
lies above, decreases to the root and never passes it.
"""

from typing import Protocol

from planner import numbers
from planner.libraries import np
from planner.model.payment import is_zero
from planner.numbers import Number

_STEPS = 100  # each divides a payment far too high by e; near the root it doubles the digits


class Rule(Protocol):
    """A payment rule with a derivative."""

    def compensation(self, epsilon: Number, delta: Number) -> Number:
        """What each person is paid [money]."""

    def compensation_slope(self, epsilon: Number, delta: Number) -> Number:
        """Its derivative by ε [money]."""


def counts_as(members: int, epsilon: Number, delta: Number) -> tuple[Number, Number]:
    """The ε and δ that `members` people bear together: gε and δ(e^(gε) − 1)/(e^ε − 1).

    Source: group privacy; Hsu14 Definition 10 applied to g records one after another.
    """
    if members == 1:
        return epsilon, delta
    if is_zero(epsilon):  # the limit, where the quotient below has no value
        return epsilon, members * delta
    expm1 = numbers.of(epsilon, delta).expm1
    return members * epsilon, delta * (expm1(members * epsilon) / expm1(epsilon))


def ceiling(person: Rule, money: Number, delta: Number, above: Number) -> Number:
    """The ε at which the payment is `money`, for floats or arrays.

    Args:
        person: the payment rule, with E > 0.
        money: for each person [money].
        delta: δ.
        above: the root for the payment (e^(gε) − 1)E + gδW; returned where it is not positive.
    """
    system = numbers.of(money, delta)
    if system is not numbers.arrays():
        return _root(person, money, delta, above) if above > 0 and delta else above
    start = np.where(np.isfinite(above), np.maximum(above, 0.0), 0.0)
    return np.where((start > 0) & (delta > 0), _root(person, money, delta, start), above)


def _root(person: Rule, money: Number, delta: Number, above: Number) -> Number:
    epsilon = above + 1e-300  # a start of 0 would divide by it
    system = numbers.of(epsilon)
    for _ in range(_STEPS):
        excess = person.compensation(epsilon, delta) - money
        slope = person.compensation_slope(epsilon, delta)
        lower = system.maximum(epsilon - excess / slope, 1e-300 + 0 * epsilon)
        if not _any(lower < epsilon):
            break
        epsilon = system.minimum(lower, epsilon)
    return epsilon


def _any(condition: Number) -> bool:
    """Whether a condition holds for a number, or anywhere in an array."""
    return bool(condition.any() if hasattr(condition, "any") else condition)
