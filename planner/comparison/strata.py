"""A plan with strata beside one that is not private, without a curator, otherwise allocated.

Survey planners compare the optimal allocation with one in proportion to the strata's sizes and one
of equal samples. Here each of these has the sizes with which it costs least: the failure
probability is divided as in the plan, and the ε of each stratum follows from its size.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import itemgetter
from typing import Any

from planner.answer.answers import Given, Plan, StrataPlan, TotalPlan, study_of
from planner.answer.problem.problem import TOLERANCE, problem_of
from planner.answer.search.find import best_aim, reader
from planner.answer.solve import answer_to
from planner.answer.strata import total
from planner.answer.strata.proof_of_total import is_provable
from planner.answer.strata.together import plans_of
from planner.comparison.compare import (
    PAPER_EXPOSURE,
    Comparison,
    cheaper,
    compare as compare_one,
    refuse_exposure,
    to_dict,
)
from planner.comparison.sizes import Bracket
from planner.comparison.sum_of_strata import without_privacy
from planner.libraries import np
from planner.model import Budget, MaxParticipants, MinParticipants, Study
from planner.model.strata import weights
from planner.numbers import WHOLE_LIMIT, Array
from planner.show import Shown

_FARTHEST = 8.0
"""How many times larger or smaller samples are looked at than those the plan suggests."""
_POINTS, _ROUNDS = 9, 4
"""Samples of a grid; each round looks between those beside the best one."""


@dataclass(frozen=True)
class Allocation:
    """How people are divided among the strata, and what that costs.

    Attributes:
        name: "optimal", "in proportion to size", or "equal".
        participants: N of each stratum.
        cost: of the study, overhead included; None where no sizes like these are feasible [money].
    """

    name: str
    participants: tuple[int, ...]
    cost: float | None


@dataclass(frozen=True, repr=False)
class StrataComparison(Shown):
    """A plan with strata compared with other ways to do the same study.

    Attributes:
        study: the study, without its budget.
        exposure: φ, fraction of the people whom a study that is not private exposes [[0, 1]].
        private: its plan.
        strata: each stratum by itself, at its part of the failure probability, by name; empty
            where one answer for all people is published alone.
        participants: bounds on the people of all strata without privacy; None where unknown.
        cost: what the study costs without privacy, at both ends; None where unknown [money].
        no_curator: what it costs where people randomise their answers; None where unknown [money].
        allocations: the optimal one, that in proportion to size, and equal samples.
    """

    study: Study
    exposure: float
    private: StrataPlan | TotalPlan
    strata: dict[str, Comparison]
    participants: Bracket | None
    cost: Bracket | None
    no_curator: float | None
    allocations: tuple[Allocation, ...]

    @property
    def verdict(self) -> str:
        """Which is cheaper; see `Comparison`."""
        if self.cost is None:
            return "undecided"
        return cheaper(self.private.cost, self.private.cost, self.cost)

    def to_dict(self) -> dict[str, Any]:
        ends = {"participants": self.participants, "cost": self.cost}
        return {
            "title": self.study.title,
            "exposure": self.exposure,
            "verdict": self.verdict,
            "private": {"participants": self.private.participants, "cost": self.private.cost},
            "non_private": {name: end and end._asdict() for name, end in ends.items()},
            "no_curator": self.no_curator,
            "allocations": [
                {"name": one.name, "participants": list(one.participants), "cost": one.cost}
                for one in self.allocations
            ],
            "strata": {name: to_dict(one) for name, one in self.strata.items()},
        }


def compare(given: Given, exposure: float = PAPER_EXPOSURE) -> Comparison | StrataComparison:
    """Compare the cheapest private study with one that is not private.

    Args:
        given: the study, or its answer; its budget is ignored, all else is kept.
        exposure: φ, fraction of the people whom a study that is not private exposes [[0, 1]].

    Returns:
        Of a study with strata, also what other allocations cost.

    Raises:
        ValueError: the exposure is outside its range, or the individual has no worst cost; or a
            study with strata has no plan.

    Source: Hsu14 §6.
    """
    study = study_of(given)
    if not study.strata:
        return compare_one(given, exposure)
    kept = tuple(c for c in study.conditions if not isinstance(c, Budget))
    unlimited = replace(study, conditions=kept)
    answer = answer_to(given if study == unlimited else unlimited)
    if not isinstance(answer, StrataPlan | TotalPlan):
        raise ValueError(
            f"the study is {answer.verdict} at any budget, so there is nothing to compare"
        )
    return (
        _compare(answer, exposure)
        if isinstance(answer, StrataPlan)
        else _of_total(answer, exposure)
    )


def _of_total(plan: TotalPlan, exposure: float) -> StrataComparison:
    """The comparison of one answer for all people, by the bound that it is planned by."""
    refuse_exposure(exposure)
    found = without_privacy(plan, exposure)
    people = cost = None
    if found is not None:
        people, cost = (Bracket(x, x) for x in found)
    return StrataComparison(
        plan.study, exposure, plan, {}, people, cost, None, tuple(allocations(plan)),
    )  # fmt: skip


def _compare(plan: StrataPlan, exposure: float) -> StrataComparison:
    """The comparison of a plan without a budget."""
    strata = {one.study.title: compare_one(one, exposure) for one in plan.strata}
    overhead, each = plan.study.costs.overhead, list(strata.values())
    people = _added([one.participants for one in each])
    costs = _added([one.cost for one in each])
    trusted = [one.trust.no_curator if one.trust else None for one in each]
    alone = [one for one in trusted if isinstance(one, Plan)]
    no_curator = None
    if len(alone) == len(each):
        no_curator = sum(one.cost for one in alone) + plan.study.costs.overhead
    return StrataComparison(
        plan.study,
        exposure,
        plan,
        strata,
        people,
        costs and Bracket(costs.least + overhead, costs.most + overhead),
        no_curator,
        tuple(allocations(plan)),
    )


def _added(brackets: Sequence[Bracket | None]) -> Bracket | None:
    """The sum; None where one is unknown."""
    known = [one for one in brackets if one is not None]
    if len(known) < len(brackets):
        return None
    return Bracket(sum(one.least for one in known), sum(one.most for one in known))


def allocations(plan: StrataPlan | TotalPlan) -> list[Allocation]:
    """The plan's sizes, those in proportion to the strata, and equal ones, each cheapest."""
    shares = weights(plan.study)
    equal = (Fraction(1, len(shares)),) * len(shares)
    sizes = tuple(one.participants for one in plans_of(plan))
    optimal = Allocation("optimal", sizes, plan.cost)
    if isinstance(plan, TotalPlan) and is_provable(plan.study):  # whose sizes are in proportion
        in_proportion = replace(optimal, name="in proportion to size")
    else:
        in_proportion = _cheapest(plan, "in proportion to size", shares)
    return [optimal, in_proportion, _cheapest(plan, "equal", equal)]


