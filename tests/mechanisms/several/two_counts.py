"""How often the noisy difference of two groups' counts is off, by a sum over both."""

import numpy as np
import scipy
from scipy.optimize import linprog


def off(size, first, second, rate, error, noise="laplace"):
    """How often it is off by `error` or more of the `size` people of each group.

    Args:
        size: the people of each group.
        first, second: the proportions of both groups.
        rate: of the noise on the difference of the counts.
        error: as a fraction of the people of a group.
        noise: "laplace", "geometric" or "gaussian".
    """
    counts = np.arange(size + 1)
    laws = [scipy.stats.binom.pmf(counts, size, share) for share in (first, second)]
    law = scipy.signal.fftconvolve(laws[0], laws[1][::-1]).clip(0.0)
    d, centre = np.arange(-size, size + 1), size * (first - second)
    over, under = centre + size * error - d, centre - size * error - d
    if noise == "geometric":  # a little for the rounding of edges, towards failures
        whole = scipy.stats.dlaplace(rate)
        return float(law @ (whole.sf(np.ceil(over - 1e-9) - 1) + whole.cdf(np.floor(under + 1e-9))))
    kind = scipy.stats.laplace if noise == "laplace" else scipy.stats.norm
    return float(law @ (kind.sf(over * rate) + kind.cdf(under * rate)))


def most_of_histogram(groups, size, rate, error, pairs, noise="laplace"):
    """The most often that any of `groups` differences is off, over mixtures of pairs."""
    found = np.array([off(size, *pair, rate, error, noise) for pair in pairs])
    sums = [np.ones(len(pairs)), *np.transpose(pairs)]
    return float(-linprog(-found, A_eq=sums, b_eq=[groups, 1.0, 1.0]).fun)
