"""Many studies as one: the model's objects with arrays in place of single numbers.

Floors, ceilings and costs broadcast, so they are read from such objects with no formula written
twice. The objects are made without the model's checks, which are for single numbers: every value
in them has been checked as part of an axis.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar

from planner import numbers
from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import Problem, problem_of
from planner.answer.problem.region import Region
from planner.libraries import np
from planner.mechanisms import (
    AddedNoise,
    ExponentialQuantile,
    LaplaceMean,
    Mechanism,
    Mwem,
    MwemApproximate,
    kinds,
)
from planner.mechanisms.count_floor import CountFloor
from planner.mechanisms.several.survey import SurveyFloor
from planner.model import Budget, Condition, Delta, DeltaAtMost, DeltaTimesNAtMost, Sampling, Study
from planner.model.paid_by_cost import PaidByCost
from planner.model.payment import PaidInFull, Payment
from planner.numbers import Array, Number
from planner.quantities import QUANTITIES

Values = dict[str, Array]
Some = TypeVar("Some")
_FIELDS = {row.condition.split(".")[0]: name for name, row in QUANTITIES.items()}
"""The quantity that a condition of this name is."""


class ManyPaidByCost(PaidByCost):
    """People of many studies, who all lose by ε, and by δ where it is not zero."""

    @property
    def paid_for_epsilon(self) -> bool:
        return True

    @property
    def paid_for_delta(self) -> bool:
        return self.worst_cost is not None


def in_arrays(study: Study, swept: set[str]) -> bool:
    """Whether the study's floors read arrays of everything that is swept, at one δ each."""
    mechanism = study.mechanism
    if len(kinds.choices(mechanism)) > 1:
        return False
    if study.survey is not None and not _survey_in_arrays(study, swept):
        return False
    sampled = any(QUANTITIES[name].section == "sampling" for name in swept)
    exact = problem_of(study).saw_toothed and _exactly(study)
    if not (_broadcasts(mechanism) or exact) or sampled or study.sampling != Sampling():
        return False
    person = study.individual
    if person.family > 1 or person.breach or study.costs.incentive:
        return False
    delta = study.find(Delta) is not None or "delta" in swept
    bounded = study.find(DeltaAtMost) or study.find(DeltaTimesNAtMost)
    return not bounded if delta else not mechanism.uses_delta


def _exactly(study: Study) -> bool:
    """Whether its floor sums counts, in arrays of sizes."""
    return isinstance(problem_of(study).goals[0].floor, CountFloor | SurveyFloor)


def _broadcasts(mechanism: Mechanism) -> bool:
    """Whether bounds of it read arrays of errors, failure probabilities and δ."""
    if isinstance(mechanism, AddedNoise):
        return not (kinds.is_exact(mechanism) or mechanism.uses_delta)
    bounds = LaplaceMean | Mwem | MwemApproximate | ExponentialQuantile
    return isinstance(mechanism, bounds) and not kinds.is_exact(mechanism)


def _survey_in_arrays(study: Study, swept: set[str]) -> bool:
    """Whether the survey has one floor for all studies."""
    if any(QUANTITIES[name].accuracy or name == "delta" for name in swept):
        return False
    problem = problem_of(study)
    return (problem.convex or problem.saw_toothed) and not problem.uses_delta


