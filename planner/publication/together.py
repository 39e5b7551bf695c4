"""The answer for all people of a study with strata: the sum of theirs, or with one noise.

The one noise is drawn on a whole number of steps of the range, as the strata's are, so nothing is
charged for the rounding of floats. A person moves the number by what they move the sum, and by one
step more, as it is rounded.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from planner.answer.answers import StrataPlan, TotalPlan
from planner.answer.strata.as_one_mean import (
    AsOne,
    as_one as sample_as_one,
    as_one_of_most,
    is_accurate,
    least_error,
    least_failure,
)
from planner.answer.strata.together import ALL_PEOPLE, Sampled, error_of_sum, failure_of, plans_of
from planner.mechanisms.sample import Sample
from planner.model.strata import weights
from planner.numbers import decimal, least_decimals, round_up
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
        losses: the ε that the people of each lose to it.
        samples: how the people of each are drawn.
        scale: of the one noise, in the unit of the answer; None where each stratum has noise.
        error: in that unit; None where it has none.
        failure: with what probability it is missed, by itself.
        alone: whether nothing else is published; else it is the sum of the strata's answers.
    """

    weights: tuple[Fraction, ...]
    losses: tuple[Fraction, ...]
    samples: tuple[Sample, ...]
    scale: float | None
    error: float | None
    failure: float
    alone: bool

    def ends(self, of: Item) -> tuple[Fraction, Fraction]:
        """The least and the largest possible answer, where each stratum has that of an item."""
        low, high = possible_range(of)
        assert low is not None  # as means and shares have a range
        assert high is not None
        ends = [[decimal(low) * w, decimal(high) * w] for w in self.weights]
        return sum(map(min, ends), Fraction(0)), sum(map(max, ends), Fraction(0))

    @classmethod
    def of(cls, plan: StrataPlan | TotalPlan) -> Self:
        study, plans = plan.study, plans_of(plan)
        shares = weights(study)
        samples = tuple(one.study.sampling.sample for one in plans)
        if isinstance(plan, TotalPlan):
            losses = tuple(decimal(one.epsilon) for one in plans)
            error = study.accuracy.in_unit(study.accuracy.error)
            return cls(shares, losses, samples, plan.scale, error, plan.failure, True)
        return cls(shares, (), samples, None, plan.total_error, failure_of(study), False)

    def moved(self, asked: Sequence[Item]) -> list[tuple[Fraction, Fraction]]:
        """By how many steps a person of each stratum moves the sum, and the ε they may lose."""
        parts = zip(self.weights, asked, self.losses, strict=True)
        return [(w * _STEPS / item.participants + 1, lost) for w, item, lost in parts]

    def least_scale(self, asked: Sequence[Item]) -> Fraction:
        """The scale of the noise on the sum, as a part of the range, with the people who came.

        It is as planned, or as much larger as fewer people move the sum by more.
        """
        planned = decimal(self.scale or 0.0) / asked[0].width
        return max(planned, *(moved / lost / _STEPS for moved, lost in self.moved(asked)))


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
        "planned; give each stratum an error of its own and plan again"
    )


def added_up(plan: StrataPlan | TotalPlan, answers: Sequence[float]) -> Noisy:
    """The weighted sum of an answer of each stratum, which costs no privacy beside theirs."""
    parts = zip(weights(plan.study), answers, strict=True)
    return Noisy(float(sum((w * Fraction(x) for w, x in parts), Fraction(0))), None)


