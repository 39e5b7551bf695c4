"""The ε of several questions from the rates of their noises, and how far rates may be raised.

A rate is ε for pure noise, and sensitivity/σ for Gaussian noise. Three rules:

- `Added`: pure noise, basic composition: ε = Σ εᵢ, without δ.
- `RootSum`: Gaussian noise: all answers together are one at μ² = Σ μᵢ², whose (ε, δ) is exact.
- `Mixed`: candidates are drawn, which is pure, and the rest has Gaussian noise: ε = Σ εᵢ + ε(μ, δ).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from planner import numbers
from planner.libraries import scipy
from planner.numbers import Array, Number, decimal, rational
from planner.privacy import gaussian

if TYPE_CHECKING:
    from flint import arb

Times = Sequence[int]
_MOST_RAISED = 1.001
"""A plan's ε lies over its floor by its few digits at most, a millionth."""


class Together(ABC):
    """How questions' rates make one ε."""

    powers: ClassVar[tuple[int, ...]] = (1,)
    """What splits of the failure probability keep small: the sum of rates to this power."""
    uses_delta: ClassVar[bool] = False
    adds_up: ClassVar[bool] = False
    """Whether rates to the power `powers[0]` add up to that of all answers together."""
    words: ClassVar[str]

    @abstractmethod
    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        """The ε of all answers; floats, arrays or balls."""

    def losses(self, rates: Sequence[float], times: Times, delta: float) -> list[float]:
        """The part of the whole privacy loss that each time of each question is, in floats."""
        powers = [rate ** self.powers[0] for rate in rates]
        whole = sum(n * x for n, x in zip(times, powers, strict=True))
        return [x / whole for x in powers]

    def approximate(self, rates: Sequence[Array], times: Times, delta: float, n: Array) -> Array:
        return self.epsilon(rates, times, delta)

    def at_least(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        """What the ε is certain not to be under; balls."""
        return self.epsilon(rates, times, delta)

    def largest(self, epsilon: "arb", delta: "arb") -> "arb":
        """The rate whose power is what the rates' powers add up to at most, at (ε, δ)."""
        raise NotImplementedError

    @abstractmethod
    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        """About the largest factor on all rates that ε allows."""

    @abstractmethod
    def certify_within(
        self, rates: Sequence[float], times: Times, epsilon: "arb", delta: "arb"
    ) -> bool:
        """Whether these rates, as decimals, are certain to be (ε, δ)-private together."""


@dataclass(frozen=True)
class Added(Together):
    """Pure noise: ε = Σ εᵢ."""

    adds_up: ClassVar[bool] = True
    words: ClassVar[str] = "the questions' ε add up (basic composition)"

    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        total: Number = 0
        for rate, count in zip(rates, times, strict=True):
            total = count * rate + total
        return total

    def largest(self, epsilon: "arb", delta: "arb") -> "arb":
        return epsilon

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        return float(epsilon / self.epsilon(rates, times, delta))

    def certify_within(
        self, rates: Sequence[float], times: Times, epsilon: "arb", delta: "arb"
    ) -> bool:
        total = sum((n * decimal(r) for r, n in zip(rates, times, strict=True)), Fraction(0))
        return bool(rational(total) <= epsilon.upper())


@dataclass(frozen=True)
class RootSum(Together):
    """Gaussian noise: μ² = Σ μᵢ²."""

    powers: ClassVar[tuple[int, ...]] = (2,)
    uses_delta: ClassVar[bool] = True
    adds_up: ClassVar[bool] = True
    words: ClassVar[str] = "the exact composition of Gaussian noise at δ"

    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        if numbers.of(*rates, delta) is numbers.balls():
            infinity = numbers.balls().infinity
            if any(rate == infinity for rate in rates):
                return infinity
            return gaussian.epsilon_ball(1 / self._mu(rates, times), delta)
        return gaussian.epsilon_at(1 / self._mu(rates, times), delta)

    def largest(self, epsilon: "arb", delta: "arb") -> "arb":
        if not epsilon.is_finite():
            return epsilon
        return 1 / gaussian.scale_ball(epsilon, delta) if delta > 0 else 0 * epsilon

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        return float(1 / gaussian.scale(epsilon, delta) / self._mu(rates, times))

    def certify_within(
        self, rates: Sequence[float], times: Times, epsilon: "arb", delta: "arb"
    ) -> bool:
        if not delta > 0:
            return False
        squares = [n * decimal(r) ** 2 for r, n in zip(rates, times, strict=True)]
        mu = rational(sum(squares, Fraction(0))).sqrt()
        return bool(self.epsilon([mu], [1], delta) <= epsilon)

    def _mu(self, rates: Sequence[Number], times: Times) -> Number:
        total: Number = 0
        for rate, count in zip(rates, times, strict=True):
            total = count * rate * rate + total
        return numbers.of(total).sqrt(total)


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
        return _raised(self, rates, times, epsilon, delta)

    def certify_within(
        self, rates: Sequence[float], times: Times, epsilon: "arb", delta: "arb"
    ) -> bool:
        """What exact fractions of the drawn ones leave is enough for the noise."""
        drawn = zip(self._apart(rates), self._apart(times), strict=True)
        total = sum((n * decimal(r) for r, n in drawn), Fraction(0))
        noisy, often = self._apart(rates, False), self._apart(times, False)
        return RootSum().certify_within(noisy, often, epsilon - rational(total), delta)

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


def _raised(
    rule: Together, rates: Sequence[float], times: Times, epsilon: float, delta: float
) -> float:
    """About the largest factor on all rates that ε allows, by a root; 1 where it is far off."""

    def excess(factor: float) -> float:
        return float(rule.epsilon([rate * factor for rate in rates], times, delta)) - epsilon

    if excess(1.0) >= 0 or excess(_MOST_RAISED) <= 0:
        return 1.0
    return float(scipy.optimize.brentq(excess, 1.0, _MOST_RAISED, xtol=1e-12)) * (1 - 1e-11)
