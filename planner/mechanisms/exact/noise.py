"""What a search and a proof need of each noise whose failure probability is computed exactly."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact.bounds.bracket import Mean, WorstMean, anchors, half
from planner.numbers import Array, Number, decimal

GONE = 1e13
"""No rate beyond this is searched. Where a sample alone is never off by T, as of one person with
T = 1, the failure probability of continuous noise goes on falling as one over its rate."""


class Asked(NamedTuple):
    """What is asked of a noisy proportion: its failure probability f is at most α at every mean.

    Attributes:
        error: T, a number, or a ball where something is proved.
        failure: α, likewise.
        mean_range: the means, as floats.
    """

    error: Number
    failure: Number
    mean_range: tuple[float, float]

    @property
    def half(self) -> tuple[float, float]:
        """The means that decide, see `bracket.half`."""
        return half(self.mean_range)

    def exact(self, mean: Mean) -> Fraction:
        """A mean as a fraction: for an end of the range its decimal."""
        if isinstance(mean, float) and mean in self.mean_range:
            return decimal(mean)
        return Fraction(mean)

    def enclosed(self, mean: float) -> Number:
        """A mean of the range as a ball: the double, and for an end of the range its decimal."""
        return numbers.balls().number(mean) if mean in self.mean_range else arb(mean)


class Noise(NamedTuple):
    """One kind of noise on a count, of which there is the less the higher its rate.

    The rate is ε, and 1/σ for Gaussian noise. The failure probability at one mean is the sum of two
    parts: what grows with the rate, and what falls once it is divided by the rate to the power of
    `growth`.

    Attributes:
        parts: the parts for (rates, N, T, means), along the first axis; along the second the rates,
            along the third the means.
        likely_parts: the parts at the means that are likely the worst, for arrays of rates and N
            of one shape, (rates, N, T, range); the means lie along the second axis.
        growth: the power.
        worst_mean: the largest over a range, bracketed, for (rate, N, asked): α may end the search.
        bound: a bound for (rate, N, T) that falls with N.
        sufficient: a rate that suffices by a bound, for (N, T, α); ∞ where the bound says nothing.
        least_rate: a rate that no study can do without, for (N, T, α).
        largest_rate: for N, the rate at which the noise is as good as gone.
        surely_at_most: whether f is certain to be at most α at every mean, for (rate, N, asked);
            all are balls.
        surely_over: whether f is certain to pass α at some mean for every rate, for (least rate,
            most, N, asked); balls, except for N.
        sizes_surely_over: whether it is for all N in a range and every rate up to one, for (rate,
            least N, most, asked); balls, except for N.
        likely_rate: about the least rate, for (N, T, α); not a number where the sample alone nearly
            fails, as there some rates between may do.
        smooth: the rate up to which f falls with the rate at the likely means about 1/2.
        binomial: whether counts are, as those of people drawn with replacement.
    """

    parts: Callable[[Array, float, float, Sequence[Mean]], Array]
    likely_parts: Callable[[Array, Array, float, tuple[float, float]], Array]
    growth: float
    worst_mean: Callable[[float, float, Asked], WorstMean]
    bound: Callable[[float, float, float], float]
    sufficient: Callable[[Array, float, float], Array]
    least_rate: Callable[[Array, float, float], Array]
    largest_rate: Callable[[Array], Array]
    certify_at_most: Callable[[Number, Number, Asked], bool]
    certify_over: Callable[[Number, Number, int, Asked], bool]
    certify_sizes_over: Callable[[Number, int, int, Asked], bool] = lambda *_: False
    likely_rate: Callable[[Array, float, float], Array | None] = lambda *_: None
    smooth: float = 0.0
    binomial: bool = True

    def likely_worst(
        self, rate: Array, n: Array, error: float, mean_range: tuple[float, float]
    ) -> Array:
        """The failure probability at the worst of the likely means."""
        return np.max(np.sum(self.likely_parts(rate, n, error, mean_range), axis=0), axis=0)


def smooth_parts(
    parts_at: Callable[[Array, Number, float, Array], Array],
) -> Callable[[Array, float, float, Sequence[Mean]], Array]:
    """`Noise.parts` of noise whose edges need no fractions."""

    def parts(rates: Array, n: float, error: float, means: Sequence[Mean]) -> Array:
        return parts_at(rates[:, None], n, error, np.array([float(mean) for mean in means]))

    return parts


def likely_parts(
    parts_at: Callable[[Array, Array, float, Array], Array], smooth: int, smooth_rate: float = 0.0
) -> Callable[[Array, Array, float, tuple[float, float]], Array]:
    """At the `anchors`, and for N ≤ `smooth` beside them where a count tips over, else 0.

    At rates up to `smooth_rate` the noise hides which counts tip over.
    """

    def likely_parts(rate: Array, n: Array, error: float, mean_range: tuple[float, float]) -> Array:
        means = anchors(error, mean_range)
        small = (n <= smooth) & (rate > smooth_rate)
        size = n[small]
        beside = [
            np.clip((np.ceil(size * (mean + error)) - step) / size - error, *mean_range)
            for mean in means
            for step in (0, 1)
        ]
        at = np.array([np.full(size.shape, mean) for mean in means] + beside)
        parts = np.zeros((2, len(at), len(n)))
        if size.size:
            parts[:, :, small] = parts_at(rate[small], size, error, at)
        if size.size < len(n):
            at_anchors = np.array(means)[:, None]
            parts[:, : len(means), ~small] = parts_at(rate[~small], n[~small], error, at_anchors)
        return parts

    return likely_parts
