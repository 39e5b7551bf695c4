"""What a plan means for one person who is asked to take part (Hsu14 §3, §4.2, §8.1, App. A)."""

import math

from planner.answer.answers import Plan
from planner.model import AtRisk, BadEvent
from planner.wording import at_most, money, plain

ANY_EVENT = BadEvent(probability=0.01, cost=0.0)
"""A harm to tell the rise by where the study names none."""


def meaning(plan: Plan) -> list[str]:
    """What taking part does to a person's risk and purse, in sentences."""
    person = plan.study.individual
    if isinstance(person, AtRisk):
        sentences = [_listed_risk(plan, person, event) for event in person.events]
    else:
        sentences = [_risk(plan, person.event)]
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
    paid = money(plan.compensation, plan.study.currency)
    if plan.compensation:
        sentences.append(f"You are paid {paid}, at least the rise in what you must expect to lose.")
    else:
        sentences.append(
            "You are paid nothing: taking part does not raise what you must expect to lose."
        )
    return sentences


def _risk(plan: Plan, event: BadEvent | None) -> str:
    epsilon, delta = plan.study.individual.counts_as(plan.epsilon, plan.delta)
    loss = (epsilon, min(delta, 1.0))
    if event is not None and event.event:
        before, after = event.probability, event.risk(*loss)
        odds = f"from {_percent(before)} to at most {_percent(after, 4)}"
        return f"The chance that {event.event} rises {odds}."
    after = ANY_EVENT.risk(*loss)
    return (
        f"A harm that strikes {_percent(ANY_EVENT.probability)} of those who stay out, whatever it "
        f"is, strikes at most {_percent(after, 4)} of those who take part."
    )


def _listed_risk(plan: Plan, person: AtRisk, event: BadEvent) -> str:
    """By the trade-off function that the person is paid by."""
    what = event.event or f"a harm that costs you {money(event.cost, plan.study.currency)} strikes"
    after = person.largest_risk(event, plan.epsilon, plan.delta)
    odds = f"from {_percent(event.probability)} to at most {_percent(after, 4)}"
    return f"The chance that {what} rises {odds}."


def _percent(probability: float, digits: int = 15) -> str:
    return f"{at_most(100 * probability, digits)} %"
