"""What several questions ask together, and what each gets of ε and α.

Their floors are read alone or at shares of one α; the shares that a plan states are those it is
proved with.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.several.best_shares import Part
from planner.mechanisms.several.split import DIGITS, Split, split
from planner.mechanisms.several.together import Together
from planner.numbers import Number, decimal, round_down, round_up

Certain = tuple[tuple[Part, float, float], ...]
"""Questions, each with its αᵢ and its least rate."""
_MOST_DIGITS = 17  # of a double
PROOF_PART = 1e-4  # of α: cells grow as one over its root


@dataclass(frozen=True)
class Questions:
    """Several questions to the same people.

    Attributes:
        parts: the questions; where `failure` is None their own floors' failure probabilities hold.
        failure: α, of all of them together, or None.
        together: how their rates make one ε.
    """

    parts: tuple[Part, ...]
    failure: float | None
    together: Together

    @property
    def times(self) -> Sequence[int]:
        return [part.times for part in self.parts]

    @property
    def whole(self) -> list[QuestionFloor]:
        """Each question's floor at all of α, or at its own."""
        if self.failure is None:
            return [part.floor for part in self.parts]
        share = self.failure / self.parts[0].times if len(self.parts) == 1 else self.failure
        return [part.at(share) for part in self.parts]

    @property
    def alone(self) -> list[QuestionFloor] | None:
        """The floors at shares that are the same at every N; None where there are none."""
        fixed = self.failure is None or len(self.parts) == 1
        return self.whole if fixed else None

    @property
    def splits(self) -> list[Split]:
        """The shares of α at each N; the cheapest of several is taken."""
        assert self.failure is not None
        return [splitting(self.parts, self.failure, power) for power in self.together.powers]

    def certain(self, participants: Number, delta: Number) -> Certain:
        """Each question's share of α, rounded down, and its certain floor in rates."""
        powers = self.together.powers[: 1 if self.alone is not None else None]
        ways = [certain(self.parts, self.failure, p, float(participants)) for p in powers]
        if len(ways) == 1:
            return ways[0]
        return min(ways, key=lambda way: self.total([rate for _, _, rate in way], delta))

    def total(self, rates: Sequence[float], delta: Number) -> float:
        """The ε of these rates; ∞ where one of them is."""
        if not max(rates) < math.inf:
            return math.inf
        return float(self.together.epsilon(rates, self.times, delta))


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
    return PROOF_PART if exact else 0.0


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
