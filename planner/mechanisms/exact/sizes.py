"""Ranges of N at which a failure probability passes α, whatever N and the rate of the noise are.

Independent people. At mean 1/2, with D = K − N/2 and G(d) = Pr[|d + Z| ≥ c] for the largest edge
c = NT of the range, f ≥ E[G(D)] for each of its N. One person more moves D by 1/2 to either side.
As noise that is symmetric and unimodal is carried beyond an edge the likelier the nearer it is,
G″ ≥ 0 where |D| ≤ c; beyond, G″ is no less than −B, so E[G(D)] falls by (B/8)·Pr[|D| > c − 1/2] at
most. So what holds for the least N nearly holds for all. Geometric noise has edges less than NT + 1
from the mean, and is in a share 1/cosh(ε/2) of cases Laplace noise that is rounded, which adds ½ at
most: for whole k and h, Pr[k + Z ≥ h] is that share of Pr[k + Laplace ≥ h − ½], and else [k ≥ h].

People of a population. Let D be how far the share in a sample of N is over that in the population,
at one K. The sample of N is one of the sample of N + 1, so E[φ(D)] falls with N for every convex φ.
With noise whose N·rate is at most s a share with |d| < T is off with probability h(d) ≥ G(s(T − d))
+ G(s(T + d)), G its tail, which is convex there. One with |d| ≥ T stays off with h(d) ≥
1 − G(s₀(|d| − T)), which grows and is concave, where N·rate is at least s₀; with less, noise alone
is too much. So let c be that first bound up to some t < T, and its tangent beyond, of slope m; and
let u ≥ T be a distance at which c is no more than the second bound (at T it is at most ½). Then c
is convex, c ≤ h up to u, and beyond c − h ≤ m(|d| − u). For all N in [a, b] therefore

    f ≥ E[c(D_b)] − m·E[(|D_a| − u)⁺].

Laplace noise at N·ε = y, for all N in a range: what they fail with at least. With D = K − N/2 at
mean 1/2, noise carries a sample with |D| < NT off with probability e^(−yT)·cosh(yD/N). Where |D| ≥
NT that exceeds the true probability by cosh(yu) − 1, u = |D|/N − T. E[cosh(yD/N)] is cosh(y/2N)^N,
and Pr[D ≥ N(T + u)] ≤ Pr[W ≥ T′ + u], W normal with variance 1/(4N) and T′ = T − 1/N (Zubkov and
Serov 2013, with Pinsker's inequality), so

    f ≥ e^(−yT)·cosh(y/2N)^N − 2·E[cosh(y(W − T′)) − 1; W ≥ T′].

It is no less than half of what samples are off by themselves.
At the same y the first term falls with N, so the largest N is taken; the second one too, so the
smallest. Both make the bound fall with y while tanh(y/2N) < 2T.

Gaussian noise at N/σ = y. Pr[|D| ≥ N(x − 1/N)] ≥ Pr[|W| ≥ x] up to some x, W normal with variance
1/(4cN) and c the divergence of 1/2 + x over 2x², which grows with x (the other of Zubkov and
Serov's inequalities, whose counts are whole). The farther a sample is off, the likelier it is off
with noise too, so

    f ≥ 2Q((T + 1/N)/√(1/(4cN) + 1/y²)) − 2Q(2x·√(cN)).
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact.branch import all_fail
from planner.mechanisms.exact.law import HALF, Law, out_of_reach, within_reach
from planner.mechanisms.exact.noise_balls import NoNoise
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.mechanisms.exact.without_replacement import Hypergeometric, chances_of, counts_about
from planner.numbers import Array, Number, decimal, rational
from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.failure import Asked
    from planner.mechanisms.exact.noise import Noise

MOST_RATE_CELLS = 60  # a range that takes more is split in sizes first
_STARTS = 0.3, 0.98, 18
"""Where tangents are tried, as parts of T."""
_LESS = 1 - 1e-9  # so that floats stay on the safe side
_FARTHEST = 8.0
"""How far a sample is followed, in standard errors: beyond lies 1e-15."""
_HALVINGS = 40
"""They leave 1e-12 of a distance."""


def certify_over(
    law: Law, noise: "Noise", rate: "arb", least: int, most: int, asked: "Asked"
) -> bool:
    """Whether every N in [least, most] is certain to pass α at every rate up to a ball."""
    if isinstance(law, Hypergeometric):
        return not noise.whole and _of_population(law, noise, rate, least, most, asked)
    return too_small(least, most, asked) or _independent(noise, rate, least, most, asked)


def _independent(noise: "Noise", highest: "arb", least: int, most: int, asked: "Asked") -> bool:
    exact, failure, (low_mean, high_mean) = asked.decimal, asked.failure, asked.mean_range
    excess = most * exact + (HALF if noise.whole else 0)
    usable = highest.is_finite() and low_mean <= 0.5 <= high_mean
    if not (usable and excess > HALF):
        return False
    alone = noise.alone_ball(rational(most * exact + (1 if noise.whole else 0)), failure)
    if highest <= alone:
        return True
    alpha = float(failure.mid())

    def fails(low: "arb", high: "arb") -> bool:
        return bool(fails_with(noise, low, high, least, most, exact, alpha) > failure)

    return all_fail(fails, alone, highest, MOST_RATE_CELLS)


def fails_with(
    noise: "Noise", low: "arb", high: "arb", least: int, most: int, error: Fraction, alpha: float
) -> "arb":
    """What every N in a range fails with at least at mean 1/2, at every rate between two."""
    excess = most * error + (HALF if noise.whole else 0)
    smooth = noise.rounded_ball(high, low)
    failing = 2 * BINOMIAL.over_edge(smooth, least, HALF, least * HALF + excess, alpha)
    beyond = 2 * (-2 * rational(excess - HALF) ** 2 / most).exp()
    lost = (most - least) * rational(noise.dent) * high**2 / 8 * beyond
    share = 1 / (high / 2).cosh() if noise.whole else 1
    return share * (failing - lost)


def too_small(least: int, most: int, asked: "Asked") -> bool:
    """Whether every N in [least, most] is certain to pass α with any noise at all.

    At most ⌈2NT⌉ counts are not off, and no noise makes the answer likelier to hit so many than the
    likeliest of them are together: each has at most 1/√(2eNμ(1 − μ)) (Herzog 1947), which makes
    (2NT + 1) of that convex in √N, so largest at an end. At mean 1/2 these are the middle ones, and
    more people spread counts more: the least N with as many counts as the largest has bounds all.
    """
    error, failure, mean_range = asked
    nearest = decimal(min(max(0.5, mean_range[0]), mean_range[1]))
    spread = rational(nearest * (1 - nearest)) * 2 * arb(1).exp()
    if not spread > 0:
        return False
    if all((2 * n * error + 1) / (n * spread).sqrt() < 1 - failure for n in (least, most)):
        return True
    counts = math.ceil(2 * most * asked.decimal)
    if nearest != HALF or counts > least:
        return False
    first, alpha = (least - counts + 1) // 2, float(failure.mid())
    ends = (Fraction(first + counts), Fraction(least - first + 1))
    off = [BINOMIAL.over_edge(NoNoise(), least, HALF, end, alpha) for end in ends]
    return bool(off[0] + off[1] > failure)


def _of_population(
    law: Hypergeometric, noise: "Noise", rate: "arb", least: int, most: int, asked: "Asked"
) -> bool:
    n_epsilon, failure, error = arb((rate * most).upper()), asked.failure, asked.decimal
    alpha = float(failure.mid())
    if not n_epsilon.is_finite():
        return False
    noise_alone = float(noise.alone(np.ones(1), float(error), alpha)[0]) * _LESS
    if not 2 * noise.tail_ball(noise_alone * rational(error)) > failure:
        return False
    having = law.lattice(asked.mean_range).near(HALF)
    signals = float(n_epsilon), noise_alone
    split = best_tangent(law, noise, *signals, (least, most), having, float(error))
    if split is None:
        return False
    start, far = split
    t, tangent = rational(error), _Tangent(noise, n_epsilon, rational(error), arb(start))
    if not (start < error and far >= error):
        return False
    stays = 1 - noise.tail_ball(noise_alone * (arb(far) - t))
    if not (tangent.at(t) <= 0.5 and tangent.at(arb(far)) <= stays):
        return False
    first = _expected(law, most, having, alpha, tangent.at, 0.0, 0)
    beyond = _expected(law, least, having, alpha, lambda d: d - far, far, 1)
    return bool(first - tangent.slope * beyond > failure)


class _Tangent:
    """c."""

    def __init__(self, noise: "Noise", n_epsilon: "arb", error: "arb", start: "arb") -> None:
        self._tail, self._n_epsilon, self._error = noise.tail_ball, n_epsilon, error
        near, far = n_epsilon * (error - start), n_epsilon * (error + start)
        self._start, self._level = start, self._tail(near) + self._tail(far)
        self.slope = n_epsilon * (noise.density_ball(near) - noise.density_ball(far))

    def at(self, off: "arb") -> "arb":
        if off >= self._start:
            return self._level + self.slope * (off - self._start)
        near, far = self._error - off, self._error + off
        return self._tail(self._n_epsilon * near) + self._tail(self._n_epsilon * far)


def _expected(
    law: Hypergeometric,
    n: int,
    having: int,
    failure: float,
    value: "Callable[[arb], arb]",
    least: float,
    largest: int,
) -> "arb":
    """The expectation of a function of |D| from a distance on, enclosed between 0 and `largest`."""
    drawn = law.drawn(n)
    first, chances = chances_of(law.people, drawn, having, within_reach(drawn, failure))
    total, mean = out_of_reach(drawn, failure) * largest, Fraction(drawn * having, law.people)
    for y, chance in enumerate(chances, first):
        off = abs(y - mean) / n
        if off > least or not least:
            total += chance * value(rational(off))
    return total


def best_tangent(
    law: Hypergeometric,
    noise: "Noise",
    n_epsilon: float,
    least_n_epsilon: float,
    sizes: tuple[int, int],
    having: int,
    error: float,
) -> tuple[float, float] | None:
    """The t and u at which the bound is the highest, as far as floats see."""
    offs, chances = [], []
    for n in sizes:
        off, chance = counts_about(law.people, np.array([law.drawn(n)]), np.array([having]))
        offs.append(np.abs(off[0]) / n)
        chances.append(chance[0])
    start, step = error * np.linspace(*_STARTS), 1e-6 * error

    def tail(x: Array) -> Array:
        return noise.carried(x, np.ones(1))

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


def laplace_fails_with(n_epsilon: "arb", error: float, least: int, most: int) -> Number:
    """A bound from below that holds for every N in [least, most] with N·ε ≤ y.

    Args:
        n_epsilon: y [> 0], a ball.
        error: T.
        least: the smallest N.
        most: the largest N.
    """
    ball, t = type(n_epsilon), numbers.balls().number(error)
    if n_epsilon == 0:
        return ball(1)
    sample = _sample_alone(t, least, most)
    if not (n_epsilon / (2 * least)).tanh() < 2 * t:
        return sample
    alone = (-n_epsilon * t + (n_epsilon / (2 * most)).cosh().log() * most).exp()
    near = t - ball(1) / least
    root, shift = 2 * ball(least).sqrt(), n_epsilon / (4 * least)
    spread = n_epsilon * shift / 2
    over = (spread - n_epsilon * near).exp() * upper_tail(root * (near - shift))
    under = (spread + n_epsilon * near).exp() * upper_tail(root * (near + shift))
    return (alone - over - under + 2 * upper_tail(root * near)).max(sample)


def gaussian_fails_with(signal: "arb", error: float, least: int, most: int) -> Number:
    """The same with Gaussian noise, where N/σ ≤ y."""
    ball, t = type(signal), numbers.balls().number(error)
    if signal == 0:
        return ball(1)
    farthest = (_FARTHEST / (2 * ball(least).sqrt())).min(ball(1) / 2)
    c = _divergence(farthest) / (2 * farthest**2)
    deviation = (1 / (4 * c * most) + 1 / signal**2).sqrt()
    off = 2 * upper_tail((t + ball(1) / least) / deviation)
    lost = 2 * upper_tail(2 * farthest * (c * least).sqrt())
    alone = 2 * upper_tail(signal * t)
    return (off - lost).max(alone).max(_sample_alone(t, least, most))


FAILS_WITH = {"laplace": laplace_fails_with, "gaussian": gaussian_fails_with}
"""What every N in a range fails with at least, by the kind of noise."""


def _divergence(off: "arb") -> "arb":
    """That of a share of 1/2 + off from 1/2, off in (0, 1/2]."""
    above, under = type(off)(1) / 2 + off, type(off)(1) / 2 - off
    less = under * (2 * under).log() if under > 0 else type(off)(0)
    return above * (2 * above).log() + less


def _sample_alone(error: "arb", least: int, most: int) -> "arb":
    """What samples that are off fail with: noise is as likely to carry one farther off as not.

    By the other of Zubkov and Serov's inequalities, with T″ = T + 1/N and the exact divergence.
    """
    ball = type(error)
    off = error + ball(1) / least
    if not off < 0.5:
        return ball(0)
    return upper_tail((2 * most * _divergence(off)).sqrt())
