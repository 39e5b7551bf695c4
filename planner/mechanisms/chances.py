"""The chances of a count: of people drawn independently, or from a population without return."""

import math

from planner.libraries import np, scipy
from planner.numbers import Array

REACH, MORE = 9.0, 20
"""Counts that are summed lie within so many standard deviations, and so many more, of the mean."""
_CERTAIN = 1e4  # a logarithm of odds that is as good as infinite


def chances(n: Array, mean: Array, population: int | None = None) -> tuple[Array, Array]:
    """Counts about a mean and their probabilities, along a last axis.

    Args:
        n: N, whole.
        mean: N·μ; of a population a multiple of N/M.
        population: M, of whom N are drawn without replacement; None for independent people.
    """
    n, mean = (x[..., None] for x in np.broadcast_arrays(np.asarray(n, float), mean))
    share = np.clip(mean / n, 0.0, 1.0)
    variance = n * share * (1 - share)
    if population is not None:
        variance = variance * np.maximum(population - n, 0.0) / max(population - 1, 1)
    width = math.ceil(REACH * math.sqrt(float(variance.max(initial=0.0)))) + MORE
    width = int(min(width, float(n.max(initial=1.0)) + 1))
    top = np.clip(np.floor(mean), 0, n)
    count = top + np.arange(-width, width + 1)
    with np.errstate(all="ignore"):
        if population is None:
            rise = np.log((n - count + 1) / count * (share / (1 - share)))
            at_top = _log_ways(n, top) + scipy.special.xlogy(top, share)
            at_top = at_top + scipy.special.xlog1py(n - top, -share)
            possible = (count >= 0) & (count <= n)
        else:
            having = np.rint(share * population)
            others = population - having - n
            first, last = np.maximum(0.0, -others), np.minimum(n, having)
            top = np.clip(top, first, last)
            count = top + np.arange(-width, width + 1)
            rise = np.log((having - count + 1) * (n - count + 1) / (count * (others + count)))
            at_top = _log_ways(having, top) + _log_ways(population - having, n - top)
            at_top = at_top - _log_ways(np.full_like(n, population), n)
            possible = (count >= first) & (count <= last)
        rise = np.where(possible & (count > top - width), rise, 0.0)
        rise = np.clip(np.nan_to_num(rise), -_CERTAIN, _CERTAIN)  # where all or none have it
        log = np.cumsum(rise, axis=-1)
        log = log - log[..., width : width + 1] + at_top
    return count, np.where(possible, np.exp(log), 0.0)


def _log_ways(n: Array, k: Array) -> Array:
    """Ln C(n, k)."""
    log = scipy.special.gammaln
    return np.asarray(log(n + 1) - log(k + 1) - log(n - k + 1))
