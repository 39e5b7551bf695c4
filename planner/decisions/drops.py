"""Which questions of a survey to drop so that the others can be asked."""

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

from planner.answer.answers import Given, Infeasible, Plan
from planner.answer.problem.problem import each, problem_of
from planner.answer.search.delta import feasible
from planner.answer.solve import answer_to, solve
from planner.model import Study
from planner.show import Several, Shown

_MOST_SETS = 100
"""Larger sets of questions are built up one by one, each time by the best one to add."""


@dataclass(frozen=True, repr=False)
class Drop(Shown):
    """Questions that are left out, and the plan of the rest.

    Attributes:
        study: the survey with all its questions.
        questions: the names of those left out.
        cost: of the plan without them [money].
        participants: N of that plan.
        epsilon: its ε.
    """

    study: Study
    questions: tuple[str, ...]
    cost: float
    participants: int
    epsilon: float

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "questions": list(self.questions),
            "cost": self.cost,
            "participants": self.participants,
            "epsilon": self.epsilon,
        }

    def shown_title(self) -> str:
        """The survey, and what is left out."""
        return f"{self.study.title or 'Study'} without {', '.join(self.questions)}"


@dataclass(frozen=True, repr=False, eq=False)
class Drops(Several[Drop]):
    """Smallest sets of questions without which a survey is feasible, cheapest rest first.

    Attributes:
        study: the survey.
        members: the sets; of a feasible survey each question on its own.
    """

    study: Study
    members: tuple[Drop, ...] = ()

    def shown_title(self) -> str:
        """The survey."""
        return f"{self.study.title or 'Study'}: what leaving out questions does"


def drops(answer: Given) -> Drops:
    """What leaving out questions of a survey does, the cheapest rest first.

    Of an infeasible survey the smallest sets of questions without which it is feasible (beyond a
    hundred sets of a size the best set found one by one); of a feasible one the plan without each
    question.

    Raises:
        ValueError: the study is not a survey.
    """
    answer = answer_to(answer, prove=False)
    study = answer.study
    if study.survey is None:
        raise ValueError("this study asks one question; give a survey of several")
    names = [question.name for question in study.survey.questions]
    if len(names) == 1 or not isinstance(answer, Plan | Infeasible):
        return Drops(study)
    alone = [(name,) for name in names]
    sets = alone if isinstance(answer, Plan) else _smallest(study, names)
    plans = [(dropped, solve(_without(study, dropped), prove=False)) for dropped in sets]
    members = [
        Drop(study, dropped, plan.cost, plan.participants, plan.epsilon)
        for dropped, plan in plans
        if isinstance(plan, Plan)
    ]
    return Drops(study, tuple(sorted(members, key=lambda drop: drop.cost)))


def _smallest(study: Study, names: list[str]) -> list[tuple[str, ...]]:
    """The smallest sets of questions without which the survey is feasible."""
    kept: tuple[str, ...] = ()
    for size in range(1, len(names)):
        few = comb(len(names), size) <= _MOST_SETS
        sets = (
            list(combinations(names, size))
            if few
            else [(*kept, name) for name in names if name not in kept]
        )
        enough = [dropped for dropped in sets if _feasible(_without(study, dropped))]
        if enough:
            return enough
        kept = min(sets, key=lambda dropped: _least_cost(study, dropped))
    return []


def _feasible(study: Study) -> bool:
    """Whether some kind of noise makes it feasible, in floats."""
    return any(feasible(problem_of(one)) for one in each(study))


def _least_cost(study: Study, dropped: tuple[str, ...]) -> float:
    """What the rest would cost with no condition on money, ε or people."""
    free = replace(_without(study, dropped), conditions=())
    answer = solve(free, prove=False)
    return answer.cost if isinstance(answer, Plan) else float("inf")


def _without(study: Study, dropped: tuple[str, ...]) -> Study:
    survey = study.survey
    assert survey is not None  # it is one
    for name in dropped:
        survey = survey.without(name)
    return replace(study, target=survey)
