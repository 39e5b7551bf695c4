"""What studies of all sizes in a range fail with at least, drawn from a finite population.

Let D be how far the share in a sample of N is over that in the population, at one K. The sample of
N is one of the sample of N + 1, so E[φ(D)] falls with N for every convex φ. With noise whose
N·rate is at most s a share with |d| < T is off with probability h(d) ≥ G(s(T − d)) + G(s(T + d)), G
its tail, which is convex there. One with |d| ≥ T stays off with h(d) ≥ 1 − G(s₀(|d| − T)), which
grows and is concave, where N·rate is at least s₀; with less, noise alone is too much.

So let c be that first bound up to some t < T, and its tangent beyond, of slope m; and let u ≥ T be
a distance at which c is no more than the second bound (at T it is at most ½). Then c is convex,
c ≤ h up to u, and beyond c − h ≤ m(|d| − u). For all N in [a, b] therefore

    f ≥ E[c(D_b)] − m·E[(|D_a| − u)⁺].
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from planner.libraries import np
from planner.mechanisms.exact.balls import rational, within_reach
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.finite.balls import Sample, chances_of, out_of_reach
from planner.mechanisms.finite.counts import Tail, counts
from planner.mechanisms.finite.lattice import Lattice, smaller
from planner.numbers import Array, decimal

if TYPE_CHECKING:
    from flint import arb

_STARTS = 0.3, 0.98, 18
_LESS = 1 - 1e-9
_HALVINGS = 40


class Tails(NamedTuple):
    """Noise on numbers whose rate is 1.

    Attributes:
        quick: G, of arrays.
        tail: G, of balls.
        density: −G′, of balls.
        least: a signal T·N·rate that noise alone needs, for α.
    """

    quick: Tail
    tail: "Callable[[arb], arb]"
    density: "Callable[[arb], arb]"
    least: Callable[[float], float]


def certify_over(
    tails: Tails, of: Lattice, rate: "arb", least: int, most: int, asked: Asked
) -> bool:
    """Whether every N in [least, most] is certain to pass α at every rate up to a ball.

    Args:
        tails: of the noise.
        of: the numbers of people with the property.
        rate: of the noise.
        least: a.
        most: b.
        asked: T and α are balls.
    """
    n_epsilon, failure = arb((rate * most).upper()), asked.failure
    alpha, error = float(failure.mid()), decimal(float(asked.error.mid()))
    if not n_epsilon.is_finite():
        return False
    noise_alone = tails.least(alpha) * _LESS / float(error)
    if not 2 * tails.tail(noise_alone * rational(error)) > failure:
        return False
    people, having = of.people, of.near(Fraction(1, 2))
    drawn = [Sample(people, smaller(people, n), having) for n in (least, most)]
    split = _split(tails.quick, float(n_epsilon), noise_alone, (least, most), drawn, float(error))
    if split is None:
        return False
    start, far = split
    t, tangent = rational(error), _Tangent(tails, n_epsilon, rational(error), arb(start))
    if not (start < error and far >= error):
        return False
    stays = 1 - tails.tail(noise_alone * (arb(far) - t))
    if not (tangent.at(t) <= 0.5 and tangent.at(arb(far)) <= stays):
        return False
    first = _expected(drawn[1], most, alpha, tangent.at, 0.0, 0)
    beyond = _expected(drawn[0], least, alpha, lambda d: d - far, far, 1)
    return bool(first - tangent.slope * beyond > failure)


class _Tangent:
    """c."""

    def __init__(self, tails: Tails, n_epsilon: "arb", error: "arb", start: "arb") -> None:
        self._tails, self._n_epsilon, self._error, self._start = tails, n_epsilon, error, start
        near, far = n_epsilon * (error - start), n_epsilon * (error + start)
        self._level = tails.tail(near) + tails.tail(far)
        self.slope = n_epsilon * (tails.density(near) - tails.density(far))

    def at(self, off: "arb") -> "arb":
        """Its value at a distance."""
        if off >= self._start:
            return self._level + self.slope * (off - self._start)
        near, far = self._error - off, self._error + off
        return self._tails.tail(self._n_epsilon * near) + self._tails.tail(self._n_epsilon * far)


def _expected(
    sample: Sample,
    participants: int,
    failure: float,
    value: "Callable[[arb], arb]",
    least: float,
    largest: int,
) -> "arb":
    """The expectation of a function of |D| from a distance on, enclosed between 0 and `largest`."""
    first, chances = chances_of(sample, within_reach(max(sample.drawn, 1), failure))
    total = out_of_reach(sample.drawn, failure) * largest
    for y, chance in enumerate(chances, first):
        off = abs(y - sample.mean) / participants
        if off > least or not least:
            total += chance * value(rational(off))
    return total


def _split(
    tail: Tail,
    n_epsilon: float,
    least_n_epsilon: float,
    sizes: tuple[int, int],
    samples: list[Sample],
    error: float,
) -> tuple[float, float] | None:
    """The t and u at which the bound is the highest, as far as floats see."""
    offs, chances = [], []
    for n, sample in zip(sizes, samples, strict=True):
        of = counts(sample.people, np.array([sample.drawn]), np.array([sample.having]))
        offs.append(np.abs(of.off[0]) / n)
        chances.append(of.chance[0])
    start = error * np.linspace(*_STARTS)
    step = 1e-6 * error

    def inside(d: Array) -> Array:
        d = np.minimum(d, error)
        return np.asarray(tail(n_epsilon * (error - d)) + tail(n_epsilon * (error + d)))

    level, slope = inside(start), (inside(start + step) - inside(start - step)) / (2 * step)
    low, high = np.full(start.shape, error), np.full(start.shape, error + 1.0)
    possible = level + slope * (error - start) <= 0.5
    for _ in range(_HALVINGS):
        far = (low + high) / 2
        below = level + slope * (far - start) <= 1 - tail(least_n_epsilon * (far - error))
        low, high = np.where(below, far, low), np.where(below, high, far)
    line = level[:, None] + slope[:, None] * (offs[1] - start[:, None])
    c = np.where(offs[1] >= start[:, None], line, inside(offs[1]))
    beyond = np.maximum(offs[0] - low[:, None], 0) @ chances[0]
    value = np.where(possible, c @ chances[1] - slope * beyond, -math.inf)
    best = int(np.argmax(value))
    if math.isinf(value[best]):
        return None
    return float(start[best]), max(float(low[best]) * _LESS, error)
