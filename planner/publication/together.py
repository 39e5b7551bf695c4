"""The answer for all people from those of the strata: their sum, weighted by sizes."""

from collections.abc import Sequence
from fractions import Fraction

from planner.answer.answers import StrataPlan
from planner.answer.strata.together import Sampled, error_of_sum, failure_of
from planner.model.strata import weights
from planner.numbers import decimal, round_up
from planner.publication.items import Item, possible_range, rounded_up
from planner.publication.published import Published
from planner.publication.turnout import Turnout

ALL_PEOPLE = "all people"
"""The name of this answer."""
_DIGITS = 3
"""Of its error."""


def for_all_people(
    plan: StrataPlan, turnouts: Sequence[Turnout], answers: Sequence[Published]
) -> list[Published]:
    """The weighted sum of one answer of each stratum, with its error; none where that is unknown.

    It follows from what is published, so it costs no privacy.

    Args:
        plan: the plan.
        turnouts: the people of each stratum.
        answers: of each stratum, in order.
    """
    if plan.total_error is None:
        return []
    asked = [turnout.asked[0] for turnout in turnouts]
    error, first = error_for_all(plan, asked, answers), answers[0]
    exact = sum(
        (
            weight * Fraction(answer.numbers[0])
            for weight, answer in zip(weights(plan.study.strata), answers, strict=True)
        ),
        Fraction(0),
    )
    value = float(exact)
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
            None,
            nearest=min(max(value, low), high),
            interval=ends,
            low=low,
            high=high,
            by_itself=plan.total_failure is None,
        )
    ]


def error_for_all(plan: StrataPlan, asked: Sequence[Item], answers: Sequence[Published]) -> float:
    """The error of the weighted sum with the people who came and the noise that was drawn.

    Args:
        plan: the plan.
        asked: the item of each stratum, with its people.
        answers: of each stratum, with the scales of noise.
    """
    samples, grain = [], Fraction(0)
    parts = zip(weights(plan.study.strata), asked, answers, plan.strata, strict=True)
    for weight, item, answer, one in parts:
        scale = decimal(answer.scale or 0.0) / (item.steps * item.participants)
        samples.append(Sampled(weight, scale, one.study.sampling.sample, item.participants))
        grain += weight * item.grain
    error = (decimal(error_of_sum(samples, failure_of_sum(plan))) + grain) * asked[0].width
    return round_up(rounded_up(error), _DIGITS)


def failure_of_sum(plan: StrataPlan) -> float:
    """With what probability the sum is off: a part of that of all answers, or by itself."""
    return failure_of(plan.study) if plan.total_failure is None else plan.total_failure
