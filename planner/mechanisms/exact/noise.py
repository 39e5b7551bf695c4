"""Laplace, geometric and Gaussian noise on a count, and none: what the exact analysis asks of each.

The less noise there is, the higher its rate: ε, and 1/σ for Gaussian noise. With G(t) = Pr[Z ≥ t],
a count that lies t under an edge is carried over it with probability G(t), and one that lies −t
beyond it is carried back with probability 1 − G(t). All of these noises are log-concave, so with
edges held how likely a count is right rises and then falls with the count.

Geometric noise reaches whole edges only, and steps as an edge passes a whole number. With
v = 1/(1 + e^(−ε)) and w = 1 − v it is over an edge at t with a probability of at most v·e^(−εt),
and of at most 1 − w·e^(ct) for t < 0 if c ≥ ε. With c = εv/w = εe^ε that is smooth: it is the cover
that chords are taken of.
"""

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms import hoeffding
from planner.mechanisms.exact import gaussian_chord, laplace_chord, large_study, noise_balls
from planner.mechanisms.exact.sums import gaussian_sums
from planner.mechanisms.exact.sums.binomial import lower_tail, upper_tail
from planner.mechanisms.exact.sums.noisy_count import upper_parts
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number
from planner.privacy import gaussian

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

_GONE = 1e13
"""No rate beyond this is searched. Where a sample alone is never off by T, as of one person with
T = 1, the failure probability of continuous noise goes on falling as one over its rate."""
LARGE = 20_000
"""In studies of more people one person does not tip the worst mean."""
_ON_EDGE = 1e-9
"""Counts so near to an edge are on it: floats differ by less."""
_LARGEST = 500.0
"""No rate over this is put into an exponential."""
_SPARE, _MOST_SPARE = 0.05, 100
"""A likely rate is given where the sample takes all but so much of the allowed variance."""


class Noise(ABC):
    """One kind of noise on a count."""

    kind: str
    whole = False
    """Whether it is whole, so that edges are rounded up."""
    growth = 0.0
    """What falls with the rate in a failure probability does so once divided by rate^growth."""
    smooth = 0.0
    """The rate up to which f falls with the rate at the likely means about 1/2: whole counts then
    ripple f by less than that."""
    tips_up_to = LARGE
    """In studies of more people means at which a count tips over an edge are not looked at."""
    tips_from = 0.0
    """Nor are they with rates up to this, at which the noise hides which counts tip over."""
    unseen = 0.0
    """What sums in floats may leave out."""
    dent = Fraction(1, 2)
    """Beyond an edge c, the second derivative of Pr[|d + Z| ≥ c] is at least −dent·rate²."""

    @abstractmethod
    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        """Pr[K + Z ≥ Nμ + up or ≤ Nμ − down] of a binomial count, in two parts.

        Along the first axis: that of counts that are off already, which grows with the rate, and
        that of those that the noise carries off, which falls.
        """

    @abstractmethod
    def carried(self, left: Array, rate: Array) -> Array:
        """How likely a count is carried over an edge so far away, or back from beyond it."""

    @abstractmethod
    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """The noise in balls; see `noise_balls`."""

    def steep(self, rate: Number) -> Number:
        """What bounds −(ln G)″ and −(ln(1 − G))″, of the cover of noise that is not smooth."""
        raise NotImplementedError

    def alone(self, n: Array, error: float, failure: float) -> Array:
        """A rate that no study can do without, as noise alone is off too often at lower ones."""
        raise NotImplementedError

    def bound(self, rate: float, n: float, error: float, sample: Sample) -> float:
        """A bound on f that falls with N."""
        raise NotImplementedError

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        """A rate that suffices by a bound; ∞ where the bound says nothing."""
        raise NotImplementedError

    def alone_ball(self, excess: "arb", failure: "arb") -> "arb":
        """The rate up to which noise alone is off by an excess with probability α."""
        raise NotImplementedError

    def tail_ball(self, x: "arb") -> "arb":
        """Pr[Z ≥ x] at rate 1, x ≥ 0, of noise on all numbers."""
        raise NotImplementedError

    def density_ball(self, x: "arb") -> "arb":
        """Its density."""
        raise NotImplementedError

    def rounded_ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """Noise on all numbers that this one is when rounded, in some cases."""
        return self.ball(inside, outside)

    def cover(self, left: Array, rate: Array) -> Array:
        """`carried` of what is off no less often, but smooth in the edge."""
        return self.carried(left, rate)

    def cover_ball(self, rate: "arb") -> "NoiseBall":
        """The same in balls."""
        return self.ball(rate, rate)

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        """What f of a binomial count does not pass on a cell of means, closer than by its log.

        Args:
            seen: the larger value at its ends; floats, arrays or balls.
            left: the least mean.
            right: the largest.
            rate: of the noise.
            n: N.
            error: T.
            goal: about which value f is compared with.
        """
        return seen * 0 + numbers.of(seen).infinity

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        """A bound on f of a binomial count at all means at once; floats or balls."""
        return numbers.of(rate, n, error).number(1.0)

    def largest_rate(self, n: Array) -> Array:
        """The rate at which the noise is as good as gone."""
        return np.full_like(n, _GONE)

    def likely_rate(self, n: Array, error: float, failure: float) -> Array | None:
        """About the least rate; not a number where the sample alone nearly fails.

        There some rates between may do.
        """
        return None


