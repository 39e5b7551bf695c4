"""The strata of a study with their least costs, those alike together."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial

from planner.answer.answers import Answer
from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import TOLERANCE, each, problem_of
from planner.answer.search.find import Aim, at_largest_delta, best_aim, closing_in, ends_of
from planner.answer.strata import together
from planner.answer.strata.least_failure import least_failure
from planner.answer.strata.shares import Kind, Split, best_split
from planner.libraries import np
from planner.model import Condition, Study
from planner.model.strata import Stratum, study_of_stratum
from planner.numbers import Array

Solve = Callable[[Study, bool], Answer]
"""Plans one study, with proof or without."""
_FEW = 8  # failure probabilities at which a survey is planned
_POINTS = 16  # of a grid of sizes


@dataclass
class Strata:
    """The strata of a study, those alike together.

    Attributes:
        study: the study.
        solve: plans one of them.
        price: of a place among the participants, by which they become fewer [money].
    """

    study: Study
    solve: Solve
    price: float = 0.0
    _aims: dict[Study, Aim | None] = field(default_factory=dict)

    @cached_property
    def alike(self) -> list[list[Stratum]]:
        """The strata, those of which a plan reads the same together."""
        found: dict[Study, list[Stratum]] = {}
        for stratum in self.study.strata:
            key = replace(study_of_stratum(self.study, stratum, 0.5), title="")
            found.setdefault(key, []).append(stratum)
        return list(found.values())

    @property
    def failure(self) -> float:
        """α of all strata together."""
        return together.failure_of(self.study)

    @property
    def counts(self) -> list[int]:
        """How many there are of each kind."""
        return [len(some) for some in self.alike]

    @cached_property
    def least_failures(self) -> list[float]:
        """The least failure probability of each kind of stratum, whatever it costs."""
        return [
            least_failure(replace(study_of_stratum(self.study, some[0], 0.5), title=""))
            for some in self.alike
        ]

    def best_split(self, failure: float) -> Split | None:
        """The failure probability of each kind of stratum at the cheapest split, if there is one.

        Costs are those of the smooth guess of accuracy. A survey has none: its costs are by a bound
        where it has one, and else its own.

        Args:
            failure: α of all together [(0, 1)].
        """
        if self.study.survey is None:
            return best_split(
                [Kind(len(some), partial(self._smooth, some[0])) for some in self.alike], failure
            )
        bounded = _by_bound(self.study) if len(self.alike) > 1 else None
        quick = Strata(bounded, self.solve, self.price) if bounded else self
        for read in (quick, self):
            kinds = [Kind(len(some), partial(read.costs, some[0]), _FEW) for some in self.alike]
            if found := best_split(kinds, failure):
                return found
        return None

    def _smooth(self, one: Stratum, failures: Array) -> Array:
        """The least costs of a stratum by the smooth guess of accuracy; ∞ where no study is."""
        study, at = self._priced(one, 0.5), tuple(failures.tolist())
        return np.min([_smooth_costs(by, at) for by in each(replace(study, title=""))], axis=0)

    def costs(self, one: Stratum, failures: Array) -> Array:
        """The least costs of a stratum, with the price of places; ∞ where no plan is found."""
        return np.array([self.cost(one, float(failure)) for failure in failures])

    def cost(self, one: Stratum, failure: float) -> float:
        """The least cost of a stratum, with the price of places; ∞ where no plan is found."""
        aim = self.aim(one, failure)
        return aim.value if aim else math.inf

    def aim(self, one: Stratum, failure: float) -> Aim | None:
        """Where a stratum costs least, with the price of places; None where no plan is found."""
        study = self._priced(one, failure)
        if study not in self._aims:
            aims = [best_aim(problem_of(by), "cost", TOLERANCE) for by in each(study)]
            self._aims[study] = min(filter(None, aims), key=lambda aim: aim.value, default=None)
        return self._aims[study]

    def least_cost(self, shares: Sequence[float]) -> float:
        """The least cost of all strata at these shares, overhead included; ∞ without a plan.

        Small strata come first, as they are the likeliest to have none.
        """
        total = self.study.costs.overhead
        pairs = zip(self.alike, shares, strict=True)
        for some, share in sorted(pairs, key=lambda pair: pair[0][0].people or math.inf):
            total += len(some) * self.cost(some[0], share)
            if total == math.inf:
                break
        return total

    def _priced(self, one: Stratum, failure: float) -> Study:
        """The study of a stratum, with the price of places."""
        study = study_of_stratum(self.study, one, failure)
        if not self.price:
            return study
        per_person = study.costs.per_person + self.price
        return replace(study, costs=replace(study.costs, per_person=per_person))

    def participants(self, shares: list[float]) -> float:
        """How many people take part in all; ∞ where a stratum has no plan."""
        total = 0.0
        for some, share in zip(self.alike, shares, strict=True):
            aim = self.aim(some[0], share)
            total += len(some) * aim.participants if aim else math.inf
        return total


@lru_cache(maxsize=256)
def _smooth_costs(study: Study, at: tuple[float, ...]) -> Array:
    """The least costs over failure probabilities, by the smooth guess; ∞ where no study is.

    Where δ is free it is the largest that N allows. They are kept, as a limit changes few strata.
    """
    problem, failures = problem_of(study), np.array(at)
    best = np.full(failures.shape, np.inf)
    for region in problem.regions(problem.delta_bounds[0]):
        ends = ends_of(region)
        if ends is None:
            continue
        goals = tuple(_at_failures(c, failures[:, None]) for c in region.conditions)
        smooth = replace(region, conditions=goals).without_coins
        read = at_largest_delta(problem, "smooth", smooth)
        least, most = (np.full(failures.shape, float(end)) for end in ends)
        sizes = read(closing_in(read, least, most, "cost", _POINTS)[:, None])
        best = np.minimum(best, np.where(sizes.allowed, sizes.cost, np.inf)[:, 0])
    return best


def _at_failures(condition: Condition, failures: Array) -> Condition:
    if not isinstance(condition, Goal):
        return condition
    return replace(condition, floor=replace(condition.floor, failure=failures))  # type: ignore[type-var]


def _by_bound(study: Study) -> Study | None:
    """The study by Hoeffding's bound; None where it is planned by one, or has none."""
    if getattr(study.mechanism, "analysis", "") != "exact":
        return None
    try:
        return replace(study, mechanism=replace(study.mechanism, analysis="hoeffding"))  # type: ignore[type-var]
    except ValueError:
        return None
