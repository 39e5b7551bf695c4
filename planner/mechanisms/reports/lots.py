"""Several questions without a curator: lots hand out one question to each person.

Question i is put to a fixed number Nᵢ of people, each of whom randomises the answer at the whole ε,
so the numbers of people add up: N = Σ Nᵢ. With p − q = s the share of a group is off by T with a
probability of at most 2·exp(−2NᵢT²s²) (Hoeffding), and k groups at once with k times that:

    Nᵢ = cᵢ/sᵢ(ε)²,   cᵢ = ln(2kᵢ/αᵢ)/(2Tᵢ²).

A yes/no question is answered truthfully with p = e^ε/(1 + e^ε), s = tanh(ε/2). Of k groups a person
reports their own with p = e^ε/(e^ε + k − 1) and each other with q = 1/(e^ε + k − 1), s = p − q
(k-ary randomized response); or reports yes or no for every group, each with ε/2, as two groups
change with a person: s = tanh(ε/4) (symmetric unary encoding). The larger s is taken: the first for
k up to 1 + e^(ε/2). By itself the first is cheapest at ε = ln(k + 1) and N = 4c, the second at
ε = ln 4 and N = 9c, where only compensation is paid.

The numbers of people are least together for αᵢ in proportion to 1/(Tᵢsᵢ)²; sᵢ is taken at the ε
of the cheapest study of shares, ln 3, so where questions of several kinds are mixed other αᵢ may do
with slightly fewer people.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from planner import numbers
from planner.mechanisms.floor import Floor, Shape
from planner.mechanisms.reports.card import strength
from planner.numbers import Array, Number, NumberSystem, round_down

if TYPE_CHECKING:
    import sympy

Way = Literal["answer", "group", "groups"]
"""What a person reports: yes or no, their group, or yes or no for every group."""
_LEAST, _MOST = 1e-9, 200.0
_HALVINGS = 70
_ROOM = 1e-9
_DIGITS = 12
_PRECISION = 60
_TYPICAL = math.log(3)
_SHARE_DIGITS = 12


class Lot(NamedTuple):
    """A question, and how surely it must be answered.

    Attributes:
        numbers: k, how many shares it publishes [≥ 1].
        error: T of each [fraction of 1].
        failure: αᵢ for all k together [(0, 1)].
        times: how many alike are asked.
    """

    numbers: int
    error: float
    failure: float
    times: int

    def people(self, system: NumberSystem) -> Number:
        """The c of its number of people c/s²."""
        number = system.number
        logarithm = system.log(number(2.0) * self.numbers / number(self.failure))
        return logarithm / (2 * number(self.error) ** 2)

    def strength(self, epsilon: Number) -> Number:
        """The larger s of its ways; floats or arrays."""
        system = numbers.of(epsilon)
        if self.numbers == 1:
            return strength(epsilon)
        rise = system.expm1(system.minimum(epsilon, 600.0))
        return system.maximum(rise / (rise + self.numbers), strength(epsilon / 2))

    def way(self, epsilon: float) -> Way:
        """The way of the larger s."""
        if self.numbers == 1:
            return "answer"
        return "group" if strength(epsilon / 2) < self.strength(epsilon) else "groups"

    def card(self, epsilon: float) -> tuple[Fraction, Fraction]:
        """The p and q that are printed at ε: decimals of q rounded up, so that p/q ≤ e^ε."""
        way = self.way(epsilon)
        exact = Fraction(repr(float(epsilon))) / (2 if way == "groups" else 1)
        others = self.numbers - 1 if way == "group" else 1
        opposite = _opposite(exact, others)
        return 1 - others * opposite, opposite


class Asked(NamedTuple):
    """How a question is asked.

    Attributes:
        lot: the question.
        epsilon: of each report.
        participants: how many people report; None where all do.
        share: of all people, where each is asked one question; else of the ε.
    """

    lot: Lot
    epsilon: float
    participants: int | None
    share: float


def _opposite(epsilon: Fraction, others: int) -> Fraction:
    """The least decimal of so many digits that is at least 1/(e^ε + k − 1)."""
    with localcontext(Context(prec=_PRECISION + int(min(float(epsilon), _MOST)))):
        growth = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        exact = 1 / (growth + others)
        step = Decimal(1).scaleb(exact.adjusted() + 1 - _DIGITS)
        return Fraction(exact.quantize(step, ROUND_CEILING))


def shared_out(lots: tuple[Lot, ...], failure: float) -> tuple[Lot, ...]:
    """The lots with their shares of α, rounded down: in proportion to 1/(Tᵢsᵢ)²."""
    weights = [1 / (lot.error * float(lot.strength(_TYPICAL))) ** 2 for lot in lots]
    whole = sum(lot.times * weight for lot, weight in zip(lots, weights, strict=True))
    return tuple(
        lot._replace(failure=round_down(failure * weight / whole, _SHARE_DIGITS))
        for lot, weight in zip(lots, weights, strict=True)
    )


@dataclass(frozen=True)
class LotsFloor(Floor):
    """The least ε at which N people are enough for all lots.

    Attributes:
        lots: one for each question.
        failure: α of all together, where the survey gives one.
    """

    lots: tuple[Lot, ...]
    failure: float | None = None

    @property
    def shape(self) -> Shape:
        """It falls; N times it grows, as √N in the end."""
        return "falling"

    @property
    def signal_grows(self) -> bool:
        """Yes."""
        return True

    @property
    def loose(self) -> bool:
        """Yes: whole numbers of people are not smooth."""
        return True

    @property
    def allowed(self) -> Number:
        """α, or the sum of all αᵢ."""
        return self.failure or sum(lot.times * lot.failure for lot in self.lots)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """A bound on the probability that some answer is off."""
        total = 0.0
        for lot, people in zip(self.lots, self.sizes(epsilon), strict=True):
            truth, other = lot.card(epsilon)
            off = people * (lot.error * float(truth - other)) ** 2
            total += lot.times * min(1.0, 2 * lot.numbers * math.exp(-2 * off))
        return min(1.0, total)

    def sizes(self, epsilon: float) -> tuple[int, ...]:
        """How many people each question is put to."""
        return tuple(int(size) for size in self._sizes(float(epsilon)))

    def asked(self, epsilon: float, participants: int) -> list[Asked]:
        """How a plan asks each question."""
        whole = zip(self.lots, self.sizes(epsilon), strict=True)
        return [Asked(lot, epsilon, n, lot.times * n / participants) for lot, n in whole]

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε whose whole numbers of people are at most N; in balls, of parts too."""
        system = numbers.of(participants)
        if system is numbers.balls():
            return self._ball(participants)
        import numpy as np

        n = np.asarray(participants, dtype=float)
        low, high = np.full(n.shape, math.log(_LEAST)), np.full(n.shape, math.log(_MOST))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            enough = self._all(np.exp(middle)) <= n
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        epsilon = np.exp(high)
        epsilon = np.where(self._all(epsilon) <= n, epsilon, np.inf)
        return float(epsilon) if system is numbers.FLOATS else epsilon

    def signal(self, delta: Number) -> Number:
        """At least 2Σcᵢ, as for one question: ε is over 2s."""
        system = numbers.of(delta)
        return 2 * sum(lot.times * lot.people(system) for lot in self.lots)

    def signal_from(self, participants: int, delta: Number) -> Number:
        """At least 2√(N·Σcᵢ)."""
        system = numbers.of(delta)
        people = self.signal(delta) / 2
        return 2 * system.sqrt(people * system.maximum(people, system.number(participants)))

    def surely_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the cards' numbers of people are at most N, and each is surely enough."""
        from planner.mechanisms.exact.balls import rational

        system = numbers.balls()
        given = float(epsilon.mid())
        sizes = self.sizes(given)
        if not sum(s * lot.times for s, lot in zip(sizes, self.lots, strict=True)) <= participants:
            return False
        for lot, people in zip(self.lots, sizes, strict=True):
            truth, other = lot.card(given)
            off = people * (system.number(lot.error) * rational(truth - other)) ** 2
            if not 2 * lot.numbers * system.exp(-2 * off) <= system.number(lot.failure):
                return False
        return True

    def formula(self) -> "sympy.Expr":
        """The bound of all lots together, in symbols."""
        import sympy

        return sympy.Symbol("Σ 2kᵢ·exp(−2Nᵢ(Tᵢsᵢ(ε))²) over the lots, Σ Nᵢ ≤ N,")

    def _sizes(self, epsilon: Number) -> list[Number]:
        """The whole number of people of each question, over floats or arrays of ε."""
        import numpy as np

        sizes = []
        for lot in self.lots:
            tells = lot.strength(epsilon) * (1 - _ROOM)
            sizes.append(np.ceil(lot.people(numbers.FLOATS) / tells**2 * (1 + _ROOM)))
        return sizes

    def _all(self, epsilon: Array) -> Array:
        """The number of people of all questions together."""
        return sum(
            lot.times * size for lot, size in zip(self.lots, self._sizes(epsilon), strict=True)
        )

    def _ball(self, participants: Number) -> Number:
        """Between the ε that is surely enough and one at which even parts of people are not."""
        system = numbers.balls()
        enough = self.epsilon(float(participants.mid()), 0.0)
        infinity = system.infinity
        top = system.number(enough) if math.isfinite(enough) else infinity
        low, high = math.log(_LEAST), math.log(_MOST)

        def lacks(epsilon: float) -> bool:
            at = system.number(epsilon)
            people = sum(
                lot.times * lot.people(system) / _in_balls(lot, at) ** 2 for lot in self.lots
            )
            return bool(people > participants)

        if lacks(_MOST):
            return infinity
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if lacks(math.exp(middle)) else (low, middle)
            if high - low < _ROOM:
                break
        return top.union(system.number(math.exp(low)))


def _in_balls(lot: Lot, epsilon: Number) -> Number:
    """The larger s of a lot, in balls."""
    system = numbers.balls()
    if lot.numbers == 1:
        return strength(epsilon)
    rise = system.expm1(epsilon)
    return system.maximum(rise / (rise + lot.numbers), strength(epsilon / 2))
