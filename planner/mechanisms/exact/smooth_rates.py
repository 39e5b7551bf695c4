"""The least rates of noise that hides which counts lie on an edge, by a secant.

There the failure probability falls with the rate, at mean 1/2 and in large studies. Sample and
noise together are nearly normal: with f = 2Q(z), 1/z² is nearly linear in the variance of the
noise, so that a secant needs a few steps.
"""

from collections.abc import Callable

from planner.libraries import np, scipy
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.exact.rates import LARGE
from planner.numbers import Array

_HIGHEST = 0.5
_STEPS, _BESIDE, _ROOT = 12, 0.95, 2e-11


def smooth_rates(
    parts: Callable[[Array, Array], Array],
    n: Array,
    asked: Asked,
    lowest: Array,
    smooth: float = 0.0,
) -> Array:
    """The least rates at which the failure probability is α; not a number where others search.

    Args:
        parts: as in `Rates`.
        n: N, of each row.
        asked: T and α.
        lowest: rates below which none is allowed.
        smooth: the rate up to which the noise hides counts in smaller studies.
    """
    error, failure = asked.error, asked.failure
    goal, most = _inverse_square(failure), lowest**-2.0
    found = np.full(n.shape, np.nan)
    # the variance of noise that is normal, as if the sample were so too
    last = np.minimum((n * error) ** 2 * goal - n / 4, most)
    highest = np.where(n > LARGE, max(_HIGHEST, smooth), max(smooth, 1e-150))
    row = np.flatnonzero(last > highest**-2)
    last, most, least = last[row], most[row], highest[row] ** -2
    before, at_before = last * _BESIDE, np.full(row.shape, np.nan)
    for _ in range(_STEPS):
        if not row.size:
            break
        value = np.max(np.sum(parts(last**-0.5, row), axis=0), axis=0)
        at_last = _inverse_square(value)
        with np.errstate(all="ignore"):
            slope = (at_last - at_before) / (last - before)
            following = last - (at_last - goal) / slope
        open_ = np.abs(value / failure - 1) > _ROOT
        found[row[~open_]] = last[~open_] ** -0.5
        following = np.where(np.isnan(at_before), before, following)
        open_ &= (following > least) & (following <= most)
        columns = (row, most, least, last, at_last, following)
        row, most, least, before, at_before, last = (x[open_] for x in columns)
    return found


def _inverse_square(failure: Array) -> Array:
    """1/z² with f = 2Q(z)."""
    with np.errstate(divide="ignore"):
        return np.asarray(scipy.special.ndtri(np.minimum(failure, 1.0) / 2) ** -2.0)
