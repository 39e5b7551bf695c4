"""Strata with errors of their own, and one noise on their weighted sum for all people.

A person of stratum g loses the ε_g of its own answer and W_g/(N_g·b) to the sum's noise of scale b.
The sum holds where for some λ its sample and its noise leave room for α_T, by Hoeffding's lemma:

    Σ W_g²/(8n_g) ≤ V(b, α_T) = max over λ of (λT − ln(2/α_T) + ln(1 − λ²b²))/λ².

At one b and one price of the left side strata are apart again: each has the size at which its cost
and what it takes of V are least together, and they divide the rest of α as they always do. b and
α_T are searched about that, on curves of what the own answers ask; sizes, noise and costs at the
end are the study's own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from planner.answer.answers import Plan
from planner.answer.strata.curves import Curve, Sizes, UnreachableError
from planner.answer.strata.least_costs import Strata
from planner.answer.strata.shares import Kind, best_shares
from planner.answer.strata.together import FAILURE_DIGITS, Sampled, beside_total, error_of_sum
from planner.answer.strata.with_total import Way, WithFactor, kinds_of
from planner.libraries import np, scipy
from planner.model import MaxParticipants, Study
from planner.numbers import Array, decimal, round_down, round_up

_ROUNDS = 2
"""How often the division of α and the sizes are found in turn."""
_SCALES = 16
"""Scales of the noise that are tried, before those between two."""
_LEAST_PART, _MOST_PART = 1 / 256, 15 / 16
"""Of α, for the sum; at either end it costs more than any part between in all that was tried."""
_DIGITS, _SPARE = 7, 1e-6
"""Of the scale, and of what it takes of N·ε; and by what part the scale is smaller than it may be,
which is for rounding when results are published."""
_MOST_PRICES, _NEAR = 24, 0.998
"""Of a place among the participants, tried where these are too many, until so many places of those
allowed are taken."""


class _Design(NamedTuple):
    """Sizes and noise that keep the sum's error.

    Attributes:
        cost: of all strata, on the curves [money].
        scale: b, as a part of the range.
        price: of what sizes take of V [money].
        failures: α_g of each kind.
        of_sum: α_T.
        sizes: N_g of each kind, not yet whole.
    """

    cost: float
    scale: float
    price: float
    failures: list[float]
    of_sum: float
    sizes: list[float]


def _room(scale: float, error: float, failure: float) -> float:
    """V: how much the samples may take of the sum's error."""
    needed = math.log(2 / failure)

    def left(log_part: float) -> float:
        part = math.exp(log_part)
        noise = math.log1p(-(part**2)) if part < 1 else -math.inf
        return -(part * error / scale - needed + noise) * (scale / part) ** 2

    least = math.log(scale * needed / error)
    if least >= 0:
        return 0.0
    return -float(scipy.optimize.minimize_scalar(left, bounds=(least, 0.0), method="bounded").fun)


@dataclass(frozen=True)
class _Search:
    """The strata of a study, and the sum.

    Attributes:
        curves: of each kind of stratum.
        error: T of the sum, as a part of the range.
    """

    curves: Sequence[Curve]
    error: float

    @property
    def counts(self) -> Array:
        """How many strata there are of each kind."""
        return np.array([curve.kind.strata for curve in self.curves], float)

    def _chosen(
        self, of: Sequence[Sizes], scale: float, failure: float
    ) -> tuple[float, float, list[int]]:
        """The least cost at one scale, the price of V, and the place of each size; ∞ if none."""
        room, counts = _room(scale, self.error, failure), self.counts
        costs = np.array([c.costs(one, scale) for c, one in zip(self.curves, of, strict=True)])
        used, rows = np.array([one.used for one in of]), np.arange(len(of))

        def places(price: float) -> Array:
            return np.argmin(costs + price * used, axis=1)

        def over(at: Array) -> bool:
            return float(np.sum(counts * used[rows, at])) > room

        low, high = 1e-9, 1e30
        if over(places(high)):
            return math.inf, high, []
        while high > low * 1.0001:
            price = math.sqrt(low * high)
            low, high = (price, high) if over(places(price)) else (low, price)
        at = places(high)
        return float(np.sum(counts * costs[rows, at])), high, at.tolist()

    def _divided(self, failure: float, scale: float, price: float) -> list[float] | None:
        """α_g of each kind at one scale and one price of V."""

        def cost(curve: Curve, share: float) -> float:
            of = curve.at(share)
            if of is None:
                return math.inf
            return float(np.min(curve.costs(of, scale) + price * of.used))

        kinds = [
            Kind(curve.kind.strata, lambda share, curve=curve: cost(curve, share))  # type: ignore[misc]
            for curve in self.curves
        ]
        return best_shares(kinds, failure)

    def _scale(self, of: Sequence[Sizes], failure: float) -> float | None:
        """The cheapest scale of the noise; None where the largest samples are too small for any.

        It lies as far below the scale that leaves the samples the least they can do with as makes
        noise and samples equally dear: by how much is searched in logarithms.
        """
        least = sum(n * float(np.min(one.used)) for n, one in zip(self.counts, of, strict=True))
        low, high = 0.0, self.error / math.log(2 / failure)
        if _room(high * 2**-20, self.error, failure) <= least:
            return None
        while high - low > 1e-6 * high:
            middle = (low + high) / 2
            enough = _room(middle, self.error, failure) > least
            low, high = (middle, high) if enough else (low, middle)

        def cost(log: float) -> float:
            return min(self._chosen(of, low * -math.expm1(log), failure)[0], 1e300)

        grid = np.log(np.geomspace(1e-4, 0.98, _SCALES))
        first = int(np.argmin([cost(log) for log in grid.tolist()]))
        ends = grid[max(first - 1, 0)], grid[min(first + 1, _SCALES - 1)]
        nearer = scipy.optimize.minimize_scalar(
            cost, bounds=ends, method="bounded", options={"xatol": 1e-2}
        ).x
        best = min((float(nearer), float(grid[first])), key=cost)
        return -low * math.expm1(best)

    def best(self, whole: float, part: float) -> _Design | None:
        """The cheapest design where the sum has a part of α; None where none is found."""
        of_sum = round_down(part * whole, FAILURE_DIGITS)
        rest = float(decimal(whole) - decimal(of_sum))
        scale, price, found = self.error / math.log(2 / of_sum) / 4, 0.0, None
        for _ in range(_ROUNDS):
            failures = self._divided(rest, scale, price)
            if failures is None:
                return found
            of = [curve.at(x) for curve, x in zip(self.curves, failures, strict=True)]
            known = [one for one in of if one is not None]
            if len(known) < len(of):
                return found
            best_scale = self._scale(known, of_sum)
            if best_scale is None:
                return found
            scale = best_scale
            value, price, at = self._chosen(known, scale, of_sum)
            if value == math.inf:
                return found
            sizes = [float(one.sizes[k]) for one, k in zip(known, at, strict=True)]
            found = _Design(value, scale, price, failures, of_sum, sizes)
        return found

    def over_parts(self, whole: float) -> _Design | None:
        """The cheapest design over the part of α that the sum has."""
        tried: dict[float, _Design | None] = {}

        def cost(log: float) -> float:
            tried[log] = self.best(whole, math.exp(log))
            found = tried[log]
            return 1e300 if found is None else found.cost

        scipy.optimize.minimize_scalar(
            cost,
            bounds=(math.log(_LEAST_PART), math.log(_MOST_PART)),
            method="bounded",
            options={"xatol": 0.02},
        )
        designs = [one for one in tried.values() if one is not None]
        return min(designs, key=lambda one: one.cost, default=None)


