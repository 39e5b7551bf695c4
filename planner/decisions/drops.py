"""Which questions of a survey to drop so that the others can be asked."""

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

from planner.answer.answers import Given, Infeasible, Plan
from planner.answer.problem.problem import Problem, each, problem_of
from planner.answer.search.find import feasible, margin
from planner.answer.solve import answer_to, solve
from planner.model import Study
from planner.numbers import first
from planner.show import Several, Shown

Dropped = dict[str, int]
"""Questions that are left out, and how many of each."""
_MOST_SETS = 100
"""Each set of questions is a search: where there are more of a size, they are built up one by one,
each time by the best one to add."""
_NO_DOUBT = 0.25
"""The logarithm of room, by the smooth guess, from which it is not looked at exactly."""


@dataclass(frozen=True, repr=False)
class Drop(Shown):
    """Questions that are left out, and the plan of the rest.

    Attributes:
        study: the survey with all its questions.
        questions: the names of those left out.
        times: how many of each, where several are alike.
        cost: of the plan without them [money].
        participants: N of that plan.
        epsilon: its ε.
    """

    study: Study
    questions: tuple[str, ...]
    times: tuple[int, ...]
    cost: float
    participants: int
    epsilon: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "questions": list(self.questions),
            "times": list(self.times),
            "cost": self.cost,
            "participants": self.participants,
            "epsilon": self.epsilon,
        }

    def shown_title(self) -> str:
        return f"{self.study.title or 'Study'} without {', '.join(self.questions)}"

    def of(self, name: str) -> tuple[int, int]:
        """How many of a question are left out, and how many there are."""
        assert self.study.survey is not None  # it has questions
        return self.times[self.questions.index(name)], self.study.survey.question(name).times


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
        return f"{self.study.title or 'Study'}: what leaving out questions does"


def drops(answer: Given) -> Drops:
    """What leaving out questions of a survey does, the cheapest rest first.

    Of an infeasible survey the smallest sets of questions without which it is feasible (beyond a
    hundred sets of a size the best set found one by one), and of questions alike only as many as
    are needed; of a feasible one the plan without each question, once for all that differ in their
    names alone.

    Raises:
        ValueError: the study is not a survey.
    """
    answer = answer_to(answer, prove=False)
    study = answer.study
    if study.survey is None:
        raise ValueError("this study asks one question; give a survey of several")
    times = _times(study)
    sets: list[Dropped] = []
    if isinstance(answer, Plan) and len(times) > 1:
        sets = [{name: times[name]} for name in study.survey.distinct]
    elif isinstance(answer, Infeasible):
        sets = [_fewest(study, few) for few in _smallest(study) or _all_but_one(study)]
    found = [_drop(study, dropped) for dropped in sets]
    return Drops(study, tuple(sorted(filter(None, found), key=lambda drop: drop.cost)))


def _drop(study: Study, dropped: Dropped) -> Drop | None:
    """The plan of the rest; None where none was found."""
    rest = _without(study, dropped)
    plan = solve(rest, prove=False)
    if not isinstance(plan, Plan):
        return None
    left, times = tuple(dropped), tuple(dropped.values())
    return Drop(study, left, times, plan.cost, plan.participants, plan.epsilon)


def _times(study: Study) -> Dropped:
    assert study.survey is not None  # it is one
    return {question.name: question.times for question in study.survey.questions}


def _smallest(study: Study) -> list[Dropped]:
    """The smallest sets of questions, alike ones together, without which it is feasible."""
    times = _times(study)
    names = list(times)

    def whole(dropped: tuple[str, ...]) -> Dropped:
        return {name: times[name] for name in dropped}

    def rest(dropped: tuple[str, ...]) -> Study:
        return _without(study, whole(dropped))

    kept: tuple[str, ...] = ()
    for size in range(1, len(names)):
        few = comb(len(names), size) <= _MOST_SETS
        sets = (
            list(combinations(names, size))
            if few
            else [(*kept, name) for name in names if name not in kept]
        )
        sufficient = [dropped for dropped in sets if _feasible(rest(dropped))]
        if sufficient:
            return [whole(dropped) for dropped in sufficient]
        kept = min(sets, key=lambda dropped: _least_cost(rest(dropped)))
    return []


def _all_but_one(study: Study) -> list[Dropped]:
    times = _times(study)
    sets = [times | {name: count - 1} for name, count in times.items() if count > 1]
    return [dropped for dropped in sets if _feasible(_without(study, dropped))]


def _feasible(study: Study) -> bool:
    return any(_fits(problem_of(one)) for one in each(study))


def _fits(problem: Problem) -> bool:
    """Whether there is room, by the smooth guess where it leaves no doubt."""
    about = margin(problem, about=True)
    return about > 0 if abs(about) > _NO_DOUBT else feasible(problem)


def _fewest(study: Study, dropped: Dropped) -> Dropped:
    """Of questions alike only as many as must be left out, one kind after the other."""
    few = dict(dropped)
    for name, times in dropped.items():

        def sufficient(count: int, name: str = name) -> bool:
            return _feasible(_without(study, few | {name: count}))

        few[name] = first(sufficient, 1, times)
    return few


def _least_cost(rest: Study) -> float:
    """What a survey would cost with no condition on money, ε or people."""
    answer = solve(replace(rest, conditions=()), prove=False)
    return answer.cost if isinstance(answer, Plan) else float("inf")


def _without(study: Study, dropped: Dropped) -> Study:
    """The survey without so many of these questions."""
    survey = study.survey
    assert survey is not None  # it is one
    for name, times in dropped.items():
        survey = survey.without(name, times)
    return replace(study, target=survey)
