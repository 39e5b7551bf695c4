"""Bounded values whose standard deviation is known to be at most s.

Let values have mean μ, so that none lies more than β = 1 − μ over it, and a variance of at most w.
For all t, E(S − t)₊² is then the largest where every value is one of two, −w/β or β from μ (Bennett
1962; Bentkus 2004, Lemma 4.3): over (x − t)₊², up to β, lies a parabola that touches it at these
two. It grows with β and w. So does E φ of every φ that is a mixture of such functions, a φ whose
second derivative never falls. With K ~ Binomial(N, p), p = w/(β² + w), and d = β + w/β,

    Pr[S + Z ≥ N(μ + T)] ≤ E φ(d(K − Np)),   φ(y) ≥ q(y) = Pr[Z ≥ NT − y],

and on a cell of means the largest β and w there do. The largest w is the smaller of s² and the
largest μ(1 − μ). Under the edge the same holds of 1 minus the values.

The majorant. In units of the noise let q, up to a distance a before the edge, lead into a parabola,
with no jump of its slope, whose second derivative c is at least that of q up to there, and that is
over a tangent of q beyond the edge: there q is concave, so the parabola is over q. Before the edge
q″ of Laplace noise grows, so that the parabola less q is convex and then concave, and over 0 at
either end; for Gaussian noise c is at least the largest q″, so that it is convex. The tangent for
which c is least is taken. Any a is allowed; a good one is chosen once for a study.

Where it is smaller the bound for any values is taken (see `bounded`). That no study is accurate is
shown at means where values 0 and 1 have so small a deviation: there this bound is no less than the
other. Between the two is a gap, in which a study is neither planned nor refuted.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from planner.libraries import np, scipy
from planner.mechanisms.exact.bounded import Bounded
from planner.mechanisms.exact.exponential_noise import LAPLACE
from planner.mechanisms.exact.law import MeanRange, Places, out_of_reach, within_reach
from planner.mechanisms.exact.majorant import NOISES
from planner.mechanisms.exact.noise import NO_NOISE, Noise
from planner.mechanisms.exact.noise_balls import NoNoise, scaled
from planner.mechanisms.exact.sums.binomial import REACH, counts_about
from planner.mechanisms.exact.with_replacement import chances_between
from planner.numbers import Array, Number, rational

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

LARGEST = 2**20
"""Of more people the bound for any values is taken: counts are summed one by one."""
_SMALL = Fraction(1, 4)
"""Up to such a deviation the bound for any values, which may deviate by 1/2, is not looked at."""
_JOINS = tuple(1.25**k / 20 for k in range(25))  # distances that are tried, up to ten noises
_DEVIATES = 49  # of a normal sum, by which a distance is chosen
_TOLERANCE = 1e-4  # of a bracket, as bounds on cells are of first order: a plan is so much dearer
_FARTHEST = 20.0  # no tangent touches so far beyond the edge
_MOST_AT_ONCE = 2**20  # chances that are held at once


class Parabola(NamedTuple):
    """The parabola value + slope·y + bend·y²/2, y from where q leads into it; units of the noise.

    Attributes:
        before: a, how far before the edge that is.
        touches: how far beyond it the tangent touches q that the parabola is over.
        value: of q where it leads into it.
        slope: of q there.
        bend: c.
    """

    before: float
    touches: float
    value: Number
    slope: Number
    bend: Number


@dataclass(frozen=True)
class LimitedDeviation(Bounded):
    """Independent values in [0, 1] with a limited standard deviation.

    Attributes:
        deviation: s [(0, 1/2]].
    """

    deviation: Fraction = Fraction(1, 2)
    symmetric = False
    refuted_at_likely = True

    @property
    def rare(self) -> Fraction:
        """About the largest mean, up to 1/2, at which values 0 and 1 deviate no more than s."""
        variance = self.deviation**2
        root = math.sqrt(max(0.25 - float(variance), 0.0))
        # of 1/2 − √(1/4 − s²) the digits that are left are those of s²/(1/2 + √(1/4 − s²))
        mean = Fraction(float(variance) / (0.5 + root)) * (1 - Fraction(1, 10**12))
        return mean if mean * (1 - mean) <= variance else Fraction(0)

    def variance(self, n: Array) -> Array:
        return 4 * float(self.deviation) ** 2 * super().variance(n)

    def terms(self, noise: Noise, n: int, failure: float) -> float:
        return within_reach(n, failure)

    def tolerance(self, n: float) -> float:
        return _TOLERANCE

    def _near(self, mean_range: MeanRange) -> list[Fraction]:
        low, high = (Fraction(end) for end in mean_range)
        return [min(max(mean, low), high) for mean in (self.rare, 1 - self.rare, Fraction(1, 2))]

    def likely(
        self, noise: Noise, n: Array, error: float, mean_range: MeanRange
    ) -> tuple[Places, Places]:
        """Where the deviation is just reached by 0 and 1, and no tips."""
        means, none = np.array([float(m) for m in self._near(mean_range)]), np.empty((0, len(n)))
        near = Places(means[:, None] + np.zeros(len(n)), n * error, n * error, np.True_)
        return near, Places(none, none, none, none)

    def likely_means(
        self, n: int, error: Fraction, whole: bool, mean_range: MeanRange
    ) -> list[Fraction]:
        return [*self._near(mean_range), *(Fraction(end) for end in mean_range)]

    def parts(
        self, noise: Noise, rate: Number, n: Number, mean: Number, up: Number, down: Number,
        covered: bool = False,
    ) -> Array:  # fmt: skip
        """Either side's E φ, or the bound for any values where that is less."""
        rate, n, mean, up, down = (
            x.astype(float) for x in np.broadcast_arrays(rate, n, mean, up, down)
        )
        few = n <= LARGEST
        parts = np.stack([np.zeros(n.shape), np.full(n.shape, np.inf)])
        others = ~few | (self.deviation > _SMALL)
        if others.any():
            parts[:, others] = self.unlimited.parts(
                noise, *(x[others] for x in (rate, n, mean, up, down))
            )
        rows = [x[few] for x in (rate, n, mean, mean, up, down)]
        parts[1][few] = np.minimum(parts[1][few], self._either_side(noise, *rows))
        return parts

    def between(
        self, noise: Noise, rate: float, n: float, cell: tuple[Array, Array], up: float,
        down: float, seen: Array,
    ) -> Array:  # fmt: skip
        """By the largest distance over the mean and the largest variance of a cell."""
        most = np.full(seen.shape, np.inf)
        if n > LARGEST or self.deviation > _SMALL:
            of = self.unlimited
            at_ends = (of.parts(noise, rate, n, end, up, down).sum(axis=0) for end in cell)
            most = of.between(noise, rate, n, cell, up, down, np.maximum(*at_ends))
        if n <= LARGEST:
            full = np.full(seen.shape, 1.0)
            apart = self._either_side(
                noise, rate * full, n * full, cell[0], cell[1], up * full, down * full
            )
            most = np.minimum(most, apart)
        return np.maximum(seen, most)

    def _either_side(
        self, noise: Noise, rate: Array, n: Array, start: Array, end: Array, up: Array, down: Array
    ) -> Array:
        """What no mean of a cell fails with; arrays of one shape."""
        variance = np.minimum(_largest_variance(start, end), float(self.deviation) ** 2)
        values = self.counted(n)
        by = values / n
        rates = np.ones(rate.shape) if noise is NO_NOISE else rate / by
        study = [rates.ravel(), values.ravel(), ((up + down) / 2 * by).ravel()]
        parabola = self._chosen(noise, *study)
        upper = _over(noise, parabola, rates, values, 1 - start, variance, up * by)
        return upper + _over(noise, parabola, rates, values, end, variance, down * by)

    def _chosen(self, noise: Noise, rate: Array, n: Array, excess: Array) -> list[Array]:
        studies, of = np.unique(np.stack([rate, n, excess]), axis=1, return_inverse=True)
        best = _best(float(self.deviation), noise, *studies)[of.reshape(-1)]
        if noise is NO_NOISE:  # from 0 up to 1 at the edge
            before = excess * np.array(_JOINS)[best]
            return [before, 0 * before, 0 * before, 0 * before, 2 / before**2]
        return [column[best] for column in _table(noise)]

    def failure_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float = 1.0,
    ) -> "arb":  # fmt: skip
        apart = self._in_balls(noise, n, (mean, mean), up, down, failure)
        if n <= LARGEST and self.deviation <= _SMALL:
            return apart
        return apart.min(self.unlimited.failure_ball(noise, n, mean, up, down, failure))

    def between_ball(
        self, noise: "NoiseBall", n: int, cell: tuple[Fraction, Fraction], up: Fraction,
        down: Fraction, seen: "arb", failure: float,
    ) -> "arb":  # fmt: skip
        apart = self._in_balls(noise, n, cell, up, down, failure)
        if apart <= failure or (n <= LARGEST and self.deviation <= _SMALL):
            return apart.max(seen)
        of = self.unlimited
        ends = [of.failure_ball(noise, n, mean, up, down, failure) for mean in cell]
        most = of.between_ball(noise, n, cell, up, down, ends[0].max(ends[1]), failure)
        return apart.min(most).max(seen)

    def _in_balls(
        self, noise: "NoiseBall", n: int, cell: tuple[Fraction, Fraction], up: Fraction,
        down: Fraction, failure: float,
    ) -> "arb":  # fmt: skip
        if n > LARGEST:
            return arb.pos_inf()
        (start, end), values = cell, self._counted(n)
        half = Fraction(1, 2)
        inner = half if start <= half <= end else min((start, end), key=lambda m: abs(m - half))
        variance, by = min(inner * (1 - inner), self.deviation**2), Fraction(values, n)
        noise = scaled(noise.within(failure), 1 / by)
        rate = 1.0 if isinstance(noise, NoNoise) else float(noise.inside.mid())
        kind = NOISES[type(noise)]
        study = (np.array([x]) for x in (rate, float(values), float((up + down) / 2 * by)))
        parabola = Parabola(*(float(x[0]) for x in self._chosen(kind, *study)))
        upper = _over_ball(noise, parabola, values, 1 - start, variance, up * by, failure)
        return upper + _over_ball(noise, parabola, values, end, variance, down * by, failure)

    def least_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float,
    ) -> "arb":  # fmt: skip
        """Of values 0 and 1, where they deviate no more; 0 where nothing is known."""
        if mean * (1 - mean) > self.deviation**2:
            return arb(0)
        return self.unlimited.least_ball(noise, n, mean, up, down, failure)

    @property
    def unlimited(self) -> Bounded:
        return Bounded(self.centre, self.each)


