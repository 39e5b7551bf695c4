"""The compensation by the paper's model, and by two models of a listed event."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from planner.answer.answers import Answer, Plan
from planner.answer.problem.problem import exactly
from planner.answer.solve import solve
from planner.model import AtRisk, Budget, Individual, Study


class Paid(NamedTuple):
    """One plan, and its compensation by each model.

    Attributes:
        plan: which plan: "cheapest", or "fewest people" at any cost.
        participants: N.
        epsilon: ε.
        cost: (e^ε − 1)E, the paper's [money].
        events: c·(risk − p) by the guarantee of ε-privacy [money].
        mechanism: the same by the trade-off function of the mechanism [money].
        harm: c·(1 − p), the harm itself, which no compensation need exceed [money].
    """

    plan: str
    participants: int
    epsilon: float
    cost: float
    events: float
    mechanism: float
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
    if person.event is None:
        raise ValueError("the individual has no event; give one")
    exact = exactly(study) or study
    by_promise = AtRisk((person.event,))
    by_curve = AtRisk((person.event,), exact.mechanism)
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
                events=by_promise.compensation(*at),
                mechanism=by_curve.compensation(*at),
                harm=person.event.cost * (1 - person.event.probability),
            )
        )
    return rows
