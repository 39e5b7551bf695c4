"""The strata of a study with their least costs, those alike together."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from planner.answer.answers import Answer, Plan
from planner.answer.strata import together
from planner.answer.strata.shares import Kind, best_shares, short
from planner.model import Study
from planner.model.strata import Stratum, study_of_stratum

Solve = Callable[[Study, bool], Answer]
"""Plans one study, with proof or without."""


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
    _answers: dict[Study, Answer] = field(default_factory=dict)

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

    @property
    def kinds(self) -> list[Kind]:

        def cost(one: Stratum) -> Callable[[float], float]:
            return lambda failure: self.cost(one, failure)

        return [Kind(len(some), cost(some[0])) for some in self.alike]

    def best_shares(self, failure: float) -> list[float] | None:
        """The failure probability of each kind of stratum at the cheapest split, if there is one.

        Least costs by a bound fall as those of the exact analysis do, and are quick. Where a
        stratum is short of people, which a bound sees too early, the exact analysis divides.

        Args:
            failure: α of all together [(0, 1)].
        """
        if len(self.alike) > 1 and (bounded := _by_bound(self.study)) is not None:
            quick = Strata(bounded, self.solve, self.price)
            if not short(quick.kinds, failure):
                return best_shares(quick.kinds, failure)
        return best_shares(self.kinds, failure)

    def cost(self, one: Stratum, failure: float) -> float:
        """The least cost of a stratum, with the price of places; ∞ where no plan is found."""
        answer = self.answer(one, failure)
        return answer.cost if isinstance(answer, Plan) else math.inf

    def answer(self, one: Stratum, failure: float) -> Answer:
        """The answer of a stratum, not proved, with the price of places."""
        study = study_of_stratum(self.study, one, failure)
        if self.price:
            per_person = study.costs.per_person + self.price
            study = replace(study, costs=replace(study.costs, per_person=per_person))
        return self.planned(study)

    def planned(self, study: Study) -> Answer:
        """The answer to the study of a stratum, not proved."""
        if study not in self._answers:
            self._answers[study] = self.solve(study, False)
        return self._answers[study]

    def participants(self, shares: list[float]) -> float:
        """How many people take part in all; ∞ where a stratum has no plan."""
        total = 0.0
        for some, share in zip(self.alike, shares, strict=True):
            answer = self.answer(some[0], share)
            total += len(some) * answer.participants if isinstance(answer, Plan) else math.inf
        return total


def _by_bound(study: Study) -> Study | None:
    """The study by Hoeffding's bound; None where it is planned by one, or has none."""
    if getattr(study.mechanism, "analysis", "") != "exact":
        return None
    try:
        return replace(study, mechanism=replace(study.mechanism, analysis="hoeffding"))  # type: ignore[type-var]
    except ValueError:
        return None
