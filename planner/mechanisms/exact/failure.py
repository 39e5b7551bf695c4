"""The true failure probability of a noisy share: a sampling law times a noise.

f(μ) = Pr[|K + Z − Nμ| ≥ NT], K the number of people drawn who have the property. It is summed at
one mean, bracketed at the worst mean of a range, and proved: certain to be at most α at every mean,
or certain to pass it at some mean for all rates of noise in a range, or for all N in a range.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact import branch, sizes
from planner.mechanisms.exact.bounded import Bounded
from planner.mechanisms.exact.branch import Line, Point, Worst
from planner.mechanisms.exact.deviation import LimitedDeviation
from planner.mechanisms.exact.exponential_noise import GEOMETRIC, LAPLACE
from planner.mechanisms.exact.gaussian_noise import GAUSSIAN
from planner.mechanisms.exact.law import HALF, Cell, Law, MeanRange, Places
from planner.mechanisms.exact.noise import NO_NOISE, Noise
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.mechanisms.exact.without_replacement import LARGEST, Hypergeometric
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import Array, Number, decimal, rational

if TYPE_CHECKING:
    from flint import arb

_ROUGH = 1e-3
"""The width of a bracket that is to find a mean for a proof."""


class Asked(NamedTuple):
    """What is asked of a noisy share: its failure probability f is at most α at every mean.

    Attributes:
        error: T, a number, or a ball where something is proved.
        failure: α, likewise.
        mean_range: the means, as floats or fractions.
    """

    error: Number
    failure: Number
    mean_range: MeanRange

    @property
    def decimal(self) -> Fraction:
        """T as the decimal that is given, or the fraction."""
        if isinstance(self.error, Fraction):
            return self.error
        return decimal(float(self.error.mid() if hasattr(self.error, "mid") else self.error))


@dataclass(frozen=True)
class NoisyShare:
    """A sampling law times a noise.

    Attributes:
        law: of the number of people drawn who have the property.
        noise: what is added to it.
    """

    law: Law
    noise: Noise

    @property
    def smooth(self) -> float:
        return self.law.smooth(self.noise)

    def likely_rate(self, n: Array, error: float, failure: float) -> Array | None:
        return self.noise.likely_rate(n, error, failure) if self.law.symmetric else None

    @property
    def growth(self) -> float:
        return max(self.noise.growth, self.law.growth)

    def parts(self, rates: Array, n: float, error: float, means: Sequence[Fraction]) -> Array:
        """F at several means in two parts, see `Noise.parts`: a row a rate, a column a mean."""
        places = [self.law.place(int(n), decimal(error), self.noise.whole, m) for m in means]
        mean, up, down = np.array(places).T
        if not self.noise.whole:
            up = down = float(up[0])
        return self.law.parts(self.noise, np.asarray(rates)[:, None], float(n), mean, up, down)

    def at(self, rates: Array, n: float, error: float, means: Sequence[Fraction]) -> Array:
        """F at several means: a row a rate, a column a mean."""
        return np.asarray(self.parts(rates, n, error, means).sum(axis=0))

    def likely_parts(
        self, rate: Array, n: Array, error: float, mean_range: tuple[float, float]
    ) -> Array:
        """The parts at the means that are likely the worst, for arrays of one shape.

        The means lie along the second axis; 0 stands for those that some study has not.
        """
        near, tips = self.law.likely(self.noise, n, error, mean_range)
        shown = ~self.law.hidden(self.noise, rate, n)
        first = len(near.mean)
        parts = np.zeros((2, first + len(tips.mean), len(n)))
        if first:
            parts[:, :first] = self._parts_at(near, rate, n)
        if shown.any():
            some = Places(*(x[..., shown] if np.ndim(x) else x for x in tips))
            parts[:, first:, shown] = self._parts_at(some, rate[shown], n[shown])
        return parts

    def _parts_at(self, places: Places, rate: Array, n: Array) -> Array:
        parts = self.law.parts(self.noise, rate, n, places.mean, places.up, places.down)
        return np.where(places.asked, parts, 0.0)

    def likely_worst(
        self, rate: Array, n: Array, error: float, mean_range: tuple[float, float]
    ) -> Array:
        """The failure probability at the worst of the likely means."""
        return np.max(np.sum(self.likely_parts(rate, n, error, mean_range), axis=0), axis=0)

    def bound(self, rate: float, n: float, error: float) -> float:
        """A bound on f that falls with N."""
        return self.law.bound(self.noise, rate, n, error)

    def sufficient(self, n: Array, error: float, failure: float) -> Array:
        """A rate that suffices by a bound; ∞ where the bound says nothing."""
        return self.noise.sufficient(n, error, failure, self.law.sample)

    def worst_mean(
        self, rate: float, n: float, asked: Asked, tolerance: float | None = None
    ) -> Worst:
        """Bracket the largest failure probability over a range of means.

        The search may stop once it is certain to be at most α, or certain to pass it clearly.
        """
        error, failure, mean_range = asked
        most = float(self.law.for_all(self.noise, rate, n, error, mean_range))
        if most <= failure:  # in large studies one line does for all means
            return Worst(0.0, most, HALF)
        tolerance = tolerance or self.law.tolerance(n)
        brackets = [
            self._along(line, rate, float(n), error, failure, tolerance)
            for line in self.law.lines(int(n), asked.decimal, self.noise.whole, mean_range)
        ]
        worst = max(brackets, key=lambda bracket: bracket.least)
        highest = max(bracket.most for bracket in brackets) + self.noise.unseen
        return worst._replace(most=min(highest, most))

    def _along(
        self, line: Line, rate: float, n: float, error: float, failure: float, tolerance: float
    ) -> Worst:
        law, noise, up, down = self.law, self.noise, float(line.up), float(line.down)
        if line.up == line.down:
            down = up
        drawn, hazard = law.drawn(int(n)), min(rate, 4 * error)

        def at(points: Array, up: Number = up, down: Number = down, covered: bool = False) -> Array:
            means = line.means(points)
            return np.asarray(law.parts(noise, rate, n, means, up, down, covered).sum(axis=0))

        def bound(left: Array, right: Array, seen: Array, goal: float) -> Array:
            def covered() -> Array:
                return np.maximum(at(left, covered=True), at(right, covered=True))

            start, end = line.means(left), line.means(right)
            if law.any_values:
                return law.between(noise, rate, n, (start, end), up, down, seen)
            cell = Cell(left, right, seen, start, end)
            bounds = law.chord(noise, line, rate, int(n), error, cell, covered, goal)
            moved = drawn * (end - start)
            if line.start and line.step:
                moved = right - left  # along tips edges stay whole numbers
            with np.errstate(invalid="ignore", divide="ignore"):
                closer = branch.held_is_closer(moved * hazard, bounds / seen - 1)
            doubtful = (bounds > goal) & closer & (moved < min(up, down))
            if doubtful.any():
                off = moved[doubtful]
                held = np.maximum(
                    at(left[doubtful], up, down - off), at(right[doubtful], up - off, down)
                )
                bounds[doubtful] = np.minimum(bounds[doubtful], held)
            return bounds

        large = n > branch.LARGE
        return branch.largest(at, bound, line, tolerance, failure, large)

    def certify_at_most(self, rate: Number, participants: Number, asked: Asked) -> bool:
        """Whether the failure probability is certain to be at most α at every mean of the range."""
        if not (rate.is_finite() and rate > 0):
            return False
        error, failure, mean_range = rational(asked.decimal), asked.failure, asked.mean_range
        if self.law.for_all(self.noise, rate, participants, error, mean_range) <= failure:
            return True
        n = int(float(participants.mid()))
        lines = self.law.lines(n, asked.decimal, self.noise.whole, mean_range)
        return all(self._certify_along(line, rate, n, asked) for line in lines)

    def _certify_along(self, line: Line, rate: "arb", n: int, asked: Asked) -> bool:
        law, noise, failure, alpha = self.law, self.noise, asked.failure, float(asked.failure.mid())
        same, cover = noise.ball(rate, rate), noise.cover_ball(rate)
        drawn, error = law.drawn(n), rational(asked.decimal)
        hazard = min(float(rate.mid()), 4 * float(asked.decimal))
        up, down = line.up, line.down

        @cache
        def value(point: Point, covered: bool = False) -> "arb":
            ball = cover if covered else same
            return law.failure_ball(ball, n, line.mean(point), up, down, alpha)

        def holds(left: Point, right: Point) -> bool | None:
            seen = value(left).max(value(right))
            if not seen <= failure:
                return False
            single = line.whole and right - left <= 1
            if single and (left == right or not line.between):
                return True
            start, end = line.mean(left), line.mean(right)
            moved = drawn * (end - start)
            if law.any_values:
                most = law.between_ball(same, n, (start, end), up, down, seen, alpha)
                return True if most <= failure else False if single else None
            balls = [rational(Fraction(x)) for x in (left, right, start, end)]
            cell = Cell(balls[0], balls[1], seen, balls[2], balls[3])

            def covered() -> "arb":
                return value(left, True).max(value(right, True)) if cover != same else seen

            most = law.chord(noise, line, rate, n, error, cell, covered, alpha)
            if most <= failure:
                return True
            closer = branch.held_is_closer(float(moved) * hazard, most / seen - 1)
            if not (closer and moved < min(up, down)):
                return None
            held = (
                law.failure_ball(same, n, mean, *edges, alpha)
                for mean, edges in ((start, (up, down - moved)), (end, (up - moved, down)))
            )
            return True if all(one <= failure for one in held) else None

        return branch.all_hold(holds, line, law.terms(noise, n, alpha))

    def certify_over(
        self,
        least: "arb",
        most: "arb",
        participants: int,
        asked: Asked,
        most_cells: int = branch.MOST_RATE_CELLS,
    ) -> bool:
        """Whether α is certain to be passed at some mean, for every rate in [least, most].

        Balls, except for N; the most may be ∞.
        """
        law, noise, n, exact = self.law, self.noise, participants, asked.decimal
        failure, alpha = asked.failure, float(asked.failure.mid())
        in_floats = Asked(float(exact), alpha, asked.mean_range)

        def over(mean: Fraction, low: "arb", high: "arb") -> bool:
            both = law.least_ball(noise.ball(high, low), n, mean, n * exact, n * exact, alpha)
            return bool(both > failure)

        likely = law.likely_means(n, exact, noise.whole, asked.mean_range)

        def worst(rate: float) -> Fraction:
            if law.refuted_at_likely:
                return likely[0]
            return self.worst_mean(rate, n, in_floats, _ROUGH).mean

        return branch.certify_rates_over(over, worst, likely, least, most, most_cells)

    def certify_sizes_over(self, rate: "arb", least: int, most: int, asked: Asked) -> bool:
        """Whether every N in [least, most] is certain to pass α at every rate up to a ball.

        Of any values it is enough that the most do (see `bounded`), from where more surely do.
        """
        if self.law.any_values:
            alone = self.noise.alone_ball(rational(most * asked.decimal), asked.failure)
            allowed = arb(asked.failure.upper())
            missed = _missed(self, asked.decimal, asked.mean_range)
            known = (y / most for n, y, over in missed if n >= most and over >= allowed)
            lowest = max([alone, *known])
            if rate <= lowest:
                return True
            if not self.certify_over(lowest, rate, most, asked, sizes.MOST_RATE_CELLS):
                return False
            missed.append((most, rate * most, allowed))
            return True
        return sizes.certify_over(self.law, self.noise, rate, least, most, asked)


@lru_cache(maxsize=64)
def _missed(share: NoisyShare, error: Fraction, mean_range: MeanRange) -> list[tuple[Any, ...]]:
    """What is known, to add to: so many people at N times the rate up to a ball pass such an α."""
    return []


SHARES = {
    noise.kind: NoisyShare(BINOMIAL, noise) for noise in (LAPLACE, GEOMETRIC, GAUSSIAN, NO_NOISE)
}
"""A noisy share of an endless population, by the kind of noise."""


def noisy(
    kind: str, any_values: bool, mean_range: tuple[float, float], sample: Sample = SIMPLE
) -> NoisyShare:
    """A noisy share of a sample, or the mean of any values from 0 to 1.

    Clusters have means that are any values, whatever the values of their people are.

    Raises:
        ValueError: the sample is one of another analysis, or no share of the population is in the
            range.
    """
    # any values of a population err no more than those of one without end (Hoeffding 1963)
    people = None if any_values else sample.population
    each = Fraction(sample.clusters_of) * decimal(sample.design_effect)
    if sample.simple and not any_values:
        return SHARES[kind]
    noise, (low, high) = SHARES[kind].noise, mean_range
    centre = min(max(0.5, low), high)
    if sample.deviation is not None and noise is GEOMETRIC:
        raise ValueError(
            "deviation_at_most is for Laplace or Gaussian noise; leave it out, or give kind = "
            '"laplace-mean"'
        )
    if sample.deviation is not None:
        return NoisyShare(LimitedDeviation(centre, each, decimal(sample.deviation)), noise)
    if people is None and noise is not GEOMETRIC:
        return NoisyShare(Bounded(centre, each), noise)
    if each > 1:
        raise ValueError(
            "the exact analysis is for people drawn one by one from a population, or for clusters "
            "or a design effect without one and Laplace or Gaussian noise; for others give "
            'analysis = "hoeffding" and Laplace noise'
        )
    assert people is not None
    if people > LARGEST:
        raise ValueError(
            f"population = {people!r} is too large for the exact analysis, which takes at "
            f'most {LARGEST!r}; give analysis = "hoeffding", or leave the population out, '
            "which is safe where few of it are drawn"
        )
    law = Hypergeometric(people)
    law.lattice(mean_range)
    return NoisyShare(law, noise)


def failure_probability(
    share: NoisyShare,
    rate: Number,
    participants: Number,
    error: Number,
    mean_range: tuple[float, float],
) -> Number:
    """The failure probability at the worst mean, at most 1; numbers or arrays, which broadcast."""
    if numbers.of(rate, participants, error) is numbers.FRACTIONS:
        raise numbers.Inexact
    refuse_parts_of_people(participants)
    low, high = mean_range
    if low == high and not share.noise.whole:
        r, n, t = np.broadcast_arrays(*(np.asarray(x, float) for x in (rate, participants, error)))
        parts = share.law.parts(share.noise, r, n, np.full(n.shape, low), n * t, n * t)
        failures = np.minimum(parts.sum(axis=0), 1.0).reshape(n.shape)
    else:

        def worst(r: float, n: float, t: float) -> float:
            return worst_failure(share, float(r), float(n), Asked(float(t), 0.0, mean_range))

        failures = np.vectorize(worst, otypes=[float])(rate, participants, error)
    return float(failures) if np.ndim(failures) == 0 else failures


@lru_cache(maxsize=4096)
def worst_failure(share: NoisyShare, rate: float, n: float, asked: Asked) -> float:
    """The failure probability at the worst mean, from above; at most 1."""
    most = share.worst_mean(rate, n, asked).most
    return min(1.0, most, share.bound(rate, n, asked.error))


def refuse_parts_of_people(participants: Number) -> None:
    """Refuse parts of people: counts are whole, and that is what an exact analysis is about.

    Raises:
        ValueError: some N is not whole.
    """
    if not np.all(np.mod(participants, 1) == 0):
        raise ValueError(f"participants must be whole for an exact analysis, not {participants!r}")
