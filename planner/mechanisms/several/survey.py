"""The floor of a survey: what its questions' floors make together (design idea 5).

Either one failure probability is shared out among the questions, as well as `split` can at each N,
or each has one of its own. A plan is proved with the shares that it states. That none exists is
proved for every split (see `bounds`).
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from planner import numbers
from planner.libraries import np
from planner.mechanisms.floor import Floor, Regularity, Ripple, Shape
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.several import bounds
from planner.mechanisms.several.best_shares import best_shares
from planner.mechanisms.several.questions import Questions, Share, fewest_digits
from planner.numbers import Array, Number, decimal

_SHAPES: tuple[Shape, ...] = ("saw-toothed", "falling", "convex")
_SPARE = 0.25
"""What a proof leaves of an amount where splits of α are refuted in cells: near the least amount
they are many. Of three exact questions none for 2 % less takes 43 s, for a quarter less 2 s."""


@dataclass(frozen=True)
class SurveyFloor(Questions, Floor):
    """The least ε at which every question is accurate; see `Questions`."""

    @property
    def regularity(self) -> Regularity:
        """Convex where all floors are and ε adds up; a composed ε falls where all floors do.

        It is searched on grids where the shares of α differ from N to N.
        """
        shapes = [floor.regularity.shape for floor in self.whole]
        # floors that are convex in N and α together stay so at the best split
        if self.uses_delta or (self.alone is None and not all(p.convex for p in self.parts)):
            shapes.append("falling")
        shape = min(shapes, key=_SHAPES.index)
        return Regularity(shape, on_grids=self.alone is None or shape == "saw-toothed")

    def ripple(self, participants: int) -> Ripple:
        return Ripple(spare=_SPARE if self.regularity.saw_toothed else 0.0)

    @property
    def uses_delta(self) -> bool:
        return self.together.uses_delta

    @property
    def allowed(self) -> float:
        if self.failure is not None:
            return self.failure
        total = sum((p.times * decimal(p.floor.failure) for p in self.parts), Fraction(0))
        return min(float(total), 1.0)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probabilities of a plan's questions, added up; 1 where no ε is enough."""
        if numbers.of(epsilon, participants, delta) is numbers.FRACTIONS:
            raise numbers.Inexact
        n = int(participants)
        shares = self.shared(float(epsilon), n, float(delta))
        if not max(share.rate for share in shares) < math.inf:
            return 1.0
        failures = (s.part.times * float(s.part.floor.achieved(s.rate, n, 0.0)) for s in shares)
        return min(sum(failures), 1.0)

    def shared(self, epsilon: float, participants: int, delta: float) -> list[Share]:
        """How a plan's ε and α are shared out: rates and failure probabilities of few digits.

        Rates are raised from their floors as far as ε allows, by one factor.
        """
        floors = self.certain(participants, delta)
        rates, times = [rate for _, _, rate in floors], [part.times for part in self.parts]
        factor = max(self.together.raised(rates, times, epsilon, delta), 1.0)
        return [Share(part, fewest_digits(rate, rate * factor), a) for part, a, rate in floors]

    def epsilon(self, participants: Number, delta: Number) -> Number:
        system = numbers.of(participants, delta)
        if system is numbers.balls():
            return bounds.enclosed(self, participants, delta)
        if system is numbers.FLOATS:
            rates = [rate for _, _, rate in self.certain(participants, delta)]
            return self.total(rates, delta)

        if not any(part.floor.regularity.saw_toothed for part in self.parts):
            return self._of_bounds(np.asarray(participants, dtype=float), delta)
        least = np.vectorize(lambda n: self.epsilon(float(n), delta), otypes=[float])(participants)
        return least if np.ndim(least) else float(least)

    def _of_bounds(self, n: Array, delta: Number) -> Array:
        """Over an array of N, where all floors are formulas."""
        if self.alone is not None:
            rates = [floor.epsilon(n, 0.0) for floor in self.alone]
            return self.together.epsilon(rates, self.times, delta)
        if not self.uses_delta:
            return _frontier(self).floors(n)

        ways = [self._at_shares(split.shares(n)[0], n, delta) for split in self.splits]
        return np.min(ways, axis=0)

    def _at_shares(self, shares: Array, n: Array, delta: Number) -> Array:
        """The ε of each N at its shares of α."""
        pairs = zip(self.parts, shares, strict=True)
        rates = [part.at(a).epsilon(n, 0.0) for part, a in pairs]
        return self.together.epsilon(rates, self.times, delta)

    def _best_of_bounds(self, n: Array) -> Array:
        with np.errstate(all="ignore"):
            return self._at_shares(best_shares(self.parts, self.allowed, 1, n)[0], n, 0.0)

    def approximate(self, participants: Number, delta: Number) -> Number:
        n = np.asarray(participants, dtype=float)
        if self.alone is not None:
            ways = [[floor.approximate(n, 0.0) for floor in self.alone]]
        else:
            ways = [list(split.shares(n)[1]) for split in self.splits]
        totals = [self.together.approximate(rates, self.times, delta, n) for rates in ways]
        return np.min(totals, axis=0)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        if self.alone is not None:
            floors = self.alone
        else:
            assert self.failure is not None
            each = self.failure / sum(part.times * part.numbers for part in self.parts)
            floors = [part.at(each * part.numbers) for part in self.parts]
        rates = [floor.sufficient(participants, 0.0) for floor in floors]
        return self.together.epsilon(rates, self.times, delta)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The infimum of N·ε; 0 where δ helps, as in a large study it is enough."""
        system = numbers.of(delta)
        if self.uses_delta:
            return system.number(0.0) if delta > 0 else system.infinity
        return bounds.noise_n_epsilon(self, participants, delta)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        number = numbers.of(participants, delta).number
        if not self.uses_delta:
            return bounds.noise_n_epsilon(self, 1, delta) * number(1) / participants
        rates = [floor.noise_alone(participants, number(0.0)) for floor in self.whole]
        if numbers.of(participants, delta) is numbers.balls():
            return self.together.at_least(rates, self.times, delta)
        return self.together.epsilon(rates, self.times, delta)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        return max(
            share.part.at(share.failure).always_from(share.rate, participants, 0.0)
            for share in self.shared(epsilon, participants, delta)
        )

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the shares that a plan states are certain to add up, and to suffice."""
        number = numbers.balls().number
        given = (float(epsilon.mid()), int(float(participants.mid())), float(delta.mid()))
        shares = self.shared(*given)
        rates = [share.rate for share in shares]
        if not max(rates) < math.inf:
            return False
        if self.failure is not None:
            total = sum((s.part.times * decimal(s.failure) for s in shares), Fraction(0))
            if total > decimal(self.failure):
                return False
        return self.together.certify_within(rates, self.times, epsilon, delta) and all(
            share.part.at(share.failure).certify_reached(
                number(share.rate), participants, number(0.0)
            )
            for share in shares
        )

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε up to `most` is certain to miss: floors that are refuted add up to it."""
        return bounds.certify_missed(self, least, most, participants, delta)

    @property
    def excludes_ranges(self) -> bool:
        return self.together.adds_up

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] surely misses at every ε up to a ball, at any split."""
        return bounds.certify_missed_sizes(self, epsilon, least, most, delta)


@lru_cache(maxsize=8)
def _frontier(floor: SurveyFloor) -> Frontier:
    """A floor of bounds over N, which sweeps of money read again and again."""
    return Frontier(floor._best_of_bounds)
