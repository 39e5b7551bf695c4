"""Proof of a plan whose strata have one answer for all people."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from planner import numbers
from planner.answer.answers import TotalPlan
from planner.answer.problem.problem import Problem
from planner.answer.proof.plan import Proof, certain, holds
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of, over_limits
from planner.model import Budget, Choice, Study
from planner.model.strata import study_of_stratum, weights
from planner.numbers import decimal, rational
from planner.wording import at_most, money, plain, quoted

if TYPE_CHECKING:
    from flint import arb


def width_of(study: Study) -> float:
    """Of the range of the answer."""
    low, high = study.target.values or (0.0, 1.0)
    return high - low


def bound_ball(plan: TotalPlan) -> "arb":
    """The probability that the answer is off by T or more, at most; evaluated at the plan's λ."""
    study = plan.study
    number, width = numbers.balls().number, decimal(width_of(study))
    moment = number(plan.moment)
    total = -moment * number(study.accuracy.error)
    of_strata = zip(study.strata, weights(study), plan.strata, strict=True)
    for stratum, weight, share in of_strata:
        sample = study_of_stratum(study, stratum, study.accuracy.failure).sampling.sample
        each = moment * rational(weight)
        total += each**2 / (8 * sample.people(number(share.participants)))
    total -= (1 - (moment * rational(decimal(plan.scale) / width)) ** 2).log()
    return 2 * total.exp()


def wrong_of_total(plan: TotalPlan) -> Iterator[str]:
    """What a plan for all people states that does not hold, in sentences."""
    study = plan.study
    if [one.name for one in plan.strata] != [stratum.name for stratum in study.strata]:
        yield "The plan is not of the strata of the study."
        return
    if not bound_ball(plan) <= numbers.balls().number(study.accuracy.failure):
        yield "The bound on the failure probability is over what is allowed."
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
    n, loss, width = share.participants, decimal(share.epsilon), decimal(width_of(plan.study))
    if share.weight != float(weight):
        yield f"Stratum {quoted(share.name)}: its weight is {plain(float(weight))}."
    if loss * n * decimal(plan.scale) < weight * width:
        yield f"Stratum {quoted(share.name)}: its people lose more than ε = {plain(share.epsilon)}."
    if n > one.sampling.most_participants:
        yield f"Stratum {quoted(share.name)} has fewer than {plain(n)} people."
    problem = Problem(one.conditions, one.individual, one.costs)
    choice = Choice(share.epsilon, 0.0, n)
    if not (holds(problem, choice) and certain(Budget(share.cost), problem, choice)):
        yield f"Stratum {quoted(share.name)}: a condition is not met, or its cost is higher."
    paid = one.costs.payment(one.individual.compensation(share.epsilon, 0.0))
    if not math.isclose(share.compensation, float(paid), rel_tol=1e-9):
        yield f"Stratum {quoted(share.name)}: the payment is {plain(float(paid))}."


def proof_of_total(plan: TotalPlan, prove: bool) -> Proof:
    """The argument for a plan."""
    how = "Checked in ball arithmetic" if prove else "Computed, but not proved"
    statement = (
        f"{how} at the sizes and the noise shown: by the moments of the samples and of the noise "
        f"at λ = {plain(plan.moment)} the answer fails with probability at most "
        f"{at_most(float(bound_ball(plan).upper()), 4)}, the study costs at most "
        f"{money(plan.cost, plan.study.currency)}, and every condition holds."
    )
    return Proof("a bound on moments, in ball arithmetic" if prove else "floats", prove, statement)