class Laplace(Noise):
    """Pr[Z ≥ t] = ½e^(−εt) for t ≥ 0."""

    kind = "laplace"
    smooth = 0.5  # with h the hazard at an edge, of a count, they ripple f by about ε³/(12h)

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        """In a handful of binomial tails; see `sums.noisy_count`."""
        return _both_sides(rate, n, mean, up, down, None)

    def carried(self, left: Array, rate: Array) -> Array:
        """½e^(−ε|t|)."""
        return np.asarray(np.exp(-np.abs(left) * rate) / 2)

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """By polynomials in e^(−ε)."""
        return noise_balls.laplace(inside, outside)

    def steep(self, rate: Number) -> Number:
        """2ε², where t < 0: as (ln(1 − ½e^(εt)))″."""
        return 2 * rate * rate

    def alone(self, n: Array, error: float, failure: float) -> Array:
        """Off by NT with probability e^(−εNT); a sample that is off makes it no less."""
        return np.asarray(-math.log(failure) / (n * error))

    def alone_ball(self, excess: "arb", failure: "arb") -> "arb":
        """The same."""
        return -failure.log() / excess

    def tail_ball(self, x: "arb") -> "arb":
        """½e^(−x)."""
        return (-x).exp() / 2

    def density_ball(self, x: "arb") -> "arb":
        """½e^(−x)."""
        return (-x).exp() / 2

    def rounded_ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """Laplace noise."""
        return noise_balls.laplace(inside, outside)

    def bound(self, rate: float, n: float, error: float, sample: Sample) -> float:
        """By Hoeffding's inequality."""
        people = sample.people(n)
        return float(hoeffding.failure_probability(rate * n / people, people, error))

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        """By the same."""
        people = sample.people(np.asarray(n, dtype=float))
        return np.asarray(hoeffding.epsilon_floor(people, error, failure) * people / n)

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        """See `laplace_chord`."""
        return laplace_chord.most_between(seen, left, right, rate, n, error)

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        """See `large_study`."""
        return large_study.bound(rate, n, error, mean_range, self.whole)


