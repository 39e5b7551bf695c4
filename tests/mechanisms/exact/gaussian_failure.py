"""The failure of exact sums with Gaussian noise, by SciPy alone."""

import numpy as np
from scipy.stats import binom, norm

FAR = 12
"""Counts further off than so many √n have a probability under 10^(−120)."""


def failure_at(rate, n, error, mean):
    """A binomial count and the noise on its mean; arrays of rates, sizes or means broadcast."""
    rate, n, mean = np.broadcast_arrays(rate, n, mean)
    found = np.empty(rate.shape)
    for at in np.ndindex(rate.shape):
        size, middle = int(n[at]), n[at] * mean[at]
        far = FAR * size**0.5 + 1
        counts = np.arange(max(0, int(middle - far)), min(size, int(middle + far)) + 1)
        off, spread = counts / size - mean[at], 1 / (size * rate[at])
        tails = norm.cdf((off - error) / spread) + norm.cdf((-off - error) / spread)
        found[at] = np.sum(binom.pmf(counts, size, mean[at]) * tails)
    return found
