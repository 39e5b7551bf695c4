"""What the plans of all strata make together: failure probability, participants, cost; exactly.

Every plan with strata as a plan of each, so that one code pays, asks and reads their people.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.problem.problem import each
from planner.libraries import scipy
from planner.mechanisms.sample import Sample
from planner.model import Budget, MaxParticipants, Study
from planner.model.strata import study_of_stratum, weights
from planner.numbers import decimal, round_up
from planner.wording import persons, plain, quoted

ALL_PEOPLE = "all people"
"""The name of the answer for all people, beside those of strata."""
COST_DIGITS, _ERROR_DIGITS = 12, 3
"""To which the cost of each stratum is rounded up before they are added; and of an error."""
_FLOATS = 1 + 1e-12
"""By what factor a formula in floats may be off, and far more."""


def failure(plans: tuple[Plan, ...]) -> Fraction:
    """The probability, at most, that any answer fails; strata are drawn by themselves."""
    none = Fraction(1)
    for plan in plans:
        none *= 1 - decimal(failure_of(plan.study))
    return 1 - none


def failure_of(study: Study) -> float:
    """α of a study, of one question or of a survey."""
    allowed = study.accuracy.failure if study.survey is None else study.survey.failure
    assert allowed is not None  # a study with strata has one for all of its questions
    return allowed


def cost(study: Study, plans: tuple[Plan, ...]) -> Fraction:
    """What all strata cost at most, with the overhead [money]."""
    costs = (decimal(round_up(plan.cost, COST_DIGITS)) for plan in plans)
    return sum(costs, decimal(study.costs.overhead))


def total_error(study: Study, plans: tuple[Plan, ...]) -> float | None:
    """The error of the sum of the strata's answers, in few digits; see `_total_error`.

    Returns:
        It holds with the failure probability of all strata, by itself; None of a survey.
    """
    error = _total_error(study, plans)
    return None if error is None else round_up(error, _ERROR_DIGITS)


def _total_error(study: Study, plans: tuple[Plan, ...]) -> float | None:
    """The same in all digits.

    It is the weighted sum of their errors, which holds where all of these do, or closer where noise
    is Laplace noise; see `error_of_sum`.
    """
    if study.survey is not None:
        return None
    targets = [plan.study.accuracy for plan in plans]
    errors = [decimal(one.in_unit(one.error)) for one in targets]
    exact = sum((w * e for w, e in zip(weights(study), errors, strict=True)), Fraction(0))
    jointly = float(exact) if decimal(float(exact)) >= exact else math.nextafter(exact, math.inf)
    if any(plan.noise != "laplace" for plan in plans):
        return jointly
    return min(jointly, _by_noise(study, plans))


def _by_noise(study: Study, plans: tuple[Plan, ...]) -> float:
    low, high = study.target.values or (0.0, 1.0)
    width = decimal(high) - decimal(low)
    samples = [sampled(*each) for each in zip(plans, weights(study), strict=True)]
    return float(decimal(error_of_sum(samples, failure_of(study))) * width) * (1 + 1e-15)


class Sampled(NamedTuple):
    """A stratum whose mean has Laplace noise.

    Attributes:
        weight: W, the proportion of all people who belong to it.
        scale: b, of the noise on its mean, as a part of the range.
        sample: how its people are drawn.
        participants: N of it.
    """

    weight: Fraction
    scale: Fraction
    sample: Sample
    participants: int


def sampled(plan: Plan, weight: Fraction) -> Sampled:
    """A stratum's plan as its part of the sum."""
    low, high = plan.study.target.values or (0.0, 1.0)
    scale = decimal(plan.scale or 0.0) / (decimal(high) - decimal(low))
    return Sampled(weight, scale, plan.study.sampling.sample, plan.participants)


