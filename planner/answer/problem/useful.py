"""Usefulness to the reader of a count, as a floor on ε (Ghosh09, Gupte10).

The least expected loss of any ε-private release falls with ε, as a release can be made more private
(Gupte10 Lemma 3), so at one N the floor is its inverse. Over N it follows the reader's rule and
need be neither monotone nor convex: sizes are looked at one by one, and excluded one by one.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from planner import numbers
from planner.consumers.loss_bracket import LossBracket, loss_bracket
from planner.libraries import np, scipy, sympy
from planner.mechanisms.floor import SAW_TOOTHED, Floor, Regularity
from planner.model import ExpectedLoss
from planner.numbers import Number

_FEW = 24  # sizes whose floors are computed: each takes a search over ε of its own
_LEAST, _LARGEST = 1e-9, 60.0
"""No ε beyond these is searched: the answers tell nothing, or all."""


@dataclass(frozen=True)
class UsefulFloor(Floor):
    """The least ε at which the reader expects to lose at most what the target allows."""

    target: ExpectedLoss

    @property
    def regularity(self) -> Regularity:
        """Over N it may do anything; the reader's prior may be enough."""
        return replace(SAW_TOOTHED, stands_for_any=_LEAST)

    @property
    def allowed(self) -> float:
        """The largest expected loss in the target's unit."""
        return self.target.at_most

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> float:
        """The expected loss in the target's unit, rounded up."""
        if numbers.of(epsilon, participants, delta) is numbers.FRACTIONS:
            raise numbers.Inexact
        return expected_loss(self.target, int(_as_float(participants)), _as_float(epsilon))

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε at which the best release is useful enough; ∞ where none is."""
        least = np.vectorize(lambda n: _least_epsilon(self.target, int(n)), otypes=[float])(
            participants
        )
        return float(least) if np.ndim(least) == 0 else least

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The floor at up to `_FEW` sizes, between them by a line in logarithms."""
        n = np.unique(np.rint(participants).astype(int))
        n = n[(n >= 1) & (n <= self.target.consumer.largest)]
        if not n.size:
            return np.full(np.shape(participants), np.inf)
        known = n[np.unique(np.linspace(0, len(n) - 1, _FEW).astype(int))]
        floors = np.log(self.epsilon(known, delta))
        interpolated = np.exp(np.interp(np.log(participants), np.log(known), floors))
        return np.where(participants <= n[-1], interpolated, np.inf)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """Not known."""
        return participants * math.inf

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether even the largest ε leaves more loss: its lower bound is over what is allowed."""
        end = float(most.upper())
        if not end < math.inf:
            return False
        bound = _bracket(self.target, participants, min(max(end, _LEAST), 1e3)).least
        return bound > self.target.allowed(participants) * (1 + 1e-15)

    def formula(self) -> "sympy.Expr":
        """A symbol that says what it is."""
        unit = "/N" if self.target.unit == "share" else ""
        return sympy.Symbol(f"least expected loss at ε{unit}")


def expected_loss(target: ExpectedLoss, participants: int, epsilon: float) -> float:
    """The least expected loss in the target's unit, rounded up."""
    most = _bracket(target, participants, epsilon).most
    return most / participants if target.unit == "share" else most


def _as_float(value: Number) -> float:
    """The float of which a ball holds the decimal too: 1,000 roundings cover both."""
    return float(value.mid() if hasattr(value, "mid") else value)


@lru_cache(maxsize=10_000)
def _bracket(target: ExpectedLoss, n: int, epsilon: float) -> LossBracket:
    """Bounds on the reader's smallest expected loss at N and ε [counts]."""
    return loss_bracket(target.consumer.at(n), epsilon)


@lru_cache(maxsize=10_000)
def _least_epsilon(target: ExpectedLoss, n: int) -> float:
    """The least ε at which the loss of N people is allowed; ∞ where the reader knows fewer."""
    if n > target.consumer.largest:
        return math.inf
    consumer, allowed = target.consumer.at(n), target.allowed(n)

    def excess(log_epsilon: float) -> float:
        lost = consumer.optimum(math.exp(log_epsilon)).loss
        return math.log(max(lost, 1e-300) / allowed)

    ends = math.log(_LEAST), math.log(_LARGEST)
    if excess(ends[0]) <= 0:
        return _LEAST
    if excess(ends[1]) > 0:
        return math.inf
    # a little over, as the bounds of the loss lie some 1e-9 apart
    return math.exp(scipy.optimize.brentq(excess, *ends, xtol=1e-12)) * (1 + 2e-9)
