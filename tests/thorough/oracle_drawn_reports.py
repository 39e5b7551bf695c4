"""Reports of people drawn from a population, written again: every count of it, by sums alone."""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.stats import hypergeom

Array = np.ndarray
DIGITS = 7


def card(epsilon: float) -> Fraction:
    """The p of a printed card: seven digits of 1 − p, or of p − 1/2 if that is smaller."""
    exact = 1 / (1 + math.exp(epsilon))
    first = math.floor(math.log10(min(exact, 0.5 - exact)))
    unit = Fraction(10) ** (DIGITS - 1 - first)
    return 1 - Fraction(math.ceil(exact * float(unit) - 1e-9)) / unit


@lru_cache(maxsize=64)
def _drawn(people: int, n: int) -> Array:
    """How likely k of N have the property (columns), of whom m in the population do (rows)."""
    having = np.arange(people + 1)[:, None]
    return np.asarray(hypergeom.pmf(np.arange(n + 1), people, having, n))


def _reports(truth: float, n: int) -> Array:
    """How likely so many of n people report it (columns), of whom k have it (rows).

    The chances are the coefficients of (q + px)^k·(p + qx)^(n − k), found from its values at the
    roots of unity.
    """
    x = np.exp(2j * np.pi * np.arange(n + 1) / (n + 1))
    having, others = np.log(1 - truth + truth * x), np.log(truth + (1 - truth) * x)
    values = np.exp(np.arange(n + 1)[:, None] * (having - others) + n * others)
    return np.asarray(np.fft.fft(values, axis=1).real / (n + 1))


def failures(people: int, n: int, truth: Fraction, error: Fraction) -> Array:
    """How often the estimate is off, at each of the M + 1 numbers of people with the property."""
    chances = _drawn(people, n) @ _reports(float(truth), n)
    nothing = np.zeros((people + 1, 1))
    up_to = np.concatenate([nothing, np.cumsum(chances, axis=1)], axis=1)
    beyond = np.concatenate([np.cumsum(chances[:, ::-1], axis=1)[:, ::-1], nothing], axis=1)
    strength = 2 * truth - 1
    start, step, side = n * (1 - truth), n * strength / people, n * error * strength
    whole = math.lcm(*(x.denominator for x in (start, step, side)))
    first, each, apart = (int(x * whole) for x in (start, step, side))
    over = [-((-first - m * each - apart) // whole) for m in range(people + 1)]
    under = [(first + m * each - apart) // whole for m in range(people + 1)]
    rows = np.arange(people + 1)
    above = beyond[rows, np.clip(over, 0, n + 1)]
    return np.asarray(above + up_to[rows, np.clip(np.array(under) + 1, 0, n + 1)])


def worst(people: int, n: int, truth: Fraction, error: float) -> float:
    """The largest of them."""
    return float(failures(people, n, truth, Fraction(repr(error))).max())