def _largest_variance(start: Array, end: Array) -> Array:
    """The largest μ(1 − μ) of cells."""
    inner = np.clip(0.5, start, end)
    return np.asarray(inner * (1 - inner))


def _best(deviation: float, noise: Noise, rate: Array, n: Array, excess: Array) -> Array:
    """Which of the distances tried is best, if a sum that deviates the most were normal."""
    spread, deviates = np.sqrt(n) * deviation, np.linspace(-6.0, 6.0, _DEVIATES)
    weights = np.exp(-(deviates**2) / 2)
    off = (spread[:, None] * deviates - excess[:, None])[:, None]
    if noise is NO_NOISE:
        before = excess[:, None] * np.array(_JOINS)
        square = np.maximum(before[..., None] + off, 0.0) / before[..., None]
        return np.asarray(np.argmin(square**2 @ weights, axis=1))
    before, _, value, slope, bend = (column[:, None] for column in _table(noise))
    y = before + rate[:, None, None] * off
    with np.errstate(over="ignore"):  # of hardly any noise
        carried = noise.carried(np.maximum(-off, 0.0), rate[:, None, None])
        curved = value + y * (slope + bend * y / 2)
    return np.asarray(np.argmin(np.where(y > 0, curved, carried) @ weights, axis=1))


@lru_cache(maxsize=4)
def _table(noise: Noise) -> list[Array]:
    # q″ of Gaussian noise grows up to one deviation before the edge
    joins = (join + (noise is not LAPLACE) for join in _JOINS)
    return [np.array(x) for x in zip(*(_parabola(noise, join) for join in joins), strict=True)]


