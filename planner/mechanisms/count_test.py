"""Private tests by a noisy count: of one proportion against a value, and of two groups (Awan18).

The count K of the people who have the property is published with two-sided geometric noise, as
W = K + Z with Pr[Z = z] ∝ e^(−ε|z|). For a proportion over the null value the test rejects if W >
c, and with probability γ if W = c, where c and γ give exactly the significance at the null value.
With a uniform number on (−½, ½) added to W this is Awan18's test by Tulap noise. For a proportion
under the null value, and for two groups, other people are counted; see `hypotheses`.

Of one proportion it has the largest power of all ε-private tests of this significance (Theorem
4.9), so:

- The power grows with ε, as an ε-private test is private at any larger ε, and with N, as a test may
  leave people out.
- N(e^ε − 1) of the least ε never grows with N. A test that draws N of N′ people by lot and is
  ε-private for them is ln(1 + (e^ε − 1)·N/N′)-private for all N′.
- So it is at least its limit, s/d: d is how much more probably a person is counted, and s how far
  Laplace noise of rate 1 must be moved to be over its 1 − α quantile with the probability of the
  power.

With δ > 0 the most powerful test needs less ε, but δ is paid for by the worst cost. To find 0.35
instead of 0.3 with 713 people, payments fall by 21·δ base costs at most: it would be cheaper only
where the worst cost is under 21 times the base cost. It is not planned.

Of two groups see `power_proof`.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from planner import numbers
from planner.checked import dataclass as checked_dataclass
from planner.libraries import find_root, np
from planner.mechanisms.floor import FALLING, SAW_TOOTHED, Floor, QuestionFloor, Regularity
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.hypotheses import INDEPENDENT, Hypotheses
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.power_proof import missed, power_at_most
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.threshold import SURE, people_in, power_of
from planner.numbers import Array, Number, rational

_MOST_CELLS = 100
"""Cells of ε before it is given up that none suffices."""
_ABOVE = 1 + 1e-9
"""A floor found in floats is put so much higher: far more than what was kept back changes it."""
UNDER = (1e-8, 1e-6, 1e-4)
"""By which part less is proved not to suffice, the least that succeeds: where noise matters little,
as in large studies, what was kept back is worth more."""
_CLOSE = 1e-11
"""How closely the logarithm of a floor is known in floats: far less than it is put higher."""

NO_ERROR = (
    "count-test is a test, which has a power and no error; give a target of kind = "
    '"power", or a mechanism such as "laplace-mean"'
)
"""What a test refuses."""


@checked_dataclass
class CountTest(Mechanism):
    """The most powerful ε-private test of one proportion, or of two groups, by a noisy count.

    Its targets are `Power` and `Difference`.
    """

    kind: ClassVar[str] = "count-test"

    def power(
        self,
        epsilon: Number,
        participants: Number,
        null: float,
        alternative: float,
        significance: float,
        sides: int = 1,
    ) -> Number:
        """The probability to reject at the alternative, in its direction.

        Args:
            epsilon: ε [> 0], number or array.
            participants: N [≥ 1, whole], number or array; they broadcast.
            null: the proportion under the null hypothesis [[0, 1]].
            alternative: the proportion at which the power is computed [[0, 1]].
            significance: the probability to reject at the null value [(0, 1)].
            sides: 1, or 2 for a test on each side at half the significance.
        """
        return 1 - PowerFloor(Hypotheses.of(null, alternative, 0.5, significance, sides)).achieved(
            epsilon, participants, 0.0
        )

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        raise ValueError(NO_ERROR)

    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        raise ValueError(NO_ERROR)

    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        raise ValueError(NO_ERROR)

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        raise ValueError(NO_ERROR)


def floor_of_test(mechanism: Mechanism, tested: Hypotheses, sample: Sample) -> "PowerFloor":
    """What the power of a test asks of a sample.

    Raises:
        ValueError: the mechanism does not test, or not such a sample.
    """
    if not isinstance(mechanism, CountTest):
        raise ValueError(
            'a power is that of a test; give the mechanism kind = "count-test", not '
            f"{mechanism.kind}"
        )
    if not sample.simple:
        raise ValueError(INDEPENDENT)
    return PowerFloor(tested)


@dataclass(frozen=True)
class PowerFloor(Floor):
    """The least ε at which a test of N people has the power.

    What it achieves is the probability to miss the alternative, 1 less the power.
    """

    tested: Hypotheses

    @property
    def regularity(self) -> Regularity:
        if self.tested.groups == 2:
            return replace(SAW_TOOTHED, convex_in_failure=False)
        return replace(FALLING, payments_fall=True, in_cells=True, on_grids=True)

    @property
    def allowed(self) -> Number:
        return float(1 - self.tested.power)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The probability to miss the alternative: a bound in floats, an upper end in balls."""
        system = numbers.of(epsilon, participants, delta)
        if system is numbers.FRACTIONS:
            raise numbers.Inexact
        if system is numbers.balls():
            return self.certainly_missed(epsilon, int(float(participants.mid())))
        rate, size = np.broadcast_arrays(
            np.asarray(epsilon, float), people_in(self.tested, participants)
        )
        chance = 1 - self.power(rate, size)
        return float(chance) if chance.ndim == 0 else chance

    def power(self, epsilon: Array, people: Array) -> Array:
        """The power over arrays of ε and N, a little less."""
        return power_of(self.tested, np.minimum(epsilon, SURE), people)

    def certainly_missed(self, epsilon: Number, people: int) -> Number:
        """The chance to miss the alternative, enclosed; in [0, 1] where nothing is certain."""
        return missed(self.tested, epsilon, people)

    def floors(self, people: Array) -> Array:
        """The least ε over an array of N, a little more; ∞ where none suffices."""
        return _frontier(self.tested).floors(people)

    def below(self, people: int, part: float = UNDER[0]) -> Number:
        """An ε that is too small by a part, in balls; ∞ where none suffices."""
        least = float(self.floors(np.array([float(people)]))[0])
        system = numbers.balls()
        return system.number(least * (1 - part)) if least < math.inf else system.infinity

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The root in ε of the power, of whole people; ∞ where no ε suffices.

        In balls a little less, at which the power is certain to be missed.
        """
        if numbers.of(participants, delta) is numbers.balls():
            return self._certainly_more_than(math.ceil(float(participants.upper())), delta)
        floors = self.floors(people_in(self.tested, participants))
        return float(floors) if floors.ndim == 0 else floors

    def _certainly_more_than(self, people: int, delta: Number) -> Number:
        """An ε that is certain not to suffice: by a proof at N, or what no N can do without."""
        if self.tested.groups == 2:
            return self.n_epsilon(people, delta) / people
        for part in UNDER:
            below = self.below(people, part)
            if self.certify_missed(delta, below, people, delta):
                return below
        return self.n_epsilon(people, delta) / people

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        system = numbers.of(delta)
        per_person = least_signal(self.tested, system) / system.number(participants)
        return participants * system.log1p(per_person)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the power is certain to be reached at a threshold of the significance."""
        least = self.certainly_missed(epsilon, int(float(participants.mid())))
        return bool(least <= rational(1 - self.tested.power))

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether even the largest ε has less power; of two groups in cells of ε where need be."""
        if self.certify_missed_sizes(most, participants, participants, delta):
            return True
        if self.tested.groups == 1:
            return False
        signal = self.n_epsilon(participants, delta) / participants
        cells = [(numbers.balls().maximum(least, signal), most)]
        for _ in range(_MOST_CELLS):
            if not cells:
                return True
            low, high = cells.pop()
            if low > high:
                continue
            power = power_at_most(self.tested, low, high, participants, participants)
            if not power < rational(self.tested.power):
                middle = (low * high).sqrt()
                cells += [(low, middle), (middle, high)]
        return False

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether even the most people do, of two groups at the threshold of the fewest."""
        if most < self.tested.groups:
            return True
        power = power_at_most(self.tested, None, epsilon, least, most)
        return bool(power < rational(self.tested.power))


