"""The means of a finite population: K/M for whole K in a range."""

import math
from typing import TYPE_CHECKING, NamedTuple

from planner.numbers import decimal

if TYPE_CHECKING:
    from planner.mechanisms.exact.bounds.bracket import Mean


class Lattice(NamedTuple):
    """How many of a population may have the property.

    Attributes:
        people: M.
        low: the least K.
        high: the largest; the failure probability is the same at M − K, so where the range is
            symmetric it ends in the middle.
    """

    people: int
    low: int
    high: int

    def near(self, mean: "Mean") -> int:
        """The K whose mean is nearest."""
        return min(max(round(mean * self.people), self.low), self.high)


def smaller(people: int, participants: int) -> int:
    """The smaller of the sample and of those left out; of more people than there are, nobody."""
    return max(min(participants, people - participants), 0)


def lattice(people: int, mean_range: tuple[float, float]) -> Lattice:
    """The K whose mean lies in a range.

    Raises:
        ValueError: there is none.
    """
    low, high = (people * decimal(mean) for mean in mean_range)
    least, most = math.ceil(low), math.floor(high)
    if least > most:
        raise ValueError(
            f"no whole number of {people!r} people is a share between {mean_range[0]!r} and "
            f"{mean_range[1]!r}; give a wider mean_range"
        )
    return Lattice(people, least, people // 2 if least + most == people else most)
