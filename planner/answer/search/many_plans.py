"""The printed plans of many studies at once: `proof.plan.printable_plan`, for arrays."""

from typing import NamedTuple

from planner.answer.problem.goal import Goal
from planner.answer.proof.plan import about_as_cheap
from planner.answer.search.many import Many
from planner.answer.search.many_aims import ROUNDING
from planner.libraries import np
from planner.model import (
    Choice,
    Delta,
    DeltaAtMost,
    EpsilonAtMost,
    MaxParticipants,
    MinParticipants,
)
from planner.numbers import Array, round_up

_DIGITS = 13  # with more of them rounding decides, and the study is in doubt
_OF_SPLITS = 1e-12
"""How closely the best splits of a survey are known, as a part of ε."""
_EXACT_POWER = 22
"""Powers of ten up to this one are exact in floats."""
_COMPARED = (MaxParticipants, MinParticipants, EpsilonAtMost, Delta, DeltaAtMost)
"""Conditions that compare two inputs, which no rounding can change."""
_POWERS = tuple(float(f"1e{power}") for power in range(_EXACT_POWER + 1))


class Plans(NamedTuple):
    """A plan for each study.

    Attributes:
        epsilon: ε, NaN where none was found.
        compensation: money owed to each participant.
        cost: money.
        doubt: whether rounding might change any of these.
    """

    epsilon: Array
    compensation: Array
    cost: Array
    doubt: Array


def plans(many: Many, participants: Array) -> Plans:
    """The plans at N whose ε have the fewest digits, just above their floors."""
    size, region = len(participants), many.region
    floor = np.broadcast_to(region.floor(participants), (size,))
    near_floor = about_as_cheap(region, floor, 1)  # families are planned one by one
    ceiling = np.minimum(region.ceiling(participants), near_floor)
    epsilon, doubt = np.full(size, np.nan), np.zeros(size, bool)
    open_ = np.arange(size)
    for digits in range(1, _DIGITS + 1):
        rounded, unsure = _round_up(floor[open_], digits)
        room = ceiling[open_] - rounded
        unsure |= np.abs(room) <= ROUNDING * rounded
        tried = (room >= 0) | unsure
        at = open_[tried]
        if not at.size:
            continue
        holds, close = _holds(many.take(at), rounded[tried], participants[at])
        close |= unsure[tried]
        doubt[at] |= close
        done = holds | close
        epsilon[at[done]] = rounded[tried][done]
        open_ = open_[np.isnan(epsilon[open_])]
        if not open_.size:
            break
    owed = np.minimum.reduce(
        np.broadcast_arrays(*(p.compensation(epsilon, many.delta) for p in many.persons))
    )
    return Plans(epsilon, owed, many.costs.total(participants, owed), doubt | np.isnan(epsilon))


def _round_up(x: Array, digits: int) -> tuple[Array, Array]:
    """`numbers.round_up` of an array; in doubt where the power of ten is not exact."""
    power = digits - 1 - np.floor(np.log10(x))
    unsure = ~((power >= 0) & (power <= _EXACT_POWER))
    scale = np.array(_POWERS)[np.where(unsure, 0, power).astype(int)]
    scaled = x * scale
    rounded = np.ceil(scaled) / scale
    near = np.abs(scaled - np.rint(scaled)) <= 4e-16 * scaled
    for row in np.flatnonzero(near & ~unsure):
        rounded[row] = round_up(float(x[row]), digits)
    for row in np.flatnonzero(unsure & np.isfinite(x) & (power < 0)):
        rounded[row], unsure[row] = round_up(float(x[row]), digits), False
    return rounded, unsure


def _holds(many: Many, epsilon: Array, participants: Array) -> tuple[Array, Array]:
    """Whether the plans keep to every condition, and where that is a close call."""
    holds, close = np.ones(len(epsilon), bool), np.zeros(len(epsilon), bool)
    choice = Choice(epsilon, many.delta, participants)
    for condition in many.region.conditions:
        if isinstance(condition, _COMPARED):  # that the region keeps to it is exact
            continue
        if isinstance(condition, Goal) and condition.kind == "survey":
            over = epsilon / condition.epsilon_floor(participants, many.delta) - 1
            holds &= over > 0
            close |= np.abs(over) <= _OF_SPLITS
            continue
        least = np.full(len(epsilon), -np.inf)
        for person in many.persons:
            left, right = condition.sides(choice, person, many.costs)
            room = (right - left) / np.maximum(np.abs(right), np.abs(left))
            least = np.maximum(least, room)
        holds &= least > 0
        close |= np.abs(least) <= ROUNDING
    return holds & ~close, close