@lru_cache(maxsize=64)
def _frontier(tested: Hypotheses) -> Frontier:
    """The least ε over N, each computed once."""
    return Frontier(lambda people: _least_epsilon(tested, people))


def _least_epsilon(tested: Hypotheses, people: Array) -> Array:
    """The root of the power in ε, in floats; ∞ where ever more ε does not reach it."""
    floors = np.full(people.shape, np.inf)
    power = float(tested.power)
    enough = power_of(tested, np.full(people.shape, SURE), people) >= power
    size = people[enough]
    if size.size:
        least = np.log1p(least_signal(tested, numbers.FLOATS) / size)

        def excess(log_epsilon: Array, size: Array) -> Array:
            return power - power_of(tested, np.exp(log_epsilon), size)

        ends = np.log(np.minimum(least, SURE)) - 1e-6, np.full(size.shape, math.log(SURE) + 1e-6)
        root = find_root(excess, ends, args=(size,), tolerances={"xatol": _CLOSE, "xrtol": 0.0}).x
        floors[enough] = np.exp(root) * _ABOVE
    return floors


def least_signal(tested: Hypotheses, system: numbers.NumberSystem = numbers.FLOATS) -> Number:
    """s/d, which N(e^ε − 1) is at least, and approaches with ever more people."""

    def exact(x: Fraction) -> Number:
        return rational(x) if system is numbers.balls() else system.number(float(x))

    def quantile(p: Fraction) -> Number:
        return -system.log(exact(2 - 2 * p)) if 2 * p >= 1 else system.log(exact(2 * p))

    moved = quantile(1 - tested.significance) + quantile(tested.power)
    return moved / exact(tested.change)