def error_of_sum(
    samples: Sequence[Sampled], failure: float, noise: Fraction = Fraction(0)
) -> float:
    """By how much or more the weighted sum of noisy means is off with α, as a part of the range.

    With weights W_g, samples of n_g people, Laplace noise of scale b_g on each and of scale b on
    the sum, a sum off by t or more has for every λ a probability of at most
    2·exp(−λt + Σ λ²W_g²/(8n_g))/((1 − λ²b²)·Π(1 − λ²W_g²b_g²)), as
    Hoeffding's lemma bounds each sample's moments. α is that of all strata, and this is apart from
    it: it holds by itself. Any λ will do; the best is sought.

    Args:
        samples: the strata.
        failure: α [(0, 1)].
        noise: b, as a part of the range.
    """
    scales = [float(abs(one.weight) * one.scale) for one in samples]
    largest = 1 / max(*scales, float(noise))

    def log_error(part: float) -> float:
        return math.log(_error_at(float(part) * largest, samples, failure, noise))

    best = scipy.optimize.minimize_scalar(log_error, bounds=(1e-6, 1 - 1e-6), method="bounded").x
    return _error_at(float(best) * largest, samples, failure, noise) * _FLOATS


def _error_at(at: float, samples: "Sequence[Sampled]", failure: float, noise: Fraction) -> float:
    """The error at one λ."""
    total = math.log(2 / failure) - math.log1p(-((at * float(noise)) ** 2))
    for weight, scale, sample, participants in samples:
        share = at * float(weight)
        total += share**2 / (8 * float(sample.people(float(participants))))
        total -= math.log1p(-((share * float(scale)) ** 2))
    return total / at


def wrong(plan: StrataPlan) -> Iterator[str]:
    """What a plan with strata states that does not hold, in sentences; see `check`."""
    study = plan.study
    if len(plan.strata) != len(study.strata):
        yield f"There are {len(plan.strata)} plans for {len(study.strata)} strata."
        return
    for stratum, one in zip(study.strata, plan.strata, strict=True):
        if one.study not in each(study_of_stratum(study, stratum, failure_of(one.study))):
            yield f"The plan of {quoted(stratum.name)} is for another study than this stratum."
            return
    people = sum(one.participants for one in plan.strata)
    chance, money = failure(plan.strata), cost(study, plan.strata)
    if chance > decimal(failure_of(study)):
        yield f"Some stratum fails with probability {plain(float(chance))}, over that allowed."
    for name, stated, found in (
        ("failure", plan.failure, float(chance)),
        ("participants", plan.participants, people),
        ("cost", plan.cost, float(money)),
    ):
        if stated != found:
            yield f"{name} = {plain(stated)}, but {plain(found)} follows from the strata."
    least = _total_error(study, plan.strata)
    if (least is None) != (plan.total_error is None) or (plan.total_error or 0.0) < (least or 0.0):
        yield f"total_error = {plan.total_error}, but {least} follows from the strata."
    yield from over_limits(study, people, money)


def over_limits(study: Study, people: int, money: Fraction) -> Iterator[str]:
    """That all strata together have more people, or cost more, than the study allows."""
    cap, budget = study.find(MaxParticipants), study.find(Budget)
    if cap is not None and people > cap.n:
        yield f"{persons(people)} are more than {cap.label} allows."
    if budget is not None and money > decimal(budget.money):
        yield f"A cost of {plain(float(money))} is over {budget.label}."


_DIGITS = 15
"""Of a scale."""


def plans_of(plan: Plan | StrataPlan | TotalPlan) -> tuple[Plan, ...]:
    """The plan of each stratum as a study by itself; of one population that plan alone.

    Of an answer for all people alone it has the people, ε and payment of the stratum. Its error is
    that of all people, which it does not keep by itself. One noise of scale b on the weighted sum
    is as one of scale b/|W| on the mean of a stratum, so this stands as its scale.
    """
    if isinstance(plan, Plan):
        return (plan,)
    if isinstance(plan, StrataPlan):
        return plan.strata
    parts = zip(plan.study.strata, weights(plan.study), plan.strata, strict=True)
    found = []
    for stratum, weight, share in parts:
        scale = round_up(float(decimal(plan.scale) / weight) * (1 + 1e-15), _DIGITS)
        study = study_of_stratum(plan.study, stratum, plan.failure)
        found.append(
            Plan(
                study=study, minimise=plan.minimise, epsilon=share.epsilon, delta=plan.delta,
                participants=share.participants, compensation=share.compensation, cost=share.cost,
                failure=plan.failure, slack={}, least_cost=share.cost, attained=False,
                proof=plan.proof, invitations=share.invitations, noise="laplace", scale=scale,
            )
        )  # fmt: skip
    return tuple(found)
