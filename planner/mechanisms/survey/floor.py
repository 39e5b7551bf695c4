"""The floor of a survey: what its questions' floors make together (design idea 5).

Either one failure probability is shared out among the questions, as well as `split` can at each N,
or each has one of its own. A plan is proved with the shares that it states. That none exists is
proved for every split: what noise alone asks of all questions together is least where αᵢ is in
proportion to what one more nat costs question i; besides, a question given all of α needs no more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.floor import Floor, Shape
from planner.mechanisms.survey.any_split import at_any_split
from planner.mechanisms.survey.part import Part
from planner.mechanisms.survey.shares import Share, certain, fewest_digits, splitting
from planner.mechanisms.survey.split import Split
from planner.mechanisms.survey.together import Added, Together
from planner.numbers import Array, Number, decimal

if TYPE_CHECKING:
    import sympy

_SHAPES: tuple[Shape, ...] = ("saw-toothed", "falling", "convex")
_MOST_WRITTEN = 8
"""More kinds of questions are not written out in formulas."""
_NEAR = 1e-6
_NEAR_NATS = 1e-3


@dataclass(frozen=True)
class SurveyFloor(Floor):
    """The least ε at which every question is accurate.

    Attributes:
        parts: the questions; where `failure` is None their own floors' failure probabilities hold.
        failure: α, of all of them together, or None.
        together: how their rates make one ε.
    """

    parts: tuple[Part, ...]
    failure: float | None
    together: Together

    @property
    def shape(self) -> Shape:
        """Convex where all floors are and ε adds up; a composed ε falls where all floors do."""
        shapes = [floor.shape for floor in self._whole]
        # floors that are convex in N and α together stay so at the best split
        if self.approximate or (self._alone is None and not all(p.convex for p in self.parts)):
            shapes.append("falling")
        return min(shapes, key=_SHAPES.index)

    @property
    def on_grids(self) -> bool:
        """Where the shares of α differ from N to N."""
        return self._alone is None or self.shape == "saw-toothed"

    @property
    def loose(self) -> bool:
        """Where splits of α are refuted in cells."""
        return self.shape == "saw-toothed"

    @property
    def approximate(self) -> bool:
        """Whether δ is used."""
        return self.together.approximate

    @property
    def allowed(self) -> float:
        """α, or the sum of the questions' own."""
        if self.failure is not None:
            return self.failure
        total = sum((p.times * decimal(p.floor.failure) for p in self.parts), Fraction(0))  # type: ignore[attr-defined]
        return min(float(total), 1.0)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probabilities of a plan's questions, added up."""
        if numbers.of(epsilon, participants, delta) is numbers.FRACTIONS:
            raise numbers.Inexact
        given = (float(epsilon), int(participants), float(delta))
        return min(
            sum(
                share.part.times * float(share.part.floor.achieved(share.rate, given[1], 0.0))
                for share in self.shared(*given)
            ),
            1.0,
        )

    def shared(self, epsilon: float, participants: int, delta: float) -> list[Share]:
        """How a plan's ε and α are shared out: rates and failure probabilities of few digits.

        Rates are raised from their floors as far as ε allows, by one factor.
        """
        floors = self._certain(participants)
        rates, times = [rate for _, _, rate in floors], [part.times for part in self.parts]
        factor = max(self.together.raised(rates, times, epsilon, delta), 1.0)
        return [Share(part, fewest_digits(rate, rate * factor), a) for part, a, rate in floors]

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε, for certain; balls where no question is analysed exactly."""
        system = numbers.of(participants, delta)
        if system is numbers.balls():
            return self._ball(participants, delta)
        if system is numbers.FLOATS:
            rates = [rate for _, _, rate in self._certain(participants)]
            return self._of(rates, delta)
        import numpy as np

        if all(part.floor.shape != "saw-toothed" for part in self.parts):
            return self._of_bounds(np.asarray(participants, dtype=float), delta)
        least = np.vectorize(lambda n: self.epsilon(float(n), delta), otypes=[float])(participants)
        return least if np.ndim(least) else float(least)

    def _of_bounds(self, n: Array, delta: Number) -> Array:
        """Over an array of N, where all floors are formulas."""
        if self._alone is not None:
            rates = [floor.epsilon(n, 0.0) for floor in self._alone]
        else:
            assert self.failure is not None
            shares, _ = self._split.shares(n)
            rates = [part.at(a).epsilon(n, 0.0) for part, a in zip(self.parts, shares, strict=True)]
        return self.together.epsilon(rates, self._times, delta)

    def quick(self, participants: Number, delta: Number) -> Number:
        """At the likely worst means, over an array of N."""
        import numpy as np

        n = np.asarray(participants, dtype=float)
        if self._alone is not None:
            rates = [floor.quick(n, 0.0) for floor in self._alone]
        else:
            assert self.failure is not None
            _, each = self._split.shares(n)
            rates = list(each)
        return self.together.quick(rates, self._times, delta, n)

    def enough(self, participants: Number, delta: Number) -> Number:
        """With the same share of α for every published number."""
        if self._alone is not None:
            floors = self._alone
        else:
            assert self.failure is not None
            each = self.failure / sum(part.times * part.numbers for part in self.parts)
            floors = [part.at(each * part.numbers) for part in self.parts]
        rates = [floor.enough(participants, 0.0) for floor in floors]
        return self.together.epsilon(rates, self._times, delta)

    def signal(self, delta: Number) -> Number:
        """The infimum of N·ε; 0 where δ helps, as in a large study it is enough."""
        system = numbers.of(delta)
        if self.approximate:
            return system.number(0.0) if delta > 0 else system.infinity
        return self._noise_signal(1, delta)

    def signal_from(self, participants: int, delta: Number) -> Number:
        """The same over studies of this many people or more."""
        return self.signal(delta) if self.approximate else self._noise_signal(participants, delta)

    def of_noise(self, participants: Number, delta: Number) -> Number:
        """What noise alone asks, at any split."""
        number = numbers.of(participants, delta).number
        if not self.approximate:
            return self._noise_signal(1, delta) * number(1) / participants
        rates = [floor.of_noise(participants, number(0.0)) for floor in self._whole]
        if numbers.of(participants, delta) is numbers.balls():
            return self.together.at_least(rates, self._times, delta)
        return self.together.epsilon(rates, self._times, delta)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which the plan's rates always suffice."""
        return max(
            share.part.at(share.failure).always_from(share.rate, participants, 0.0)
            for share in self.shared(epsilon, participants, delta)
        )

    def surely_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
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
        return self.together.surely_within(rates, self._times, epsilon, delta) and all(
            share.part.at(share.failure).surely_reached(
                number(share.rate), participants, number(0.0)
            )
            for share in shares
        )

    def surely_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε up to `most` is certain to miss: floors that are refuted add up to it."""
        number, infinity = numbers.balls().number, numbers.balls().infinity
        n = number(participants)
        rates = []
        for part, floor in zip(self.parts, self._whole, strict=True):
            lowest = floor.of_noise(n, number(0.0))
            if floor.shape != "saw-toothed":
                rates.append(floor.epsilon(n, number(0.0)))
                continue
            quick = float(part.at(floor.failure).quick(float(participants), 0.0))  # type: ignore[attr-defined]
            near = number(quick * (1 - _NEAR)) if quick < math.inf else most
            refuted = near > lowest and floor.surely_missed(lowest, near, participants, number(0.0))
            rates.append(near if refuted else lowest)
        if any(rate == infinity for rate in rates):
            return True
        return bool(self.together.at_least(rates, self._times, delta) > most)

    def surely_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] surely misses at every ε up to a ball, at any split."""
        number = numbers.balls().number
        bounds = [floor for floor in self._whole if floor.shape != "saw-toothed"]
        # a bound that no ε reaches with the most people is not reached with fewer
        if any(
            floor.epsilon(number(most), number(0.0)) == numbers.balls().infinity for floor in bounds
        ):
            return True
        if self._alone is None and self._beyond_samples(number(most)):
            return True
        signal = epsilon * most
        if self.approximate or not signal.is_finite():
            return False
        if any(floor.surely_missed_sizes(epsilon, least, most, delta) for floor in self._whole):
            return True
        from planner.mechanisms.survey.refuted import refuted

        return refuted(self.parts, self.failure, signal, least, most)

    def formula(self) -> "sympy.Expr":
        """The union bound: the failure probability of each kind of question, as often as asked."""
        import sympy

        if len(self.parts) > _MOST_WRITTEN:
            i = sympy.Symbol("i", integer=True)
            return sympy.Sum(sympy.Function("f")(i), (i, 1, sum(self._times)))
        failures = sympy.symbols(f"f_1:{len(self.parts) + 1}")
        products = (n * f for n, f in zip(self._times, failures, strict=True))
        return sympy.Add(*products, evaluate=False)

    @property
    def _times(self) -> Sequence[int]:
        return [part.times for part in self.parts]

    @property
    def _whole(self) -> list[Floor]:
        """Each question's floor at all of α, or at its own."""
        if self.failure is None:
            return [part.floor for part in self.parts]
        share = self.failure / self.parts[0].times if len(self.parts) == 1 else self.failure
        return [part.at(share) for part in self.parts]

    @property
    def _split(self) -> Split:
        """The shares of α at each N."""
        assert self.failure is not None
        return splitting(self.parts, self.failure, self.together.power)

    @property
    def _alone(self) -> list[Floor] | None:
        """The floors at shares that are the same at every N; None where there are none."""
        fixed = self.failure is None or len(self.parts) == 1
        return self._whole if fixed else None

    def _certain(self, participants: Number) -> tuple[tuple[Part, float, float], ...]:
        """Each question's share of α, rounded down, and its certain floor in rates."""
        return certain(self.parts, self.failure, self.together.power, float(participants))

    def _of(self, rates: Sequence[float], delta: Number) -> float:
        if not max(rates) < math.inf:
            return math.inf
        return float(self.together.epsilon(rates, self._times, delta))

    def _beyond_samples(self, participants: Number) -> bool:
        """Whether the samples alone are certain to be off with more than α together; balls."""
        assert self.failure is not None
        off = sum(part.times * part.floor.sample_alone(participants) for part in self.parts)
        return bool(off > numbers.balls().number(self.failure))

    def _noise_signal(self, participants: int, delta: Number) -> Number:
        """What the noises of N people or more ask of N·ε together, at any split."""
        system = numbers.of(delta)

        def signal(part: Part, failure: Number) -> Number:
            return part.at(failure).signal_from(participants, delta)

        if self._alone is not None:
            total: Number = system.number(0.0)
            for part, floor in zip(self.parts, self._alone, strict=True):
                total = part.times * floor.signal_from(participants, delta) + total
            return total
        assert self.failure is not None
        costs = []  # what one more nat of 1/α costs each
        for part in self.parts:
            a = self.failure / sum(self._times)
            more, less = (
                float(part.at(a * math.exp(by)).signal_from(participants, 0.0))
                for by in (-_NEAR_NATS, _NEAR_NATS)
            )
            costs.append((more - less) / (2 * _NEAR_NATS))
        whole = sum(n * cost for n, cost in zip(self._times, costs, strict=True))
        shares = [self.failure * cost / whole for cost in costs]
        return at_any_split(self.parts, self.failure, shares, signal, system)

    def _ball(self, participants: Number, delta: Number) -> Number:
        """Between what the shares need and what every split is certain to need."""
        number = numbers.balls().number
        if self._alone is not None:
            rates = [floor.epsilon(participants, number(0.0)) for floor in self._alone]
            return self.together.epsilon(rates, self._times, delta)
        assert self.failure is not None
        failures = self._split.stated(float(participants.mid()))
        rates = [
            part.at(number(a)).epsilon(participants, number(0.0))
            for part, a in zip(self.parts, failures, strict=True)
        ]
        whole = [floor.epsilon(participants, number(0.0)) for floor in self._whole]
        if self._beyond_samples(participants):
            return numbers.balls().infinity
        if not all(rate.is_finite() for rate in rates):
            return self.together.at_least(whole, self._times, delta).union(numbers.balls().infinity)
        enough = self.together.epsilon(rates, self._times, delta)
        if not isinstance(self.together, Added):
            return enough.union(self.together.at_least(whole, self._times, delta))

        def floor(part: Part, failure: Number) -> Number:
            return part.at(failure).epsilon(participants, number(0.0))

        least = at_any_split(self.parts, self.failure, failures, floor, numbers.balls())
        return enough.union(least)
