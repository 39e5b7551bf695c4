"""A survey of proportions beside one synthetic database that answers all of them.

The records of the database are the combinations of answers: two for a proportion, one of k for a
histogram. MWEM and the net mechanism are right about the participants' own data, so a part of the
error and half of the failure probability are left for the sample: N people are off by sT or more
in one of q proportions with probability at most 2q·e^(−2N(sT)²) (Hoeffding), which is at most α/2
where

    N ≥ ln(4q/α)/(2(sT)²).

All proportions get the smallest error of the survey. Any s in (0, 1) proves a plan; the best of a
grid is taken.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from planner.answer.answers import Answer, Plan
from planner.answer.problem.vary import with_condition
from planner.answer.solve import solve
from planner.comparison.curator import without_delta
from planner.mechanisms import Mwem, Net, OneOf
from planner.model import Accuracy, Histogram, MinParticipants, Share, Study
from planner.numbers import WHOLE_LIMIT

_PARTS = tuple(0.95 * 0.85**k for k in range(30))
"""From 0.95 to 0.0085; one is within 8 % of the best, near which the cost hardly changes."""


@dataclass(frozen=True)
class Synthetic:
    """One database that answers all proportions of a survey.

    Attributes:
        combinations: how many records there can be.
        shares: how many proportions are answered.
        error: T, of every proportion.
        of_sample: what part of it is left for the sample.
        answer: the study with it; None where there are too many combinations to plan with.
    """

    combinations: int
    shares: int
    error: float
    of_sample: float
    answer: Answer | None

    @property
    def plan(self) -> Plan | None:
        """Its plan, where some money pays for it."""
        paid = isinstance(self.answer, Plan) and self.answer.cost < math.inf
        return self.answer if paid else None  # type: ignore[return-value]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        fields = ("epsilon", "participants", "compensation", "cost")
        plan = {name: getattr(self.plan, name) for name in fields} if self.plan else None
        mechanism = self.answer.study.mechanism.kind if self.answer and plan else None
        return {
            "combinations": self.combinations,
            "shares": self.shares,
            "error": self.error,
            "mechanism": mechanism,
            "plan": plan,
        }


def by_synthetic_data(study: Study) -> Synthetic | None:
    """The survey answered by one synthetic database; None where not all questions are proportions.

    Args:
        study: the survey, without a budget.
    """
    survey = study.survey
    if survey is None or not study.mechanism.trusted or not study.sampling.sample.simple:
        return None
    if not all(isinstance(question, Share | Histogram) for question in survey.questions):
        return None
    if survey.published != survey.questions or study.groups == 2:
        return None  # a quotient of two shares, or a difference of two, is no counting query
    combinations = math.prod(max(2, q.numbers) ** q.times for q in survey.questions)
    shares = sum(q.times * q.numbers for q in survey.questions)
    error = min(question.error for question in survey.questions)
    if combinations > WHOLE_LIMIT:
        return Synthetic(combinations, shares, error, 0.0, None)
    own = min(q.failure for q in survey.questions if q.failure) if survey.failure is None else 0.0
    failure = survey.failure or own
    mechanisms = Net(combinations, shares), Mwem(combinations, shares)
    openly = without_delta(replace(study, sampling=replace(study.sampling, secret=False)))

    def at(part: float) -> Study:
        least = math.ceil(math.log(4 * shares / failure) / (2 * (part * error) ** 2))
        given = openly.find(MinParticipants)
        return with_condition(
            replace(
                openly,
                mechanism=OneOf(mechanisms),
                individual=openly.individual.by(OneOf(mechanisms)),
                target=Accuracy((1 - part) * error, failure / 2),
            ),
            MinParticipants(max(least, given.n if given else 1)),
        )

    plans = {part: solve(at(part), prove=False) for part in _PARTS}
    best = min(_PARTS, key=lambda part: _worth(plans[part]))
    return Synthetic(combinations, shares, error, best, solve(at(best)))


def _worth(answer: Answer) -> tuple[float, float]:
    """The cost, then ε; where there is no plan, more than any."""
    return (answer.cost, answer.epsilon) if isinstance(answer, Plan) else (math.inf, math.inf)
