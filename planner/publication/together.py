"""The answer for all people: the sum of those of the strata, or with one noise of its own.

Its noise is drawn on a whole number of steps of the range, as the strata's are, so nothing is
charged for the rounding of floats. A person moves the number by what they move the sum, and by one
step more, as it is rounded.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from planner.answer.answers import StrataPlan
from planner.answer.strata.together import ALL_PEOPLE, Sampled, error_of_sum, failure_of
from planner.model.strata import weights
from planner.numbers import decimal, round_up
from planner.publication.items import Item, possible_range, rounded_up
from planner.publication.measurement import MOST_GROWTH, noisy_whole_number
from planner.publication.published import Published
from planner.publication.records import Sums
from planner.publication.turnout import Turnout

_DIGITS = 3
"""Of its error."""
_STEPS = 2**50
"""Of the range: whole numbers up to it, and four times as large, are exact in doubles."""


class Noisy(NamedTuple):
    """The answer for all people with a noise of its own.

    Attributes:
        value: in its unit.
        scale: of the noise, in the same.
    """

    value: float
    scale: float


def with_one_noise(
    plan: StrataPlan, turnouts: Sequence[Turnout], sums: Sequence[Sums]
) -> Noisy | None:
    """The weighted sum of the strata's means with noise that is drawn here; None where it has none.

    Args:
        plan: the plan.
        turnouts: the people of each stratum.
        sums: of the records of each.

    Raises:
        ValueError: no scale of OpenDP's noise is certain to be as private as planned.
    """
    if plan.total_scale is None:
        return None
    asked = [turnout.asked[0] for turnout in turnouts]
    mean = sum(
        (
            weight * Fraction(int(of[item.name])) / (item.steps * item.participants)
            for weight, item, of in zip(weights(plan.study.strata), asked, sums, strict=True)
        ),
        Fraction(0),
    )
    each = _each(plan, asked)
    most = max(moved for moved, _ in each)
    scale, growth = least_scale(plan, asked), 0.0
    while growth <= MOST_GROWTH:
        drawn = rounded_up(scale * _STEPS * (1 + Fraction(growth)))
        release, lost = noisy_whole_number(rounded_up(most), drawn)
        if all(lost * moved / most <= allowed for moved, allowed in each):
            low, width = decimal(possible_range(asked[0])[0] or 0.0), asked[0].width
            value = low + width * Fraction(release(round(mean * _STEPS))) / _STEPS
            return Noisy(float(value), rounded_up(decimal(drawn) * width / _STEPS))
        growth = max(1e-16, 10 * growth)
    raise ValueError(
        "no scale of OpenDP's noise on the answer for all people is certain to be as private as "
        'planned; plan the study again with total = "sum"'
    )


def _each(plan: StrataPlan, asked: Sequence[Item]) -> list[tuple[Fraction, Fraction]]:
    """By how many steps a person of each stratum moves the sum, and what they may lose by it."""
    parts = zip(weights(plan.study.strata), asked, plan.strata, strict=True)
    return [
        (
            weight * _STEPS / item.participants + 1,
            decimal(one.epsilon) - decimal(one.own_epsilon),
        )
        for weight, item, one in parts
    ]


def least_scale(plan: StrataPlan, asked: Sequence[Item]) -> Fraction:
    """The scale of the noise on the sum, as a part of the range, with the people who came.

    It is as planned, or as much larger as fewer people move the sum by more.

    Args:
        plan: the plan, with such a noise.
        asked: the item of each stratum, with its people.
    """
    planned = decimal(plan.total_scale or 0.0) / asked[0].width
    return max(planned, *(moved / allowed / _STEPS for moved, allowed in _each(plan, asked)))


def for_all_people(
    plan: StrataPlan,
    turnouts: Sequence[Turnout],
    answers: Sequence[Published],
    noisy: Noisy | None = None,
) -> list[Published]:
    """The answer for all people with its error; none where that is unknown.

    The weighted sum of one answer of each stratum follows from what is published, so it costs no
    privacy.

    Args:
        plan: the plan.
        turnouts: the people of each stratum.
        answers: of each stratum, in order.
        noisy: the answer for all people, where it has a noise of its own.
    """
    if plan.total_error is None:
        return []
    asked = [turnout.asked[0] for turnout in turnouts]
    error, first = error_for_all(plan, asked, answers, noisy and noisy.scale), answers[0]
    if noisy is None:
        parts = zip(weights(plan.study.strata), answers, strict=True)
        exact = (weight * Fraction(answer.numbers[0]) for weight, answer in parts)
        value = float(sum(exact, Fraction(0)))
    else:
        value = noisy.value
    low, high = possible_range(asked[0])
    assert low is not None  # as means and shares have a range
    assert high is not None
    ends = [min(max(x, low), high) for x in (value - error, value + error)]
    return [
        Published(
            ALL_PEOPLE,
            first.kind,
            value,
            error,
            failure_of_sum(plan),
            first.noise,
            None if noisy is None else noisy.scale,
            nearest=min(max(value, low), high),
            interval=ends,
            low=low,
            high=high,
            by_itself=plan.total_failure is None,
        )
    ]


def error_for_all(
    plan: StrataPlan,
    asked: Sequence[Item],
    answers: Sequence[Published],
    scale: float | None = None,
) -> float:
    """The error of the answer for all people with the people who came and the noise that was drawn.

    Args:
        plan: the plan.
        asked: the item of each stratum, with its people.
        answers: of each stratum, with the scales of noise.
        scale: of one noise on the sum, in its unit; None where it has none of its own.
    """
    samples, grain = [], Fraction(0 if scale is None else 1, _STEPS)
    parts = zip(weights(plan.study.strata), asked, answers, plan.strata, strict=True)
    for weight, item, answer, one in parts:
        own = decimal(answer.scale or 0.0) / (item.steps * item.participants)
        sample = one.study.sampling.sample
        noise = Fraction(0) if scale is not None else own
        samples.append(Sampled(weight, noise, sample, item.participants))
        grain += weight * item.grain
    width = asked[0].width
    noise = decimal(scale or 0.0) / width
    error = (decimal(error_of_sum(samples, failure_of_sum(plan), noise)) + grain) * width
    rounded = round_up(rounded_up(error), _DIGITS)
    if scale is None or plan.total_error is None or error > decimal(plan.total_error):
        return rounded
    return min(rounded, plan.total_error)


def failure_of_sum(plan: StrataPlan) -> float:
    """With what probability the sum is off: a part of that of all answers, or by itself."""
    return failure_of(plan.study) if plan.total_failure is None else plan.total_failure


def as_private(plan: StrataPlan, asked: Sequence[Item], scale: float | None) -> bool:
    """Whether a published scale is that which the people who came need, to nine digits."""
    if plan.total_scale is None or scale is None:
        return scale is plan.total_scale
    least = float(least_scale(plan, asked) * asked[0].width)
    return math.isclose(scale, least, rel_tol=2 * MOST_GROWTH)
