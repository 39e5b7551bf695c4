"""Proofs of tests in balls: that a plan has its power, and that no test of some sizes has it.

Of one proportion a test of more people or with a larger ε has more power (see `count_test`), so
that one size and one ε speak for all that are smaller. Of two groups:

- The limit of N(e^ε − 1) is that of one proportion, and holds for any ε-private test of size α
  where both groups have the proportion that lies in the middle of theirs, or proportions with the
  margin beside it. Drawn by lot from ever more people, N(e^ε − 1)·d records change on the way to
  the alternative, and each moves the probability φ to reject to min(e^ε·φ, 1 − e^−ε(1 − φ)) at
  most, a concave function.
- At an edge over the mean the null hypothesis without a margin is rejected more often with more
  people, and with more noise (see `Hypotheses.of_groups`).
- At such an edge the alternative is found more often with more people. The difference of a pair has
  a law in proportion to s(x)·ρ^x, with s symmetric and unimodal and ρ ≥ 1, and so has f, that of
  the sum of all. A pair more takes r₋·f(c) away and adds r₊·f(c − 1), which is no less for c ≥ 1,
  and for f with noise.
- So with the threshold of the fewest people the most have at least the power of all between, and of
  all with less ε, but for 1/2 and what `two_groups.noise_adds`. Where that does not prove it, so do
  cells of ε. With a margin this is known of one size alone.
- Of very many people the power is bounded by that where all are counted with one probability. The
  count then varies more, and is under an edge the more often (Hoeffding 1956); and so it is with
  noise where it is with probability 1/4 at most without. For the chances f of N − 2 people, which
  are log-concave, the derivative along probabilities of one mean has the sign of
  Σ t^j(f(c − 1 − j) − f(c + j)): its terms are positive down to the mean, and all up to there weigh
  more than all others. With a margin the null hypothesis is rejected most for this reason.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.libraries import np
from planner.mechanisms.exact import two_groups
from planner.mechanisms.exact.exponential_noise import GEOMETRIC
from planner.mechanisms.exact.law import summed
from planner.mechanisms.exact.noise import NO_NOISE
from planner.mechanisms.exact.noise_balls import NoiseBall, NoNoise
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.threshold import KEPT, LISTED, SURE, threshold_at
from planner.numbers import rational

if TYPE_CHECKING:
    from flint import arb

_OVER = 1e-9
"""What is rounded in floats, and more."""
_SPARE = 1e-13
"""More than what `two_groups.noise_adds` has for roundings, of a size that noise may lower."""


def missed(tested: Hypotheses, epsilon: "arb", people: int) -> "arb":
    """1 less the power of a plan, whose significance is certain to be kept; else only in [0, 1]."""
    people, alternative = tested.counted(people), tested.alternative
    if many := tested.groups == 2 and people > LISTED:
        alternative = alternative.alike
    noise, level, chance = _threshold_ball(tested, epsilon, people, 1 - KEPT)
    size = _rejects(tested.null, noise, people, (level, chance), tested.significance)
    sure = not many or _seldom_under(alternative.mean, people, level)
    if tested.margin:
        sure = sure and seldom_over(tested.null.mean, people - 2, level - 1)
    if not (sure and size <= rational(tested.significance)):
        return arb(0.5, 0.5)
    return 1 - _rejects(alternative, noise, people, (level, chance), 1 - tested.power)


def power_at_most(
    tested: Hypotheses, low: "arb | None", high: "arb", fewest: int, largest: int
) -> "arb":
    """What no test of a range of sizes and of ε has more power than; else only in [0, 1].

    It is the power of the most people at the threshold of the fewest, both at the largest ε. Of two
    groups it is at either edge no less than at the least ε, or 1/2 where none is given; see
    `two_groups.noise_adds`.
    """
    unknown, people = arb(0.5, 0.5), tested.counted(largest)
    few = max(tested.counted(fewest), 2) if tested.groups == 2 else people
    if tested.groups == 2 and people > LISTED:
        return unknown
    spare = KEPT + _SPARE / float(tested.significance) * tested.margin
    noise, level, chance = _threshold_ball(tested, high, few, 1 + spare)
    size = _rejects(tested.null, noise, few, (level, chance), tested.significance)
    if not size >= rational(tested.significance):
        return unknown
    level, rare = level + (people - few) // 2, 1 - tested.power
    if tested.groups == 1:
        return _rejects(tested.alternative, noise, people, (level, chance), rare)
    if tested.margin:  # what is known is of one size
        lost = _under_with_noise(tested, people, level, float(chance.mid()))
        if few != people or not size - lost >= rational(tested.significance):
            return unknown
    elif few != people and 2 * level <= people:
        return unknown

    threshold, asked = (level, chance), (people, tested.alternative, float(rare))

    def at_end(noise: NoiseBall, decay: float) -> "arb":
        power = _rejects(tested.alternative, noise, people, threshold, rare)
        return power + two_groups.noise_adds(*asked, (level, float(chance.mid())), decay)

    if low is None:
        least = arb(0.5) + two_groups.noise_adds(*asked, (level, float(chance.mid())))
    else:
        least = at_end(GEOMETRIC.ball(low, low), _decay(low))
    return at_end(noise, _decay(high)).max(least)


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
    level, chance = threshold
    at, over = (_over(shares, people, float(rare), noise, edge) for edge in (level, level + 1))
    return over + (at - over) * chance


def _over(shares: Shares, people: int, rare: float, noise: NoiseBall, edge: int) -> "arb":
    """Pr[K + Z ≥ edge], enclosed."""
    if shares.same:
        return BINOMIAL.over_edge(noise, people, shares.first, Fraction(edge), rare)
    if isinstance(noise, NoNoise):
        return two_groups.beyond(people, shares, rare, edge)
    counts, rest = two_groups.counts(people, shares, rare)
    return summed(noise, counts, Fraction(edge)) + rest


def seldom_over(share: Fraction, people: int, edge: int) -> bool:
    """Whether a count is an edge or more with probability 1/4 at most, one over its mean or more.

    So it is then of people who are not counted alike, but as often on average (Hoeffding 1956).
    """
    over = BINOMIAL.over_edge(NO_NOISE.ball(arb(1), arb(1)), people, share, Fraction(edge), 0.25)
    return edge >= people * share + 1 and bool(over <= arb(0.25))


def _under_with_noise(tested: Hypotheses, people: int, level: int, chance: float) -> float:
    """What larger noise takes at most from the size of a test with a margin, if it is under 1/2."""
    rare = float(tested.significance)
    return two_groups.noise_adds(people, tested.null.others, rare, (people - level, 1 - chance))


def _decay(epsilon: "arb") -> float:
    """The value of e^−ε, or a little more."""
    return min(math.exp(-float(epsilon.mid())) * (1 + _OVER), 1.0)


def _seldom_under(share: Fraction, people: int, level: int) -> bool:
    """Whether a count is at or under a level with probability 1/4 at most, by Hoeffding (1963)."""
    room = people * float(share) - level - 2
    return room > 0 and 2 * room**2 >= math.log(4) * people
