"""What an accuracy asks of ε where each person randomises their own answer, exactly.

ε falls with N, but N·ε does not: it grows as √N, so there is always a best number of people.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from planner import numbers
from planner.libraries import np
from planner.mechanisms.floor import PROOF_ROOM, Ripple
from planner.mechanisms.mechanism import MechanismFloor
from planner.mechanisms.reports import card
from planner.mechanisms.reports.card import LARGE, Asked
from planner.mechanisms.reports.least import frontier
from planner.mechanisms.reports.proof import certify_at_most, certify_over, certify_sizes_over
from planner.mechanisms.reports.worst import likely_failures, most_off
from planner.numbers import Number

_TEETH = 5_000  # sizes that are read one by one
_FAR = 1.2  # a little over what ties may move it
_PEOPLE_FOR_ALL, _MOST_ROOM = 10_000.0, 0.2
"""How much room proofs need grows with N: with less of it, too many sizes are left."""
_OFTEN = 0.25  # for larger α nothing is claimed
_FALLS_FROM = 4  # √N − 1 over N falls from there


@dataclass(frozen=True)
class ReportsFloor(MechanismFloor):
    """The least ε of a card; see `MechanismFloor`.

    Attributes:
        mean_range: the population shares at which it must be accurate.
    """

    mean_range: tuple[float, float]

    def ripple(self, participants: int) -> Ripple:
        return ripple(participants)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The least ε for the shares that are likely the worst, over an array of N."""
        return frontier(self._asked).floors(participants)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        e, n = np.broadcast_arrays(epsilon, participants)
        return likely_failures(e.ravel(), n.ravel(), self._asked).reshape(n.shape)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        strength = np.sqrt(self._people / participants)
        return np.where(strength < 1, card.about_printed(strength), np.inf)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """N times what is asked of that many people, which grows with N."""
        number = numbers.of(delta).number
        return participants * self.noise_alone(number(participants), delta)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What every study of N people needs, where a share of 1/2 may be the true one."""
        if not self._asked.half:
            return participants * 0
        return needed_by_all(participants, self.error, self.failure)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which ε suffices, by Hoeffding's bound in the end.

        The sizes before are looked at one by one, at most five thousand of them.
        """
        return always_from(float(2 * card.truthful(epsilon) - 1), participants, self._asked)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the failure probability of the card is certain to be at most α."""
        truth = card.truthful_in(epsilon)
        n = participants.unique_fmpz()
        return bool(truth and n and certify_at_most(int(n), truth, self._asked_in_balls))

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε up to `most` is certain to fail at some share."""
        return certify_over(participants, most_truthful(most), self._asked_in_balls)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to fail at every ε up to a ball."""
        error, failure = self.target(epsilon)
        tau = error * card.strength(epsilon) if epsilon.is_finite() else error
        return self._asked.half and certify_sizes_over(least, most, tau, failure)

    def failure_between(
        self, n_epsilon: Number, least: int, most: int, lowest: Number | None = None
    ) -> Number:
        return n_epsilon * 0

    @cached_property
    def _people(self) -> float:
        """N·(p − q)² by Hoeffding's bound: ln(2/α)/(2T²)."""
        return float(math.log(2 / self.failure) / (2 * self.error**2))

    @property
    def _asked(self) -> Asked:
        return Asked(self.error, self.failure, self.mean_range)

    @property
    def _asked_in_balls(self) -> Asked:
        number = numbers.balls().number
        return self._asked._replace(error=number(self.error), failure=number(self.failure))


def ripple(participants: int) -> Ripple:
    """Costs at ties differ by a part in √N, and rise by x²/4 at xN from here: about N^(3/4).

    Sizes are excluded one by one near an edge, by thousands elsewhere.
    """
    spare = min(max(PROOF_ROOM, participants / _PEOPLE_FOR_ALL), _MOST_ROOM)
    return Ripple(int(_FAR * participants**0.75) if participants <= LARGE else 0, spare)


def needed_by_all(participants: Number, error: float, failure: Number) -> Number:
    """The ε that every study of N people needs: ((1 − α)·√(eN/2) − 1)/(NT), as tanh(ε/2) ≤ ε/2.

    At λ = 1/2 fewer than 2Nτ + 1 counts are right, each with a probability of at most √(2/(eN))
    (Herzog 1947). It falls from N = 4 on. For α < 1/4 fewer people need ε > 1/T, which is more, so
    for them it is that of four. For other α nothing is claimed.
    """
    if not failure < _OFTEN:
        return participants * 0
    system = numbers.of(participants)
    size = system.maximum(participants, participants * 0 + _FALLS_FROM)
    euler = system.exp(system.number(1.0))
    right = (1 - system.number(failure)) * system.sqrt(size * euler / 2)
    return (right - 1) / (size * system.number(error))


def always_from(strength: float, participants: int, asked: Asked) -> int:
    """The smallest N ≥ `participants` from which cards of a p − q suffice; see `ReportsFloor`."""
    surely = int(math.log(2 / asked.failure) / (2 * asked.error**2) / strength**2) + 1
    sizes = np.arange(participants, min(surely, participants + _TEETH) + 1, dtype=float)
    excess, every = sizes * asked.error * strength, np.full(sizes.shape, strength)
    width = np.ceil(2 * excess - 1e-9)
    values = most_off(sizes, excess, width, every, asked.mean_range, asked.answers)
    fails = np.flatnonzero(values > asked.failure)
    return int(sizes[fails[-1]]) + 1 if fails.size else participants


def most_truthful(epsilon: Number, answers: int = 2) -> Fraction:
    """A p that no card passes at an ε up to a ball."""
    if not epsilon.is_finite():
        return Fraction(1)
    end = (1 / (1 + (answers - 1) * (-epsilon).exp())).upper().fmpq()
    return min(Fraction(int(end.p), int(end.q)), Fraction(1))
