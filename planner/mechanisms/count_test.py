"""Private tests by a noisy count: of one share against a value, and of two groups (Awan18).

The count K of the people who have the property is published with two-sided geometric noise, as
W = K + Z with Pr[Z = z] ∝ e^(−ε|z|). For a share over the null value the test rejects if W > c, and
with probability γ if W = c, where c and γ give exactly the significance at the null value. With a
uniform number on (−½, ½) added to W this is Awan18's test by Tulap noise. For a share under the
null value, and for two groups, other people are counted; see `hypotheses`.

Of one share it has the largest power of all ε-private tests of this significance (Theorem 4.9), so:

- The power grows with ε, as an ε-private test is private at any larger ε, and with N, as a test may
  leave people out.
- N(e^ε − 1) of the least ε never grows with N. A test that draws N of N′ people by lot and is
  ε-private for them is ln(1 + (e^ε − 1)·N/N′)-private for all N′.
- So it is at least its limit, s/d: d is how much more probably a person is counted, and s how far
  Laplace noise of rate 1 must be moved to be over its 1 − α quantile with the probability of the
  power.

Of two groups the limit is the same, and holds for any ε-private test of size α where both groups
have the share p̄ that lies in the middle of theirs: drawn by lot from ever more people, N(e^ε − 1)·d
records change on the way to the alternative, by probabilities φ ↦ min(e^ε·φ, 1 − e^−ε(1 − φ)), a
concave function, each. Beyond that nothing is known but this, for edges above the null mean: the
null is rejected more often with more people and with more noise (see `Hypotheses.of_groups`), and
the alternative with more people. The latter holds as the difference of a pair has a law
proportional to s(x)·ρ^x, with s symmetric and unimodal and ρ ≥ 1, and so has the sum of all: for
c ≥ 1 a pair more takes r₋·f(c) away and adds r₊·f(c − 1), which is no less for f and for f with
noise. So with the threshold of the fewest people the most have at least the power of all between,
and of all with less ε, but for 1/2 and what `two_groups.noise_adds`.
Of very many people the power is bounded by that of counts that vary more: with one probability to
be counted for all. The count is then under an edge the more often (Hoeffding 1956), and so it is
with noise where it is with probability 1/4 at most without. For S of N − 2 people, with f
log-concave, the derivative along shares of one mean is that of Σ t^j(f(c − 1 − j) − f(c + j)) ≥ 0:
its terms are positive down to the mean, and those up to there weigh more than all others.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from flint import arb

from planner import numbers
from planner.checked import dataclass as checked_dataclass
from planner.libraries import find_root, np, sympy
from planner.mechanisms.exact import two_groups
from planner.mechanisms.exact.exponential_noise import GEOMETRIC
from planner.mechanisms.exact.law import summed
from planner.mechanisms.exact.noise import NO_NOISE
from planner.mechanisms.exact.noise_balls import NoiseBall, rational
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.mechanisms.floor import FALLING, SAW_TOOTHED, Floor, Regularity
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import Sample
from planner.mechanisms.threshold import KEPT, LISTED, SURE, people_in, power_of, threshold_at
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

_MOST_CELLS = 100
"""Cells of ε before it is given up that none suffices."""
_ABOVE = 1 + 1e-9
"""A floor found in floats is put so much higher: far more than what was kept back changes it."""
_UNDER = 10
"""How often that is gone back where it is proved that less does not suffice."""
_CLOSE = 1e-11
"""How closely the logarithm of a floor is known in floats: far less than it is put higher."""

NO_ERROR = (
    "count-test is a test, which has a power and no error; give a target of kind = "
    '"power", or a mechanism such as "laplace-mean"'
)
"""What a test refuses."""


@checked_dataclass
class CountTest(Mechanism):
    """The most powerful ε-private test of one share, or of two groups, by a noisy count.

    Its targets are `Power` and `Difference`.
    """

    kind: ClassVar[str] = "count-test"
    summary: ClassVar[str] = "a test of a share or of two groups, by a noisy count (Awan18)"
    domain: ClassVar[str] = "N ≥ 1, ε > 0; ε-private"
    monotone: ClassVar[str] = "the power grows with ε and with N"
    convexity: ClassVar[str] = "not proven"
    runs: ClassVar = "test"

    @property
    def sampled(self) -> bool:
        """Yes: it is about the share of a population."""
        return True

    @property
    def tests(self) -> bool:
        """Yes."""
        return True

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
            null: the share under the null hypothesis [[0, 1]].
            alternative: the share at which the power is computed [[0, 1]].
            significance: the probability to reject at the null value [(0, 1)].
            sides: 1, or 2 for a test on each side at half the significance.
        """
        return 1 - PowerFloor(Hypotheses.of(null, alternative, 0.5, significance, sides)).achieved(
            epsilon, participants, 0.0
        )

    def power_of_groups(
        self,
        epsilon: Number,
        participants: Number,
        baseline: float,
        change: float,
        significance: float,
        sides: int = 1,
        baseline_range: tuple[float, float] = (0.0, 1.0),
    ) -> Number:
        """The probability to reject that two groups of equal size have the same share.

        Args:
            epsilon: ε [> 0], number or array.
            participants: N, of both groups [≥ 2, whole; of an odd number one is left out], number
                or array; they broadcast.
            baseline: the share of the second group at which the power is computed [[0, 1]].
            change: how much larger the share of the first is, or smaller if it is negative.
            significance: the largest probability to reject where the shares are the same
                [(0, 1/2)].
            sides: 1, or 2 for a test on each side at half the significance.
            baseline_range: the lowest and the highest share that the groups may have in common.
        """
        of_groups = Hypotheses.of_groups(baseline, change, 0.5, significance, sides, baseline_range)
        return 1 - PowerFloor(of_groups).achieved(epsilon, participants, 0.0)

    def floor_of_test(self, tested: Hypotheses, sample: Sample) -> Floor:
        """What a power asks of independent people."""
        if not sample.simple:
            raise ValueError(
                "a test is planned for independent people; leave population, clusters and design "
                "effect out of the sampling"
            )
        return PowerFloor(tested)

    def floor_of_sample(self, error: Number, failure: Number, sample: Sample) -> "Floor":  # type: ignore[override]
        """None: see `floor_of_test`."""
        raise ValueError(NO_ERROR)

    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """A test has no error; see `power`."""
        raise ValueError(NO_ERROR)

    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """A test has no error; see `power`."""
        raise ValueError(NO_ERROR)

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """A test has no error; see `power`."""
        raise ValueError(NO_ERROR)

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """The probability to miss the alternative, in symbols."""
        return {"": _formula()}


