"""One answer of all strata: the sum of those of each, or with one noise of its own.

It is for all people, or the difference of two groups, which is tested.

Its noise is drawn on a whole number of steps of the range, as the strata's are, so nothing is
charged for the rounding of floats. A person moves the number by what they move the sum, and by one
step more, as it is rounded.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from planner.answer.answers import StrataPlan, TotalPlan
from planner.answer.strata.estimated import error_with, failure_with, seldom
from planner.answer.strata.plans import plans_of
from planner.answer.strata.tested import power_between
from planner.answer.strata.together import Sampled, error_of_sum, failure_of, name_of_sum
from planner.mechanisms.sample import Sample
from planner.model.strata import weights
from planner.numbers import decimal, not_above, round_up
from planner.publication.decision import decide_between
from planner.publication.items import Item, possible_range, rounded_up
from planner.publication.measurement import MOST_GROWTH, noisy_whole_number
from planner.publication.published import Published
from planner.publication.records import Sums
from planner.publication.turnout import Error, Turnout

_DIGITS = 3
"""Of its error, and of the probability that the planned one is missed."""
_STEPS = 2**50
"""Of the range: whole numbers up to it, and four times as large, are exact in doubles."""
_LEAST_FAILURE = 1e-100
"""Smaller probabilities of missing the planned error are not told apart."""


class ForAll(NamedTuple):
    """What is planned of the answer for all people.

    Attributes:
        weights: W of each stratum; see `planner.model.strata.weights`.
        lost: the ε that the people of each may lose to it.
        samples: how the people of each are drawn.
        scale: of the one noise, in the unit of the answer; None where each stratum has noise.
        error: in that unit; None where it has none.
        failure: with what probability it is missed: a part of that of all answers, or by itself.
        by_itself: whether that is apart from the failure of the strata.
        alone: whether nothing else is published.
        exact: whether its law is known, and not only a bound on moments.
    """

    weights: tuple[Fraction, ...]
    lost: tuple[Fraction, ...]
    samples: tuple[Sample, ...]
    scale: float | None
    error: float | None
    failure: float
    by_itself: bool
    alone: bool
    exact: bool

    def ends(self, of: Item) -> tuple[Fraction, Fraction]:
        """The least and the largest possible answer, where each stratum has that of an item."""
        low, high = possible_range(of)
        assert low is not None  # as means and shares have a range
        assert high is not None
        ends = [[decimal(low) * w, decimal(high) * w] for w in self.weights]
        return sum(map(min, ends), Fraction(0)), sum(map(max, ends), Fraction(0))

    @classmethod
    def of(cls, plan: StrataPlan | TotalPlan) -> Self:
        """That of a plan with strata."""
        study, plans = plan.study, plans_of(plan)
        shares = weights(study)
        samples = tuple(one.study.sampling.sample for one in plans)
        if isinstance(plan, TotalPlan):
            lost = tuple(decimal(one.epsilon) for one in plans)
            error, failure = _of_one_answer(plan, samples)
            return cls(shares, lost, samples, plan.scale, error, failure, False, True, plan.exact)
        lost = tuple(decimal(one.epsilon) - decimal(one.own_epsilon) for one in plans)
        by_itself = plan.total_failure is None
        failure = failure_of(study) if plan.total_failure is None else plan.total_failure
        return cls(
            shares, lost, samples, plan.total_scale, plan.total_error, failure, by_itself, False,
            False,
        )  # fmt: skip

    def moved(self, asked: Sequence[Item]) -> list[tuple[Fraction, Fraction]]:
        """By how many steps a person of each stratum moves the sum, and the ε they may lose."""
        parts = zip(self.weights, asked, self.lost, strict=True)
        return [(abs(w) * _STEPS / item.participants + 1, lost) for w, item, lost in parts]

    def least_scale(self, asked: Sequence[Item]) -> Fraction:
        """The scale of the noise on the sum, as a part of the range, with the people who came.

        It is as planned, or as much larger as fewer people move the sum by more.
        """
        planned = decimal(self.scale or 0.0) / asked[0].width
        return max(planned, *(moved / lost / _STEPS for moved, lost in self.moved(asked)))


def _of_one_answer(plan: TotalPlan, samples: Sequence[Sample]) -> tuple[float, float]:
    """The error of the one answer, in its unit, and with what probability it is missed at most.

    A difference that is tested has an error beside the test, with its significance.
    """
    study = plan.study
    if study.power is None:
        return study.accuracy.in_unit(study.accuracy.error), plan.failure
    sizes, failure = [one.participants for one in plan.strata], study.power.significance
    drawn = [
        Sampled(weight, Fraction(0), sample, n)
        for weight, sample, n in zip(weights(study), samples, sizes, strict=True)
    ]
    noise = decimal(plan.scale or 0.0) + Fraction(1, _STEPS)
    return round_up(error_of_sum(drawn, failure, noise), _DIGITS), failure


class Noisy(NamedTuple):
    """The answer for all people with a noise of its own.

    Attributes:
        value: in its unit.
        scale: of the noise, in the same; None where it is the sum of noisy means.
    """

    value: float
    scale: float | None


def with_one_noise(
    plan: StrataPlan | TotalPlan, asked: Sequence[Item], sums: Sequence[Sums]
) -> Noisy | None:
    """The weighted sum of the strata's means with noise that is drawn here; None where it has none.

    Args:
        plan: the plan.
        asked: the item of each stratum, with its people.
        sums: of the records of each.

    Raises:
        ValueError: no scale of OpenDP's noise is certain to be as private as planned.
    """
    of_all = ForAll.of(plan)
    if of_all.scale is None:
        return None
    mean = sum(
        (
            weight * Fraction(int(of[item.name])) / (item.steps * item.participants)
            for weight, item, of in zip(of_all.weights, asked, sums, strict=True)
        ),
        Fraction(0),
    )
    each = of_all.moved(asked)
    most = max(moved for moved, _ in each)
    scale, growth = of_all.least_scale(asked), 0.0
    while growth <= MOST_GROWTH:
        drawn = rounded_up(scale * _STEPS * (1 + Fraction(growth)))
        release, lost = noisy_whole_number(rounded_up(most), drawn)
        if all(lost * moved / most <= allowed for moved, allowed in each):
            low, width = decimal(possible_range(asked[0])[0] or 0.0), asked[0].width
            start = low * sum(of_all.weights)
            value = start + width * Fraction(release(round(mean * _STEPS))) / _STEPS
            return Noisy(float(value), rounded_up(decimal(drawn) * width / _STEPS))
        growth = max(1e-16, 10 * growth)
    raise ValueError(
        "no scale of OpenDP's noise on the answer for all people is certain to be as private as "
        'planned; plan the study again with total = "sum"'
    )


def added_up(plan: StrataPlan | TotalPlan, answers: Sequence[float]) -> Noisy:
    """The weighted sum of an answer of each stratum, which costs no privacy beside theirs."""
    parts = zip(weights(plan.study), answers, strict=True)
    return Noisy(float(sum((w * Fraction(x) for w, x in parts), Fraction(0))), None)


def for_all_people(
    plan: StrataPlan | TotalPlan, asked: Sequence[Item], answer: Noisy
) -> list[Published]:
    """The answer for all people with its error; none where that is unknown.

    Args:
        plan: the plan.
        asked: the item of each stratum, with its people and the scale of its noise.
        answer: its number.
    """
    of_all, first, value = ForAll.of(plan), asked[0], answer.value
    if of_all.error is None:
        return []
    error = error_for_all(plan, asked, answer.scale)
    low, high = map(float, of_all.ends(first))
    ends = [min(max(x, low), high) for x in (value - error, value + error)]
    test = None
    if plan.study.power is not None:
        sizes = [item.participants for item in asked]
        test = decide_between(plan.study, (sizes[0], sizes[1]), answer.scale or 0.0, value)
    others = [i.participants for i in asked] != [one.participants for one in plans_of(plan)]
    return [
        Published(
            name_of_sum(plan.study),
            first.kind if plan.study.groups == 1 else "difference",
            value,
            error,
            of_all.failure,
            first.noise,
            answer.scale,
            nearest=min(max(value, low), high),
            interval=ends,
            planned_error=of_all.error if of_all.alone and others else None,
            planned_failure=(
                failure_as_planned(plan, asked, answer.scale) if of_all.alone and others else None
            ),
            low=low,
            high=high,
            by_itself=of_all.by_itself,
            test=test,
        )
    ]


def error_for_all(
    plan: StrataPlan | TotalPlan, asked: Sequence[Item], scale: float | None = None
) -> float:
    """The error of the answer for all people with the people who came and the noise that was drawn.

    Args:
        plan: the plan.
        asked: the item of each stratum, with its people and the scale of its noise.
        scale: of one noise on the sum, in its unit; None where it has none of its own.
    """
    of_all, width = ForAll.of(plan), asked[0].width
    samples, noise, grain = _drawn(of_all, asked, scale)
    if of_all.exact:
        return _exact_error(of_all, asked, noise, grain)
    error = (decimal(error_of_sum(samples, of_all.failure, noise)) + grain) * width
    rounded = round_up(rounded_up(error), _DIGITS)
    if of_all.error is None or error > decimal(of_all.error):
        return rounded
    return min(rounded, of_all.error)


def _exact_error(of_all: ForAll, asked: Sequence[Item], noise: Fraction, grain: Fraction) -> float:
    """The error of the difference of two proportions, which keeps the planned one if it can."""
    first, second = (item.participants for item in asked)
    sizes, scale, planned = (first, second), rounded_up(noise), of_all.error or 0.0
    if seldom(sizes, scale, not_above(decimal(planned) - grain), of_all.failure):
        return planned
    error = error_with(sizes, scale, of_all.failure)
    return round_up(rounded_up(decimal(error) + grain), _DIGITS) if error < 1 else 1.0


def failure_as_planned(
    plan: StrataPlan | TotalPlan, asked: Sequence[Item], scale: float | None = None
) -> float:
    """With what probability at most, proved, the answer for all people misses its planned error.

    Args: as of `error_for_all`.
    """
    of_all = ForAll.of(plan)
    samples, noise, grain = _drawn(of_all, asked, scale)
    left = decimal(of_all.error or 0.0) / asked[0].width - grain
    if of_all.exact:
        first, second = (item.participants for item in asked)
        found = failure_with((first, second), rounded_up(noise), not_above(left))
        return min(round_up(found, _DIGITS), 1.0)

    def kept(failure: float) -> bool:
        return decimal(error_of_sum(samples, failure, noise)) <= left

    low, high = _LEAST_FAILURE, 1.0
    if kept(low):
        return low
    while high > low * (1 + 10.0 ** -(_DIGITS + 1)):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if kept(middle) else (middle, high)
    return min(round_up(high, _DIGITS), 1.0)


def _drawn(
    of_all: ForAll, asked: Sequence[Item], scale: float | None
) -> tuple[list[Sampled], Fraction, Fraction]:
    """The samples with their noise, that on the sum, and what rounding takes, in the range."""
    samples, grain = [], Fraction(0 if scale is None else 1, _STEPS)
    for weight, item, sample in zip(of_all.weights, asked, of_all.samples, strict=True):
        own = decimal(item.scale or 0.0) / (item.steps * item.participants)
        noise = Fraction(0) if scale is not None else own
        samples.append(Sampled(weight, noise, sample, item.participants))
        grain += abs(weight) * item.grain
    return samples, decimal(scale or 0.0) / asked[0].width, grain


def of_all(plan: TotalPlan, came: Sequence[Turnout]) -> Turnout:
    """The people of all strata, and the error of the one answer with them.

    Args:
        plan: the plan.
        came: the people of each stratum.
    """
    asked = [one.asked[0] for one in came]
    scale, for_all = None, ForAll.of(plan)
    if plan.scale is not None:
        scale = rounded_up(for_all.least_scale(asked) * asked[0].width)
    error, planned = error_for_all(plan, asked, scale), for_all.error or 0.0
    people = sum(one.people for one in came)
    failure = None
    if [one.people for one in came] == [one.planned for one in came]:
        planned = error  # what rounding takes, if anything, is no reason to refuse
    else:
        failure = failure_as_planned(plan, asked, scale)
    of_shares = plan.study.target.values is None
    errors = (Error(name_of_sum(plan.study), planned, error, failure, proportion=of_shares),)
    power = None
    if plan.study.power is not None:
        first, second = (item.participants for item in asked)
        power = power_between(plan.study, (first, second), scale or 0.0)
    return Turnout(people, plan.participants, [], errors, power)


def as_private(plan: StrataPlan | TotalPlan, asked: Sequence[Item], scale: float | None) -> bool:
    """Whether a published scale is that which the people who came need, to nine digits."""
    of_all = ForAll.of(plan)
    if of_all.scale is None or scale is None:
        return scale is of_all.scale
    least = float(of_all.least_scale(asked) * asked[0].width)
    return math.isclose(scale, least, rel_tol=2 * MOST_GROWTH)
