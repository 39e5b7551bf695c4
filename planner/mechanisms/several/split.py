"""One failure probability shared out among several questions, so that they need the least ε.

Any split proves a plan; these are about the best ones where the floors are convex in α (see
`best_shares`). They depend on no money: they are found once for a survey, and remembered. Of many
sizes close together a few are searched; between them rates are smooth, but for the ripples of
whole counts, and what the questions fail with there corrects them all by one factor.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from planner.libraries import np
from planner.mechanisms.several.best_shares import (
    Part,
    best_shares,
    corrected,
    nearly_best_shares,
    steepness,
)
from planner.numbers import Array, round_down

_NEAR = 1.2
"""How far beyond known sizes, as a ratio, theirs are where a search begins."""
_MANY, _WIDE = 48, 1.3
"""So many sizes are searched at a few knots where they are within this ratio."""
_KNOTS, _DEGREE = 12, 5  # two knots for each degree
_SMOOTH = 1e-3
"""How far, in logarithms, rates may lie from a polynomial."""
DIGITS = 15  # of a share of α that is stated


class Split:
    """The shares over N, each computed once."""

    def __init__(
        self, parts: Sequence[Part], failure: float, power: int, like: "Split | None" = None
    ) -> None:
        self._parts, self._failure, self._power = parts, failure, power
        self._sizes = np.empty(0)
        self._failures = self._rates = np.empty((len(parts), 0))
        self.like = like

    def shares(self, n: Array) -> tuple[Array, Array]:
        """The failure probability and about the rate of each question at each N; rows by part."""
        sizes = np.asarray(n, dtype=float).ravel()
        new = np.setdiff1d(sizes, self._sizes)
        if new.size:
            with np.errstate(all="ignore"):
                failures, rates = self._between(new) or self._about(new)
            self._remember(new, failures, rates)
        at = np.searchsorted(self._sizes, sizes)
        shape = (len(self._parts), *np.shape(n))
        return self._failures[:, at].reshape(shape), self._rates[:, at].reshape(shape)

    def _remember(self, sizes: Array, failures: Array, rates: Array) -> None:
        new = ~np.isin(sizes, self._sizes)  # knots are known by now
        at = np.searchsorted(self._sizes, sizes[new])
        self._sizes = np.insert(self._sizes, at, sizes[new])
        self._failures = np.insert(self._failures, at, failures[:, new], axis=1)
        self._rates = np.insert(self._rates, at, rates[:, new], axis=1)

    def stated(self, n: float) -> list[float]:
        """The failure probabilities at one N as a plan states them, the same whatever was asked."""
        with np.errstate(all="ignore"):
            failures, _ = best_shares(self._parts, self._failure, self._power, np.array([n]))
        return [round_down(a, DIGITS) for a in failures[:, 0].tolist()]

    def _about(self, n: Array) -> tuple[Array, Array]:
        near = self._nearest(n)
        if near is None and self.like is not None:
            near = self._as_in(self.like, n)
        return nearly_best_shares(self._parts, self._failure, self._power, n, near)

    def _as_in(self, like: "Split", n: Array) -> Array | None:
        near = like._nearest(n)
        return None if near is None else near * self._of_noise(n[0]) / like._of_noise(n[0])

    def _of_noise(self, n: float) -> Array:
        share = self._failure / len(self._parts)
        return np.array([[float(part.first_rate(share, n))] for part in self._parts])

    def _between(self, n: Array) -> tuple[Array, Array] | None:
        """The same for many sizes close together; None where they are few, or rates not smooth."""
        if len(n) < _MANY or n[-1] > _WIDE * n[0]:
            return None
        knots = np.unique(np.rint(np.geomspace(n[0], n[-1], _KNOTS)))
        if len(knots) <= _DEGREE:  # few whole sizes, which do not determine a polynomial
            return None
        rates = self.shares(knots)[1]
        if not np.isfinite(rates).all():
            return None
        middle, half = (knots[0] + knots[-1]) / 2, (knots[-1] - knots[0]) / 2
        at, wanted = (knots - middle) / half, (n - middle) / half
        x = np.log(rates).T
        curve = np.polynomial.chebyshev.chebfit(at, x, _DEGREE)
        off = np.polynomial.chebyshev.chebval(at, curve) - x.T
        if np.max(np.abs(off)) > _SMOOTH:
            return None
        likely = np.exp(np.polynomial.chebyshev.chebval(wanted, curve))
        steep = steepness(self._parts, rates, knots)
        steep = np.array([np.interp(wanted, at, row) for row in steep])
        return corrected(self._parts, self._failure, likely, steep, n)

    def _nearest(self, n: Array) -> Array | None:
        """Rates between those of known sizes, on lines in logarithms; None where too few are."""
        possible = self._rates[0] < np.inf
        known = self._sizes[possible]
        if not known.size or not known[0] <= n[0] * _NEAR or not n[-1] <= known[-1] * _NEAR:
            return None
        at = np.log(n), np.log(known)
        return np.exp([np.interp(*at, row) for row in np.log(self._rates[:, possible])])


_latest: dict[tuple[Any, ...], Split] = {}
"""The last survey of each make: where the next one's search begins."""


@lru_cache(maxsize=64)
def split(parts: tuple[Part, ...], failure: float, power: int) -> Split:
    """The shares of one survey."""
    make = (*(type(part.floor) for part in parts), power)
    like = _latest.get(make)
    if like is not None:
        like.like = None  # no chain of all surveys before
    _latest[make] = Split(parts, failure, power, like)
    return _latest[make]
