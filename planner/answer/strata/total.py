"""One answer for all people from a stratified sample: how many of each stratum, and which noise.

With weights W_g the answer is Σ W_g·(mean of stratum g) with one noise of scale b: a person of
stratum g moves it by W_g/N_g, and loses W_g/(N_g·b). How seldom it is off says `as_one_mean`. Sizes
are in proportion to the weights, up to whole people, and their number is the one of least cost.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from planner.answer.answers import TotalPlan, Undecided
from planner.answer.problem.problem import Problem
from planner.answer.proof.plan import Proof, holds
from planner.answer.strata.as_one_mean import as_one, noisy_mean
from planner.answer.strata.proof_of_total import (
    is_provable,
    proof_of_total,
    width_of,
    wrong_of_total,
)
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of
from planner.libraries import np
from planner.mechanisms.count_floor import ROOM
from planner.model import Budget, Choice, MaxParticipants, MinParticipants, Study
from planner.model.strata import deviations, study_of_stratum, weights
from planner.numbers import WHOLE_LIMIT, Array, decimal, first, round_down
from planner.wording import money

_DIGITS = 7
"""Of noise."""
_ROOMS = (ROOM, 10 * ROOM)
"""The part of α that a plan leaves, so that a proof of it is short; more where it must be."""
_ROUNDED = 1e-6  # by how much ε may be rounded up
_MOMENTS = 200  # λ that are tried, up to so many times the first
_FINEST = 10**6  # parts of all people that a stratum's size is told in
_POINTS, _ALL = 17, 48
"""Sizes that are tried at once, and so few that each is."""


@dataclass(frozen=True)
class _Sample:
    """A stratified sample with sizes in some proportion.

    Attributes:
        study: the study of all strata.
        shares: how many people of each stratum take part, as parts of all.
        by_moments: whether the moments of the samples bound it too, which is closer where sizes are
            out of proportion, and which the checker has no rule for.
        room: the part of α that is left for a proof.
    """

    study: Study
    shares: tuple[Fraction, ...]
    by_moments: bool = False
    room: float = ROOM

    @cached_property
    def alone(self) -> tuple[Study, ...]:
        """Each stratum as a study by itself."""
        failure = failure_of(self.study)
        return tuple(study_of_stratum(self.study, one, failure) for one in self.study.strata)

    @cached_property
    def weights(self) -> tuple[Fraction, ...]:
        return tuple(weights(self.study))

    def sizes(self, people: float) -> list[int]:
        """The people of each stratum, rounded up, and as many as must take part."""
        fewest = (one.find(MinParticipants) for one in self.alone)
        least = (one.n if one else 1 for one in fewest)
        asked = zip(self.shares, least, strict=True)
        return [max(math.ceil(int(people) * share), n) for share, n in asked]

    def moved(self, sizes: Sequence[int]) -> list[Fraction]:
        """By how much a person of each stratum moves the answer."""
        return [w / n for w, n in zip(self.weights, sizes, strict=True)]

    def rates(self, sizes: Sequence[Sequence[int]]) -> Array:
        """1/b, the least rate of noise at each sizes; ∞ where none is enough."""
        target, error = self.study.accuracy, decimal(self.study.accuracy.error)
        samples = [one.sampling.sample for one in self.alone]
        as_ones = [as_one(self.study, samples, n) for n in sizes]
        n, v = (np.array([one[k] for one in as_ones], float) for k in (0, 1))
        each = np.array([float(error / one.spread) for one in as_ones])
        allowed = np.asarray(target.failure * (1 - self.room))
        laws = [one.law for one in as_ones]
        rates = np.empty(len(as_ones))
        for law in dict.fromkeys(laws):  # one bound holds for all that are nearly alike
            at = [k for k, one in enumerate(laws) if one == law]
            of = noisy_mean([as_ones[k] for k in at])
            rates[at] = of.least_rate(n[at], each[at], allowed) / v[at]
        if self.by_moments:
            rates = np.minimum(rates, [self._rate_by_moments(n) for n in sizes])
        return np.maximum(rates, [self._least_rate(n) for n in sizes])

    def _rate_by_moments(self, sizes: Sequence[int]) -> float:
        """The least λ/√(1 − (2/α)·e^(λ²V − λT)) over λ, V = Σ W_g²/(8·N_g).

        By Hoeffding's lemma the answer is off by T or more with 2e^(λ²V − λT)/(1 − λ²b²) at most.
        """
        target, drawn = self.study.accuracy, [one.sampling.sample for one in self.alone]
        people = [float(s.people(float(n))) for s, n in zip(drawn, sizes, strict=True)]
        v = sum(float(w) ** 2 / (8 * n) for w, n in zip(self.weights, people, strict=True))
        least = math.log(2 / target.failure)
        if target.error**2 <= 4 * v * least:
            return math.inf
        apart = math.sqrt(target.error**2 - 4 * v * least)
        lowest = 2 * least / (target.error + apart)
        last = (target.error + apart) / max(2 * v, 1e-300)
        at = np.geomspace(lowest, min(last, _MOMENTS * lowest), _MOMENTS)[1:-1]
        return float(np.min(at / np.sqrt(-np.expm1(least + at**2 * v - at * target.error))))

    def _least_rate(self, sizes: Sequence[int]) -> float:
        """The rate at which each person loses what a condition asks for, such as 1/N."""
        asked = zip(self.alone, sizes, self.moved(sizes), strict=True)
        floors = (
            float(condition.epsilon_floor(n, 0.0)) * (1 + _ROUNDED) / float(moved)
            for one, n, moved in asked
            for condition in one.conditions
        )
        return max(floors, default=0.0)

    def costs(self, people: Array) -> Array:
        """What the study costs with about so many people [money]; ∞ where no plan is."""
        sizes = [self.sizes(n) for n in people]
        rates = self.rates(sizes)
        return np.array([self._cost(n, float(rate)) for n, rate in zip(sizes, rates, strict=True)])

    def _cost(self, sizes: Sequence[int], rate: float) -> float:
        if not rate < math.inf:
            return math.inf
        cost = self.study.costs.overhead
        for one, n, moved in zip(self.alone, sizes, self.moved(sizes), strict=True):
            loss = float(moved) * rate
            choice = Choice(loss * (1 + _ROUNDED), 0.0, n)
            problem = Problem(one.conditions, one.individual, one.costs)
            if n > one.most_participants or not holds(problem, choice, prove=False):
                return math.inf
            cost += float(one.costs.total(n, one.individual.compensation(loss, 0.0)))
        return cost

    @cached_property
    def most(self) -> int:
        """The most people that may take part."""
        cap = self.study.find(MaxParticipants)
        ends = [_largest(one) / share for one, share in zip(self.alone, self.shares, strict=True)]
        most = math.floor(min(WHOLE_LIMIT, cap.n if cap else math.inf, *ends))
        if cap:  # sizes are rounded up
            most = first(lambda n: sum(self.sizes(n)) > cap.n, 1, most + 1) - 1
        return most

    def largest_loss(self, sizes: Sequence[int]) -> float:
        """The largest ε of a stratum of these sizes, with the most noise they allow."""
        return float(max(self.moved(sizes))) * float(self.rates([sizes])[0])

    @cached_property
    def cheapest(self) -> tuple[list[int], float] | None:
        """The sizes of least cost, and this; None where none keeps to all conditions.

        Where nothing costs anything they are the fewest.
        """
        most = self.most

        def allowed(people: int) -> bool:
            return bool(np.isfinite(self.costs(np.array([people])))[0])

        if most < 1 or not allowed(most):
            return None
        low, high = first(allowed, 1, most), most  # with more people ε falls
        if self.study.costs_nothing:
            return self.sizes(low), 0.0
        while high - low > _ALL:
            tried = np.unique(np.rint(np.geomspace(low, high, _POINTS)))
            at = int(np.argmin(self.costs(tried)))
            low, high = (int(tried[max(at - 1, 0)]), int(tried[min(at + 1, len(tried) - 1)]))
        costs = self.costs(np.arange(low, high + 1))
        at = int(np.argmin(costs))
        return self.sizes(low + at), float(costs[at])


def solve_total(study: Study, prove: bool) -> TotalPlan | Undecided:
    """Plan one answer for all people of a study with strata."""
    sample, budget = _allocated(study), study.find(Budget)
    free = any(one.costs.total(1, 0.0) <= 0 for one in sample.alone)
    if free and not study.costs_nothing:
        reason = "Where a person costs nothing but the compensation, more people always cost less."
        return _undecided(study, f"{reason} Give per_person in [costs], or to each stratum.")
    reason, computed = "", None
    for room in _ROOMS:
        sample = sample if room == sample.room else replace(sample, room=room)
        found = sample.cheapest
        if found is None:
            reason = "No sizes and no noise were found that keep to all conditions."
            break
        plan = _plan(sample, found[0])
        if budget is not None and decimal(plan.cost) > decimal(budget.money):
            reason = f"The cheapest that was found costs {money(plan.cost, study.currency)}."
            break
        reason = next(iter(wrong_of_total(plan, prove)), "")
        if not reason:
            return replace(plan, proof=proof_of_total(plan, prove))
        if computed is None and not any(wrong_of_total(plan, prove=False)):
            computed = plan  # as it costs least, where none is proved
    if computed is not None:
        return replace(computed, proof=proof_of_total(computed, prove=False))
    return _undecided(study, f"{reason} That there is no other study is not proved.")


def _allocated(study: Study) -> _Sample:
    """Sizes in proportion to the strata, or with deviations known, to W·s/√c, c what one costs.

    That is Neyman's allocation; where privacy costs much that in proportion can be cheaper.
    """
    whole = _Sample(study, tuple(weights(study)))
    if not any(known := deviations(study)):
        return whole
    each = (float(one.costs.total(1, 0.0)) for one in whole.alone)
    parts = [
        float(weight) * (deviation or 0.5) / math.sqrt(max(cost, 1e-300))
        for weight, deviation, cost in zip(whole.weights, known, each, strict=True)
    ]
    shares = [Fraction(part / sum(parts)).limit_denominator(_FINEST) for part in parts]
    if min(shares) <= 0:
        return whole

    def dearness(one: _Sample) -> tuple[float, int]:
        sizes, cost = one.cheapest or ([], math.inf)
        return cost, sum(sizes)

    return min(whole, _Sample(study, tuple(share / sum(shares) for share in shares)), key=dearness)


def in_proportion(
    plan: TotalPlan, shares: Sequence[Fraction]
) -> tuple[tuple[int, ...], float] | None:
    """The cheapest sizes in fixed proportions, and their cost [money]."""
    found = _Sample(plan.study, tuple(shares), by_moments=True).cheapest
    return found and (tuple(found[0]), found[1])


def fewest_without_noise(plan: TotalPlan) -> list[int]:
    """The fewest people in proportion whose answer without noise is accurate."""
    planned_sizes = (Fraction(one.participants, plan.participants) for one in plan.strata)
    known = not is_provable(plan.study)  # else in proportion to the strata
    sample = _Sample(plan.study, tuple(planned_sizes) if known else tuple(weights(plan.study)))
    planned = max(
        math.floor(one.participants / share)
        for one, share in zip(plan.strata, sample.shares, strict=True)
    )
    at_most = first(lambda n: bool(np.isfinite(sample.rates([sample.sizes(n)])[0])), 1, planned)
    sizes = sample.sizes(at_most)
    return sizes if sum(sizes) <= plan.participants else [one.participants for one in plan.strata]


def least_epsilon_of_total(plan: TotalPlan, sizes: Sequence[int]) -> float:
    """The largest ε of a stratum of these sizes, with the most noise they allow; ∞ without any."""
    sample = _Sample(plan.study, tuple(weights(plan.study)))
    if any(n > _largest(one) for one, n in zip(sample.alone, sizes, strict=True)):
        return math.inf
    return sample.largest_loss(sizes)


def least_epsilon_of_all(study: Study) -> float:
    """The same with as many people as may take part; ∞ where no noise is accurate."""
    sample = _allocated(study)
    return sample.largest_loss(sample.sizes(sample.most)) if sample.most >= 1 else math.inf


def _largest(one: Study) -> float:
    own = one.find(MaxParticipants)
    return min(one.most_participants, math.inf if own is None else own.n)


def _plan(sample: _Sample, sizes: list[int]) -> TotalPlan:
    """The plan with the most noise that these sizes allow."""
    study, width = sample.study, width_of(sample.study)
    scale = round_down(1 / float(sample.rates([sizes])[0]), _DIGITS) * float(width)
    losses = (float(one * width / decimal(scale)) * (1 + 1e-15) for one in sample.moved(sizes))
    of_strata = zip(sample.alone, sample.weights, sizes, losses, strict=True)
    strata = tuple(StratumShare.of(one, float(w), n, loss) for one, w, n, loss in of_strata)
    total = decimal(study.costs.overhead) + sum((decimal(s.cost) for s in strata), Fraction(0))
    return TotalPlan(
        study, strata, study.accuracy.failure, sum(sizes), float(total), scale,
        Proof("floats", False, ""),
    )  # fmt: skip


def _undecided(study: Study, reason: str) -> Undecided:
    return Undecided(study, Proof("search", False, reason))
