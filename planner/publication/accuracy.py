"""How accurate planned answers are with the noise that is drawn, at the number of people who came.

Noise stays as planned, and so does each person's ε; with fewer people the error is larger. It is
searched in floats, and holds at the number that is stated. Rounding is part of it: what holds is an
error that is smaller by it.
"""

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.problem.problem import problem_of
from planner.answer.problem.survey import floor_of
from planner.answer.strata.together import failure_of
from planner.mechanisms import AddedNoise
from planner.mechanisms.floor import Floor
from planner.mechanisms.noise import NOISES
from planner.mechanisms.several.histogram import WorstShares, per_count
from planner.numbers import decimal, least_decimals, round_up
from planner.privacy.gaussian import epsilon_at
from planner.publication.estimated import estimated
from planner.publication.items import Item, rounded_up
from planner.wording import persons, plain, quoted

_LEAST, _TRIES = 0.01, 4
"""An error is searched from this part of the planned one on; of so many decimals one holds."""
_LESS = 1 - 1e-12
"""By what factor an ε in floats may be off, and far more."""


class Drawn(NamedTuple):
    """An answer at the noise that is drawn, with the error and the failure that it may have.

    Attributes:
        floor: what they ask.
        rate: of the noise; ε where one question is asked.
        participants: how many people came.
        delta: where the floor depends on it.
    """

    floor: Floor
    rate: float
    participants: int
    delta: float

    @property
    def failure(self) -> float:
        return float(self.floor.achieved(self.rate, self.participants, self.delta))


def allowed_failure(plan: Plan | StrataPlan | TotalPlan) -> float:
    """The failure probability of all answers together."""
    study = plan.study
    if study.power is not None:
        return study.power.significance
    if isinstance(plan, StrataPlan | TotalPlan):
        return failure_of(study)
    if study.survey is None:
        return study.accuracy.failure
    if study.survey.failure is not None:
        return study.survey.failure
    return min(1.0, sum(q.times * q.failure for q in plan.questions))


def with_people(plan: Plan, asked: Sequence[Item], participants: int) -> list[Item]:
    """The items of a plan with the people who came, and the errors that are computed with them.

    Args:
        plan: the plan.
        asked: its items.
        participants: how many people came [≥ 1].

    Raises:
        ValueError: no error below the whole range is certain with so many.
    """
    if participants == plan.participants:
        return [_with_rounding(plan, item) for item in asked]
    return [_with_error(plan, item, participants) for item in asked]


def accurate(plan: Plan, asked: Sequence[Item]) -> bool:
    """Whether all items are as accurate as they state."""
    return all(_holds(_drawn(plan, item, item.failure)) for item in asked)


def failure_as_planned(plan: Plan, planned: Item, participants: int) -> float:
    """With what probability at most, computed, an item misses its planned error.

    Args:
        plan: the plan.
        planned: the item, as planned.
        participants: how many people came [≥ 1].
    """
    item = as_planned(planned, participants)
    failure = round_up(_drawn(plan, item, item.failure).failure, 3)
    for _ in range(_TRIES):
        if failure >= 1 or _holds(_drawn(plan, item, failure)):
            return min(failure, 1.0)
        failure = round_up(math.nextafter(failure, 1), 3)
    return 1.0


def as_planned(planned: Item, participants: int) -> Item:
    """The item with other people, and its planned error: of a count the same part of them."""
    error = planned.error
    if planned.kind == "count":
        error = float(decimal(error) * participants / planned.participants)
    return replace(planned, participants=participants, error=error)


def _with_rounding(plan: Plan, item: Item) -> Item:
    """The item as planned; its error is larger where the plan leaves no room for rounding."""
    if not item.grain or accurate(plan, [item]):
        return item
    return replace(item, error=rounded_up(decimal(item.error) + item.grain * item.width))


def _with_error(plan: Plan, planned: Item, participants: int) -> Item:
    """The item with the least error of three digits that holds with the people who came."""
    item = as_planned(planned, participants)

    def likely(error: float) -> bool:
        return _drawn(plan, replace(item, error=error), item.failure).failure <= item.failure

    below = math.nextafter(float(item.width), 0.0)
    for error in islice(least_decimals(likely, item.error * _LEAST, below), _TRIES):
        if item.error <= error and accurate(plan, [item]):
            return item
        if accurate(plan, [one := replace(item, error=error)]):
            return one
    raise ValueError(
        f"with {persons(participants)} no error of {quoted(item.name)} is certain; the plan "
        f"is for {plain(planned.participants)}"
    )


def _drawn(plan: Plan, item: Item, failure: float) -> Drawn:
    """The item with its noise and its error without what rounding takes, at this α."""
    share = _down(decimal(item.error) / item.width - item.grain)
    study, n = estimated(plan.study), item.participants
    if item.question is None:
        # of a difference the share of those counted, of whom there are as many as planned
        target = replace(study.accuracy, error=share, failure=failure)
        floor = problem_of(replace(study, target=target)).goals[0].floor
        return Drawn(floor, _epsilon(plan, item), n, plan.delta)
    assert isinstance(study.mechanism, AddedNoise)  # no other asks several with a curator
    one = floor_of(item.question, study.mechanism, failure, study.sampling.sample)
    if item.answered_mean:
        one = WorstShares(one, item.numbers, failure, per_count(NOISES[item.noise]))
    floor = one.with_error(share)
    sensitivity = 2.0 if item.kind == "quantile" else item.sensitivity
    rate = _below(Fraction(sensitivity) / Fraction(item.scale or 1.0))
    return Drawn(floor, rate, n, 0.0)


@lru_cache
def _holds(drawn: Drawn) -> bool:
    return drawn.failure <= float(drawn.floor.allowed)


def _epsilon(plan: Plan, item: Item) -> float:
    """An ε that needs at least as much noise as this scale is."""
    if item.scale is None:
        return plan.epsilon
    rate = Fraction(item.sensitivity) / Fraction(item.scale)
    if item.noise != "gaussian":
        return min(_below(rate), plan.epsilon)
    return min(float(epsilon_at(float(1 / rate), plan.delta)) * _LESS, plan.epsilon)


def _below(x: Fraction) -> float:
    nearest = float(x)
    return nearest if Fraction(nearest) <= x else math.nextafter(nearest, 0.0)


def _down(x: Fraction) -> float:
    context = Context(prec=sys.float_info.dig, rounding=ROUND_FLOOR)
    return float(context.divide(Decimal(x.numerator), Decimal(x.denominator)))
