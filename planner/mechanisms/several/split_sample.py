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

At one ε the numbers of people are least together for αᵢ in proportion to 1/(Tᵢsᵢ)².
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from typing import Literal, NamedTuple

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.floor import PROOF_ROOM, Floor, Regularity, Ripple
from planner.mechanisms.reports.card import strength
from planner.numbers import Array, Number, decimal, round_down

Way = Literal["answer", "group", "groups"]
"""What a person reports: yes or no, their group, or yes or no for every group."""
_LEAST, _MOST = 1e-9, 200.0  # no ε beyond these is searched
_HALVINGS = 70  # to the last digits
_ROOM = 1e-9  # covers the rounding of floats and of cards
_DIGITS = 12  # of a printed probability
_PRECISION = 60  # of the decimals that decide them
_SHARE_DIGITS = 12  # of a share of α that is stated


class SplitQuestion(NamedTuple):
    """A question, and how surely it must be answered.

    Attributes:
        numbers: k, how many shares it publishes [≥ 1].
        error: T of each [fraction of 1].
        failure: αᵢ for all k together [(0, 1)]; 0 where one α is shared out.
        times: how many alike are asked.
    """

    numbers: int
    error: float
    failure: float
    times: int

    def people(self, failure: Number) -> Number:
        """The c of its number of people c/s² at a share of α, in the number system of the share."""
        system = numbers.of(failure)
        return system.log(2 * self.numbers / failure) / (2 * system.number(self.error) ** 2)

    def strength(self, epsilon: Number) -> Number:
        """The larger s of its ways, in the number system of ε."""
        system = numbers.of(epsilon)
        if self.numbers == 1:
            return strength(epsilon)
        rise = system.expm1(system.minimum(epsilon, system.number(600.0)))
        return system.maximum(rise / (rise + self.numbers), strength(epsilon / 2))

    @property
    def ways(self) -> tuple[Way, ...]:
        """How it can be asked."""
        return ("answer",) if self.numbers == 1 else ("group", "groups")

    def epsilon(self, way: Way, strength: Number) -> Number:
        """The ε at which reports of a way tell people apart by a strength below 1."""
        system = numbers.of(strength)
        if way == "group":
            return system.log1p(self.numbers * strength / (1 - strength))
        odds = system.log1p(strength) - system.log1p(-strength)
        return odds if way == "answer" else 2 * odds

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

    def asked(self, epsilon: float, participants: int | None, share: float) -> "Asked":
        """How it is asked at ε; see `Asked`."""
        return Asked(self, epsilon, participants, share, self.way(epsilon), *self.card(epsilon))


class Asked(NamedTuple):
    """How a question is asked.

    Attributes:
        lot: the question.
        epsilon: of each report.
        participants: how many people report; None where all do.
        share: of all people, where each is asked one question; else of the ε.
        way: what a person reports.
        truth: p.
        other: q.
    """

    lot: SplitQuestion
    epsilon: float
    participants: int | None
    share: float
    way: Way
    truth: Fraction
    other: Fraction


def _opposite(epsilon: Fraction, others: int) -> Fraction:
    """The least decimal of so many digits that is at least 1/(e^ε + k − 1)."""
    with localcontext(Context(prec=_PRECISION + int(min(float(epsilon), _MOST)))):
        growth = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        exact = 1 / (growth + others)
        step = Decimal(1).scaleb(exact.adjusted() + 1 - _DIGITS)
        return Fraction(exact.quantize(step, ROUND_CEILING))


def stated(lots: Sequence[SplitQuestion], shares: Iterable[float]) -> tuple[SplitQuestion, ...]:
    """The lots with shares of α as a plan states them, rounded down."""
    pairs = zip(lots, shares, strict=True)
    return tuple(lot._replace(failure=round_down(a, _SHARE_DIGITS)) for lot, a in pairs)


def together_at_most(lots: Sequence[SplitQuestion], failure: float | None) -> bool:
    """Whether the shares of one α add up to no more than it."""
    whole = sum(lot.times * decimal(lot.failure) for lot in lots)
    return failure is None or whole <= decimal(failure)