class Geometric(Laplace):
    """Noise on whole numbers: Pr[Z ≥ t] = e^(−εt)/(1 + e^(−ε)) for whole t ≥ 0."""

    kind = "geometric"
    whole = True
    smooth = math.inf  # it leads from whole counts to whole counts
    tips_up_to = 2**63

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        """The same where both edges are whole counts; one under the expected count is passed."""
        return _both_sides(rate, n, mean, up, down, np.float64(0.0))

    def carried(self, left: Array, rate: Array) -> Array:
        """By how many whole counts."""
        whole = np.ceil(left - _ON_EDGE)
        away = np.where(whole > 0, whole, 1 - whole)
        return np.asarray(np.exp(-rate * away) / (1 + np.exp(-rate)))

    def cover(self, left: Array, rate: Array) -> Array:
        """With c in place of ε beyond the edge."""
        off, some = left <= _ON_EDGE, np.minimum(rate, _LARGEST)
        exponent = np.where(off, np.exp(some) * rate * np.minimum(left, 0.0), -rate * left)
        return np.asarray(np.exp(exponent) / (1 + np.exp(np.where(off, some, -rate))))

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """On whole edges."""
        return noise_balls.geometric(inside, outside)

    def cover_ball(self, rate: "arb") -> "NoiseBall":
        """On all edges."""
        return noise_balls.geometric_cover(rate)

    def steep(self, rate: Number) -> Number:
        """c²w/v² = ε²(1 + e^ε), of its cover."""
        system = numbers.of(rate)
        return rate * rate * (1 + system.exp(system.minimum(rate, system.number(_LARGEST))))

    def alone(self, n: Array, error: float, failure: float) -> Array:
        """On whole numbers the same holds for noise off by NT + 1."""
        return np.asarray(-math.log(failure) / (n * error + 1))

    def bound(self, rate: float, n: float, error: float, sample: Sample) -> float:
        """Pr[|Z| ≥ t] is at most 2e^(−εt)/(1 + e^(−ε)), where Laplace noise has e^(−εt)."""
        return 2 / (1 + math.exp(-rate)) * super().bound(rate, n, error, sample)

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        """As that is at most twice as much."""
        return super().sufficient(n, error, failure / 2, sample)

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        """None: its means are tips."""
        return Noise.chord(self, seen, left, right, rate, n, error, goal)


