"""What the analyst requires of a test: to find an alternative with some probability.

The test of one proportion against a value is here, that of two groups in `difference`.
"""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from planner.checked import dataclass
from planner.checks import Mean, Probability
from planner.mechanisms import Mechanism, NoisyCounts
from planner.mechanisms.noisy_counts import ONE_BY_ONE, PowerOfGroups, PowerOfOne
from planner.mechanisms.sample import Sample
from planner.numbers import decimal
from planner.wording import plain, points, several

_HALF, _OVER = 0.5, 1 + 1e-6
"""A power is over 1/2, and a significance under it; nobody asks for one that is nearer to it."""
_LEAST = 1e-6
"""Nor for chances of an error that are smaller, or for so small a part of a change."""


AnyTest = PowerOfGroups | PowerOfOne


class AnyPower(ABC):
    """What all tests have in common: a power, a significance, and one side or two."""

    kind: ClassVar[str] = "power"
    """What it is about, in a word."""
    file_kind: ClassVar[str]
    """Its kind in study files."""
    symbol: ClassVar[str] = "beta"
    """The symbol of the probability to miss the alternative."""
    values: ClassVar[None] = None
    """None: a proportion has no range of values."""
    deviation: ClassVar[None] = None
    """None, likewise."""
    VARIED: ClassVar[tuple[str, ...]] = ("power", "significance", "change")
    """The quantities of it that can be varied."""
    power: float
    significance: float
    sides: int

    @property
    @abstractmethod
    def floor(self) -> AnyTest:
        """What the test asks of ε at each number of people, of a population without end."""

    @property
    @abstractmethod
    def distance(self) -> float:
        """How far the alternative is from the null hypothesis [(0, 1]]."""

    @property
    @abstractmethod
    def farthest(self) -> float:
        """The largest distance that it can be varied to."""

    @property
    @abstractmethod
    def found(self) -> str:
        """What is to be found, as a phrase."""

    @property
    @abstractmethod
    def at(self) -> str:
        """The alternative, in numbers."""

    @property
    @abstractmethod
    def rejected(self) -> str:
        """The null hypothesis, as a phrase after "rejects"."""

    @property
    @abstractmethod
    def upwards(self) -> bool:
        """Whether the alternative is the larger."""

    @abstractmethod
    def moved(self, distance: float) -> Self:
        """The same with an alternative at another distance, on the same side."""

    def refuse_chance(self) -> None:
        """Refuse a power that a test has by chance.

        Raises:
            ValueError: the power is not over 1/2, or the significance not under it.
        """
        if self.power <= _HALF:
            raise ValueError(
                f"power = {self.power!r} is not over 0.5; give a larger one, such as 0.8"
            )
        if self.significance >= _HALF:
            raise ValueError(
                f"significance = {self.significance!r} is not allowed; give less than 0.5, such as "
                "0.05"
            )

    def varied(self, values: dict[str, float]) -> Self:
        """The same with other values of some quantities: `power`, `significance` or `change`.

        Raises:
            ValueError: a value is not allowed, or the quantity is not of a test.
        """
        for name in values.keys() - {*self.VARIED}:
            raise ValueError(f"{name} is not of a test; give {several([*self.VARIED], 'or')}")
        others: dict[str, Any] = {name: x for name, x in values.items() if name != "change"}
        one = self.moved(values["change"]) if "change" in values else self
        return replace(one, **others)  # type: ignore[type-var]  # all kinds are dataclasses

    def easiest(self, quantity: str) -> float:
        """The easiest value of one of these quantities."""
        if quantity == "change":
            return self.farthest
        return _HALF * _OVER if quantity == "power" else _HALF / _OVER

    def hardest(self, quantity: str) -> float:
        """The hardest value of one of these quantities that is looked at."""
        if quantity == "change":
            return _LEAST * self.distance
        return 1 - _LEAST if quantity == "power" else _LEAST

    @property
    def label(self) -> str:
        """The target as a phrase within a sentence."""
        sides = "one-sided" if self.sides == 1 else "two-sided"
        return (
            f"a power of {points(self.power)} % to find {self.found} ({sides} test, significance "
            f"{points(self.significance)} %)"
        )

    def promise(self, achieved: str) -> str:
        """What a plan promises, with the probability to miss the alternative written out."""
        return (
            f"the test misses the alternative with probability at most {achieved} and rejects "
            f"{self.rejected}, where that is true, with probability at most "
            f"{plain(self.significance)}"
        )


@dataclass
class Power(AnyPower):
    """A test of a proportion against the null value finds the alternative with this probability.

    Attributes:
        null: the proportion under the null hypothesis [[0, 1]].
        alternative: the proportion that is to be found, larger or smaller [[0, 1], not the null
            value].
        power: the least probability that the test rejects at the alternative, in its direction
            [over 1/2, below 1].
        significance: the largest probability that the test rejects at the null value [(0, 1/2)].
        sides: 1, towards the alternative; or 2, a test on each side at half the significance.
    """

    file_kind: ClassVar[str] = "power"
    """Its kind in study files."""

    null: Mean
    alternative: Mean
    power: Probability = 0.8
    significance: Probability = 0.05
    sides: Literal[1, 2] = 1

    @model_validator(mode="after")
    def _a_test(self) -> Self:
        if self.null == self.alternative:
            raise ValueError(
                f"alternative = {self.alternative!r} is the null value; give another proportion, "
                "which the test is to find"
            )
        self.refuse_chance()
        return self

    @property
    def floor(self) -> PowerOfOne:
        return PowerOfOne(self.null, self.alternative, self.power, self.significance, self.sides)

    @property
    def distance(self) -> float:
        return float(abs(decimal(self.alternative) - decimal(self.null)))

    @property
    def farthest(self) -> float:
        return 1 - self.null if self.upwards else self.null

    @property
    def upwards(self) -> bool:
        return self.alternative > self.null

    def moved(self, distance: float) -> Self:
        step = decimal(float(distance)) * (1 if self.upwards else -1)
        return replace(self, alternative=float(decimal(self.null) + step))

    @property
    def found(self) -> str:
        return f"a proportion of {plain(self.alternative)} instead of {plain(self.null)}"

    @property
    def at(self) -> str:
        return plain(self.alternative)

    @property
    def rejected(self) -> str:
        return plain(self.null)


def refuse_test(target: object, mechanism: Mechanism, sample: Sample) -> None:
    """Refuse a test by what publishes no counts, and noisy counts of other people.

    Raises:
        ValueError: says what to give.
    """
    if isinstance(target, AnyPower) and not isinstance(mechanism, NoisyCounts):
        raise ValueError(
            'a power is that of a test; give the mechanism kind = "noisy-counts", not '
            f"{mechanism.kind}"
        )
    if isinstance(mechanism, NoisyCounts) and not sample._replace(population=None).simple:
        raise ValueError(ONE_BY_ONE)
