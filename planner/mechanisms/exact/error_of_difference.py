"""How often the noisy difference of two groups' proportions is far off, wherever they are.

W = X₁/n₁ − p₁ − X₂/n₂ + p₂ + Z, of binomial counts X₁ and X₂ and Laplace noise Z of scale b. For
0 < λ < 1/b, and a period L of any length, Poisson's summation of e^(λx)·Pr[W ≥ x] over T + jL gives

    Pr[W ≥ T] ≤ Σ_k Re(a_k·M₁(z_k/n₁)^n₁·M₂(−z_k/n₂)^n₂),   z_k = λ + 2πik/L,  k = 0, 1, 2 …,
    a_k = (2 − [k = 0])/L · e^(−z_k·T)/(z_k·(1 − b²z_k²)),   M_g(w) = e^(−w·p_g)·(1 + p_g(e^w − 1)),

as all that is added has a positive probability. The tail below is the same of the people without
the property, so of 1 − p₁ and 1 − p₂. An estimate is off by T on either side, of any two
proportions; a test whose edge is T rejects on one side, and W is the difference itself where both
groups have the same. Of several counts of the same people, each is off with at most a + b·s, a line
in the mean s of both its proportions, so with k·a + b together, as these means add up to one.

**Over a cell of proportions.** At frequencies below a quarter of a turn a count the terms change
slowly, and the sum is at most that at the middle, its slopes there and half of its second
derivatives. With c = e^w − 1 these have n·g′ and n·g″ of ln M, g′ = −w + c/(1 + pc) and
g″ = −(c/(1 + pc))². At higher ones, where whole counts show, each term is bounded by its size:
at w = v + iu |M(w)|² is M(v)²·(1 − 4π(1 − π)·sin²(u/2)), with π = p·e^v/(1 − p + p·e^v).
What lies beyond all terms, with |z| and |1 ± bz|/b at least 2πk/L, is at most M₁M₂ at λ times
e^(−λT)·(L/2π)²/(2πb²K²).

**Near corners**, and where noise is far larger than the sample's error, higher frequencies do not
fall. There a moment is closer, a sum of one term: as Pr[Z ≥ y] is at most e^(−y/b)/2 for every y,
Pr[W ≥ T] ≤ e^(−T/b)/2·M₁M₂ at 1/b, and by Chernoff's bound e^(−λT)/(1 − λ²b²)·M₁M₂ at λ. For real
w ln M is concave in p and largest at 1/w − 1/(e^w − 1).

All is in double precision, and what rounding can take from sums is added to them.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple

from planner.libraries import np, scipy
from planner.numbers import Array

_LOOSE = 1e-4
"""By what part of the tail the period and the last frequency make the sum larger, about."""
ABOVE = 3 * _LOOSE
"""By what part the sum is above the tail, for either end of the period and the last frequency."""
_MOST_TERMS = 2_000
"""Of the sum: with ε of 3 and more the last frequency comes earlier, and the sum is larger."""
_LARGEST_TILT = 0.7
"""Of λ·b: nearer to 1 the period is longer."""
_DEEPEST = 600.0
"""Of λT: from e^−745 on a double is 0, and nothing is proved."""
_MOST_CELLS, _AT_ONCE = 20_000, 200_000
"""Of proportions, before a proof is given up; and terms of cells that are summed together."""


class _Sum(NamedTuple):
    """A bound on one tail, Σ a_k·M₁(z_k/n₁)^n₁·M₂(−z_k/n₂)^n₂; the first term is real.

    Attributes:
        at: z_k.
        weight: a_k.
        slow: how many of the first terms change slowly.
    """

    at: Array
    weight: Array
    slow: int


class _Bounds(NamedTuple):
    """What does not depend on the proportions.

    Attributes:
        tilt: λ.
        sums: of which the least is taken: by frequencies, and of one moment each.
        rounding: which part of the sizes of all terms rounding takes at most.
    """

    tilt: float
    sums: tuple[_Sum, ...]
    rounding: float


class _Group(NamedTuple):
    """One group's factor M^n of all terms, over cells of its proportion.

    Attributes:
        value: at the middle, of slow terms.
        slope: its derivative there.
        size: how large it is at most, of all terms.
        first: how large its first derivative is at most, as a part of that, of slow terms.
        second: its second.
    """

    value: Array
    slope: Array
    size: Array
    first: Array
    second: Array


class ErrorOfDifference(NamedTuple):
    """The error of a noisy difference, as a number to be passed seldom.

    Attributes:
        first: n₁.
        second: n₂.
        scale: b [> 0].
        error: T [(0, 1]].
        sides: on which it may be off: 2, or 1 where the difference is too large.
        about: a proportion near which it is off most.
    """

    first: int
    second: int
    scale: float
    error: float
    sides: int = 2
    about: float = 0.5

    def often(self) -> float:
        """How often it is off where both proportions are `about`, at most; it is rarely more."""
        return float(self.often_at(np.array([self.about]))[0])

    def often_at(self, shares: Array) -> Array:
        """How often it is off where both groups have a proportion, at most, of each of some."""
        both = np.stack([shares, shares], axis=1)
        return self._over(both, both)[1]

    def seldom(self, most: float, rise: float = 0.0) -> bool:
        """Whether it is proved to be off at most so often on both sides, of any proportions.

        Args:
            most: with which probability at most, where both proportions are 0.
            rise: by how much more where both are 1, in a line with their mean [≥ 0].
        """
        return self._seldom(most, np.array([[0.0, 0.0]]), np.array([[1.0, 1.0]]), rise=rise)

    def seldom_alike(self, most: float, within: tuple[float, float]) -> bool:
        """Whether it is proved to be off at most so often where both have one proportion.

        Args:
            most: with which probability at most.
            within: the least and the largest common proportion.
        """
        low, high = (np.full((1, 2), end) for end in within)
        return self._seldom(most, low, high, alike=True)

    def _seldom(
        self, most: float, low: Array, high: Array, alike: bool = False, rise: float = 0.0
    ) -> bool:
        """Whether it is proved to be off at most so often over cells.

        Args:
            most: with which probability at most.
            low: the least proportions of both groups, a row for each cell.
            high: the largest.
            alike: whether both groups have the same.
            rise: as of `seldom`.
        """
        if self._bounds().tilt * self.error > _DEEPEST:
            return False
        at_once, done = max(_AT_ONCE // len(self._bounds().sums[0].at), 1), 0
        while len(low):
            done += len(low)
            if done > _MOST_CELLS:
                return False
            left = []
            for start in range(0, len(low), at_once):
                cells = low[start : start + at_once], high[start : start + at_once]
                middle, over = self._over(*cells, alike, rise)
                if np.any(middle > most):
                    return False
                open_ = ~(over <= most)
                if not alike:  # pairs of a larger mean are the same with those without the property
                    open_ &= np.sum(cells[0], axis=1) < 1
                left.append((cells[0][open_], cells[1][open_]))
            low, high = map(np.concatenate, zip(*left, strict=True))
            low, high = _halved(low, high, alike)
        return True

    def _bounds(self) -> _Bounds:
        return _bounds(*self)

    def _over(
        self, low: Array, high: Array, alike: bool = False, rise: float = 0.0
    ) -> tuple[Array, Array]:
        """How often it is off over cells: the least bound at the middle, and the least bound.

        Both less the rise of the line, see `seldom`.

        Args: as of `_seldom`.
        """
        with np.errstate(all="ignore"):  # where proportions are 0 or 1, and beyond 1e308
            found = [self._by(one, low, high, alike, rise) for one in self._bounds().sums]
            middle, over = (np.fmin.reduce(bounds) for bounds in zip(*found, strict=True))
        return middle, np.where(np.isnan(over), np.inf, over)  # where doubles hold no bound

    def _by(
        self, terms: _Sum, low: Array, high: Array, alike: bool, rise: float
    ) -> tuple[Array, Array]:
        """The same by one sum: its slow terms at the middle, and at most over a cell."""
        half, slow, weight = (high - low) / 2, terms.slow, np.abs(terms.weight)
        value = slopes = bends = sizes = np.zeros(1)
        tails = ((1.0, (low, high)), (-1.0, (1 - high, 1 - low)))
        for sign, ends in tails[: self.sides]:
            one, other = (
                _group(side * terms.at / n, n, slow, ends[0][:, g], ends[1][:, g])
                for g, (n, side) in enumerate(((self.first, 1.0), (self.second, -1.0)))
            )
            a, size = terms.weight[:slow], weight * one.size * other.size
            value = value + np.sum((a * one.value * other.value).real, axis=1)
            along = [a * one.slope * other.value, a * one.value * other.slope]
            slopes = slopes + sign * np.stack([np.sum(x.real, axis=1) for x in along], axis=1)
            across = 2 * one.first * other.first * half[:, :1] * half[:, 1:]
            second = one.second * half[:, :1] ** 2 + other.second * half[:, 1:] ** 2 + across
            bends = bends + np.sum(size[:, :slow] * second, axis=1) / 2
            bends = bends + np.sum(size[:, slow:], axis=1)
            sizes = sizes + np.sum(size, axis=1)
        value = value - rise * np.mean(low + half, axis=1)
        slopes = (slopes - rise / 2) * half
        if alike:  # both proportions are changed by the same
            slopes = np.sum(slopes, axis=1, keepdims=True)
        over = value + np.sum(np.abs(slopes), axis=1) + bends
        return value, over + (sizes + rise + np.abs(over)) * self._bounds().rounding


def _group(w: Array, n: int, slow: int, low: Array, high: Array) -> _Group:
    """The factors of one group; see the top.

    Args:
        w: the arguments of M.
        n: how many people the group has.
        slow: how many of the first terms change slowly.
        low: the least proportion of each cell.
        high: the largest.
    """
    if w[0].real < 0:  # as of the people without the property, so that nothing cancels
        others = _group(-w, n, slow, 1 - high, 1 - low)
        return others._replace(slope=-others.slope)
    half, middle = ((high - low) / 2)[:, None], ((high + low) / 2)[:, None]
    tilt, c = float(w[0].real), np.expm1(w[:slow])
    inside = 1 + middle * c
    log, slope = n * (np.log(inside) - w[:slow] * middle), c / inside - w[:slow]
    # 1 + pc is nearest to 0 where p is the real part of −1/c
    nearest = np.clip((-1 / c).real, low[:, None], high[:, None])
    bend = np.abs(c / (1 + nearest * c)) ** 2
    first = n * (np.abs(slope) + half * bend)
    tilted = [p / (p + (1 - p) * math.exp(-tilt)) for p in (low[:, None], high[:, None])]
    spread = np.minimum(*(x * (1 - x) for x in tilted))
    largest = n * _log_moment(tilt, low, high)[:, None]
    size = np.exp(largest + n * np.log1p(-4 * spread * np.sin(w.imag / 2) ** 2) / 2)
    value = np.exp(log)
    return _Group(value, n * slope * value, size, first, n * bend + first**2)


def _log_moment(w: float, low: Array, high: Array) -> Array:
    """The largest ln M(w) over proportions; w is not 0."""
    if w < 0:  # that of the people without the property
        return _log_moment(-w, 1 - high, 1 - low)
    share = np.clip(1 / w - math.exp(-w) / -math.expm1(-w), low, high)
    return np.asarray(w * (1 - share) + np.log(share + (1 - share) * math.exp(-w)))


def _halved(low: Array, high: Array, alike: bool) -> tuple[Array, Array]:
    """Two cells of each, halved where it is longer; `alike` in both proportions."""
    under, over = high.copy(), low.copy()
    at: Any = ... if alike else (np.arange(len(low)), np.argmax(high - low, axis=1))
    under[at] = over[at] = ((low + high) / 2)[at]
    return np.concatenate([low, over]), np.concatenate([under, high])


@lru_cache(maxsize=256)
def _bounds(
    first: int, second: int, scale: float, error: float, sides: int, about: float
) -> _Bounds:
    """The sums, of which the choice makes the first larger by little; see `ErrorOfDifference`."""
    sizes, share = (first, second), np.array(about)

    def exponent(part: float) -> float:
        tilt = part / scale
        moments = first * _log_moment(tilt / first, share, share)
        moments = moments + second * _log_moment(-tilt / second, share, share)
        return float(moments) - tilt * error - math.log1p(-(part**2))

    found = scipy.optimize.minimize_scalar(
        lambda part: exponent(part) - math.log(part), bounds=(0.0, _LARGEST_TILT), method="bounded"
    )
    part = float(found.x)
    tilt, moment = part / scale, exponent(part)
    variance = about * (1 - about) * sum(1 / n for n in sizes) + 2 * scale**2
    wide = max(tilt * math.sqrt(2 * math.pi * variance), 1.0)
    tail = moment - math.log(wide)  # about, the logarithm
    period = max(-(tail + math.log(_LOOSE)) / tilt, -math.log(_LOOSE) / (1 / scale - tilt))
    turn = period / (2 * math.pi)
    needed = turn / scale * math.sqrt((1 - part**2) * wide / (2 * math.pi * _LOOSE))
    count = min(math.ceil(needed), _MOST_TERMS) + 1
    k = np.arange(count)
    at = tilt + 1j * k / turn
    weight = np.where(k == 0, 1, 2) / period * np.exp(-at * error) / (at * (1 - (scale * at) ** 2))
    slow = max(int(np.count_nonzero(k / turn < min(sizes) * math.pi / 2)), 1)
    one = math.exp(-tilt * error)
    weight[0] += one * turn**2 / (2 * math.pi * scale**2 * (count - 1) ** 2)  # beyond the last
    closer = ((1 / scale, math.exp(-error / scale) / 2), (tilt, one / (1 - part**2)))
    moments = (_Sum(np.array([z + 0j]), np.array([a + 0j]), 1) for z, a in closer)
    rounding = _rounding(first + second + 1 / scale, at)
    return _Bounds(tilt, (_Sum(at, weight, slow), *moments), rounding)


def _rounding(size: float, at: Array) -> float:
    """Which part of a term rounding takes at most: its exponents have errors of a few units.

    A logarithm is off by few units of 2^−53 and counts n times, an exponent by as many of itself.

    Args:
        size: the number of people, and 1/b.
        at: z_k.
    """
    return float(2.0**-49 * (size + np.abs(at[-1]) + 100))
