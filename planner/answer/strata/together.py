"""What the plans of all strata make together: failure probability, participants, cost; exactly."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from planner import numbers
from planner.answer.answers import Plan, StrataPlan
from planner.answer.problem.problem import each
from planner.libraries import scipy
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.sample import Sample
from planner.model import Budget, MaxParticipants, MinParticipants, Study
from planner.model.strata import Stratum, study_of_stratum, weights
from planner.numbers import decimal, round_up
from planner.wording import plain, quoted

if TYPE_CHECKING:
    from flint import arb

ALL_PEOPLE, DIFFERENCE = "all people", "difference"
"""The names of the answer for all people, beside those of strata, and of that of two compared."""
COST_DIGITS, FAILURE_DIGITS, _ERROR_DIGITS = 12, 6, 3
"""To which the cost of each stratum is rounded up before they are added; of the sum's failure
probability; and of an error."""


def name_of_sum(study: Study) -> str:
    """The name of the one answer of all strata."""
    return DIFFERENCE if study.groups == 2 else ALL_PEOPLE


def failure(plans: tuple[Plan, ...], total_failure: float | None = None) -> Fraction:
    """The probability, at most, that any answer fails; strata are drawn by themselves.

    Args:
        plans: the plan of each stratum.
        total_failure: of the sum, where that must hold as well; added by the union bound.
    """
    none = Fraction(1)
    for plan in plans:
        none *= 1 - decimal(failure_of(plan.study))
    return 1 - none + decimal(total_failure or 0.0)


def failure_of(study: Study) -> float:
    """α of a study, of one question or of a survey; of a test its significance."""
    if study.power is not None:
        return study.power.significance
    allowed = study.accuracy.failure if study.survey is None else study.survey.failure
    assert allowed is not None  # a study with strata has one for all of its questions
    return allowed


def cost(study: Study, plans: tuple[Plan, ...]) -> Fraction:
    """What all strata cost at most, with the overhead [money]."""
    costs = (decimal(round_up(plan.cost, COST_DIGITS)) for plan in plans)
    return sum(costs, decimal(study.costs.overhead))


def total_error(
    study: Study,
    plans: tuple[Plan, ...],
    total_failure: float | None,
    total_scale: float | None = None,
) -> float | None:
    """The error of the answer for all people, in few digits; see `error_of_sum`.

    Args:
        study: the study with strata.
        plans: the plan of each.
        total_failure: α of the sum; None for that of all strata, which the sum has by itself.
        total_scale: of one noise on the weighted sum of the strata's means, in the unit of the
            answer; None where it is the sum of their noisy answers.
    """
    error = _total_error(study, plans, total_failure, total_scale)
    if error is None:
        return None
    rounded, asked = round_up(error, _ERROR_DIGITS), study.accuracy.error
    if total_failure is None:
        return rounded
    promised = study.accuracy.in_unit(asked)
    return min(rounded, promised) if error <= promised else rounded


def _total_error(
    study: Study,
    plans: tuple[Plan, ...],
    total_failure: float | None,
    total_scale: float | None,
) -> float | None:
    """The error of the answer for all people; None if unknown."""
    if study.survey is not None or any(plan.noise != "laplace" for plan in plans):
        return None
    low, high = study.target.values or (0.0, 1.0)
    width = decimal(high) - decimal(low)
    samples = [sampled(*each) for each in zip(plans, weights(study), strict=True)]
    chance = failure_of(study) if total_failure is None else total_failure
    noise = Fraction(0)
    if total_scale is not None:
        samples = [one._replace(scale=Fraction(0)) for one in samples]
        noise = decimal(total_scale) / width
    return float(decimal(error_of_sum(samples, chance, noise)) * width) * (1 + 1e-15)


class Sampled(NamedTuple):
    """A stratum whose mean has Laplace noise.

    Attributes:
        weight: W, the proportion of all people who belong to it; in a difference 1 or −1.
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
    it: it holds by itself. The λ is sought in floats, the error evaluated in balls at it.

    Args:
        samples: the strata.
        failure: α [(0, 1)].
        noise: b, as a part of the range.
    """
    scales = [float(abs(one.weight) * one.scale) for one in samples]
    largest = 1 / max(*scales, float(noise))

    def log_error(part: float) -> float:
        return math.log(float(_error_at(float(part) * largest, samples, failure, noise).upper()))

    best = scipy.optimize.minimize_scalar(log_error, bounds=(1e-6, 1 - 1e-6), method="bounded").x
    error = _error_at(float(best) * largest, samples, failure, noise)
    return float(error.upper()) * (1 + 1e-15)


def _error_at(at: float, samples: "Sequence[Sampled]", failure: float, noise: Fraction) -> "arb":
    """The error at one λ; a ball."""
    number = numbers.balls().number
    moment = number(at)
    total = (number(2.0) / number(failure)).log()
    total -= (1 - (moment * rational(noise)) ** 2).log()
    for weight, scale, sample, participants in samples:
        share = moment * rational(weight)
        total += share**2 / (8 * sample.people(number(participants)))
        total -= (1 - (share * rational(scale)) ** 2).log()
    return total / moment


def beside_total(
    study: Study, stratum: Stratum, failure: float, for_total: float, least: int
) -> Study:
    """The study of a stratum whose people also lose to one noise on the answer for all people.

    Args:
        study: the study with strata.
        stratum: the stratum.
        failure: its failure probability [(0, 1)].
        for_total: what of N·ε that answer has [> 0].
        least: how many people of the stratum it needs.
    """
    fewest = max(least, stratum.min_participants or 1)
    one = study_of_stratum(study, replace(stratum, min_participants=fewest), failure)
    return one.by(replace(one.mechanism, for_total=for_total))  # type: ignore[type-var]


def wrong(plan: StrataPlan) -> Iterator[str]:
    """What a plan with strata states that does not hold, in sentences; see `check`."""
    study = plan.study
    if len(plan.strata) != len(study.strata):
        yield f"There are {len(plan.strata)} plans for {len(study.strata)} strata."
        return
    asked = study.survey is None and study.accuracy.error is not None
    if asked != (plan.total_failure is not None):
        yield "total_failure is stated without an error for all people, or is missing."
        return
    for stratum, one in zip(study.strata, plan.strata, strict=True):
        if plan.total_scale is not None:
            if one.study != _beside(study, stratum, one):
                yield f"The plan of {quoted(stratum.name)} is for another study than this stratum."
                return
            continue
        if asked:
            stratum = _as_small(stratum, one)
        if one.study not in each(study_of_stratum(study, stratum, failure_of(one.study))):
            yield f"The plan of {quoted(stratum.name)} is for another study than this stratum."
            return
    people = sum(one.participants for one in plan.strata)
    chance, money = failure(plan.strata, plan.total_failure), cost(study, plan.strata)
    if chance > decimal(failure_of(study)):
        yield f"Some stratum fails with probability {plain(float(chance))}, over that allowed."
    for name, stated, found in (
        ("failure", plan.failure, float(chance)),
        ("participants", plan.participants, people),
        ("cost", plan.cost, float(money)),
    ):
        if stated != found:
            yield f"{name} = {plain(stated)}, but {plain(found)} follows from the strata."
    yield from _lost_to_total(plan)
    least = _total_error(study, plan.strata, plan.total_failure, plan.total_scale)
    if asked and (plan.total_error or math.inf) > study.accuracy.in_unit(study.accuracy.error):
        yield f"total_error = {plan.total_error} is over the error asked for all people."
    if (least is None) != (plan.total_error is None) or (plan.total_error or 0.0) < (least or 0.0):
        yield f"total_error = {plan.total_error}, but {least} follows from the strata."
    yield from over_limits(study, people, money)


def _beside(study: Study, stratum: Stratum, plan: Plan) -> Study | None:
    """The study of a stratum beside a noise on the sum, as its plan has it; None if it is none."""
    fewest = plan.study.find(MinParticipants)
    for_total = getattr(plan.study.mechanism, "for_total", None)
    if fewest is None or for_total is None:
        return None
    return beside_total(study, stratum, failure_of(plan.study), for_total, fewest.n)


def _lost_to_total(plan: StrataPlan) -> Iterator[str]:
    """Where people lose more to the noise on the sum than their ε has for it."""
    if plan.total_scale is None:
        return
    low, high = plan.study.target.values or (0.0, 1.0)
    scale = decimal(plan.total_scale) / (decimal(high) - decimal(low))
    for weight, one in zip(weights(plan.study), plan.strata, strict=True):
        if decimal(getattr(one.study.mechanism, "for_total", 0.0)) * scale < weight:
            yield (
                f"Stratum {quoted(one.study.title)}: its people lose more to the answer for all "
                "people than their ε has for it."
            )


def _as_small(stratum: Stratum, plan: Plan) -> Stratum:
    """The stratum with the error of its plan, where that is smaller: more than it asked for."""
    target = plan.study.accuracy
    planned = target.in_unit(target.error)
    return replace(stratum, error=planned) if planned < (stratum.error or 0.0) else stratum


def over_limits(study: Study, people: int, money: Fraction) -> Iterator[str]:
    """That all strata together have more people, or cost more, than the study allows."""
    cap, budget = study.find(MaxParticipants), study.find(Budget)
    if cap is not None and people > cap.n:
        yield f"{plain(people)} people are more than {cap.label} allows."
    if budget is not None and money > decimal(budget.money):
        yield f"A cost of {plain(float(money))} is over {budget.label}."
