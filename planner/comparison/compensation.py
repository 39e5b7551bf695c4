"""The compensation of the scenarios' people, beside the harm itself."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from planner.answer.answers import Answer, Plan
from planner.answer.problem.problem import exactly
from planner.answer.solve import solve
from planner.model import Budget, Individual, Study


class Paid(NamedTuple):
    """One plan, and its compensation.

    Attributes:
        plan: which plan: "cheapest", or "fewest people" at any cost.
        participants: N.
        epsilon: ε.
        cost: (e^ε − 1)E, the paper's [money].
        harm: c·(1 − p), the harm itself, which no compensation need exceed [money].
    """

    plan: str
    participants: int
    epsilon: float
    cost: float
    harm: float


@cache
def _fewest(study: Study) -> Answer:
    """The smallest study, without a proof."""
    return solve(study, minimise="participants", prove=False)


def paid(study: Study) -> list[Paid]:
    """The compensation of the study's individual, who fears one event, with the exact analysis.

    Raises:
        ValueError: the individual has no event.
    """
    person = study.individual
    if not person.fears:
        raise ValueError("the individual has no event; give one")
    event = person.fears[0]
    exact = exactly(study) or study
    rows = []
    # without a budget the size is the same whatever people fear
    others = tuple(c for c in exact.conditions if not isinstance(c, Budget))
    for_all = replace(exact, conditions=others, individual=Individual(0.0, 0.0), title="")
    plans = {"cheapest": solve(exact, prove=False), "fewest people": _fewest(for_all)}
    for words, plan in plans.items():
        if not isinstance(plan, Plan):
            continue
        at = (plan.epsilon, plan.delta)
        rows.append(
            Paid(
                words,
                plan.participants,
                plan.epsilon,
                cost=person.compensation(*at),
                harm=event.cost * (1 - event.probability),
            )
        )
    return rows