def for_all_people(
    plan: StrataPlan | TotalPlan, asked: Sequence[Item], answer: Noisy
) -> list[Published]:
    """The answer for all people with its error; none where that is unknown."""
    of_all, first, value = ForAll.of(plan), asked[0], answer.value
    if of_all.error is None:
        return []
    error = error_for_all(plan, asked, answer.scale)
    low, high = map(float, of_all.ends(first))
    ends = [min(max(x, low), high) for x in (value - error, value + error)]
    others = [i.participants for i in asked] != [one.participants for one in plans_of(plan)]
    return [
        Published(
            ALL_PEOPLE,
            first.kind,
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
            by_itself=not of_all.alone,
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
    found = error_of_sum(samples, of_all.failure, noise)
    if noise:  # the closest of three bounds
        as_one, (of_most, beyond) = _as_one(plan, samples), _of_most(plan, samples)
        closer = least_error(of_most, noise, of_all.failure) + rounded_up(beyond)
        found = min(found, least_error(as_one, noise, of_all.failure), closer)
        left = decimal(of_all.error or 0.0) / width - grain
        if found > left and is_accurate(as_one, noise, left, of_all.failure):
            return of_all.error or 0.0
    error = (decimal(found) + grain) * width
    rounded = round_up(rounded_up(error), _DIGITS)
    if of_all.error is None or error > decimal(of_all.error):
        return rounded
    return min(rounded, of_all.error)


def failure_as_planned(
    plan: StrataPlan | TotalPlan, asked: Sequence[Item], scale: float | None = None
) -> float:
    """With what probability at most, computed, the answer for all people misses its planned error.

    Args: as of `error_for_all`.
    """
    of_all = ForAll.of(plan)
    samples, noise, grain = _drawn(of_all, asked, scale)
    left = decimal(of_all.error or 0.0) / asked[0].width - grain

    def kept(failure: float) -> bool:
        return decimal(error_of_sum(samples, failure, noise)) <= left

    closer = 1.0
    if noise:
        of_most, beyond = _of_most(plan, samples)
        closer = least_failure(_as_one(plan, samples), noise, left)
        if beyond < left:
            closer = min(closer, least_failure(of_most, noise, left - beyond))
    found = next(least_decimals(kept, _LEAST_FAILURE, 1.0, _DIGITS), 1.0)
    return min(found, round_up(closer, _DIGITS), 1.0)


def _as_one(plan: StrataPlan | TotalPlan, samples: Sequence[Sampled]) -> AsOne:
    """The people who came as one sample of values that count alike."""
    return sample_as_one(
        plan.study, [one.sample for one in samples], [one.participants for one in samples]
    )


def _of_most(plan: StrataPlan | TotalPlan, samples: Sequence[Sampled]) -> tuple[AsOne, Fraction]:
    return as_one_of_most(
        plan.study, [one.sample for one in samples], [one.participants for one in samples]
    )


def _drawn(
    of_all: ForAll, asked: Sequence[Item], scale: float | None
) -> tuple[list[Sampled], Fraction, Fraction]:
    """The samples with their noise, that on the sum, and what rounding takes, in the range."""
    samples, grain = [], Fraction(0 if scale is None else 1, _STEPS)
    for weight, item, sample in zip(of_all.weights, asked, of_all.samples, strict=True):
        own = decimal(item.scale or 0.0) / (item.steps * item.participants)
        noise = Fraction(0) if scale is not None else own
        samples.append(Sampled(weight, noise, sample, item.participants))
        grain += weight * item.grain
    return samples, decimal(scale or 0.0) / asked[0].width, grain


def of_all(plan: TotalPlan, came: Sequence[Turnout]) -> Turnout:
    """The people of all strata, and the error of the one answer with them."""
    asked = [one.asked[0] for one in came]
    for_all = ForAll.of(plan)
    scale = rounded_up(for_all.least_scale(asked) * asked[0].width)
    error, planned = error_for_all(plan, asked, scale), for_all.error or 0.0
    people = sum(one.people for one in came)
    failure = None
    if [one.people for one in came] == [one.planned for one in came]:
        planned = error  # what rounding takes, if anything, is no reason to refuse
    else:
        failure = failure_as_planned(plan, asked, scale)
    of_shares = plan.study.target.values is None
    errors = (Error(ALL_PEOPLE, planned, error, failure, proportion=of_shares),)
    return Turnout(people, plan.participants, [], errors)
