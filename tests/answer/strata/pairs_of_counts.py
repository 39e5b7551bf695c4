"""Two groups of any sizes by sums over all pairs of counts."""

import math

import numpy as np
import scipy


def over(sizes, scale, one, other, edge):
    """How often the noisy difference is an edge or more: the sum over all pairs of counts."""
    x, z = (np.arange(n + 1) for n in sizes)
    left = edge - x[:, None] / sizes[0] + z / sizes[1]
    far = np.exp(-np.abs(left) / scale) / 2
    first, second = (
        scipy.stats.binom.pmf(counts, n, share)
        for counts, n, share in zip((x, z), sizes, (one, other), strict=True)
    )
    return float(first @ np.where(left >= 0, far, 1 - far) @ second)


def worst(sizes, scale, edge, target):
    """How often a test rejects on a side at the worst common proportion, by a grid; and its part.

    Groups are counted so that the first has more at the alternative.
    """
    low, high = target.baseline_range
    if target.change < 0:
        low, high = 1 - high, 1 - low
    ends = [math.asin(math.sqrt(share)) for share in (low, high)]
    common = np.sin(np.linspace(*ends, 61)) ** 2
    sides = [common, 1 - common][: target.sides]
    most = max(over(sizes, scale, p, p, edge) for side in sides for p in side)
    return most, target.significance / target.sides


def alternative(target):
    """The proportions at the alternative, counted so that the first group has more."""
    shares = target.baseline + target.change, target.baseline
    return shares if target.change > 0 else tuple(1 - share for share in shares)


def least_cost(sizes, study, prices):
    """The cost of sizes with the most noise that keeps the significance; ∞ where none does."""
    target = study.target

    def excess(log):
        scale = math.exp(log)
        far = 2 + 40 * scale
        edge = scipy.optimize.brentq(
            lambda t: over(sizes, scale, *alternative(target), t) - target.power,
            -far,
            far,
            xtol=1e-10,
        )
        most, allowed = worst(sizes, scale, edge, target)
        return most - allowed

    if excess(-12.0) > 0:
        return math.inf
    scale = math.exp(scipy.optimize.brentq(excess, -12.0, 0.5, xtol=1e-6))
    base = study.individual.base_cost
    return study.costs.overhead + sum(
        n * (price + base * math.expm1(1 / (n * scale)))
        for n, price in zip(sizes, prices, strict=True)
    )


def off(sizes, scale, one, other, error):
    """How often the noisy difference is off by an error or more, on either side."""
    above = over(sizes, scale, one, other, one - other + error)
    return above + over(sizes, scale, 1 - one, 1 - other, other - one + error)
