"""Sampling laws: how many of N people drawn have the property, and so how many counts are off.

A law says along which lines the worst mean is looked for, what the failure probability at some
means is, in floats and in balls, and what it does not pass between two. People are drawn with
replacement (`Binomial`), or from the M of a population, of whom K have the property
(`Hypergeometric`): then those left out are as far from their mean as those drawn, so the smaller of
the two is summed.

Both laws are totally positive: in μ, or in K, the chance that the count is right rises and then
falls where with edges held the chance that a count is right rises and then falls with the count
(Karlin 1968, variation diminishing; C(K, y)·C(M − K, n − y) is C(M − n, K − y) but for factors of
one of the two alone, and binomial coefficients are a Pólya sequence). So with edges held a failure
probability is the largest at an end of a cell. Noise on whole numbers moves its edges at tips only,
means at which an edge is just hit, and there more counts are off than beside them: a worst mean is
such a mean, or an end of the range. Tips of one edge lie 1/N apart, with edges equally far from Nμ.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact.branch import Line, tolerance_at
from planner.mechanisms.exact.noise_balls import REST
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number, decimal, rational

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise import Noise
    from planner.mechanisms.exact.noise_balls import NoiseBall

HALF = Fraction(1, 2)  # the mean at which a share varies most
_REST_OF_LARGE, _LARGE = 22.0, 2**17
"""In balls counts out of reach have together less than e^−36 of α; in large studies e^−22."""

MeanRange = tuple[Any, Any]
"""Means as decimals, or exactly."""
Counts = tuple[int, "list[arb]"]
"""The first count of a list, and the chances of all of them."""


class Places(NamedTuple):
    """Means and how far their edges lie from the expected count; arrays of one shape.

    Attributes:
        mean: μ.
        up: of the upper edge.
        down: of the lower edge.
        asked: whether a mean is one that is asked of.
    """

    mean: Array
    up: Array
    down: Array
    asked: Number


class Law(ABC):
    """How the number of people drawn who have the property is spread."""

    symmetric = False
    """Whether counts at mean 1/2 are certain to be symmetric about a half of all."""

    growth = 0.0
    """See `Noise.growth`: of the law."""

    refuted_at_likely = False
    """Whether means other than the likely ones show of no study that it fails."""

    any_values = False
    """Whether it is that of any values, see `bounded`, and not of counts."""

    def smooth(self, noise: "Noise") -> float:
        """See `Noise.smooth`: where counts at mean 1/2 are certain to be symmetric."""
        return noise.smooth if self.symmetric else 0.0

    @property
    @abstractmethod
    def sample(self) -> Sample:
        """The sample that it is the law of."""

    def counted(self, n: Array) -> Array:
        return n

    def variance(self, n: Array) -> Array:
        """The largest variance of their sum, about."""
        return np.asarray(n**2 / self.counted(n) / 4)

    def nearest(self, mean: float, mean_range: MeanRange) -> Fraction:
        """The mean of a range, as a decimal, that can be one of the population."""
        return decimal(mean)

    @abstractmethod
    def lines(self, n: int, error: Fraction, whole: bool, mean_range: MeanRange) -> list[Line]:
        """The lines along which a worst mean lies, of noise that is whole or is not."""

    @abstractmethod
    def place(self, n: int, error: Fraction, whole: bool, mean: Fraction) -> tuple[float, ...]:
        """A mean and how far its edges lie from the expected count, in floats."""

    @abstractmethod
    def likely(
        self, noise: "Noise", n: Array, error: float, mean_range: MeanRange
    ) -> tuple[Places, Places]:
        """The means that are likely the worst of each N, and those where a count tips over."""

    @abstractmethod
    def hidden(self, noise: "Noise", rate: Array, n: Array) -> Array:
        """Where the latter need not be looked at."""

    @abstractmethod
    def likely_means(
        self, n: int, error: Fraction, whole: bool, mean_range: MeanRange
    ) -> list[Fraction]:
        """The means of one N that are tried first in proofs."""

    @abstractmethod
    def parts(
        self, noise: "Noise", rate: Number, n: Number, mean: Number, up: Number, down: Number,
        covered: bool = False,
    ) -> Array:  # fmt: skip
        """The failure probability in two parts, see `Noise.parts`; arrays broadcast."""

    def for_all(
        self, noise: "Noise", rate: Number, n: Number, error: Number, mean_range: MeanRange
    ) -> Number:
        """A bound on f at all means at once; floats or balls."""
        return numbers.of(rate, n, error).number(1.0)

    def tolerance(self, n: float) -> float:
        """How close brackets of f are, as a fraction."""
        return tolerance_at(n)

    def bound(self, noise: "Noise", rate: float, n: float, error: float) -> float:
        """A bound on f that falls with N."""
        return noise.bound(rate, n, error, self.sample)

    @abstractmethod
    def chord(
        self, noise: "Noise", line: Line, rate: Number, n: int, error: Number, cell: "Cell",
        covered: "Callable[[], Number]", goal: float,
    ) -> Number:  # fmt: skip
        """What f does not pass on cells of a line."""

    def between(
        self, noise: "Noise", rate: float, n: float, cell: tuple[Array, Array], up: float,
        down: float, seen: Array,
    ) -> Array:  # fmt: skip
        """What f does not pass on cells of means, of any values; see `bounded`."""
        raise NotImplementedError

    def between_ball(
        self, noise: "NoiseBall", n: int, cell: tuple[Fraction, Fraction], up: Fraction,
        down: Fraction, seen: "arb", failure: float,
    ) -> "arb":  # fmt: skip
        raise NotImplementedError

    def terms(self, noise: "Noise", n: int, failure: float) -> float:
        """How many terms a sum has in balls, about."""
        return within_reach(self.drawn(n), failure)

    @abstractmethod
    def drawn(self, n: int) -> int:
        """How many counts are summed for."""

    @abstractmethod
    def over_edge(
        self, noise: "NoiseBall", n: int, mean: Fraction, edge: Fraction, failure: float
    ) -> "arb":
        """Pr[K + Z ≥ edge], enclosed; counts out of reach are known to a tiny part of a failure."""

    def failure_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float = 1.0,
    ) -> "arb":  # fmt: skip
        """Pr[K + Z off by `up` above or `down` below what is expected], enclosed."""
        other, drawn, noise = 1 - mean, self.drawn(n), noise.within(failure)
        upper = self.over_edge(noise, n, mean, drawn * mean + up, failure)
        return upper + self.over_edge(noise, n, other, drawn * other + down, failure)

    def least_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float,
    ) -> "arb":  # fmt: skip
        """What f is no less than, where a study is certain to fail; see `failure_ball`."""
        return self.failure_ball(noise, n, mean, up, down, failure)


class Cell(NamedTuple):
    """A cell of a line.

    Attributes:
        left: its first point.
        right: its last.
        seen: the larger value at these two.
        start: the mean at the first.
        end: at the last.
    """

    left: Number
    right: Number
    seen: Number
    start: Number
    end: Number


def anchors(error: float, mean_range: MeanRange) -> list[float]:
    """The means of a range about which the worst one lies, most likely.

    Nearest to 1/2 the sample varies most; but with T > 1/2 it can be off only at means up to 1 − T
    or from T on.
    """
    low, high = mean_range
    near = [0.5] if error <= 0.5 else [0.5, 1 - error, error]
    return sorted({min(max(mean, low), high) for mean in near})


def exactly(mean: float | Fraction) -> Fraction:
    """A mean as a fraction: of a float its decimal."""
    return mean if isinstance(mean, Fraction) else decimal(mean)


def within_reach(participants: int, failure: float) -> float:
    """How far from the mean the counts are that are summed in balls."""
    rest = (REST if participants <= _LARGE else _REST_OF_LARGE) - math.log(failure)
    return math.sqrt(max(participants, 1) * rest / 2) + 1


def out_of_reach(participants: int, failure: float) -> "arb":
    """What all counts out of reach have together: 2·exp(−2r²/N) at most, with replacement or not.

    By Hoeffding (1963, Theorems 1 and 4).
    """
    if not participants:
        return arb(0)
    reach = arb(within_reach(participants, failure) - 1)
    return (2 * (-2 * reach**2 / participants).exp()).union(arb(0))


def summed(noise: "NoiseBall", counts: Counts, edge: Fraction) -> "arb":
    """The sum over counts of their chance to be over an edge."""
    first, chances = counts
    edge = Fraction(math.ceil(edge)) if noise.whole else edge
    beyond, total = min(max(math.ceil(edge) - first, 0), len(chances)), arb(0)
    if beyond:
        total += noise.under(chances[:beyond], rational(edge - first))
    if beyond < len(chances):
        total += noise.over(chances[beyond:], rational(first + beyond - edge))
    return total