@dataclass(frozen=True)
class SplitSampleFloor(Floor):
    """The least ε at which N people are enough for all lots.

    Attributes:
        lots: one for each question.
        failure: α of all together, where the survey gives one.
    """

    lots: tuple[SplitQuestion, ...]
    failure: float | None = None

    @property
    def regularity(self) -> Regularity:
        """It falls; N times it grows, as √N in the end."""
        return Regularity("falling", n_epsilon_grows=True, in_cells=True)

    def ripple(self, participants: int) -> Ripple:
        """Whole numbers of people are not smooth."""
        return Ripple(spare=PROOF_ROOM)

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

    def stated(self, epsilon: float) -> tuple[SplitQuestion, ...]:
        """The lots with their shares of α at the ε of a plan."""
        return self.lots if self.failure is None else stated(self.lots, self._shares(epsilon))

    def _shares(self, epsilon: Number) -> list[Number]:
        """Each αᵢ at ε: the fewest people together."""
        system = numbers.of(epsilon)
        if self.failure is None:
            return [system.number(lot.failure) for lot in self.lots]
        return self._in_proportion([lot.strength(epsilon) for lot in self.lots], self.failure)

    def _in_proportion(self, strengths: Sequence[Number], failure: float) -> list[Number]:
        """αᵢ in proportion to 1/(Tᵢsᵢ)²."""
        number = numbers.of(*strengths).number
        pairs = zip(self.lots, strengths, strict=True)
        weights = [1 / (number(lot.error) * s) ** 2 for lot, s in pairs]
        whole = sum(lot.times * w for lot, w in zip(self.lots, weights, strict=True))
        return [number(failure) * w / whole for w in weights]

    def sizes(self, epsilon: float) -> tuple[int, ...]:
        """How many people each question is put to."""
        return tuple(int(size) for size in self._sizes(float(epsilon)))

    def asked(self, epsilon: float, participants: int) -> list[Asked]:
        """How a plan asks each question."""
        whole = zip(self.stated(epsilon), self.sizes(epsilon), strict=True)
        return [lot.asked(epsilon, n, lot.times * n / participants) for lot, n in whole]

    def people(self, epsilon: float) -> float:
        """How many people that is together."""
        pairs = zip(self.lots, self.sizes(epsilon), strict=True)
        return float(sum(lot.times * size for lot, size in pairs))

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε whose whole numbers of people are at most N; in balls, of parts too."""
        system = numbers.of(participants)
        if system is numbers.balls():
            return self._ball(participants)

        n = np.asarray(participants, dtype=float)
        low, high = np.full(n.shape, math.log(_LEAST)), np.full(n.shape, math.log(_MOST))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            sufficient = self._all(np.exp(middle)) <= n
            low, high = np.where(sufficient, low, middle), np.where(sufficient, middle, high)
        epsilon = np.exp(high)
        epsilon = np.where(self._all(epsilon) <= n, epsilon, np.inf)
        return float(epsilon) if system is numbers.FLOATS else epsilon

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """At least 2√(N·Σcᵢ), and 2Σcᵢ as for one question: ε is over 2s."""
        system = numbers.of(delta)
        shares = [system.number(lot.failure) for lot in self.lots]
        if self.failure is not None:  # no strength is over 1
            shares = self._in_proportion([system.number(1.0) for _ in self.lots], self.failure)
        pairs = zip(self.lots, shares, strict=True)
        people = sum(lot.times * lot.people(a) for lot, a in pairs)
        return 2 * system.sqrt(people * system.maximum(people, system.number(participants)))

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the cards' numbers of people are at most N, and each is surely enough."""
        system = numbers.balls()
        given = float(epsilon.mid())
        lots, sizes = self.stated(given), self.sizes(given)
        if not sum(s * lot.times for s, lot in zip(sizes, lots, strict=True)) <= participants:
            return False
        if not together_at_most(lots, self.failure):
            return False
        for lot, people in zip(lots, sizes, strict=True):
            truth, other = lot.card(given)
            off = people * (system.number(lot.error) * rational(truth - other)) ** 2
            if not 2 * lot.numbers * system.exp(-2 * off) <= system.number(lot.failure):
                return False
        return True

    def formula(self) -> "sympy.Expr":
        """The bound of all lots together, in symbols."""
        return sympy.Symbol("Σ 2kᵢ·exp(−2Nᵢ(Tᵢsᵢ(ε))²) over the lots, Σ Nᵢ ≤ N,")

    def _sizes(self, epsilon: Number) -> list[Number]:
        """The whole number of people of each question, over floats or arrays of ε."""
        sizes = []
        for lot, a in zip(self.lots, self._shares(epsilon), strict=True):
            tells = lot.strength(epsilon) * (1 - _ROOM)
            sizes.append(np.ceil(lot.people(a) / tells**2 * (1 + _ROOM)))
        return sizes

    def _all(self, epsilon: Array) -> Array:
        """The number of people of all questions together."""
        return sum(
            lot.times * size for lot, size in zip(self.lots, self._sizes(epsilon), strict=True)
        )

    def _ball(self, participants: Number) -> Number:
        """Between the ε that is surely enough and one at which even parts of people are not."""
        system = numbers.balls()
        sufficient = self.epsilon(float(participants.mid()), 0.0)
        infinity = system.infinity
        top = system.number(sufficient) if math.isfinite(sufficient) else infinity
        low, high = math.log(_LEAST), math.log(_MOST)

        def lacks(epsilon: float) -> bool:
            at = system.number(epsilon)
            people = sum(
                lot.times * lot.people(a) / lot.strength(at) ** 2
                for lot, a in zip(self.lots, self._shares(at), strict=True)
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
