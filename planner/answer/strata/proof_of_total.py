"""Proof of a plan whose strata have one answer: for all people, or of two groups compared."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from planner import numbers
from planner.answer.answers import TotalPlan
from planner.answer.problem.problem import Problem
from planner.answer.proof.plan import Proof, certain, holds
from planner.answer.strata.estimated import by_law, keeps
from planner.answer.strata.share import StratumShare
from planner.answer.strata.tested import wrong_of_test
from planner.answer.strata.together import failure_of, over_limits
from planner.answer.strata.two_sizes import in_ratio
from planner.mechanisms.exact.noise_balls import rational
from planner.model import Budget, Choice, Study
from planner.model.strata import study_of_stratum, weights
from planner.numbers import decimal
from planner.wording import at_most, money, plain, quoted

if TYPE_CHECKING:
    from flint import arb


_LAWS = "the laws of two counts, by their characteristic functions"


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
        if plan.scale is None:
            part = each / (share.participants * number(share.epsilon))
            total -= (1 - part**2).log()
    if plan.scale is not None:
        total -= (1 - (moment * rational(decimal(plan.scale) / width)) ** 2).log()
    return 2 * total.exp()


def wrong_of_total(plan: TotalPlan) -> Iterator[str]:
    """What a plan for all people states that does not hold, in sentences."""
    study = plan.study
    if [one.name for one in plan.strata] != [stratum.name for stratum in study.strata]:
        yield "The plan is not of the strata of the study."
        return
    if study.groups == 2 and not in_ratio(plan):
        first, second = (plain(one.participants) for one in plan.strata)
        yield f"{first} and {second} people are not in the ratio that is asked for."
    if study.power is not None:
        yield from wrong_of_test(plan)
    elif plan.exact:
        if not (by_law(study) and keeps(plan)):
            yield "That the error is passed as seldom as stated is not proved."
    elif not bound_ball(plan) <= numbers.balls().number(study.accuracy.failure):
        yield "The bound on the failure probability is over what is allowed."
    if study.power is None and plan.failure != study.accuracy.failure:
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
    """What does not hold of one stratum."""
    n, loss, width = share.participants, decimal(share.epsilon), decimal(width_of(plan.study))
    if share.weight != float(weight):
        yield f"Stratum {quoted(share.name)}: its weight is {plain(float(weight))}."
    if plan.scale is not None and loss * n * decimal(plan.scale) < abs(weight) * width:
        yield f"Stratum {quoted(share.name)}: its people lose more than ε = {plain(share.epsilon)}."
    if plan.scale is None and (share.scale is None or decimal(share.scale) * n * loss < width):
        yield f"Stratum {quoted(share.name)}: its noise is too little for its ε."
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
    if plan.study.power is not None:
        return _proof_of_test(plan, how, prove)
    if plan.exact:
        return _proof_of_estimate(plan, prove)
    statement = (
        f"{how} at the sizes and the noise shown: by the moments of the samples and of the noise "
        f"at λ = {plain(plan.moment or 0.0)} the answer fails with probability at most "
        f"{at_most(float(bound_ball(plan).upper()), 4)}, the study costs at most "
        f"{money(plan.cost, plan.study.currency)}, and every condition holds."
    )
    return Proof("a bound on moments, in ball arithmetic" if prove else "floats", prove, statement)


def _proof_of_estimate(plan: TotalPlan, prove: bool) -> Proof:
    """The argument for the difference of two proportions."""
    study = plan.study
    how = "Computed with all rounding bounded" if prove else "Computed, but not proved"
    statement = (
        f"{how} at the sizes and the noise shown: whatever the two proportions are, the difference "
        f"fails with probability at most {at_most(plan.failure, 4)}, the study costs at most "
        f"{money(plan.cost, study.currency)}, and every condition holds."
    )
    return Proof(_LAWS if prove else "floats", prove, statement)


def _proof_of_test(plan: TotalPlan, how: str, prove: bool) -> Proof:
    """The argument for a test."""
    power = plan.study.power
    assert power is not None  # asked where there is one
    statement = (
        f"{how} at the sizes and the noise shown: the test misses the alternative with probability "
        f"at most {at_most(plan.failure, 4)}. Computed with all rounding bounded: it rejects with "
        f"probability at most {plain(power.significance)} where both groups have the same "
        f"proportion, whichever that is. The study costs at most "
        f"{money(plan.cost, plan.study.currency)}, and every condition holds."
    )
    return Proof(_LAWS if prove else "floats", prove, statement)
