"""Proof of a plan whose strata have one answer for all people."""

import math
from collections.abc import Iterator
from fractions import Fraction

from planner.answer.answers import TotalPlan
from planner.answer.problem.problem import Problem
from planner.answer.proof.plan import Proof, certain, holds
from planner.answer.sample_plan import invitations
from planner.answer.strata.as_one_mean import AsOne, as_one, is_accurate
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of, over_limits
from planner.model import Budget, Choice, Study
from planner.model.strata import deviations, study_of_stratum, weights
from planner.numbers import decimal
from planner.wording import money, persons, plain, quoted

BOUNDS = {
    True: "any values (Hoeffding 1956)",
    False: "values that deviate by no more than is known (Bentkus 2004)",
}
"""The bound that one answer is planned by, where the checker has a rule for it and where not."""


def width_of(study: Study) -> Fraction:
    """Of the range of the answer, between the decimals of its ends."""
    low, high = study.target.values or (0.0, 1.0)
    return decimal(high) - decimal(low)


def is_provable(study: Study) -> bool:
    """Whether the checker of certificates has a rule for the answer: none for deviations."""
    return study.target.deviation is None and not any(deviations(study))


def as_planned(plan: TotalPlan) -> AsOne:
    """The sample of a plan as one of values that count alike."""
    study = plan.study
    alone = (study_of_stratum(study, one, study.accuracy.failure) for one in study.strata)
    samples = [one.sampling.sample for one in alone]
    return as_one(study, samples, [one.participants for one in plan.strata])


def _is_accurate(plan: TotalPlan) -> bool:
    """Whether the answer is off by T or more with α at most."""
    target, noise = plan.study.accuracy, decimal(plan.scale) / width_of(plan.study)
    return is_accurate(as_planned(plan), noise, decimal(target.error), target.failure)


def wrong_of_total(plan: TotalPlan, prove: bool = True) -> Iterator[str]:
    """What a plan for all people states that does not hold, in sentences."""
    study = plan.study
    if [one.name for one in plan.strata] != [stratum.name for stratum in study.strata]:
        yield "The plan is not of the strata of the study."
        return
    if prove and not _is_accurate(plan):
        yield "The bound on the probability of a larger error is over what is allowed."
    if plan.failure != study.accuracy.failure:
        yield f"failure = {plain(plan.failure)}, but {plain(study.accuracy.failure)} is asked for."
    for stratum, weight, one in zip(study.strata, weights(study), plan.strata, strict=True):
        yield from _wrong_of_stratum(
            plan, study_of_stratum(study, stratum, failure_of(study)), weight, one
        )
    people = sum(one.participants for one in plan.strata)
    cost = decimal(study.costs.overhead) + sum((decimal(s.cost) for s in plan.strata), Fraction(0))
    for name, stated, found in (
        ("participants", plan.participants, people),
        ("cost", plan.cost, float(cost)),
    ):
        if stated != found:
            yield f"{name} = {plain(stated)}, but {plain(found)} follows from the strata."
    yield from over_limits(study, people, cost)


def _wrong_of_stratum(
    plan: TotalPlan, one: Study, weight: Fraction, share: StratumShare
) -> Iterator[str]:
    n, loss, width = share.participants, decimal(share.epsilon), width_of(plan.study)
    if share.weight != float(weight):
        yield f"Stratum {quoted(share.name)}: its weight is {plain(float(weight))}."
    if loss * n * decimal(plan.scale) < weight * width:
        yield f"Stratum {quoted(share.name)}: its people lose more than ε = {plain(share.epsilon)}."
    if n > one.most_participants:
        yield f"Stratum {quoted(share.name)} has fewer than {persons(n)}."
    problem = Problem(one.conditions, one.individual, one.costs)
    choice = Choice(share.epsilon, 0.0, n)
    cost = one.costs_nothing or certain(Budget(share.cost), problem, choice)
    if not (holds(problem, choice) and cost):
        yield f"Stratum {quoted(share.name)}: a condition is not met, or its cost is higher."
    if share.invitations != (invited := invitations(one, n)):
        yield f"Stratum {quoted(share.name)}: invitations = {invited} follows from its people."
    paid = one.costs.payment(one.individual.compensation(share.epsilon, 0.0))
    if not math.isclose(share.compensation, float(paid), rel_tol=1e-9):
        yield f"Stratum {quoted(share.name)}: the payment is {plain(float(paid))}."


def proof_of_total(plan: TotalPlan, prove: bool) -> Proof:
    """The argument for a plan."""
    provable = is_provable(plan.study)
    prove &= provable
    how = "Proved: the checker of certificates accepts" if prove else "Computed, but not proved:"
    holding = f"The study costs at most {money(plan.cost, plan.study.currency)}, and every"
    if plan.study.costs_nothing:
        holding = "Every"
    statement = (
        f"{how} that at the sizes and the noise shown the answer fails with probability at most "
        f"{plain(plan.failure)}, by the bound for {BOUNDS[provable]}. {holding} condition holds."
    )
    return Proof("certificate" if prove else "floats", prove, statement)
