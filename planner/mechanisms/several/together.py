"""The ε of several questions from the rates of their noises, and how far rates may be raised.

A rate is ε for pure noise, and sensitivity/σ for Gaussian noise. Four rules:

- `Added`: pure noise, basic composition: ε = Σ εᵢ, without δ.
- `RootSum`: Gaussian noise: all answers together are one at μ² = Σ μᵢ², whose (ε, δ) is exact.
- `Mixed`: candidates are drawn, which is pure, and the rest has Gaussian noise: ε = Σ εᵢ + ε(μ, δ).
- `Composed`: pure noise under the optimal composition at δ: the least ε for all mechanisms that are
  εᵢ-private, which randomized response reaches and Laplace noise does not.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms.exact.noise_balls import rational
from planner.numbers import Array, Number, decimal, round_down
from planner.privacy import gaussian
from planner.privacy.composition import of_queries

if TYPE_CHECKING:
    from flint import arb

Times = Sequence[int]
_KNOTS = 24  # between which compositions are nearly straight
_LATTICE_DIGITS = 3  # rates of so few digits have exact compositions
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
        """The same over arrays of N."""
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
        """The sum."""
        total: Number = 0
        for rate, count in zip(rates, times, strict=True):
            total = count * rate + total
        return total

    def largest(self, epsilon: "arb", delta: "arb") -> "arb":
        """ε."""
        return epsilon

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        """ε over the sum."""
        return float(epsilon / self.epsilon(rates, times, delta))

    def certify_within(
        self, rates: Sequence[float], times: Times, epsilon: "arb", delta: "arb"
    ) -> bool:
        """In exact fractions."""
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
        """The least ε of σ = 1/μ at δ."""
        if numbers.of(*rates, delta) is numbers.balls():
            infinity = numbers.balls().infinity
            if any(rate == infinity for rate in rates):
                return infinity
            return gaussian.epsilon_ball(1 / self._mu(rates, times), delta)
        return gaussian.epsilon_at(1 / self._mu(rates, times), delta)

    def largest(self, epsilon: "arb", delta: "arb") -> "arb":
        """μ."""
        if not epsilon.is_finite():
            return epsilon
        return 1 / gaussian.scale_ball(epsilon, delta) if delta > 0 else 0 * epsilon

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        """1/σ at (ε, δ) over μ."""
        return float(1 / gaussian.scale(epsilon, delta) / self._mu(rates, times))

    def certify_within(
        self, rates: Sequence[float], times: Times, epsilon: "arb", delta: "arb"
    ) -> bool:
        """By the exact condition, in balls."""
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
        """The sum of both."""
        drawn, noisy = self._apart(rates), self._apart(rates, False)
        of_noise = RootSum().epsilon(noisy, self._apart(times, False), delta)
        return Added().epsilon(drawn, self._apart(times), delta) + of_noise

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        """By a root: the total grows with all rates at once."""
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
        """The values of the pure questions, or of the others."""
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


@dataclass(frozen=True)
class Composed(Together):
    """Pure noise under the optimal composition at δ."""

    powers: ClassVar[tuple[int, ...]] = (2, 1)
    """A total of small ε is about √(Σ ε²) times a constant, one of large ε about their sum."""
    uses_delta: ClassVar[bool] = True
    words: ClassVar[str] = "the optimal composition of the questions' ε at δ"

    def epsilon(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        """The least ε, rounded up; floats, or balls by their ends."""
        system = numbers.of(*rates, delta)
        if system is numbers.balls():
            highest = [float(rate.upper()) for rate in rates]
            most = system.number(_composed(tuple(highest), tuple(times), float(delta.lower())))
            return self.at_least(rates, times, delta).union(most)
        if system is numbers.arrays():
            totals = [
                _composed(tuple(map(float, row)), tuple(times), float(delta))
                for row in np.moveaxis(np.array(rates), 0, -1).reshape(-1, len(times))
            ]
            return np.array(totals).reshape(np.shape(rates[0]))
        return _composed(tuple(map(float, rates)), tuple(times), float(delta))

    def approximate(self, rates: Sequence[Array], times: Times, delta: float, n: Array) -> Array:
        """At a few sizes; between them the quotient to √(Σ ε²) by a line over ln N."""
        at = np.unique(n, return_index=True)[1]
        norm = np.sqrt(Added().epsilon([rate**2 for rate in rates], times, 0.0))
        at = at[np.isfinite(norm[at])]
        if not at.size:
            return norm
        at = at[np.unique(np.linspace(0, len(at) - 1, _KNOTS).astype(int))]
        known = self.epsilon([rate[at] for rate in rates], times, delta) / norm[at]
        return norm * np.interp(np.log(n), np.log(n[at]), known)

    def at_least(self, rates: Sequence[Number], times: Times, delta: Number) -> Number:
        """By rates of few digits, whose composition is exact."""
        number = numbers.balls().number
        lowest = [max(float(rate.lower()), 0.0) for rate in rates]
        few = tuple(round_down(rate, _LATTICE_DIGITS) if rate else 0.0 for rate in lowest)
        return number(_exactly_composed(few, tuple(times), float(delta.upper())))

    def raised(self, rates: Sequence[float], times: Times, epsilon: float, delta: float) -> float:
        """By a root: the total grows with all rates at once."""
        return _raised(self, rates, times, epsilon, delta)

    def certify_within(
        self, rates: Sequence[float], times: Times, epsilon: "arb", delta: "arb"
    ) -> bool:
        """By `compose`, which rounds up."""
        total = _composed(tuple(rates), tuple(times), float(delta.mid()))
        return bool(numbers.balls().number(total) <= epsilon)


@lru_cache(maxsize=2**14)
def _composed(rates: tuple[float, ...], times: tuple[int, ...], delta: float) -> float:
    """The total ε, rounded up; ∞ where a rate is."""
    if not max(rates) < math.inf:
        return math.inf
    return of_queries(_counted(rates, times), delta, "optimal").epsilon


@lru_cache(maxsize=2**12)
def _exactly_composed(rates: tuple[float, ...], times: tuple[int, ...], delta: float) -> float:
    """The total ε, rounded down; 0 where it is not known exactly."""
    if not max(rates) < math.inf:
        return math.inf
    queries = _counted(rates, times)
    total = of_queries(queries, delta, "optimal")
    norm = math.sqrt(sum(n * float(e) ** 2 for e, n in queries))
    return max(total.epsilon - 4e-12 * max(total.epsilon, norm), 0.0) if total.exact else 0.0


def _counted(rates: tuple[float, ...], times: tuple[int, ...]) -> tuple[tuple[Fraction, int], ...]:
    counts: dict[Fraction, int] = {}
    for rate, n in zip(rates, times, strict=True):
        if rate:
            counts[decimal(rate)] = counts.get(decimal(rate), 0) + n
    return tuple(sorted(counts.items()))