def _parabola(noise: Noise, before: float) -> Parabola:
    found = scipy.optimize.minimize_scalar(
        lambda touches: _bend(noise, before, touches).bend,
        bounds=(0.0, _FARTHEST), method="bounded", options={"xatol": 1e-9},
    )  # fmt: skip
    at_edge = _bend(noise, before, 0.0)
    best = _bend(noise, before, float(found.x))
    return min(at_edge, best, key=lambda parabola: parabola.bend)


def _bend(noise: Noise, before: float, touches: float) -> Parabola:
    """The parabola over one tangent of q; of infinite bend where there is none."""
    at, one = np.array([before, touches]), np.ones(1)
    (value, beyond), (slope, steep) = noise.carried(at, one), noise.density(at)
    apart = value - (1 - beyond - steep * (touches + before))
    bend = (slope - steep) ** 2 / (2 * apart) if apart > 0 else math.inf
    # rounded up by far more than floats are off
    bend = max(bend, float(slope if noise is LAPLACE else noise.density(one)[0])) * (1 + 1e-9)
    return Parabola(before, touches, float(value), float(slope), bend)


def _over(
    noise: Noise, parabola: list[Array], rate: Array, n: Array, over: Array, variance: Array,
    excess: Array,
) -> Array:  # fmt: skip
    """E φ(d(K − Np)) of an edge so far over the mean; arrays of one shape."""
    rows = [x.ravel() for x in np.broadcast_arrays(rate, n, over, variance, excess)]
    rows += [np.broadcast_to(x, rows[0].shape) for x in parabola]
    values = np.empty(len(rows[0]))
    width = 2 * REACH * math.sqrt(float(np.max(rows[1], initial=0))) + 3
    step = max(1, int(_MOST_AT_ONCE / width))
    for first in range(0, len(values), step):
        r, sizes, above, spread, edge, before, _, value, slope, bend = (
            x[first : first + step] for x in rows
        )
        sure = above <= 0  # no value is over the mean
        above = np.where(sure, 1.0, above)
        share = np.where(sure, 0.0, spread / (above**2 + spread))
        off, chance = counts_about(sizes, share)
        left = edge[:, None] - (above + spread / above)[:, None] * off
        y = before[:, None] - r[:, None] * left
        with np.errstate(over="ignore"):  # of hardly any noise
            curved = value[:, None] + y * (slope[:, None] + bend[:, None] * y / 2)
            carried = noise.carried(np.maximum(left, 0.0), r[:, None])
        values[first : first + step] = np.sum(chance * np.where(y > 0, curved, carried), axis=1)
    return values.reshape(np.shape(rate))


