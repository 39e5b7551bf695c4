"""The noise: OpenDP adds it and states the privacy map; the sensitivity is the planner's argument.

N records are each within their range, so replacing one moves a sum of ones by at most 1, the counts
of groups by 2 in all, a sum of steps by the range. Whole numbers are added exactly, so nothing is
charged for the rounding of floats.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from planner.answer.answers import Plan
from planner.libraries import np
from planner.numbers import decimal
from planner.privacy.gaussian import certain_scale
from planner.publication.accuracy import accurate
from planner.publication.answered import possible_of_all
from planner.publication.items import Item
from planner.publication.records import Sums

_ROUNDING = Fraction(1, 10**9)
"""By what part OpenDP's map may be over the exact rho: it only rounds."""
MOST_GROWTH = 1e-9
"""By how much scales may grow for OpenDP's map, relatively: more than the
rounding of doubles in it takes, and too little to show in the digits of a plan."""


class Promised(NamedTuple):
    """What a measurement promises.

    Attributes:
        measurement: of sums; None where people have randomised their answers.
        scales: of the noise on each item's sums.
        words: by what the privacy is shown.
    """

    measurement: Any
    scales: tuple[float | None, ...]
    words: str


BY_MAP = (
    "OpenDP drew the noise and computed the privacy; the planner computed how much one of the N "
    "records, each within its range, can change a result."
)
_BY_RHO = (
    "Noise by OpenDP, whose map states rho of zero-concentrated privacy; epsilon at delta by the "
    "exact condition for Gaussian noise, sensitivity by the planner."
)
_BY_BOTH = (
    "Noise by OpenDP, whose maps state epsilon of drawn candidates and rho of Gaussian noise; its "
    "epsilon at delta by the exact condition is added, sensitivity by the planner."
)
_BY_CARDS = "People randomised their answers themselves, before they gave them."


def promised(plan: Plan, asked: Sequence[Item], of_total: bool = False) -> Promised:
    """A measurement that is as private as the plan, by OpenDP's map, and as accurate.

    Args:
        plan: the plan.
        asked: its items.
        of_total: whether the error is that of the sum of all strata, which is computed with the
            noise that is drawn.

    Raises:
        ValueError: no scale is both; planned again with less error, the study is another.
    """
    if all(item.scale is None for item in asked):
        return Promised(None, (None,) * len(asked), _BY_CARDS)
    growth = 0.0
    while growth <= MOST_GROWTH:
        grown = [_grown(item, growth) for item in asked]
        ones = _measurements(grown)
        if _private(plan, grown, ones):
            if growth and not of_total and not accurate(plan, grown):
                break
            scales = tuple(item.scale for item in grown)
            return Promised(_released(grown, ones), scales, _words(asked))
        growth = max(1e-16, 10 * growth)
    raise ValueError(
        "no scale of OpenDP's noise is certain to be as private and as accurate as planned; plan "
        "the study again with a slightly smaller error"
    )


def _grown(item: Item, growth: float) -> Item:
    if not growth or item.scale is None:
        return item
    return replace(item, scale=math.nextafter(item.scale * (1 + growth), math.inf))


def _words(asked: Sequence[Item]) -> str:
    if any(item.noise == "gaussian" for item in asked):
        return _BY_RHO if all(item.noise == "gaussian" for item in asked) else _BY_BOTH
    return BY_MAP


def _private(plan: Plan, asked: Sequence[Item], ones: Sequence[Any]) -> bool:
    """Whether noise of these scales is as private as planned, by OpenDP's maps of items and all."""
    pure, noisy = privacy_maps(asked, ones)
    left = decimal(plan.epsilon) - Fraction(pure)
    if noisy is None:
        return left >= 0
    rho = (
        sum(
            (
                (Fraction(i.sensitivity) / Fraction(i.scale or 1.0)) ** 2
                for i in asked
                if i.noise == "gaussian"
            ),
            Fraction(0),
        )
        / 2
    )
    if Fraction(noisy) > rho * (1 + _ROUNDING):
        return False
    if not left > 0:
        return False
    scale = certain_scale(left, decimal(plan.delta))  # of which rho is 1/2σ²
    return scale < math.inf and 2 * rho * scale**2 <= 1


def privacy_maps(asked: Sequence[Item], ones: Sequence[Any]) -> tuple[float, float | None]:
    """OpenDP's maps at one record replaced: ε of pure noise, and ρ of Gaussian noise or None."""
    pure, noisy = _apart(asked, ones)
    return (
        float(_together(pure).map(1)) if pure else 0.0,
        float(_together(noisy).map(1)) if noisy else None,
    )


def _released(asked: Sequence[Item], ones: Sequence[Any]) -> Callable[[Sums], list[Any]]:
    pure, noisy = (_together(some) if some else None for some in _apart(asked, ones))

    def released(sums: Sums) -> list[Any]:
        parts = {kind: iter(one(sums)) for kind, one in ((False, pure), (True, noisy)) if one}
        return [next(parts[item.noise == "gaussian"]) for item in asked]

    return released


