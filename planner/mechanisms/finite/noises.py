"""Laplace, geometric and Gaussian noise on a sample from a finite population."""

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms import hoeffding
from planner.mechanisms.exact.bounds.bracket import Mean, WorstMean, anchors
from planner.mechanisms.exact.gaussian_noise import GAUSSIAN
from planner.mechanisms.exact.geometric_noise import GEOMETRIC
from planner.mechanisms.exact.laplace_noise import LAPLACE
from planner.mechanisms.exact.noise import Asked, Noise
from planner.mechanisms.finite import balls, counts, proof, sizes
from planner.mechanisms.finite.counts import (
    Carried,
    laplace_tail,
    normal_tail,
    parts_at,
    smaller_of,
)
from planner.mechanisms.finite.lattice import Lattice
from planner.mechanisms.finite.worst import worst_mean
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number
from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb

_NO_NOISE = 500.0
_SMOOTH = 0.5
"""At rates up to this the noise hides which counts tip over an edge."""


@cache
def laplace(of: Lattice) -> Noise:
    """Laplace noise of rate ε."""
    sample = Sample(of.people)

    def bound(rate: float, n: float, error: float) -> float:
        as_many = sample.people(n)
        return float(hoeffding.failure_probability(rate * n / as_many, as_many, error))

    def sufficient(n: Array, error: float, failure: float) -> Array:
        as_many = sample.people(np.asarray(n, dtype=float))
        return np.asarray(hoeffding.epsilon_floor(as_many, error, failure) * as_many / n)

    law = proof.Law(balls.laplace, lambda rate: 2 * rate * rate)
    tails = sizes.Tails(
        quick=laplace_tail,
        tail=lambda x: (-x).exp() / 2,
        density=lambda x: (-x).exp() / 2,
        least=lambda failure: -math.log(failure),
    )
    return (
        _Finite(of, counts.laplace, law, tails)
        .noise(LAPLACE)
        ._replace(bound=bound, sufficient=sufficient)
    )


@cache
def geometric(of: Lattice) -> Noise:
    """Geometric noise of rate ε: as likely off as Laplace noise, times at most 2/(1 + e^(−ε))."""
    smooth = laplace(of)

    def bound(rate: float, n: float, error: float) -> float:
        return 2 / (1 + math.exp(-rate)) * smooth.bound(rate, n, error)

    def sufficient(n: Array, error: float, failure: float) -> Array:
        return smooth.sufficient(n, error, failure / 2)

    def steep(rate: Number) -> Number:
        system = numbers.of(rate)
        return rate * rate * (1 + system.exp(system.minimum(rate, system.number(_NO_NOISE))))

    law = proof.Law(balls.geometric, steep, balls.geometric_cover)
    finite = _Finite(of, counts.geometric, law, None, counts.geometric_cover)
    return finite.noise(GEOMETRIC)._replace(bound=bound, sufficient=sufficient)


@cache
def gaussian(of: Lattice) -> Noise:
    """Gaussian noise of rate 1/σ: sample and noise together are sub-Gaussian."""
    sample = Sample(of.people)

    def bound(rate: float, n: float, error: float) -> float:
        return 2 * math.exp(-((n * error * rate) ** 2) / (n * sample.left_out(n) * rate**2 / 2 + 2))

    def sufficient(n: Array, error: float, failure: float) -> Array:
        size = np.asarray(n, dtype=float)
        of_sample = size * sample.left_out(size) / 2
        variance = ((size * error) ** 2 / math.log(2 / failure) - of_sample) / 2
        with np.errstate(divide="ignore"):
            return 1 / np.sqrt(np.maximum(variance, 0.0))

    law = proof.Law(balls.Normal, lambda rate: rate * rate)
    tails = sizes.Tails(
        quick=normal_tail,
        tail=upper_tail,
        density=_density,
        least=lambda failure: float(GAUSSIAN.least_rate(np.ones(1), 1.0, failure)[0]),
    )
    return (
        _Finite(of, counts.normal, law, tails)
        .noise(GAUSSIAN)
        ._replace(bound=bound, sufficient=sufficient)
    )


