"""Strata with errors of their own, and an error for all people that their weighted sum must keep.

The sum is as accurate as the strata are: where they need no more than that, it costs nothing but a
part α_T of the failure probability. Else some strata are planned with smaller errors than they
need: each with a factor f on its error, at the cost c_g(f). For every λ the sum holds if

    Σ a_g(f_g) ≤ λT − ln(2/α_T), a_g = λ²W_g²/(8n_g) − ln(1 − λ²W_g²b_g²),

with W_g, n_g and b_g of the plan at f. So the cheapest factors minimise c_g + μ·a_g at one price μ.
They are sought on curves of c_g and a_g over f; that the sum keeps its error is proved in balls.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from planner.answer.answers import Answer, Plan
from planner.answer.strata.least_costs import Strata
from planner.answer.strata.together import FAILURE_DIGITS, error_of_sum, sampled
from planner.libraries import np, scipy
from planner.mechanisms import LaplaceMean
from planner.model import Study
from planner.model.strata import Stratum, study_of_stratum, weights
from planner.numbers import Array, decimal, round_down

_PARTS = (1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4)
"""Parts of the failure probability that are tried for the sum; the least cost changes slowly."""
_START = 4
"""Which of them is tried first."""
_NODES, _FINE = 6, 400
"""Factors at which a stratum is planned, from 1 down, and between which it is interpolated."""
_FURTHER = 2.0
"""How much smaller the error of a stratum may become than that of the sum must."""
_DIGITS = 6
"""Of a factor."""
_MOST_MOMENTS = 8
"""How many times its least λ may be; of a normal sum the best is twice that."""
_CLOSE, _TIMES = 1 - 1e-3, 12
"""All factors are changed together until the sum is off by T times this to 1; and how often."""


class WithFactor(NamedTuple):
    """One kind of stratum of which plans with smaller errors are made.

    Attributes:
        stratum: one of them.
        weight: W of each; other strata alike may have another.
        strata: how many there are.
        failure: α_g; 0 where it is not yet known.
    """

    stratum: Stratum
    weight: Fraction
    strata: int
    failure: float


class Way(NamedTuple):
    """The cheapest plan found in one way to answer for all people.

    Attributes:
        cost: of all strata, without overhead [money].
        failure: α_T of the sum.
        asked: the study of each kind of stratum, with the strata of this kind.
        scale: of one noise on the sum, as a part of the range; None where it has none of its own.
    """

    cost: float
    failure: float
    asked: list[tuple[list[Stratum], Study]]
    scale: float | None = None


def kinds_of(
    strata: Strata, shares: Sequence[float] = ()
) -> list[tuple[WithFactor, list[Stratum]]]:
    """The kinds of strata alike that have one weight, and the strata of each.

    Args:
        strata: of a study.
        shares: the failure probability of strata alike, where it is known.
    """
    counted: dict[tuple[int, Fraction], list[Stratum]] = {}
    known = dict(zip(strata.study.strata, weights(strata.study), strict=True))
    for at, some in enumerate(strata.alike):
        for stratum in some:
            counted.setdefault((at, known[stratum]), []).append(stratum)
    return [
        (WithFactor(some[0], weight, len(some), shares[at] if shares else 0.0), some)
        for (at, weight), some in counted.items()
    ]


def sum_of_answers(strata: Strata) -> Way | None:
    """The cheapest plan found with which the weighted sum keeps its error; None if none is."""
    best = _with_part(strata, _PARTS[_START])
    for parts in (_PARTS[_START + 1 :], _PARTS[:_START][::-1]):  # on either side, while it falls
        for part in parts:
            other = _with_part(strata, part)
            if best is not None and (other is None or other.cost >= best.cost):
                break
            best = other if best is None else min(best, other, key=lambda one: one.cost)
    return best


def _with_part(strata: Strata, part: float) -> Way | None:
    """The cheapest plan found where the sum has a part of the failure probability."""
    study = strata.study
    of_sum = round_down(part * strata.failure, FAILURE_DIGITS)
    shares = strata.best_shares(float(decimal(strata.failure) - decimal(of_sum)))
    if shares is None:
        return None
    kinds = kinds_of(strata, shares)
    found = factors(study, [kind for kind, _ in kinds], of_sum, strata.planned)
    if found is None:
        return None
    asked = [study_at(study, kind, f) for (kind, _), f in zip(kinds, found, strict=True)]
    plans = [strata.planned(one) for one in asked]
    if not all(isinstance(plan, Plan) for plan in plans):
        return None
    cost = sum(
        kind.strata * plan.cost
        for (kind, _), plan in zip(kinds, plans, strict=True)
        if isinstance(plan, Plan)
    )
    some = [names for _, names in kinds]
    return Way(cost, of_sum, list(zip(some, asked, strict=True)))


@dataclass(frozen=True)
class _Curve:
    """The plans of a stratum over the factor on its error.

    Attributes:
        factors: f, from the largest down.
        costs: at these.
        spread: W²/(8n) at these.
        scales: W·b, as parts of the range.
    """

    factors: Array
    costs: Array
    spread: Array
    scales: Array

    def used(self, at: float) -> Array:
        """What the strata use of the room at one λ; ∞ where λ is too large for the noise."""
        part = (at * self.scales) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                part < 1, at**2 * self.spread - np.log1p(-np.minimum(part, 1.0)), np.inf
            )


def smaller(study: Study, stratum: Stratum, factor: float) -> Stratum:
    """The stratum with a factor on its error, rounded down."""
    assert stratum.error is not None  # as errors of both kinds are asked for
    if factor >= 1:
        return stratum
    return replace(stratum, error=round_down(factor * stratum.error, _DIGITS))


def factors(
    study: Study,
    kinds: Sequence[WithFactor],
    failure: float,
    solve: Callable[[Study], Answer],
) -> list[float] | None:
    """The cheapest factors on the errors of the kinds with which the sum holds; None if not found.

    Args:
        study: the study, whose target has the error T for all people.
        kinds: of its strata.
        failure: α_T of the sum.
        solve: plans one study, without a proof.
    """
    found = [1.0] * len(kinds)
    off = _off(study, kinds, found, failure, solve)
    if off <= study.accuracy.error:
        return found
    if off == math.inf:
        return None
    least_factor = study.accuracy.error / off / _FURTHER
    curves = [_curve(study, kind, solve, least_factor) for kind in kinds]
    error, needed = study.accuracy.error, math.log(2 / failure)
    least, most = needed / error, _MOST_MOMENTS * needed / error

    def cost(log_moment: float) -> float:
        chosen = _chosen(curves, kinds, math.exp(log_moment), error, needed)
        return chosen[0] if chosen else 1e300

    # below `least` nothing is left for the strata, and near it as good as nothing
    found_moment = scipy.optimize.minimize_scalar(
        cost, bounds=(math.log(least * 1.001), math.log(most)), method="bounded"
    )
    chosen = _chosen(curves, kinds, math.exp(found_moment.x), error, needed)
    if chosen is None:
        return None
    best, scale = None, 1.0
    for _ in range(_TIMES):
        found = [min(1.0, round_down(f * scale, _DIGITS)) for f in chosen[1]]
        off = _off(study, kinds, found, failure, solve)
        if off <= error:
            best = found
            if off >= error * _CLOSE:
                break
        scale *= error / off * (1.0 if off <= error else _CLOSE)
    return best


def _off(
    study: Study,
    kinds: Sequence[WithFactor],
    found: Sequence[float],
    failure: float,
    solve: Callable[[Study], Answer],
) -> float:
    """The error of the sum with these factors, as a part of the range; ∞ where there is no plan."""
    samples = []
    for kind, factor in zip(kinds, found, strict=True):
        plan = solve(study_at(study, kind, factor))
        if not isinstance(plan, Plan):
            return math.inf
        samples += [sampled(plan, kind.weight)] * kind.strata
    return error_of_sum(samples, failure)


def study_at(study: Study, kind: WithFactor, factor: float) -> Study:
    """The study of a kind of stratum at a factor."""
    return study_of_stratum(study, smaller(study, kind.stratum, factor), kind.failure)


def _curve(
    study: Study, kind: WithFactor, solve: Callable[[Study], Answer], least: float
) -> _Curve:
    """The plans of a kind over its factor: by Hoeffding's bound, which is quick, times a constant.

    The constant is that of the study's own analysis without a factor, as curves of both are nearly
    of one shape; what the chosen factors lead to is computed by the own analysis.
    """
    nodes, rows = np.geomspace(1.0, least, _NODES), []
    own = _row(kind, solve(study_at(study, kind, 1.0)))
    for factor in nodes.tolist():
        quick = replace(study_at(study, kind, factor), mechanism=LaplaceMean("hoeffding"))
        row = _row(kind, solve(quick))
        if row is None:  # smaller errors are not possible
            break
        rows.append(row)
    if own is None or not rows:
        return _Curve(*(np.array([x]) for x in (1.0, *(own or (np.inf, 0.0, 0.0)))))
    columns = np.array(rows).T * (np.array(own) / np.array(rows[0]))[:, None]
    known = np.log(nodes[: len(rows)])
    if len(rows) == 1:
        return _Curve(np.exp(known), *columns)
    fine = np.linspace(known[-1], known[0], _FINE)
    read = [
        np.exp(scipy.interpolate.PchipInterpolator(known[::-1], np.log(column[::-1]))(fine))
        for column in columns
    ]
    return _Curve(np.exp(fine), *read)


def _row(kind: WithFactor, plan: Answer) -> tuple[float, float, float] | None:
    """The cost of a plan, and what it contributes to the sum; None where it is none."""
    if not isinstance(plan, Plan):
        return None
    one, weight = sampled(plan, kind.weight), float(kind.weight)
    people = float(one.sample.people(float(plan.participants)))
    return plan.cost, weight**2 / (8 * people), weight * float(one.scale)


def _chosen(
    curves: Sequence[_Curve],
    kinds: Sequence[WithFactor],
    at: float,
    error: float,
    needed: float,
) -> tuple[float, list[float]] | None:
    """The least cost at one λ and the factors; None where no factors leave enough room."""
    room = at * error - needed
    counts, used = [kind.strata for kind in kinds], [curve.used(at) for curve in curves]

    def places(price: float) -> list[int]:
        return [
            int(np.argmin(curve.costs + price * one))
            for curve, one in zip(curves, used, strict=True)
        ]

    def total(chosen: list[int]) -> float:
        parts = zip(counts, used, chosen, strict=True)
        return float(sum(count * one[k] for count, one, k in parts))

    low, high = 1e-12, 1e30
    if total(places(high)) > room:
        return None
    while high > low * 1.001:
        price = math.sqrt(low * high)
        low, high = (low, price) if total(places(price)) <= room else (price, high)
    chosen = places(high)
    cost = sum(
        count * float(curve.costs[k])
        for count, curve, k in zip(counts, curves, chosen, strict=True)
    )
    return cost, [float(curve.factors[k]) for curve, k in zip(curves, chosen, strict=True)]
