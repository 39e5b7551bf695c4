"""What every simulated run is made of: whom it draws, the noise, and when it fails."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from planner.libraries import np
from planner.numbers import Array
from planner.wording import plain

if TYPE_CHECKING:
    from numpy.random import Generator

_ROUNDING = 1e-12
"""By what part of an error floats may miss it: runs so near to it fail."""

_ENDLESS = 10**9
"""So many people are drawn as from a population without end."""


class Runs(NamedTuple):
    """Runs of a planned study, several at once.

    Attributes:
        words: what one run is, as sentences.
        failed: whether each of some runs fails, of a generator and their number; a row for each
            question that is told by itself.
        usual: how many there are where no number is asked: 10,000 show a failure probability of
            0.05 to within 0.005.
        chunk: how many there are between two steps of progress.
    """

    words: str
    failed: Callable[[Any, int], Array]
    usual: int = 10_000
    chunk: int = 100_000


def drawn(
    rng: "Generator", n: int, shares: Sequence[float] | Array, people: int | None, runs: int
) -> tuple[Array, Array]:
    """How many of those drawn are of each kind, a row for each run, and the kinds' proportions.

    Args:
        rng: the source of chance.
        n: how many are drawn.
        shares: the proportion of each kind [sums to 1].
        people: M, of whom they are drawn without replacement, so that a kind has a whole number of
            them; None where each is drawn anew.
        runs: how often.
    """
    shares = np.asarray(shares, float)
    if people is None or people >= _ENDLESS:
        return rng.multinomial(n, shares / shares.sum(), runs), shares
    of_each = np.diff(np.rint(np.cumsum(shares) * people).astype(np.int64), prepend=0)
    counts = rng.multivariate_hypergeometric(of_each, n, runs, method="marginals")
    return counts, of_each / people


def noise(rng: "Generator", kind: str, scale: float, shape: int | tuple[int, ...]) -> Array:
    """Noise on counts; its scale is 1/ε, or σ of Gaussian noise [people]."""
    if kind == "gaussian":
        return rng.normal(scale=scale, size=shape)
    if kind == "geometric":
        ends = -math.expm1(-1 / scale)
        return rng.geometric(ends, shape) - rng.geometric(ends, shape)
    return rng.laplace(scale=scale, size=shape)


def spread(deviation: float | None, share: float) -> float:
    """How far values lie from their mean, as a part of what 0 and 1 do with a share of 1.

    Args:
        deviation: the most that they deviate by, as a fraction of their range; None unless known.
        share: the mean [[0, 1]].
    """
    widest = math.sqrt(share * (1 - share))
    return 1.0 if deviation is None or deviation >= widest else deviation / widest


def reaches(off: Array, error: float) -> Array:
    """Whether answers are off by an error or more."""
    return np.asarray(np.abs(off) >= error * (1 - _ROUNDING))


def records(n: int, share: float, people: int | None, deviation: float | None) -> str:
    """Whom a run draws, for a sentence."""
    if deviation is not None:
        of_all = "" if people is None else f" of {plain(people)}"
        known = plain(deviation)
        return f"{plain(n)}{of_all} records of two values, which deviate by {known} of the range,"
    if people is None:
        return f"{plain(n)} records, each 1 with probability {plain(share)},"
    return f"{plain(n)} of {plain(people)} records, of which {plain(round(share * people))} are 1,"
