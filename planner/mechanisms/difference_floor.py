"""What the difference of two groups asks: that of one proportion or mean, at half its error.

N/2 people are in either group, and the difference of their proportions is published with noise.
Counted are those with the property in the second group and those without it in the first. With S
of them the difference of the counts is S − N/2, so that of the proportions is 2S/N − 1: it is off
by T where S/N is off by T/2, and one person moves S by 1 at most.

S is a sum of N independent counts of 0 or 1 with two probabilities, and Hoeffding's bound is that
of one proportion. Exactly it is off the most, among all with its mean, where the two are the same:
so S is then that of one proportion. Without noise this is Hoeffding's (1956). With geometric noise
it holds where a pair less is over the edge with probability 1/4 at most, for which 2(NT/2 − 2)² ≥
N·ln 4 is enough (Hoeffding 1963); of few people that of binomial counts is the largest (Hoeffding
1956). With f the chances of N − 2 people, which are log-concave, the derivative along probabilities
of one mean has the sign of Σ t^j(f(c − 1 − j) − f(c + j)), t = e^(−ε): its terms are positive down
to the mean, and all up to there weigh more than all others. Laplace noise is geometric noise and a
part in (−1, 1) that is independent of it (the whole parts and the rests of two exponential
variables).

Of people who are not drawn one by one, or whose values are known to deviate little, S is bounded as
a sum of any values whose means differ. People drawn without replacement from the population of each
group err less than independent ones (Hoeffding 1963).

Of numbers from 0 to 1, as a part of their range, the first group's are added as 1 less the number,
and the same holds: S is a sum of N independent ones, of which both analyses of a mean assume no
more (see `values`).
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from planner.libraries import np, scipy
from planner.mechanisms import kinds
from planner.mechanisms.count_floor import CountFloor
from planner.mechanisms.floor import SAW_TOOTHED, Floor, Regularity, Ripple
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.noise import NOISES
from planner.mechanisms.sample import Sample
from planner.mechanisms.values import AnyValues, UnlikeValues
from planner.numbers import Number

_FEW = 2_000
"""People, of whom a pair less is summed up. Of more a bound is enough from 4·ln 2/T² people on, as
many as errors with a probability of 0.1 or less need anyway."""
_SELDOM = 0.25 * (1 - 1e-9)
"""Less what doubles may round."""


def difference_floor(
    mechanism: Mechanism, error: float, failure: float, sample: Sample
) -> "DifferenceFloor":
    """What the difference of two groups' proportions or means asks of a mechanism.

    Raises:
        ValueError: the mechanism adds no such noise, or people are not independent.
    """
    of_values = kinds.is_for_any_values(mechanism)
    noises = ("laplace", "geometric", *(["gaussian"] if of_values else []))
    if kinds.adds(mechanism) not in noises:
        raise ValueError(
            f"the difference of two groups is not published with {kinds.words(mechanism)}; give "
            'kind = "laplace-mean" or "geometric-mean", "gaussian-mean" with values = "any", '
            'or "noisy-counts" for a test'
        )
    exact = kinds.is_exact(mechanism)
    if getattr(mechanism, "mean_range", (0.0, 1.0)) != (0.0, 1.0):
        raise ValueError("mean_range is of one proportion; leave it out for a difference")
    if not sample.simple:
        endless = sample._replace(population=None)  # which is safe
        if not exact:
            return DifferenceFloor(mechanism.floor(error, failure, endless), exact)
        unlike = _unlike(kinds.adds(mechanism), endless)
        return DifferenceFloor(CountFloor(mechanism, error, failure, unlike), exact)
    one = mechanism.floor(error, failure, sample)
    return DifferenceFloor(one, exact, error if one.of_whole_counts else None)


def _unlike(noise: str, sample: Sample) -> AnyValues:
    """The sum of the values of both groups, whose means differ."""
    if noise == "geometric":
        raise ValueError(
            "with geometric noise the difference of two groups is for independent people; for "
            'those of a population give kind = "noisy-counts", else give kind = "laplace-mean"'
        )
    each = float(sample.clusters_of * sample.design_effect)
    if sample.deviation is None:
        return AnyValues(NOISES[noise], each=each)
    return UnlikeValues(NOISES[noise], each=each, deviation=sample.deviation)


@dataclass(frozen=True)
class DifferenceFloor(Floor):
    """The least ε of a difference; of an odd number of people one is left out.

    Attributes:
        one: that of one proportion at half the error.
        exact: whether it is exact, and so saw-tooths.
        to_prove: T/2 of proportions that are analysed exactly with whole counts: few people may
            not be enough to prove that both groups have one proportion where such an answer is off
            the most. None of others.
    """

    one: Floor
    exact: bool
    to_prove: float | None = None

    @property
    def regularity(self) -> Regularity:
        grows = self.one.regularity.n_epsilon_grows
        return replace(SAW_TOOTHED, n_epsilon_grows=grows, in_cells=grows, convex_in_failure=False)

    @property
    def uses_delta(self) -> bool:
        return self.one.uses_delta

    @property
    def allowed(self) -> Number:
        return self.one.allowed

    def fewer_unproved(self, participants: int) -> bool:
        """Whether two people less are too few to prove where the answer is off the most."""
        fewer = participants // 2 * 2 - 2
        return fewer > 0 and not self._proves(fewer)

    def ripple(self, participants: int) -> Ripple:
        return self.one.ripple(participants)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        return self.one.achieved(epsilon, self._even(participants), delta)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε; ∞ where too few people are left to prove it."""
        return self._proved(participants, self.one.epsilon(self._even(participants), delta))

    def approximate(self, participants: Number, delta: Number) -> Number:
        return self._proved(participants, self.one.approximate(self._even(participants), delta))

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return self.one.n_epsilon(participants, delta)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        return self.one.noise_alone(participants, delta)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        even = max(participants - participants % 2, 2)
        always = self.one.always_from(epsilon, even, delta)
        return participants if always <= participants else always + always % 2

    def _even(self, participants: Number) -> Number:
        """The largest even number of people, at least 2."""
        even = np.maximum(np.floor(np.asarray(participants, float) / 2), 1.0) * 2
        return float(even) if even.ndim == 0 else even

    def _proved(self, participants: Number, epsilon: Number) -> Number:
        """An ε, or ∞ where too few people are left."""
        people = np.asarray(self._even(participants))
        enough = (np.asarray(participants) >= 2) & self._proves(people)
        proved = np.where(enough, epsilon, np.inf)
        return float(proved) if proved.ndim == 0 else proved

    def _proves(self, people: Number) -> Number:
        """Whether a pair less is over an edge, or under one, with probability 1/4 at most."""
        if self.to_prove is None:
            return True
        room = people * self.to_prove - 2
        by_bound = (room > 0) & (room >= np.sqrt(people * math.log(2)))
        return by_bound | np.vectorize(_seldom_over, otypes=[bool])(people, self.to_prove)


@lru_cache(maxsize=2**12)
def _seldom_over(people: float, error: float) -> bool:
    """Whether a pair less of few people is over an edge with probability 1/4 at most.

    That is NT/2 − 2 over its mean or more. At the mean where such an edge is a whole number, the
    binomial count is over it the most often.
    """
    room, size = people * error - 2, people - 2
    if room < 1 or people > _FEW:
        return False
    edges = np.arange(math.ceil(room), size + 1)
    means = np.clip((edges - room) / size, 0.0, 1.0)
    over = scipy.special.betainc(edges, size - edges + 1, means)
    return bool(np.max(over, initial=0.0) <= _SELDOM)