class Gaussian(Noise):
    """Normal noise of deviation 1/rate."""

    kind = "gaussian"
    growth = 0.3  # Pr[Z ≥ −t] = Φ(rt) grows no faster than r^0.3, as xφ(x)/Φ(x) < 0.3
    smooth = tips_from = 0.8  # at this rate whole counts ripple f by e^(−2π²σ²), 4e-14 of it
    tips_up_to = LARGE // 10
    unseen = 1e-60
    dent = Fraction(31, 125)  # φ(1), rounded up

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        """By sums over counts; see `sums.gaussian_sums`."""
        if np.array_equal(up, down):
            return np.asarray(gaussian_sums.parts_at(rate, n, mean, up, sides=2))
        above = gaussian_sums.parts_at(rate, n, mean, up, sides=1)
        return np.asarray(above + gaussian_sums.parts_at(rate, n, 1 - mean, down, sides=1))

    def carried(self, left: Array, rate: Array) -> Array:
        """Q(|t|/σ)."""
        return np.asarray(scipy.special.ndtr(-np.abs(left) * rate))

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """By Taylor polynomials over blocks of counts."""
        return noise_balls.Normal(inside, outside)

    def steep(self, rate: Number) -> Number:
        """1/σ²: Q is log-concave, with (ln Q)″ between −1 and 0 (Sampford 1953)."""
        return rate * rate

    def alone(self, n: Array, error: float, failure: float) -> Array:
        """z/(NT), 2Q(z) = α."""
        return np.asarray(-scipy.special.ndtri(failure / 2) / (n * error))

    def alone_ball(self, excess: "arb", failure: "arb") -> "arb":
        """The same."""
        return gaussian.deviate_ball(failure / 2) / excess

    def tail_ball(self, x: "arb") -> "arb":
        """Q(x)."""
        return gaussian.upper_tail(x)

    def density_ball(self, x: "arb") -> "arb":
        """φ(x)."""
        return (-(x**2) / 2).exp() / (2 * arb.pi()).sqrt()

    def bound(self, rate: float, n: float, error: float, sample: Sample) -> float:
        """As sample and noise together are sub-Gaussian; or as the sample is nearly normal."""
        of_sample = n * sample.left_out(n) / 2
        most = 2 * math.exp(-((n * error * rate) ** 2) / (of_sample * rate**2 + 2))
        if not sample.simple or n * error <= 1:
            return most
        return min(most, float(large_study.gaussian_by_normal_sample(rate, n, n * error - 1)))

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        """As they are sub-Gaussian: 2·exp(−(NT)²/(Nf/2 + 2σ²)) ≤ α."""
        size = np.asarray(n, dtype=float)
        of_sample = size * sample.left_out(size) / 2
        variance = ((size * error) ** 2 / math.log(2 / failure) - of_sample) / 2
        with np.errstate(divide="ignore"):
            return np.asarray(1 / np.sqrt(np.maximum(variance, 0.0)))

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        """See `gaussian_chord`."""
        return gaussian_chord.most_between(seen, left, right, rate, n, error, goal)

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        """See `large_study`."""
        if numbers.of(rate, n, error) is numbers.balls():
            return large_study.gaussian_bound(rate, n, error, mean_range)
        return self.bound(rate, n, error, Sample())

    def largest_rate(self, n: Array) -> Array:
        """Beside the sample's deviation as little noise as any other."""
        return np.asarray(_GONE / np.sqrt(n))

    def likely_rate(self, n: Array, error: float, failure: float) -> Array | None:
        """As if the sample were normal too."""
        both, sample = (n * error / scipy.special.ndtri(failure / 2)) ** 2, n / 4
        spare = np.minimum(_SPARE * sample, _MOST_SPARE)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(both - sample > spare, 1 / np.sqrt(both - sample), np.nan)


class NoNoise(Noise):
    """Nothing is added: the study without privacy, and reports that people randomise themselves."""

    kind = "none"
    whole = True

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        """Two binomial tails, of edges that are whole counts."""
        n, mean, up, down = np.broadcast_arrays(np.asarray(n, float), mean, up, down)
        high, low = np.rint(n * mean + up), np.rint(n * mean - down)
        over = np.where(high >= 1, upper_tail(n, np.maximum(high, 1.0), mean), 1.0)
        under = np.where(low >= 0, lower_tail(n, np.maximum(low, 0.0), 1 - mean), 0.0)
        return np.stack([over + under, np.zeros(n.shape)])

    def carried(self, left: Array, rate: Array) -> Array:
        """None."""
        return np.zeros(np.broadcast(left, rate).shape)

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """None."""
        return noise_balls.NoNoise()

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        """See `large_study`."""
        excess = n * error - 1
        return (
            large_study.sample_off(n, excess)
            if excess > 0
            else super().for_all(rate, n, error, mean_range)
        )


def _both_sides(
    rate: Number, n: Number, mean: Number, up: Number, down: Number, rise: Number | None
) -> Array:
    """The parts of either side of exponential noise, together."""
    rate, n, mean, up, down = np.broadcast_arrays(rate, n, mean, up, down)
    # one call for both sides: a call costs more than its numbers
    share, edge = np.stack([mean, 1 - mean]), np.stack([up, down])
    over = edge > 0
    beyond, carried = upper_parts(n, share, np.where(over, edge, 1e-300), rate, rise)
    return np.stack([
        np.sum(np.where(over, beyond, 1.0), axis=0), np.sum(np.where(over, carried, 0.0), axis=0)
    ])  # fmt: skip


LAPLACE, GEOMETRIC, GAUSSIAN, NO_NOISE = Laplace(), Geometric(), Gaussian(), NoNoise()
