"""What a plan means for one person who is asked to take part (Hsu14 §3, §4.2, §8.1, App. A)."""

import math
from typing import NamedTuple

from planner.answer.answers import Plan
from planner.model import BadEvent
from planner.wording import at_most, money, payment, plain

ANY_EVENT = BadEvent(probability=0.01, cost=0.0)
"""A harm to tell the rise by where the study names none."""


class Risk(NamedTuple):
    """One bad event, before and after.

    Attributes:
        event: what happens, as a clause; empty where the study names no harm.
        before: its chance for those who stay out [(0, 1)].
        after: the most that its chance can be for those who take part [(0, 1]].
    """

    event: str
    before: float
    after: float


def risks(plan: Plan) -> list[Risk]:
    """What taking part can do to the chance of each event that a person fears."""
    person, currency = plan.study.individual, plan.study.currency
    if person.listed_events:  # by the trade-off function that the person is paid by
        return [
            Risk(
                event.event or f"a harm that costs you {money(event.cost, currency)} strikes",
                event.probability,
                float(person.largest_risk(event, plan.epsilon, plan.delta)),
            )
            for event in person.listed_events
        ]
    named = person.event is not None and person.event.event
    event = person.event if person.event is not None and named else ANY_EVENT
    return [
        Risk(
            event.event,
            event.probability,
            float(person.largest_risk(event, plan.epsilon, plan.delta)),
        )
    ]


def meaning(plan: Plan) -> list[str]:
    """What taking part does to a person's risk and purse, in sentences."""
    person = plan.study.individual
    sentences = [_risk(risk) for risk in risks(plan)]
    if person.family > 1:
        sentences.append(
            f"This counts that a family of {person.family} takes part together, and that what is "
            "learned of any of them may harm each."
        )
    if plan.delta:
        one_in = math.floor(1 / plan.delta)
        sentences.append(
            f"This counts a chance of δ = {plain(plan.delta)}, 1 in {plain(one_in)}, that the "
            "guarantee fails and your record may be published."
        )
    sentences.append(
        "This covers what comes of the published answer, whoever reads it and whatever they know; "
        "not what comes of being seen to take part."
    )
    paid = payment(plan.compensation, plan.participants, plan.study.currency)
    if plan.compensation:
        sentences.append(f"You are paid {paid}, at least the rise in what you must expect to lose.")
    else:
        sentences.append(
            "You are paid nothing: taking part does not raise what you must expect to lose."
        )
    return sentences


def _risk(risk: Risk) -> str:
    before, after = _percent(risk.before), _percent(risk.after, 4)
    if risk.event:
        return f"The chance that {risk.event} rises from {before} to at most {after}."
    return (
        f"A harm that strikes {before} of those who stay out, whatever it is, strikes at most "
        f"{after} of those who take part."
    )


def _percent(probability: float, digits: int = 15) -> str:
    return f"{at_most(100 * probability, digits)} %"