def _density(x: "arb") -> "arb":

    return (-(x**2) / 2).exp() / (2 * arb.pi()).sqrt()


class _Finite(NamedTuple):
    """One law of noise on a sample from M people, some of whom have the property."""

    of: Lattice
    kind: Carried
    law: proof.Law
    tails: sizes.Tails | None
    cover: Carried | None = None

    def noise(self, endless: Noise) -> Noise:
        """What searches need; what does not depend on the sample is as of an endless population."""

        def worst(rate: float, n: float, asked: Asked) -> WorstMean:
            return self._worst(noise, rate, n, asked)

        def at_most(rate: "arb", participants: "arb", asked: Asked) -> bool:
            return proof.certify_at_most(self.law, self.of, rate, participants, asked)

        def over(least: "arb", most: "arb", participants: int, asked: Asked) -> bool:
            def about(rate: float) -> Mean:
                return self._bracket(rate, participants, asked, tolerance=1e-3).mean

            rates = (least, most)
            return proof.certify_over(self.law, self.of, about, rates, participants, asked)

        def sizes_over(rate: "arb", least: int, most: int, asked: Asked) -> bool:
            if self.tails is None:
                return False
            return sizes.certify_over(self.tails, self.of, rate, least, most, asked)

        noise = Noise(
            parts=self._parts,
            likely_parts=self._likely_parts,
            growth=0.0,
            worst_mean=worst,
            bound=endless.bound,
            sufficient=endless.sufficient,
            least_rate=endless.least_rate,
            largest_rate=endless.largest_rate,
            certify_at_most=at_most,
            certify_over=over,
            certify_sizes_over=sizes_over,
            binomial=False,
        )
        return noise

    def _parts(self, rates: Array, n: float, error: float, means: Sequence[Mean]) -> Array:
        having = np.array([self.of.near(mean) for mean in means])
        size = np.array([[float(n)]])
        return parts_at(self.kind, self.of.people, rates[:, None], size, error, having[None, :])

    def _likely_parts(
        self, rate: Array, n: Array, error: float, mean_range: tuple[float, float]
    ) -> Array:
        """At the anchors, and where little noise hides which counts tip, beside them."""
        of = self.of
        near = sorted({of.near(mean) for mean in anchors(error, mean_range)})
        parts = np.zeros((2, 3 * len(near), len(n)))
        having = np.broadcast_to(np.array(near)[:, None], (len(near), len(n)))
        parts[:, : len(near)] = parts_at(self.kind, self.of.people, rate, n, error, having)
        bare = rate > (_SMOOTH if self.cover is None else 0.0)
        if bare.any():
            tips = self._tips(n[bare], error, having[:, bare])
            tips = np.clip(tips, of.low, of.high)
            beside = parts_at(self.kind, self.of.people, rate[bare], n[bare], error, tips)
            parts[:, len(near) :, bare] = beside
        return parts

    def _tips(self, n: Array, error: float, having: Array) -> Array:
        """The K nearest to others at which a count is just off above."""
        drawn = np.maximum(smaller_of(self.of.people, n), 1)
        level = np.ceil(drawn * having / self.of.people + n * error)
        edges = np.concatenate([level, level - 1])
        return np.asarray(np.floor((edges - n * error) * self.of.people / drawn + 1e-9))

    def _bracket(
        self, rate: float, n: float, asked: Asked, sufficient: float = 0.0, **more: float
    ) -> WorstMean:
        steep = float(self.law.steep(rate))
        error = float(asked.error)
        return worst_mean(
            self.kind, steep, self.of, rate, float(n), error, sufficient, cover=self.cover, **more
        )

    def _worst(self, noise: Noise, rate: float, n: float, asked: Asked) -> WorstMean:
        return self._bracket(rate, n, asked, asked.failure)