@dataclass(frozen=True)
class Many:
    """Studies that differ in the values of some quantities, paid by one rule.

    Attributes:
        problem: the study as a problem; it has a condition of every kind that is swept.
        values: by quantity, its values, all of one shape.
        in_full: whether people are paid W whatever ε is, as where compensation is capped.
    """

    problem: Problem
    values: Values
    in_full: bool = False

    @classmethod
    def of(cls, study: Study, values: Values) -> list["Many"]:
        """The studies, for each rule of payment."""
        many = cls(problem_of(study), values)
        capped = study.individual.capped
        return [many, replace(many, in_full=True)] if capped else [many]

    def take(self, rows: Array) -> "Many":
        return replace(self, values={name: value[rows] for name, value in self.values.items()})

    @property
    def in_columns(self) -> "Many":
        """The same with a row for each study, for sizes along a second axis."""
        return replace(self, values={name: value[:, None] for name, value in self.values.items()})

    def with_budget(self, money: Array) -> "Many":
        """The studies with these budgets, whether they had any or not."""
        problem = self.problem.with_conditions(Budget(1.0))
        return replace(self, problem=problem, values={**self.values, "budget": money})

    @property
    def given_budget(self) -> Number:
        """The budgets, ∞ where there is none."""
        return next((c.money for c in self._conditions if isinstance(c, Budget)), np.inf)

    @cached_property
    def region(self) -> Region:
        """The studies as one region of arrays."""
        return Region(
            self._conditions, self._person, self.costs, *self._deltas, system=numbers.arrays()
        )

    @cached_property
    def persons(self) -> list[Payment]:
        """The people, by every rule of payment that may apply."""
        rules = [replace(self, in_full=full) for full in (False, True)]
        return [rule._person for rule in rules[: len(self.problem.individual.pieces)]]

    @property
    def delta(self) -> Array:
        """δ of each study."""
        return self._deltas[0]

    def participants_ceiling(self) -> Array:
        """The N that no study passes, decided exactly for each."""
        size = len(next(iter(self.values.values())))
        lowest = np.full(size, np.inf)
        plain = self._each_costs_nothing()
        for condition in self.problem.conditions:
            if type(condition).participants_ceiling is Condition.participants_ceiling:
                continue
            if isinstance(condition, Budget) and plain:
                left = self.given_budget - self.costs.overhead
                ceiling = np.where(left > 0, np.inf, 0.0)  # as nothing but ε costs money
            else:
                ceiling = self._one_by_one(condition)
            lowest = np.minimum(lowest, ceiling)
        return lowest

    def _each_costs_nothing(self) -> bool:
        if self.in_full or np.any(self.costs.per_person):
            return False
        return self._person.paid_for_epsilon and not np.any(self.delta)

    def _one_by_one(self, condition: Condition) -> Number:
        """The ceiling of a condition, computed once for each of the values that it depends on."""
        own = _FIELDS.get(type(condition).__name__, "")
        names = [own, "delta", "worst_cost", *(("per_person", "overhead") * (own == "budget"))]
        names = [name for name in names if name in self.values]
        if not names:
            return condition.participants_ceiling(*self._payment({}))
        columns = np.stack([np.asarray(self.values[name], float) for name in names])
        kinds, where = np.unique(columns, axis=1, return_inverse=True)
        ceilings = []
        for column in kinds.T:
            single = dict(zip(names, map(float, column), strict=True))
            one = _with(condition, **_field(condition, single))
            ceilings.append(one.participants_ceiling(*self._payment(single)))
        return np.array(ceilings, float)[where.reshape(-1)]

    def _payment(self, single: dict[str, float]) -> tuple[float, Payment, Any]:
        """δ, person and costs of one of the studies."""
        costs = {k: single[k] for k in ("per_person", "overhead") if k in single}
        pieces = self.problem.individual.pieces
        person = pieces[1] if self.in_full else pieces[0]
        if "worst_cost" in single:
            person = _with(person, worst_cost=single["worst_cost"])
        if "base_cost" in self.values and not self.in_full:
            person = _with(person, base_cost=1.0)  # over 0, which is all that is asked
        delta = single.get("delta", self.problem.delta_bounds[0])
        return delta, person, _with(self.problem.costs, **costs)

    @cached_property
    def _conditions(self) -> tuple[Condition, ...]:
        return tuple(_with(c, **_field(c, self.values)) for c in self.problem.conditions)

    @cached_property
    def _person(self) -> Payment:
        given = self.problem.individual
        base: Number = self.values.get("base_cost", given.base_cost)
        worst: Number = self.values.get("worst_cost", given.worst_cost)
        if self.in_full:
            return PaidInFull(worst)
        if "base_cost" in self.values:
            return ManyPaidByCost(base, worst)
        if "worst_cost" in self.values and base > 0:
            return ManyPaidByCost(base, worst)
        return PaidByCost(base, worst)

    @cached_property
    def costs(self) -> Any:
        swept = {k: self.values[k] for k in ("per_person", "overhead") if k in self.values}
        return _with(self.problem.costs, **swept)

    @cached_property
    def _deltas(self) -> tuple[Number, Number]:
        delta = np.asarray(self.values.get("delta", self.problem.delta_bounds[0]))
        return delta, delta


def _with(model: Some, **changes: Any) -> Some:
    if not changes:
        return model
    copy = object.__new__(type(model))
    copy.__dict__.update({**model.__dict__, **changes})
    return copy


def _field(condition: Condition, values: Mapping[str, Number]) -> dict[str, Any]:
    if isinstance(condition, Goal) and condition.kind in ("survey", "power", "difference"):
        return {}
    if isinstance(condition, Goal):
        floor: Any = condition.floor
        asked = {name: values.get(name, getattr(floor, name)) for name in ("error", "failure")}
        # arrays, if of one number: formulas then compute in arrays, whatever else is swept
        arrays = {name: np.asarray(value) for name, value in asked.items()}
        if "queries" in values:
            arrays["mechanism"] = _with(floor.mechanism, queries=values["queries"])
        return {"floor": _with(floor, **arrays)}
    name = _FIELDS.get(type(condition).__name__)
    if name is None or name not in values:
        return {}
    (field,) = fields(condition)  # type: ignore[arg-type]
    return {field.name: values[name]}