@dataclass(frozen=True)
class PowerFloor(Floor):
    """The least ε at which a test of N people has the power.

    What it achieves is the probability to miss the alternative, 1 less the power.
    """

    tested: Hypotheses

    @property
    def regularity(self) -> Regularity:
        """Of one share it falls with N, and N(e^ε − 1) does."""
        if self.tested.groups == 2:
            return replace(SAW_TOOTHED, convex_in_failure=False)
        return replace(FALLING, payments_fall=True, in_cells=True)

    @property
    def allowed(self) -> Number:
        """The largest probability to miss the alternative."""
        return float(1 - self.tested.power)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The probability to miss the alternative: a bound in floats, an upper end in balls."""
        system = numbers.of(epsilon, participants, delta)
        if system is numbers.FRACTIONS:
            raise numbers.Inexact
        if system is numbers.balls():
            return _missed(self.tested, epsilon, int(float(participants.mid())))
        rate, size = np.broadcast_arrays(
            np.asarray(epsilon, float), people_in(self.tested, participants)
        )
        missed = 1 - power_of(self.tested, np.minimum(rate, SURE), size)
        return float(missed) if missed.ndim == 0 else missed

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The root in ε of the power, of whole people; ∞ where no ε suffices.

        In balls a little less, at which the power is certain to be missed.
        """
        if numbers.of(participants, delta) is numbers.balls():
            return self._certainly_more_than(math.ceil(float(participants.upper())), delta)
        floors = _frontier(self.tested).floors(people_in(self.tested, participants))
        return float(floors) if floors.ndim == 0 else floors

    def _certainly_more_than(self, people: int, delta: Number) -> Number:
        """An ε that is certain not to suffice: by a proof at N, or what no N can do without."""
        if self.tested.groups == 2:
            return self.n_epsilon(people, delta) / people
        ball = numbers.balls().number
        least = float(_frontier(self.tested).floors(np.array([float(people)]))[0])
        below = ball(least / _ABOVE**_UNDER) if least < math.inf else numbers.balls().infinity
        if self.certify_missed(delta, below, people, delta):
            return below
        return self.n_epsilon(people, delta) / people

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """N·ln(1 + s/(Nd)), which grows with N."""
        system = numbers.of(delta)
        per_person = _limit(self.tested, system) / system.number(participants)
        return participants * system.log1p(per_person)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """That of one person, over N: N times it does not bend."""
        return self.n_epsilon(1, delta) / participants

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the power is certain to be reached at a threshold of the significance."""
        missed = _missed(self.tested, epsilon, int(float(participants.mid())))
        return bool(missed <= rational(1 - self.tested.power))

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
            power = _power_at_most(self.tested, low, high, participants, participants)
            if not power < rational(self.tested.power):
                middle = (low * high).sqrt()
                cells += [(low, middle), (middle, high)]
        return False

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether even the most people do, of two groups at the threshold of the fewest."""
        if most < self.tested.groups:
            return True
        power = _power_at_most(self.tested, None, epsilon, least, most)
        return bool(power < rational(self.tested.power))

    def formula(self) -> "sympy.Expr":
        """The probability to miss the alternative."""
        return _formula()


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
        least = np.log1p(_limit(tested, numbers.FLOATS) / size)

        def excess(log_epsilon: Array, size: Array) -> Array:
            return power - power_of(tested, np.exp(log_epsilon), size)

        ends = np.log(np.minimum(least, SURE)) - 1e-6, np.full(size.shape, math.log(SURE) + 1e-6)
        root = find_root(excess, ends, args=(size,), tolerances={"xatol": _CLOSE, "xrtol": 0.0}).x
        floors[enough] = np.exp(root) * _ABOVE
    return floors


