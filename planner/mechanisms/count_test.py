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
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from flint import arb

from planner import numbers
from planner.checked import dataclass as checked_dataclass
from planner.libraries import find_root, np, scipy, sympy
from planner.mechanisms.exact import two_groups
from planner.mechanisms.exact.exponential_noise import GEOMETRIC
from planner.mechanisms.exact.law import summed
from planner.mechanisms.exact.noise import NO_NOISE
from planner.mechanisms.exact.noise_balls import NoiseBall, rational
from planner.mechanisms.exact.sums.noisy_count import upper_side
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.mechanisms.floor import FALLING, SAW_TOOTHED, Floor, Regularity
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

_KEPT = 1e-10
"""The part of the significance that a threshold found in floats keeps back for their roundings."""
_ABOVE = 1 + 1e-9
"""A floor found in floats is put so much higher: far more than what was kept back changes it."""
_UNDER = 10
"""How often that is gone back where it is proved that less does not suffice."""
_CLOSE = 1e-11
"""How closely the logarithm of a floor is known in floats: far less than it is put higher."""
_MOST_SECANTS = 100
"""A few suffice; halvings alone would take 53."""
_SURE = 500.0
"""With a larger ε noise on a count is never drawn: e^−500 is less than any probability asked."""
_LISTED = 10**8
"""Of more people in two groups the counts are not listed; they vary by less than the noise."""

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
            return _missed(self.tested, epsilon, int(float(participants.mid())), 1 - _KEPT)
        rate, size = np.broadcast_arrays(
            np.asarray(epsilon, float), _counted(self.tested, participants)
        )
        missed = 1 - _power(self.tested, np.minimum(rate, _SURE), size)
        return float(missed) if missed.ndim == 0 else missed

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The root in ε of the power, of whole people; ∞ where no ε suffices.

        In balls a little less, at which the power is certain to be missed.
        """
        if numbers.of(participants, delta) is numbers.balls():
            return self._certainly_more_than(math.ceil(float(participants.upper())), delta)
        floors = _frontier(self.tested).floors(_counted(self.tested, participants))
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
        missed = _missed(self.tested, epsilon, int(float(participants.mid())), 1 - _KEPT)
        return bool(missed <= rational(1 - self.tested.power))

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether even the largest ε has less power, at a threshold of a larger significance."""
        return self.certify_missed_sizes(most, participants, participants, delta)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether even the most people do, of two groups at the threshold of the fewest."""
        if most < self.tested.groups:
            return True
        missed = _missed(self.tested, epsilon, most, 1 + _KEPT, least)
        return bool(missed > rational(1 - self.tested.power))

    def formula(self) -> "sympy.Expr":
        """The probability to miss the alternative."""
        return _formula()


class Threshold(NamedTuple):
    """When a test rejects.

    Attributes:
        level: c: it rejects if W > c.
        chance: γ: with this probability it rejects if W = c [[0, 1]]; arrays of one shape.
    """

    level: Array
    chance: Array


def threshold_at(tested: Hypotheses, epsilon: Array, people: Array, part: float = 1.0) -> Threshold:
    """The threshold at which the null value is rejected with a part of the significance; in floats.

    The law of W is log-concave, so the logarithm of Pr[W ≥ c], taken as a line between whole
    numbers, is concave and falls: a secant's root lies beyond its own, and the next ones come down.
    Count and noise are both off upwards with half the probability to reject, or both downwards with
    half that not to: c lies between, and is halved towards where a secant says nothing.
    """
    null, size = float(tested.null.mean), float(tested.significance) * part

    def off(failure: float) -> Array:
        """How far the sum is off with no more than a probability."""
        return np.sqrt(people * (math.log(2 / failure) / 2)) + math.log(2 / failure) / epsilon + 1

    low, high = np.floor(people * null - off(1 - size)), np.ceil(people * null + off(size))
    with np.errstate(all="ignore"):
        spread = np.sqrt(people * (null * (1 - null)) + 2 / np.expm1(epsilon) ** 2 + 0.25)
        level = np.floor(people * null + scipy.special.ndtri(1 - size) * spread).clip(low, high)
        for _ in range(_MOST_SECANTS):
            at, over = _over(tested.null, np.stack([level, level + 1]), epsilon, people)
            found = (over <= size) & (size <= at)
            if found.all():
                break
            low, high = np.where(over > size, level + 1, low), np.where(at < size, level - 1, high)
            height = np.log(at / size)
            near = level + np.floor(height / (height - np.log(over / size)))
            near = np.where((low <= near) & (near <= high), near, np.floor((low + high) / 2))
            level = np.where(found, level, near)
        chance = np.where(at > over, (size - over) / (at - over), 0.0)
    return Threshold(level, chance.clip(0, 1))


def planned_threshold(tested: Hypotheses, epsilon: float, people: int) -> tuple[int, float]:
    """C and γ of a plan, of the people who are counted; see `Threshold`."""
    sizes = np.array([epsilon]), _counted(tested, np.array([people]))
    level, chance = threshold_at(tested, *sizes, 1 - _KEPT)
    return int(level[0]), float(chance[0])


def _power(tested: Hypotheses, epsilon: Array, people: Array, part: float = 1 - _KEPT) -> Array:
    """The power, in floats."""
    level, chance = threshold_at(tested, epsilon, people, part)
    edges, shares = np.stack([level, level + 1]), tested.alternative
    many = (people > _LISTED) & (tested.groups == 2)
    at, over = _over(shares, edges, epsilon, np.where(many, _LISTED, people))
    if many.any():
        alike = _over(shares.alike, edges, epsilon, people)
        at, over = np.where(many, alike, (at, over))
    return np.asarray(over + (at - over) * chance)


def _counted(tested: Hypotheses, participants: Number) -> Array:
    """How many of N people are in the test: all, or as many in either group [≥ 1 or 2]."""
    groups = tested.groups
    return np.maximum(np.floor(np.asarray(participants, float) / groups), 1.0) * groups


def _over(shares: Shares, edge: Array, epsilon: Array, people: Array) -> Array:
    """Pr[K + Z ≥ edge]."""
    if shares.first == shares.second:
        return _one_over(float(shares.first), edge, epsilon, people)
    return two_groups.over_edge(
        shares, edge, people, lambda share, rest, size: _one_over(share, rest, epsilon, size)
    )


def _one_over(mean: float, edge: Array, epsilon: Array, people: Array) -> Array:
    """The same where all are counted with one probability, by the smaller of the two sides."""
    excess = edge - people * mean
    up = excess > 0
    share, off = np.where(up, mean, 1 - mean), np.where(up, excess, 1 - excess)
    side = upper_side(people, share, off, epsilon, np.float64(0.0))
    return np.asarray(np.where(up, side, 1 - side))


@lru_cache(maxsize=64)
def _frontier(tested: Hypotheses) -> Frontier:
    """The least ε over N, each computed once."""
    return Frontier(lambda people: _least_epsilon(tested, people))


def _least_epsilon(tested: Hypotheses, people: Array) -> Array:
    """The root of the power in ε, in floats; ∞ where ever more ε does not reach it."""
    floors = np.full(people.shape, np.inf)
    power = float(tested.power)
    enough = _power(tested, np.full(people.shape, _SURE), people) >= power
    size = people[enough]
    if size.size:
        least = np.log1p(_limit(tested, numbers.FLOATS) / size)

        def excess(log_epsilon: Array, size: Array) -> Array:
            return power - _power(tested, np.exp(log_epsilon), size)

        ends = np.log(np.minimum(least, _SURE)) - 1e-6, np.full(size.shape, math.log(_SURE) + 1e-6)
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


def _missed(
    tested: Hypotheses, epsilon: "arb", people: int, part: float, fewest: int | None = None
) -> "arb":
    """1 less the power at a threshold of a part of the significance, which is checked in balls.

    With a part under 1 the significance is certain to be kept, with one over 1 to be passed, so
    that the power is no less than any with less ε. Else all that is known is that it lies in
    [0, 1]. In two groups a threshold may be that of the `fewest` of some people, which is never
    over that of more.
    """
    unknown, apart, alternative = arb(0.5, 0.5), 0, tested.alternative
    people = int(_counted(tested, people))
    if tested.groups == 2 and people > _LISTED:
        if part > 1:
            return unknown
        alternative = alternative.alike
    if tested.groups == 2 and fewest is not None:
        apart = (people - int(_counted(tested, fewest))) // 2
    noise: NoiseBall = NO_NOISE.ball(epsilon, epsilon)
    rate = _SURE
    if epsilon.is_finite():
        noise, rate = GEOMETRIC.ball(epsilon, epsilon), min(float(epsilon.mid()), _SURE)
    few = people - 2 * apart
    found = threshold_at(tested, np.array([rate]), np.array([float(few)]), part)
    level, weight = int(found.level[0]), arb(float(found.chance[0]))

    def rejects(shares: Shares, people: int, level: int, rare: Fraction, most: bool) -> "arb":
        edges = (level, level + 1)
        at, over = (_over_ball(shares, noise, people, edge, float(rare), most) for edge in edges)
        return over + (at - over) * weight

    size = rejects(tested.null, few, level, tested.significance, False)
    allowed, level = rational(tested.significance), level + apart
    if not (size <= allowed if part < 1 else size >= allowed):
        return unknown
    if alternative != tested.alternative and not _seldom_under(alternative.mean, people, level):
        return unknown
    most = part > 1 and tested.groups == 2
    if most and 2 * level <= people:
        return unknown
    return 1 - rejects(alternative, people, level, 1 - tested.power, most)


def _over_ball(
    shares: Shares, noise: NoiseBall, people: int, edge: int, rare: float, most: bool
) -> "arb":
    """Pr[K + Z ≥ edge], enclosed; or in two groups the most that it is with more noise."""
    if shares.first == shares.second:
        over = BINOMIAL.over_edge(noise, people, shares.first, Fraction(edge), rare)
    else:
        counts, rest = two_groups.counts(people, shares, rare)
        over = summed(noise, counts, Fraction(edge)) + rest
    if not most:
        return over
    return over.max(arb(0.5)) + arb(two_groups.noise_adds(people, shares, rare, edge))


def _seldom_under(share: Fraction, people: int, level: int) -> bool:
    """Whether a count is at or under a level with probability 1/4 at most, by Hoeffding (1963)."""
    room = people * float(share) - level - 2
    return room > 0 and 2 * room**2 >= math.log(4) * people


def _formula() -> "sympy.Expr":
    """The probability to miss the alternative, in words and symbols."""
    return sympy.Symbol("P(K + Z ≤ c) - gamma*P(K + Z = c) at the alternative")