def with_one_noise(strata: Strata) -> Way | None:
    """The cheapest plan found where the sum has one noise of its own; None where none is found."""
    study, cap = strata.study, strata.study.find(MaxParticipants)
    kinds = kinds_of(strata)
    try:
        found = _designed(study, [kind for kind, _ in kinds], 0.0 if cap is None else cap.n)
    except UnreachableError:
        return None
    return None if found is None else _way(strata, found)


def _designed(study: Study, kinds: Sequence[WithFactor], most: float) -> _Design | None:
    """The cheapest design, of no more people than allowed; 0 where that is not bounded."""
    curves = [Curve(study, kind) for kind in kinds]
    whole, error = study.accuracy.failure, study.accuracy.error
    best = _Search(curves, error).over_parts(whole)

    def people(of: _Design) -> int:
        return sum(k.strata * math.ceil(n) for k, n in zip(kinds, of.sizes, strict=True))

    if best is None or not most or people(best) <= most:
        return best
    low, high, fits = 0.0, best.cost / people(best), None
    for _ in range(_MOST_PRICES):  # a place has a price, which is no part of the cost
        price = (low + high) / 2 if fits else high
        priced = [curve.at_price(price) for curve in curves]
        tried = _Search(priced, error).over_parts(whole)
        if tried is not None and people(tried) <= most:
            fits, high = tried, price
            if people(tried) >= _NEAR * most:
                break
        else:
            low, high = price, high if fits else 4 * high
    return fits or best


def _way(strata: Strata, of: _Design) -> Way | None:
    """The plans of all strata at a design; None where a stratum has none.

    Sizes are rounded up to whole people, and the noise is the most with which the sum still holds.
    """
    study, error = strata.study, strata.study.accuracy.error
    kinds, sizes = kinds_of(strata), []
    for (kind, _), n in zip(kinds, of.sizes, strict=True):
        most = Curve(study, kind).most
        sizes.append(int(min(math.ceil(n * (1 - 1e-9)), most)))
    samples = [
        Sampled(kind.weight, Fraction(0), Curve(study, kind).sample, n)
        for (kind, _), n in zip(kinds, sizes, strict=True)
        for _ in range(kind.strata)
    ]

    def off(log: float) -> float:
        return math.log(error_of_sum(samples, of.of_sum, decimal(math.exp(log))) / error)

    low, high = math.log(of.scale) - 1.0, math.log(of.scale) + 1.0
    if off(low) > 0:
        return None
    if off(high) > 0:
        high = scipy.optimize.brentq(off, low, high, xtol=1e-10)
    scale = round_down(math.exp(high) * (1 - _SPARE), _DIGITS)
    asked, cost = [], 0.0
    for (kind, some), n, failure in zip(kinds, sizes, of.failures, strict=True):
        for_total = round_up(float(kind.weight / decimal(scale)) * (1 + 1e-15), _DIGITS + 3)
        one = beside_total(study, kind.stratum, failure, for_total, n)
        plan = strata.planned(one)
        if not isinstance(plan, Plan):
            return None
        cost += kind.strata * plan.cost
        asked.append((some, one))
    return Way(cost, of.of_sum, asked, scale)