def _cheapest(plan: StrataPlan | TotalPlan, name: str, shares: Sequence[Fraction]) -> Allocation:
    if isinstance(plan, TotalPlan):
        both = total.in_proportion(plan, shares)
        return Allocation(name, (), None) if both is None else Allocation(name, *both)
    suggested = [
        float(one.participants / share) for one, share in zip(plan.strata, shares, strict=True)
    ]
    low, high = np.log(min(suggested) / _FARTHEST), np.log(max(suggested) * _FARTHEST)
    best, least = np.nan, np.inf
    for _ in range(_ROUNDS):
        people = np.exp(np.linspace(low, high, _POINTS))
        costs = _costs(plan, shares, people)
        at = int(np.argmin(costs))
        best, least = min((best, least), (people[at], costs[at]), key=itemgetter(1))
        low, high = np.log(people[[max(at - 1, 0), min(at + 1, _POINTS - 1)]])
    if not np.isfinite(least):
        return Allocation(name, (), None)
    sizes = (int(size[0]) for size in _sizes(np.array([best]), shares))
    return Allocation(name, tuple(sizes), float(least))


def _sizes(people: Array, shares: Sequence[Fraction]) -> Array:
    """The sizes of the strata in fixed proportions; rows by stratum."""
    shared = np.outer([float(share) for share in shares], people)
    return np.clip(np.rint(shared), 1, WHOLE_LIMIT)


def _costs(plan: StrataPlan, shares: Sequence[Fraction], people: Array) -> Array:
    """What the study costs with so many people in fixed proportions; ∞ where it is infeasible."""
    each = zip(plan.strata, _sizes(people, shares), strict=True)
    return plan.study.costs.overhead + np.sum([_costs_of(one.study, n) for one, n in each], axis=0)


def _costs_of(study: Study, sizes: Array) -> Array:
    """The least cost of a stratum with so many people, whatever bounds it has of its own."""
    bounds = (MinParticipants, MaxParticipants)
    kept = tuple(c for c in study.conditions if not isinstance(c, bounds))
    problem = problem_of(replace(study, conditions=kept))
    low, high = problem.delta_bounds
    found, fits = np.full(sizes.shape, np.inf), sizes <= study.most_participants
    sizes = sizes[fits]
    if problem.uses_delta and low < high:  # each size has a δ of its own
        exactly = ((*kept, *(bound(int(n)) for bound in bounds)) for n in sizes)
        of_sizes = (problem_of(replace(study, conditions=some)) for some in exactly)
        aims = (best_aim(problem, "cost", TOLERANCE) for problem in of_sizes)
        found[fits] = [np.inf if aim is None else aim.value for aim in aims]
    else:
        found[fits] = np.min([reader(r)(sizes).cost for r in problem.regions(low)], axis=0)
    return found
