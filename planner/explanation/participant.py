"""What a plan means for one person who is asked to take part (Hsu14 §3, §4.2, §8.1, App. A)."""

import math
from typing import NamedTuple

from planner.answer.answers import Plan
from planner.explanation.card import card_sentences
from planner.explanation.results.payment import paid_words
from planner.mechanisms import kinds
from planner.model import BadEvent
from planner.privacy.attack import Attack, attack
from planner.wording import at_most, money, plain

ANY_EVENT = BadEvent(probability=0.01, cost=0.0)
"""The harm whose increase is shown where the study names none."""


class Risk(NamedTuple):
    """One bad event, before and after.

    Attributes:
        event: what happens, as a clause; empty where the study names no harm.
        before: its probability for those who stay out [(0, 1)].
        after: the largest probability it can have for those who take part [(0, 1]].
    """

    event: str
    before: float
    after: float


def risks(plan: Plan) -> list[Risk]:
    """How much taking part can increase the probability of each event that a person fears."""
    person, currency = plan.study.individual, plan.study.currency

    def words(event: BadEvent) -> str:
        costs = f"a harm that costs you {money(event.cost, currency)} occurs"
        return event.event or (costs if event.cost else "")

    return [
        Risk(
            words(event),
            event.probability,
            float(person.largest_risk(event, plan.epsilon, plan.delta)),
        )
        for event in person.fears or (ANY_EVENT,)
    ]


def meaning(plan: Plan) -> list[str]:
    """What taking part means for a person's risk and payment, in sentences."""
    person = plan.study.individual
    sentences = [in_a_sentence(risk) for risk in risks(plan)]
    most = plan.study.records.of_each
    if most > 1:
        sentences.append(f"This counts up to {most} records of yours.")
    if person.family > most:
        sentences.append(
            f"This assumes that a family of {person.family // most} takes part together, and that "
            "what is learned about any of them may harm each of them."
        )
    if plan.delta:
        one_in = math.floor(1 / plan.delta)
        sentences.append(
            f"This includes a probability δ = {plain(plan.delta)}, 1 in {plain(one_in)}, that the "
            "guarantee fails and your record may be published."
        )
    answer, it = "the published answer", "it"
    if plan.questions:
        answer, it = "the published answers together", "them"
    if not kinds.is_curated(plan.study.mechanism):
        answer, it = "what you report", "it"
    sentences.append(
        f"This covers the consequences of {answer}, whoever reads {it} and whatever else they "
        "know, but not those of being seen to take part."
    )
    sentences += card_sentences(plan)
    paid = paid_words(plan)
    if plan.compensation:
        sentences.append(f"You are paid {paid}, at least the increase in your expected loss.")
    else:
        sentences.append("You are paid nothing, as no cost is stated that the results could have.")
    return sentences


def attack_on(plan: Plan) -> Attack:
    """What somebody who guesses at a record gains by the results of a plan."""
    noises = {one.noise for one in plan.questions} or {plan.noise}
    return attack(plan.epsilon, plan.delta, noises == {"gaussian"})


def guesses(plan: Plan) -> list[str]:
    """The same, in sentences."""
    found = attack_on(plan)
    right = _percent((1 + found.advantage) / 2, 4)
    sentences = [
        f"Somebody who knows everything except which of two records is yours guesses right at most "
        f"{right} of the time with the results, and 50 % of the time without them (attack "
        f"advantage {at_most(found.advantage, 4)})."
    ]
    if found.mu is not None and found.rho is not None:
        sentences.append(
            f"The Gaussian noise is of μ = {at_most(found.mu, 4)} (Gaussian differential privacy) "
            f"and ρ = {at_most(found.rho, 4)} (zero-concentrated differential privacy)."
        )
    return sentences


def in_a_sentence(risk: Risk) -> str:
    """A risk before and after, in a sentence."""
    before, after = _percent(risk.before), _percent(risk.after, 4)
    if risk.event:
        return f"The probability that {risk.event} rises from {before} to at most {after}."
    return (
        f"Any harm that happens to {before} of those who stay out happens to at most "
        f"{after} of those who take part."
    )


def _percent(probability: float, digits: int = 15) -> str:
    """A probability in percent, rounded up."""
    return f"{at_most(100 * probability, digits)} %"