def _apart(asked: Sequence[Item], ones: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The measurements of pure and of Gaussian noise, whose maps are in different measures."""
    pairs = list(zip(asked, ones, strict=True))
    pure = [one for item, one in pairs if item.noise != "gaussian"]
    return pure, [one for item, one in pairs if item.noise == "gaussian"]


def _measurements(asked: Sequence[Item]) -> list[Any]:
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    records = dp.user_domain("sums of records", lambda x: isinstance(x, Sums))
    replaced = dp.user_distance("records replaced")
    return [_one(dp, records, replaced, item) for item in asked]


def _together(ones: Sequence[Any]) -> Any:
    import opendp.prelude as dp

    return dp.c.make_composition(list(ones))


def _one(dp: Any, records: Any, replaced: Any, item: Item) -> Any:
    kind = "i64" if item.noise == "geometric" else "f64"
    cast = int if kind == "i64" else float
    name, several = item.name, item.numbers > 1 or item.kind == "quantile"
    atoms = dp.atom_domain(T=kind) if kind == "i64" else dp.atom_domain(T=kind, nan=False)
    domain = dp.vector_domain(atoms) if several else atoms
    sensitivity = cast(item.sensitivity) if kind == "i64" else item.sensitivity

    def of_sums(sums: Sums) -> Any:
        if item.kind == "quantile":
            return _utilities(item, sums[name])
        return [cast(x) for x in sums[name]] if several else cast(sums[name])

    if item.kind == "quantile":
        metric = dp.linf_distance(T=kind)
        noise = dp.m.then_noisy_max(dp.max_divergence(), scale=item.scale)
    else:
        gaussian = item.noise == "gaussian"
        of_vector = dp.l2_distance if gaussian else dp.l1_distance
        metric = of_vector(T=kind) if several else dp.absolute_distance(T=kind)
        noise = (dp.m.then_gaussian if gaussian else dp.m.then_laplace)(scale=item.scale)
    transformation = dp.t.make_user_transformation(
        records, replaced, domain, metric, of_sums, lambda d: d * sensitivity
    )
    return transformation >> noise


def noisy_whole_number(moved: float, scale: float) -> tuple[Callable[[int], float], Fraction]:
    """What adds Laplace noise to a whole number, and OpenDP's map: the ε that it states.

    Args:
        moved: by how much one record replaced moves it at most [> 0].
        scale: of the noise [> 0].
    """
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    domain = dp.atom_domain(T="f64", nan=False)
    one = (domain, dp.absolute_distance(T="f64")) >> dp.m.then_laplace(scale=scale)
    return lambda number: float(one(float(number))), Fraction(float(one.map(moved)))


def _utilities(item: Item, counts: Any) -> list[float]:
    up_to = np.cumsum(counts).astype(float)
    below = np.concatenate([[0.0], up_to[:-1]])
    rank = item.participants * item.at
    off = np.maximum(0.0, np.maximum(below - rank, rank - up_to))
    return [-float(x) for x in off]


def answers(item: Item, released: Any) -> float | int | list[float]:
    """What is published of an item: proportions and means from noisy sums, a count, a candidate."""
    n = item.participants
    if item.kind == "quantile":
        chosen = int(released)
        return item.edges[chosen] if item.edges else chosen
    if item.kind == "count":
        return int(released)
    if item.compared:
        return float(item.width * (Fraction(released) / (item.steps * n) - Fraction(1, 2)))
    if item.kind == "histogram":
        return [float(x) / n for x in released]
    if item.answered_mean:
        return [float(Fraction(float(x)) / (item.steps * n)) for x in released]
    if item.kind == "mean":
        width = decimal(item.high) - decimal(item.low)
        return float(decimal(item.low) + width * Fraction(float(released)) / (item.steps * n))
    return float(released) / n


def estimate(item: Item, sums: Any) -> float | list[float]:
    """The estimate from randomised reports: (proportion of reports − q)/(p − q)."""
    assert item.truth is not None
    assert item.other is not None

    def share(count: int) -> float:
        reported = Fraction(int(count), item.participants)
        of_range = (reported - item.other) / (item.truth - item.other)  # type: ignore[operator]
        return item.low + (item.high - item.low) * float(of_range)

    return share(sums)


def nearest(item: Item, value: float | list[float]) -> float | list[float]:
    """The possible values of an item nearest to a published one: no farther from the truth."""
    if item.answer_rate is not None and isinstance(value, list):
        return possible_of_all(value)
    if isinstance(value, list):
        return [min(max(x, item.low), item.high) for x in value]
    if item.kind == "quantile":
        return value
    if item.kind == "count":
        return min(max(value, 0), item.participants)
    return min(max(value, item.low), item.high)


def fitted(item: Item, value: float | list[float]) -> list[float] | None:
    """The proportions of groups nearest to a histogram that are not negative and add up to one.

    The least squares are max(aᵢ − τ, 0), with τ such that they add up to one. The true proportions
    p do
    so too: where no aᵢ is off by e or more, Σ max(aᵢ − e, 0) ≤ 1 ≤ Σ max(aᵢ + e, 0), so |τ| ≤ e
    and no proportion is off by 2e or more. In squares together they are no farther from p than the
    aᵢ. The groups of a proportion among those who answer do not add up to one.
    """
    if (
        item.kind != "histogram"
        or item.answer_rate is not None
        or item.by is not None
        or not isinstance(value, list)
    ):
        return None
    excess, tau = 0.0, 0.0
    for count, one in enumerate(sorted(value, reverse=True), 1):
        excess += one
        if one <= (excess - 1) / count:
            break
        tau = (excess - 1) / count
    return [max(x - tau, 0.0) for x in value]
