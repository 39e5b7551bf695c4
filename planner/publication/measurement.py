"""The noise: OpenDP adds it and states the privacy map; the sensitivity is the planner's argument.

N records are each within their range, so replacing one moves a sum of ones by at most 1, the counts
of groups by 2 in all, a sum of steps by the range. Whole numbers are added exactly, so nothing is
charged for the rounding of floats.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from planner import numbers
from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.answer.problem.survey import asked as survey_asked
from planner.answer.proof.plan import holds
from planner.model import Choice
from planner.numbers import decimal
from planner.publication.items import STEPS, Item
from planner.publication.records import Sums

MOST_GROWTH = 1e-9
"""By how much scales may grow for OpenDP's map, relatively."""


class Promised(NamedTuple):
    """What a measurement promises.

    Attributes:
        measurement: of sums; None where people have randomised their answers.
        scales: of the noise on each item's sums.
        privacy: OpenDP's map at one record replaced: ε, or ρ of zero-concentrated privacy.
        words: by what the privacy is shown.
    """

    measurement: Any
    scales: tuple[float | None, ...]
    privacy: float | None
    words: str


_BY_MAP = (
    "Noise and privacy map by OpenDP; sensitivity by the planner, from N records each within its "
    "range."
)
_BY_RHO = (
    "Noise by OpenDP, whose map states rho of zero-concentrated privacy; epsilon at delta by the "
    "exact condition for Gaussian noise, sensitivity by the planner."
)
_COMPOSED = (
    "Noise by OpenDP, whose map adds epsilon up; epsilon at delta by optimal composition, "
    "sensitivity by the planner."
)
_BY_CARDS = "People randomised their answers themselves, before they gave them."


def promised(plan: Plan, asked: Sequence[Item]) -> Promised:
    """A measurement that is as private as the plan, by OpenDP's map, and proved as accurate.

    Raises:
        ValueError: no scale is both; a study that is planned again differs.
    """
    if all(item.scale is None for item in asked):
        return Promised(None, (None,) * len(asked), None, _BY_CARDS)
    gaussian = any(item.noise == "gaussian" for item in asked)
    allowed, words = _allowed(plan, asked, gaussian)
    growth = 0.0
    while growth <= MOST_GROWTH:
        grown = [replace(i, scale=math.nextafter(i.scale * (1 + growth), math.inf)) for i in asked]  # type: ignore[operator]
        grown = grown if growth else list(asked)
        measurement = _measurement(grown)
        privacy = float(measurement.map(1))
        if Fraction(privacy) <= allowed:
            if not _accurate(plan, grown):
                break
            scales = tuple(item.scale for item in grown)
            return Promised(measurement, scales, privacy, words)
        growth = max(1e-16, 10 * growth)
    raise ValueError(
        "no scale of OpenDP's noise is certain to be as private and as accurate as planned; plan "
        "the study again with a slightly smaller error"
    )


def _allowed(plan: Plan, asked: Sequence[Item], gaussian: bool) -> tuple[Fraction, str]:
    """The most that the map may be, and by what the privacy is shown."""
    if gaussian:  # the noise is that of the exact condition; only floats are rounded in the map
        rates = (Fraction(item.sensitivity) / Fraction(item.scale or 1.0) for item in asked)
        rho = sum((rate**2 for rate in rates), Fraction(0)) / 2
        return rho * (1 + Fraction(1, 10**9)), _BY_RHO
    if plan.delta:
        total = sum(
            (q.times * decimal(q.epsilon) for q in plan.questions if q.epsilon), Fraction(0)
        )
        return total, _COMPOSED
    return decimal(plan.epsilon), _BY_MAP


def _accurate(plan: Plan, asked: Sequence[Item]) -> bool:
    """Whether the plan is proved to be as accurate with noise of these scales."""
    n, number = plan.participants, numbers.balls().number
    if plan.study.survey is None:
        problem = problem_of(plan.study)
        epsilon = _epsilon(plan, asked[0])
        goals = replace(problem, conditions=problem.goals)
        return epsilon >= plan.epsilon or holds(goals, Choice(epsilon, plan.delta, n))
    floor, places = survey_asked(plan.study)
    shares = floor.shared(plan.epsilon, n, plan.delta)
    often = [q.times for q in plan.study.survey.questions]
    places = tuple(place for place, times in zip(places, often, strict=True) for _ in range(times))
    checked = set()
    for item, place in zip(asked, places, strict=True):
        share = shares[place]
        sensitivity = 2.0 if item.kind == "quantile" else item.sensitivity
        rate = _below(Fraction(sensitivity) / decimal(item.scale or 1.0))
        if (place, rate) in checked or rate >= share.rate:
            continue
        one = share.part.at(share.failure)
        if not one.surely_reached(number(rate), number(n), number(0.0)):
            return False
        checked.add((place, rate))
    return True


def _epsilon(plan: Plan, item: Item) -> float:
    """An ε that needs at least as much noise as this scale is."""
    rate = Fraction(item.sensitivity) / decimal(item.scale or 1.0)
    if item.noise != "gaussian":
        return _below(rate)
    from planner.mechanisms.exact.balls import rational
    from planner.privacy.gaussian import epsilon_ball

    least = epsilon_ball(1 / rational(rate), numbers.balls().number(plan.delta))
    return _below(numbers.fraction(least.lower()))


def _below(x: Fraction) -> float:
    """A float that is not above x."""
    nearest = float(x)
    return nearest if Fraction(nearest) <= x else math.nextafter(nearest, 0.0)


def _measurement(asked: Sequence[Item]) -> Any:
    """One measurement of all items."""
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    records = dp.user_domain("sums of records", lambda x: isinstance(x, Sums))
    replaced = dp.user_distance("records replaced")
    return dp.c.make_composition([_one(dp, records, replaced, item) for item in asked])


def _one(dp: Any, records: Any, replaced: Any, item: Item) -> Any:
    """The measurement of one item."""
    kind = "i64" if item.noise == "geometric" else "f64"
    cast = int if kind == "i64" else float
    name, several = item.name, item.kind in ("histogram", "quantile")
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


def _utilities(item: Item, counts: Any) -> list[float]:
    """How far each candidate is from the rank, in people, as a loss."""
    import numpy as np

    up_to = np.cumsum(counts).astype(float)
    below = np.concatenate([[0.0], up_to[:-1]])
    rank = item.participants * item.at
    off = np.maximum(0.0, np.maximum(below - rank, rank - up_to))
    return [-float(x) for x in off]


def answers(item: Item, released: Any) -> float | int | list[float]:
    """What is published of an item: shares and means from noisy sums, a count, a candidate."""
    n = item.participants
    if item.kind == "quantile":
        return int(released)
    if item.kind == "count":
        return int(released)
    if item.kind == "histogram":
        return [float(x) / n for x in released]
    if item.kind == "mean":
        return item.low + (item.high - item.low) * (float(released) / STEPS / n)
    return float(released) / n


def estimate(item: Item, sums: Any) -> float | list[float]:
    """The estimate from randomised reports: (share of reports − q)/(p − q)."""
    assert item.truth is not None
    assert item.other is not None

    def share(count: int) -> float:
        reported = Fraction(int(count), item.participants)
        of_range = (reported - item.other) / (item.truth - item.other)  # type: ignore[operator]
        return item.low + (item.high - item.low) * float(of_range)

    return [share(x) for x in sums] if item.kind == "histogram" else share(sums)
