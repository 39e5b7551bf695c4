"""The ε of several questions from the rates of their noises, and how far rates may be raised.

A rate is ε for pure noise, and sensitivity/σ for Gaussian noise. Three rules:

- `Added`: pure noise, basic composition: ε = Σ εᵢ, without δ.
- `RootSum`: Gaussian noise: all answers together are one at μ² = Σ μᵢ², whose (ε, δ) is exact.
- `Mixed`: candidates are drawn, which is pure, and the rest has Gaussian noise: ε = Σ εᵢ + ε(μ, δ).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from planner.libraries import scipy
from planner.numbers import Number
from planner.privacy import gaussian

Times = Sequence[int]
_LEAST, _MOST = 1e-6, 1e6
"""Factors on rates that are tried."""
_INSIDE = 1 - 1e-11
"""Rates are raised by a little less than ε allows, by more than floats are off."""


class Together(ABC):
    """How questions' rates make one ε."""

    powers: ClassVar[tuple[int, ...]] = (1,)
    """What splits of the failure probability keep small: the sum of rates to this power."""
    uses_delta: ClassVar[bool] = False
    words: ClassVar[str]

    @abstractmethod
    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        """The ε of all answers; floats or arrays."""

    def losses(self, rates: Sequence[float], times: Times, delta: float) -> list[float]:
        """The part of the whole privacy loss that each time of each question is."""
        powers = [rate ** self.powers[0] for rate in rates]
        whole = sum(n * x for n, x in zip(times, powers, strict=True))
        return [x / whole for x in powers]

    @abstractmethod
    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        """About the largest factor on all rates that ε allows, or a little less."""


@dataclass(frozen=True)
class Added(Together):
    """Pure noise: ε = Σ εᵢ."""

    words: ClassVar[str] = "the questions' ε add up (basic composition)"

    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        total: Number = 0
        for rate, count in zip(rates, times, strict=True):
            total = count * rate + total
        return total

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        return float(epsilon / self.epsilon(rates, times, delta))


@dataclass(frozen=True)
class RootSum(Together):
    """Gaussian noise: μ² = Σ μᵢ²."""

    powers: ClassVar[tuple[int, ...]] = (2,)
    uses_delta: ClassVar[bool] = True
    words: ClassVar[str] = "the exact composition of Gaussian noise at δ"

    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        return gaussian.epsilon_at(1 / self._mu(rates, times), delta)

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        largest = 1 / float(gaussian.scale(epsilon, delta))
        return largest / float(self._mu(rates, times)) * _INSIDE

    def _mu(self, rates: Sequence[Number], times: Times) -> Number:
        return Added().epsilon([rate * rate for rate in rates], times, 0.0) ** 0.5


@dataclass(frozen=True)
class Mixed(Together):
    """Pure answers beside Gaussian noise: (Σ εᵢ, 0) and (ε(μ, δ), δ) add up to (ε, δ).

    Attributes:
        pure: for each question, whether its rate is an ε; at least one is, and one is not.
    """

    powers: ClassVar[tuple[int, ...]] = (2, 1)
    uses_delta: ClassVar[bool] = True
    words: ClassVar[str] = "the ε of drawn candidates and of all Gaussian noise at δ add up"

    pure: tuple[bool, ...]

    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        drawn, noisy = self._apart(rates), self._apart(rates, False)
        of_noise = RootSum().epsilon(noisy, self._apart(times, False), delta)
        return Added().epsilon(drawn, self._apart(times), delta) + of_noise

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        """By a root; the most or the least factor that is tried where it is beyond."""

        def excess(factor: float) -> float:
            return float(self.epsilon([rate * factor for rate in rates], times, delta)) - epsilon

        low, high = (_LEAST, 1.0) if excess(1.0) > 0 else (1.0, _MOST)
        if excess(low) >= 0 or excess(high) <= 0:
            return low if excess(low) >= 0 else high
        return float(scipy.optimize.brentq(excess, low, high, xtol=1e-12)) * _INSIDE

    def losses(self, rates: Sequence[float], times: Times, delta: float) -> list[float]:
        """Of ε: each drawn one's own; of the noise's, in proportion to the squared rates."""
        noisy, often = self._apart(rates, False), self._apart(times, False)
        of_noise = float(RootSum().epsilon(noisy, often, delta))
        shares = iter(RootSum().losses(noisy, often, delta))
        found = [
            rate if own else of_noise * next(shares)
            for rate, own in zip(rates, self.pure, strict=True)
        ]
        whole = float(self.epsilon(rates, times, delta))
        return [x / whole for x in found]

    def _apart(self, values: Sequence[Any], pure: bool = True) -> list[Any]:
        return [x for x, own in zip(values, self.pure, strict=True) if own == pure]
