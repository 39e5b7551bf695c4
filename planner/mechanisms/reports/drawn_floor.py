"""What an accuracy asks of ε where N people drawn from M randomise their answers, exactly."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact.failure import Asked
from planner.mechanisms.exact.without_replacement import LARGEST, lattice
from planner.mechanisms.reports import card
from planner.mechanisms.reports.drawn import failure_at, likely_failures
from planner.mechanisms.reports.drawn_least import least_epsilon, quick_floors
from planner.mechanisms.reports.drawn_proof import certify_at_most, certify_over, certify_sizes_over
from planner.mechanisms.reports.floor import ReportsFloor, most_truthful
from planner.mechanisms.reports.sampled import SampledReportsFloor
from planner.mechanisms.sample import Sample
from planner.numbers import Number

if TYPE_CHECKING:
    from planner.mechanisms.exact.without_replacement import Lattice
    from planner.mechanisms.mechanism import Mechanism


@dataclass(frozen=True)
class DrawnReportsFloor(ReportsFloor):
    """The least ε of a card; see `ReportsFloor`.

    Attributes:
        population: M.
    """

    population: int

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability of the card at the worst m."""

        def failure(e: float, n: float) -> float:
            return failure_at(self._of, int(n), card.truthful(float(e)), self._drawn)

        failures = np.vectorize(failure, otypes=[float])(epsilon, participants)
        return float(failures) if np.ndim(failures) == 0 else failures

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε of a card."""

        def least(n: float) -> float:
            return least_epsilon(self._of, int(n), self._drawn)

        floors = np.vectorize(least, otypes=[float])(participants)
        return float(floors) if np.ndim(floors) == 0 else floors

    def approximate(self, participants: Number, delta: Number) -> Number:
        """By the normal law, over an array of N."""
        return quick_floors(self._of, participants, self._drawn)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability by the normal law."""
        return likely_failures(self._of, card.strength(epsilon), participants, self._drawn)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """By a bound."""
        bounded = self._by_bound.epsilon(participants, delta)
        fits = (participants <= self.population) & (bounded < np.inf)
        some = np.where(fits, bounded, 1.0)
        return np.where(fits, card.about_printed(np.asarray(card.strength(some))), np.inf)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """Nothing is claimed: of a census the truth needs no reports."""
        return participants * 0

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """Nothing is claimed."""
        return numbers.of(delta).number(0.0)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which ε suffices: about, by the normal law."""
        sizes = np.arange(participants, self.population + 1, dtype=float)
        fails = np.flatnonzero(self.likely(np.full(sizes.shape, epsilon), sizes, 0) > self.failure)
        return int(sizes[fails[-1]]) + 1 if fails.size else participants

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the failure probability of the card is certain to be at most α."""
        truth, n = card.truthful_in(epsilon), participants.unique_fmpz()
        return bool(truth and n and certify_at_most(self._of, int(n), truth, self._drawn_in_balls))

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε up to `most` is certain to fail at some m."""
        truth = most_truthful(most)
        return certify_over(self._of, participants, truth, self._drawn_in_balls)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to fail at every ε up to a ball."""
        truth = most_truthful(epsilon)
        return certify_sizes_over(self._of, least, most, truth, self._drawn_in_balls)

    @property
    def _drawn(self) -> Asked:
        return Asked(self.error, self.failure, self.mean_range)

    @property
    def _drawn_in_balls(self) -> Asked:
        number = numbers.balls().number
        return self._drawn._replace(error=number(self.error), failure=number(self.failure))

    @property
    def _of(self) -> "Lattice":
        return lattice(self.population, self.mean_range)

    @property
    def _by_bound(self) -> SampledReportsFloor:
        sample = Sample(self.population)
        return SampledReportsFloor(self.mechanism, self.error, self.failure, sample)


def floor_of_population(
    mechanism: "Mechanism",
    error: float,
    failure: float,
    mean_range: tuple[float, float],
    sample: Sample,
) -> DrawnReportsFloor:
    """The floor of a sample from a population that is not too large to be summed.

    Raises:
        ValueError: the sample is another one, or no share of the population is in the range.
    """
    people = sample.population
    if people is None or sample != Sample(people):
        raise ValueError(
            "the exact analysis is for people drawn one by one; for clusters or a design effect "
            'give analysis = "hoeffding"'
        )
    if people > LARGEST:
        raise ValueError(
            f"population = {people!r} is too large for the exact analysis, which takes at most "
            f'{LARGEST!r}; give analysis = "hoeffding"'
        )
    lattice(people, mean_range)
    return DrawnReportsFloor(mechanism, error, failure, mean_range, people)