def _limit(tested: Hypotheses, system: numbers.NumberSystem) -> Number:
    """s/d, which N(e^ε − 1) is at least, and approaches with ever more people."""

    def exact(x: Fraction) -> Number:
        return rational(x) if system is numbers.balls() else system.number(float(x))

    def quantile(p: Fraction) -> Number:
        """Of Laplace noise of rate 1."""
        return -system.log(exact(2 - 2 * p)) if 2 * p >= 1 else system.log(exact(2 * p))

    moved = quantile(1 - tested.significance) + quantile(tested.power)
    return moved / exact(tested.change)


def _missed(tested: Hypotheses, epsilon: "arb", people: int) -> "arb":
    """1 less the power of a plan, whose significance is certain to be kept; else only in [0, 1]."""
    people, alternative = tested.counted(people), tested.alternative
    if many := tested.groups == 2 and people > LISTED:
        alternative = alternative.alike
    noise, level, chance = _threshold_ball(tested, epsilon, people, 1 - KEPT)
    size = _rejects(tested.null, noise, people, (level, chance), tested.significance)
    seldom = not many or _seldom_under(alternative.mean, people, level)
    if not (seldom and size <= rational(tested.significance)):
        return arb(0.5, 0.5)
    return 1 - _rejects(alternative, noise, people, (level, chance), 1 - tested.power)


def _power_at_most(
    tested: Hypotheses, low: "arb | None", high: "arb", fewest: int, most: int
) -> "arb":
    """What no test of a range of sizes and of ε has more power than; else only in [0, 1].

    It is the power of the most people at the threshold of the fewest, both at the largest ε. Of two
    groups it is at either edge no less than at the least ε, or 1/2 where none is given; see
    `two_groups.noise_adds`.
    """
    unknown, people = arb(0.5, 0.5), tested.counted(most)
    few = max(tested.counted(fewest), 2) if tested.groups == 2 else people
    if tested.groups == 2 and people > LISTED:
        return unknown
    noise, level, chance = _threshold_ball(tested, high, few, 1 + KEPT)
    size = _rejects(tested.null, noise, few, (level, chance), tested.significance)
    if not size >= rational(tested.significance):
        return unknown
    level, rare = level + (people - few) // 2, 1 - tested.power
    if tested.groups == 1:
        return _rejects(tested.alternative, noise, people, (level, chance), rare)
    if 2 * level <= people:
        return unknown
    given = tested.alternative, people, float(rare)
    at_edges = []
    for edge in (level, level + 1):
        other = arb(0.5) if low is None else _over(*given, GEOMETRIC.ball(low, low), edge)
        added = arb(two_groups.noise_adds(people, tested.alternative, float(rare), edge))
        at_edges.append(_over(*given, noise, edge).max(other) + added)
    at, over = at_edges
    return over + (at - over) * chance


def _threshold_ball(
    tested: Hypotheses, epsilon: "arb", people: int, part: float
) -> "tuple[NoiseBall, int, arb]":
    """The noise, and the threshold at a part of the significance, which is to be checked."""
    noise: NoiseBall = NO_NOISE.ball(epsilon, epsilon)
    rate = SURE
    if epsilon.is_finite():
        noise, rate = GEOMETRIC.ball(epsilon, epsilon), min(float(epsilon.mid()), SURE)
    found = threshold_at(tested, np.array([rate]), np.array([float(people)]), part)
    return noise, int(found.level[0]), arb(float(found.chance[0]))


def _rejects(
    shares: Shares, noise: NoiseBall, people: int, threshold: "tuple[int, arb]", rare: Fraction
) -> "arb":
    """The probability to reject at a threshold, enclosed."""
    level, chance = threshold
    at, over = (_over(shares, people, float(rare), noise, edge) for edge in (level, level + 1))
    return over + (at - over) * chance


def _over(shares: Shares, people: int, rare: float, noise: NoiseBall, edge: int) -> "arb":
    """Pr[K + Z ≥ edge], enclosed."""
    if shares.first == shares.second:
        return BINOMIAL.over_edge(noise, people, shares.first, Fraction(edge), rare)
    counts, rest = two_groups.counts(people, shares, rare)
    return summed(noise, counts, Fraction(edge)) + rest


def _seldom_under(share: Fraction, people: int, level: int) -> bool:
    """Whether a count is at or under a level with probability 1/4 at most, by Hoeffding (1963)."""
    room = people * float(share) - level - 2
    return room > 0 and 2 * room**2 >= math.log(4) * people


def _formula() -> "sympy.Expr":
    """The probability to miss the alternative, in words and symbols."""
    return sympy.Symbol("P(K + Z ≤ c) - gamma*P(K + Z = c) at the alternative")
