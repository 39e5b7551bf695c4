"""The power of a test without a curator, by the number of people who report yes (Warner 1965).

Where a proportion μ would answer yes, a report is yes with probability 1/2 + (μ − 1/2)s, s = p − q,
and the number of such reports is binomial. So the most powerful test of the reports is the
randomised test of a binomial count, whose power grows with N. It grows with p, too: a card with a
smaller p is one with a larger p, of which each report is randomised again.

The relative entropy of a report at the alternative, from one at the null value, is at most
(ds)²/(pq) = 4d²·sinh²(ε/2), d the distance of the two proportions. That of a test's result is no
more than N times as much, and at least k = k(power, significance), that of two coins. So

    N·ε ≥ 2N·arsinh(√(k/N)/(2d)), which grows with N.

Of two groups the reports are added up of those with the property in the first, and of those without
it in the second (see `power_proof`); d is the distance of both proportions from their middle, and
the relative entropy is bounded likewise. Under the null hypothesis that is rejected most, both
proportions are 1/2, so that every report is one of two alike, whatever the card says. At the
alternative a person of either group is counted with probability 1/2 + dᵢs, where d₁ + d₂ > 0.

- With n people in each group, the derivative along s of the probability to be at c or more is n
  times d₁f₁(c − 1) + d₂f₂(c − 1), fᵢ the chances with one person less of group i. With g those with
  one less of both, it has the sign of (m + 2d₁d₂s)·g(c − 2) + (m − 2d₁d₂s)·g(c − 1), where m is (d₁
  + d₂)/2. If d₁d₂ ≥ 0, all people are counted the more often, and the power grows with s.
- Else the second weight is positive and the larger one, so that the derivative is not negative
  where g(c − 2) ≤ g(c − 1). It is so from an s on at which the mean of g is c or more, as that of
  a sum of independent counts is less than 1 from its mode (Darroch 1964), and grows with s.
- Where the mean of all is c − 1 or less, they are c or more with a probability that is at most that
  of people who are all counted with the same one (Hoeffding 1956), and so at most 1/2.
- Between, in a cell [s, s′], the power is at most that where the group with dᵢ < 0 is counted as at
  s, and the other one as at s′.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from planner import numbers
from planner.libraries import find_root, np, sympy
from planner.mechanisms.count_test import UNDER, PowerFloor
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.floor import FALLING, SAW_TOOTHED, Regularity
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.hypotheses import Hypotheses
from planner.mechanisms.power_proof import missed, misses_with_all_cards, power_at_most
from planner.mechanisms.reports import card
from planner.mechanisms.reports.floor import most_truthful
from planner.mechanisms.threshold import SURE, power_of
from planner.numbers import Array, Number

_CLOSE = 1e-12
"""How closely a strength is known in floats."""
_ABOVE = 1 + 1e-10
"""A strength found in floats is put so much higher, far more than what was kept back changes it."""


@dataclass(frozen=True)
class ReportedPowerFloor(PowerFloor):
    """The least ε of a card with which a test of N reports has the power."""

    @property
    def regularity(self) -> Regularity:
        """Of one proportion it falls with N; N times it is at least what grows as √N."""
        if self.tested.groups == 2:
            known = replace(SAW_TOOTHED, convex_in_failure=False)
            return replace(known, n_epsilon_grows=True, in_cells=True)
        return replace(FALLING, n_epsilon_grows=True, in_cells=True, on_grids=True)

    def power(self, epsilon: Array, people: Array) -> Array:
        """That with the cards that are printed at ε."""
        strength = [float(2 * card.truthful(e) - 1) for e in epsilon.ravel().tolist()]
        return power_of_reports(self.tested, np.reshape(strength, epsilon.shape), people)

    def certainly_missed(self, epsilon: Number, people: int) -> Number:
        """That with the card that is printed at ε."""
        truth, system = card.truthful_in(epsilon), numbers.balls()
        if truth is None:  # several are
            return system.number(1)
        return missed(self.tested.reported(truth), system.infinity, people)

    def floors(self, people: Array) -> Array:
        """Those of cards that are printed."""
        strength = _frontier(self.tested).floors(people) * _ABOVE
        return np.where(strength < 1, card.about_printed(strength) * _ABOVE, np.inf)

    def below(self, people: int, part: float = UNDER[0]) -> Number:
        """An ε of less strength than is needed, by a part, which need not be printed."""
        system = numbers.balls()
        strength = float(_frontier(self.tested).floors(np.array([float(people)]))[0])
        if not strength < 1:
            return system.infinity
        return card.epsilon_of_strength(system.number(strength * (1 - part)))

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The least N·ε, by the relative entropy."""
        system = numbers.of(delta)
        each = _entropy(self.tested, system) / system.number(participants)
        half = system.sqrt(each) / (2 * _exact(self.tested.change, system))
        return 2 * participants * system.log(half + system.sqrt(1 + half**2))

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether even a card that no card passes has less power."""
        return self.certify_missed_sizes(most, participants, participants, delta)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether even the most people have less power with a card that no card passes."""
        if most < self.tested.groups:
            return True
        truth = most_truthful(epsilon)
        if self.tested.groups == 2:
            return misses_with_all_cards(self.tested, truth, least, most)
        tested = self.tested.reported(truth)
        power = power_at_most(tested, None, numbers.balls().infinity, most, most)
        return bool(power < rational(self.tested.power))

    def formula(self) -> "sympy.Expr":
        """The probability to miss the alternative."""
        of = "K" if self.tested.groups == 2 else "Y"  # those counted, or those of yes
        return sympy.Symbol(f"P({of} ≤ κ) − γ·P({of} = κ) at the alternative")


def power_of_reports(tested: Hypotheses, strength: Array, people: Array) -> Array:
    """The power of a test of N reports; the significance is kept in spite of roundings.

    Args:
        tested: what is tested of the people's answers.
        strength: p − q of the card [(0, 1]].
        people: N [≥ 1, whole]; they broadcast.
    """
    return power_of(tested.reported((1 + strength) / 2), np.full(people.shape, SURE), people)


@lru_cache(maxsize=64)
def _frontier(tested: Hypotheses) -> Frontier:
    """The least strength of a card over N, each computed once."""
    return Frontier(lambda people: _least_strength(tested, people))


def _least_strength(tested: Hypotheses, people: Array) -> Array:
    """The root of the power in the strength of a card, in floats; ∞ where the truth misses it."""
    least, power = np.full(people.shape, np.inf), float(tested.power)
    enough = power_of_reports(tested, np.ones(people.shape), people) > power
    size = people[enough]
    if size.size:
        half = np.sqrt(_entropy(tested, numbers.FLOATS) / size) / (2 * float(tested.change))
        start = np.minimum(half / np.sqrt(1 + half**2), 1.0) * (1 - 1e-6)

        def lacks(strength: Array, size: Array) -> Array:
            return power - power_of_reports(tested, strength, size)

        ends = start, np.ones(size.shape)
        found = find_root(lacks, ends, args=(size,), tolerances={"xatol": 0.0, "xrtol": _CLOSE})
        least[enough] = found.x
    return least


def _entropy(tested: Hypotheses, system: numbers.NumberSystem) -> Number:
    """k, the relative entropy of a coin with the power from one with the significance."""
    power, size = (_exact(x, system) for x in (tested.power, tested.significance))
    return power * system.log(power / size) + (1 - power) * system.log((1 - power) / (1 - size))


def _exact(x: Number, system: numbers.NumberSystem) -> Number:
    """A fraction in a number system."""
    return rational(x) if system is numbers.balls() else system.number(float(x))
