"""The failure of exact sums with Gaussian noise, by SciPy alone."""

import numpy as np
from scipy.stats import binom, norm


def failure_at(rate, n, error, mean):
    """A binomial count and the noise on its mean; arrays of rates, sizes or means broadcast."""
    rate, n, mean = np.broadcast_arrays(rate, n, mean)
    found = np.empty(rate.shape)
    for at in np.ndindex(rate.shape):
        size = int(n[at])
        counts, spread = np.arange(size + 1), 1 / (size * rate[at])
        off = counts / size - mean[at]
        tails = norm.cdf((off - error) / spread) + norm.cdf((-off - error) / spread)
        found[at] = np.sum(binom.pmf(counts, size, mean[at]) * tails)
    return found
