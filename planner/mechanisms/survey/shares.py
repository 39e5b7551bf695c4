"""What each question gets of ε and of α: the shares that a plan states and is proved with."""

import math
from functools import lru_cache
from typing import NamedTuple

from planner.mechanisms.survey.part import Part
from planner.mechanisms.survey.split import DIGITS, Split, split
from planner.numbers import decimal, round_down, round_up

_MOST_DIGITS = 17
_PROOF_ROOM = 1e-4


class Share(NamedTuple):
    """What one question gets of a plan.

    Attributes:
        part: the question.
        rate: ε, or sensitivity/σ, of each time that it is asked.
        failure: αᵢ, likewise.
    """

    part: Part
    rate: float
    failure: float


def splitting(parts: tuple[Part, ...], failure: float, power: int) -> Split:
    """The best shares at each N, of an α that leaves the proofs of exact analyses some room."""
    return split(parts, failure * (1 - _proof_room(parts)), power)


def _proof_room(parts: tuple[Part, ...]) -> float:
    """By what part of α the shares together stay under it, where proofs close to it are long.

    A proof by cells takes as many as one over the root of what is left.
    """
    exact = any(part.floor.regularity.saw_toothed for part in parts)
    return _PROOF_ROOM if exact else 0.0


@lru_cache(maxsize=2**13)
def certain(
    parts: tuple[Part, ...], failure: float | None, power: int, n: float
) -> tuple[tuple[Part, float, float], ...]:
    """Each question's share of α, rounded down, and its certain floor in rates.

    They are remembered: limits and prices in money read them again.
    """
    left = 1.0
    if failure is None:
        failures = [part.floor.failure for part in parts]
    elif len(parts) == 1:
        failures = [_equal_share(failure, parts[0].times)]
    else:
        failures = splitting(parts, failure, power).stated(n)
        left = 1 - _proof_room(parts)
    stated = [round_down(a / left, DIGITS) if left < 1 else a for a in failures]
    return tuple(
        (part, share, float(part.at(a).epsilon(n, 0.0)))
        for part, share, a in zip(parts, stated, failures, strict=True)
    )


def _equal_share(failure: float, times: int) -> float:
    """What times as much, as decimals, is no more than the failure probability."""
    share = failure / times
    while times * decimal(share) > decimal(failure):
        share = math.nextafter(share, 0.0)
    return share


def fewest_digits(least: float, most: float) -> float:
    """The number with the fewest digits in [least, most], else the least."""
    for digits in range(1, _MOST_DIGITS + 1):
        rounded = round_up(least, digits)
        if rounded <= most:
            return rounded
    return least
