"""Laplace and geometric noise on a count.

Geometric noise reaches whole edges only, and steps as an edge passes a whole number. With
v = 1/(1 + e^(−ε)) and w = 1 − v it is over an edge at t with a probability of at most v·e^(−εt),
and of at most 1 − w·e^(ct) for t < 0 if c ≥ ε. With c = εv/w = εe^ε that is smooth: it is the cover
that chords are taken of.
"""

import math
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms import hoeffding
from planner.mechanisms.exact import laplace_chord, large_study, noise_balls
from planner.mechanisms.exact.noise import ON_EDGE, Noise
from planner.mechanisms.exact.sums.noisy_count import upper_parts
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

_LARGEST = 500.0
"""No rate over this is put into an exponential."""


class Laplace(Noise):
    """Pr[Z ≥ t] = ½e^(−εt) for t ≥ 0."""

    kind = "laplace"
    smooth = 0.5  # with h the hazard at an edge, of a count, they ripple f by about ε³/(12h)
    tips_from = 0.05  # there the means at which counts tip over fail more often by 4e-7 of f

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        return _both_sides(rate, n, mean, up, down, None)

    def carried(self, left: Array, rate: Array) -> Array:
        return np.asarray(np.exp(-np.abs(left) * rate) / 2)

    def density(self, x: Array) -> Array:
        return np.asarray(np.exp(-x) / 2)

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        return noise_balls.laplace(inside, outside)

    def steep(self, rate: Number) -> Number:
        return 2 * rate * rate

    def alone(self, n: Array, error: float, failure: float) -> Array:
        """Off by NT with probability e^(−εNT); a sample that is off makes it no less."""
        return np.asarray(-math.log(failure) / (n * error))

    def alone_ball(self, excess: "arb", failure: "arb") -> "arb":
        return -failure.log() / excess

    def tail_ball(self, x: "arb") -> "arb":
        return (-x).exp() / 2

    def density_ball(self, x: "arb") -> "arb":
        return (-x).exp() / 2

    def rounded_ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        return noise_balls.laplace(inside, outside)

    def bound(
        self, rate: float, n: float, error: float, sample: Sample, counts: bool = True
    ) -> float:
        people = sample.people(n)
        return float(hoeffding.failure_probability(rate * n / people, people, error))

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        people = sample.people(np.asarray(n, dtype=float))
        return np.asarray(hoeffding.epsilon_floor(people, error, failure) * people / n)

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        return laplace_chord.most_between(seen, left, right, rate, n, error)

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        return large_study.bound(rate, n, error, mean_range, self.whole)


class Geometric(Laplace):
    """Noise on whole numbers: Pr[Z ≥ t] = e^(−εt)/(1 + e^(−ε)) for whole t ≥ 0."""

    kind = "geometric"
    whole = True
    smooth = math.inf  # it leads from whole counts to whole counts
    tips_from = 0.0
    tips_up_to = 2**63

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        """The same where both edges are whole counts; one under the expected count is passed."""
        return _both_sides(rate, n, mean, up, down, np.float64(0.0))

    def carried(self, left: Array, rate: Array) -> Array:
        whole = np.ceil(left - ON_EDGE)
        away = np.where(whole > 0, whole, 1 - whole)
        return np.asarray(np.exp(-rate * away) / (1 + np.exp(-rate)))

    def cover(self, left: Array, rate: Array) -> Array:
        off, some = left <= ON_EDGE, np.minimum(rate, _LARGEST)
        exponent = np.where(off, np.exp(some) * rate * np.minimum(left, 0.0), -rate * left)
        return np.asarray(np.exp(exponent) / (1 + np.exp(np.where(off, some, -rate))))

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        return noise_balls.geometric(inside, outside)

    def cover_ball(self, rate: "arb") -> "NoiseBall":
        return noise_balls.geometric_cover(rate)

    def steep(self, rate: Number) -> Number:
        system = numbers.of(rate)
        return rate * rate * (1 + system.exp(system.minimum(rate, system.number(_LARGEST))))

    def alone(self, n: Array, error: float, failure: float) -> Array:
        """On whole numbers the same holds for noise off by NT + 1."""
        return np.asarray(-math.log(failure) / (n * error + 1))

    def bound(
        self, rate: float, n: float, error: float, sample: Sample, counts: bool = True
    ) -> float:
        """Pr[|Z| ≥ t] is at most 2e^(−εt)/(1 + e^(−ε)), where Laplace noise has e^(−εt)."""
        return 2 / (1 + math.exp(-rate)) * super().bound(rate, n, error, sample, counts)

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        return super().sufficient(n, error, failure / 2, sample)

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        return Noise.chord(self, seen, left, right, rate, n, error, goal)


def _both_sides(
    rate: Number, n: Number, mean: Number, up: Number, down: Number, rise: Number | None
) -> Array:
    alike = up is down and np.all(mean == 0.5)
    rate, n, mean, up, down = np.broadcast_arrays(rate, n, mean, up, down)
    # one call for both sides: a call costs more than its numbers
    share, edge = (mean, up) if alike else (np.stack([mean, 1 - mean]), np.stack([up, down]))
    over = edge > 0
    beyond, carried = upper_parts(n, share, np.where(over, edge, 1e-300), rate, rise)
    parts = np.stack([np.where(over, beyond, 1.0), np.where(over, carried, 0.0)])
    return 2 * parts if alike else np.sum(parts, axis=1)


LAPLACE, GEOMETRIC = Laplace(), Geometric()
