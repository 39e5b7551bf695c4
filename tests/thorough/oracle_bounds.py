"""Bounds on the failure probability, written again from their sources and apart from the program.

Every function takes an array of N and gives the least ε ("floor") or the failure probability. A
floor is ∞ where no ε is enough.
"""

import math

import numpy as np

Array = np.ndarray
_ZOOMS, _POINTS = 12, 41


def paper_failure(epsilon: Array, n: Array, error: float) -> Array:
    """2·exp(−NT²/12) + exp(−TNε/2) (Hsu14 eq. 5)."""
    return 2 * np.exp(-n * error * error / 12) + np.exp(-error * n * epsilon / 2)


def paper_floor(n: Array, error: float, failure: float) -> Array:
    """The ε at which eq. 5 is α: exp(−TNε/2) is what the sample leaves of α."""
    left = 1 - np.exp(math.log(2 / failure) - n * error * error / 12)
    with np.errstate(divide="ignore", invalid="ignore"):
        floor = -(math.log(failure) + np.log(left)) * 2 / (n * error)
    return np.where(left > 0, floor, np.inf)


def hoeffding_failure(epsilon: Array, n: Array, error: float) -> Array:
    """The least over splits s of 2·exp(−2N(sT)²) + exp(−(1 − s)TNε); 1 where that says nothing."""

    def bound(split: Array) -> Array:
        sample = 2 * np.exp(-2 * n[:, None] * (split * error) ** 2)
        return sample + np.exp(-(1 - split) * error * (n * epsilon)[:, None])

    # up to the split where the first term is 1 the bound says nothing; beyond it is convex
    low = np.minimum(np.sqrt(math.log(2) / (2 * n)) / error, 1.0)
    return np.minimum(_least(bound, low, np.ones_like(low)), 1.0)


def hoeffding_floor(n: Array, error: float, failure: float) -> Array:
    """The least over splits s of ln(1/(α − 2·exp(−2N(sT)²)))/((1 − s)TN)."""
    low = np.sqrt(math.log(2 / failure) / (2 * n)) / error  # where the sample alone takes all of α
    floor = np.full(n.shape, np.inf)
    open_ = low < 1
    if not open_.any():
        return floor
    size, least = n[open_], low[open_]

    def needed(split: Array) -> Array:
        beyond = (split - least[:, None]) * (split + least[:, None])
        # α − 2·exp(−2N(sT)²), which loses no digits where it is small
        left = -np.expm1(-2 * size[:, None] * error**2 * beyond)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = -(math.log(failure) + np.log(left)) / ((1 - split) * error * size[:, None])
        return np.where((left > 0) & (split < 1), found, np.inf)

    floor[open_] = _least(needed, least, np.ones_like(least))
    return floor


def _least(function, low: Array, high: Array) -> Array:  # type: ignore[no-untyped-def]
    """The least value between `low` and `high`, row by row, of functions with one valley."""
    places = np.linspace(0.0, 1.0, _POINTS)
    best = np.full(low.shape, np.inf)
    rows = np.arange(len(low))
    for _ in range(_ZOOMS):
        at = low[:, None] + (high - low)[:, None] * places
        values = function(at)
        lowest = np.argmin(values, axis=1)
        best = np.minimum(best, values[rows, lowest])
        low = at[rows, np.maximum(lowest - 1, 0)]
        high = at[rows, np.minimum(lowest + 1, _POINTS - 1)]
    return best


def mwem_n_epsilon(error: float, failure: float, universe_size: int, queries: int) -> float:
    """N·ε of MWEM (Hsu14 §5.3).

    Its error is T where T³ = 128·ln|X|·ln(32|C|ln|X|/(βT²))/(Nε).
    """
    bits = math.log(universe_size)
    return 128 * bits * _union(error, failure, bits, queries) / error**3


def mwem_approximate_signal(
    error: float, failure: float, universe_size: int, queries: int, delta: float, constant: str
) -> float:
    """N·ε of (ε, δ)-private MWEM (Hsu14 §8.2).

    Its error is T = 8(ln|X|·ln(1/δ))^¼·√(ln(32|C|ln|X|/(βT²))/(Nε)); squared, 8 becomes 64, which
    Hsu14 prints as 8.
    """
    bits = math.log(universe_size)
    factor = {"derived": 64.0, "printed": 8.0}[constant]
    root = math.sqrt(bits * math.log(1 / delta))
    return factor * root * _union(error, failure, bits, queries) / error**2


def _union(error: float, failure: float, bits: float, queries: int) -> float:
    return math.log(32 * queries * bits / (failure * error**2))