def _over_ball(
    noise: "NoiseBall", chosen: Parabola, n: int, over: Fraction, variance: Fraction,
    excess: Fraction, failure: float,
) -> "arb":  # fmt: skip
    """The same in balls; ∞ where the parabola is not certain to be over q."""
    share = variance / (over**2 + variance) if over > 0 else Fraction(0)
    wide = over + variance / over if over > 0 else Fraction(1)
    edge, noise = n * share + excess / wide, scaled(noise, wide)
    rate = rational(wide) if isinstance(noise, NoNoise) else noise.inside
    parabola = _parabola_ball(NOISES[type(noise)], chosen)
    if parabola is None or not rate.is_finite():
        return arb.pos_inf()
    reach, expected = within_reach(n, failure), n * share
    first = max(math.floor(expected - Fraction(reach)), 0)
    last = min(math.ceil(expected + Fraction(reach)), n)
    chances = chances_between(n, first, last, share)
    # the parabola is over q on its other side too, so counts that are in doubt are taken as on it
    turn = math.ceil(edge - Fraction(chosen.before / float(rate.mid()))) + 1
    while not rate * rational(turn - 1 - edge) + parabola.before < 0:
        turn -= 1
    under = min(max(turn - first, 0), len(chances))
    total = arb(0)
    if under and not isinstance(noise, NoNoise):
        total += noise.under(chances[:under], rational(edge - first))

    def curved(count: int) -> "arb":
        y = rate * rational(count - edge) + parabola.before
        return parabola.value + y * (parabola.slope + parabola.bend * y / 2)

    for k, chance in enumerate(chances[under:], first + under):
        total += chance * curved(k)
    return total + out_of_reach(n, failure) * curved(n).max(arb(1))


@lru_cache(maxsize=2**10)
def _parabola_ball(noise: Noise, chosen: Parabola) -> Parabola | None:
    before, touches = arb(chosen.before), arb(chosen.touches)
    bend = arb(chosen.bend)
    if noise is NO_NOISE:
        return chosen._replace(value=arb(0), slope=arb(0), bend=2 / before**2)
    value, slope = noise.tail_ball(before), noise.density_ball(before)
    beyond, steep = noise.tail_ball(touches), noise.density_ball(touches)
    apart = value - (1 - beyond - steep * (touches + before))
    least = slope if noise is LAPLACE else noise.density_ball(arb(1))
    if not (apart > 0 and bend >= (slope - steep) ** 2 / (2 * apart) and bend >= least):
        return None
    return chosen._replace(value=value, slope=slope, bend=bend)
