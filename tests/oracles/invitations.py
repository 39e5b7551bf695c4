"""How many to invite: those who stay away before N came have a negative binomial law."""

import numpy as np
from scipy import stats


def invited(n, rate, arrive: float = 0.95) -> np.ndarray:
    """The fewest people of whom N or more take part with this probability, by the law's table."""
    return n + stats.nbinom.ppf(arrive, n, rate)
