"""The floor of a noisy share in a finite population, under the exact analysis."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.libraries import np
from planner.mechanisms.exact.floor import ExactFloor, GaussianFloor
from planner.mechanisms.exact.frontier import least_rate
from planner.mechanisms.finite import LARGEST, noises
from planner.mechanisms.finite.lattice import lattice
from planner.mechanisms.sample import Sample
from planner.numbers import Number

if TYPE_CHECKING:
    from planner.mechanisms.exact.analysis import Kind
    from planner.mechanisms.exact.noise import Noise
    from planner.mechanisms.mechanism import Mechanism


@dataclass(frozen=True)
class FiniteFloor(ExactFloor):
    """The same as its base, of N people drawn from M; see `ExactFloor`.

    Attributes:
        population: M.
    """

    population: int

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability at the worst number of people; numbers or arrays."""
        asked = self._asked._replace(failure=0.0)

        def worst(rate: float, n: float) -> float:
            return self._noise.worst_mean(float(rate), float(n), asked).most

        return _each(worst, self._rate(epsilon, delta), participants)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε, for certain; numbers or arrays."""

        def least(n: float) -> float:
            return least_rate(self._noise, float(n), self._asked)

        return self._epsilon(_each(least, participants), delta)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to fail at every ε up to a ball."""
        rate = self._rate(epsilon, delta)
        return self._noise.certify_sizes_over(rate, least, most, self._asked_in_balls)

    def failure_between(self, n_epsilon: Number, least: int, most: int) -> Number:
        """Nothing is known of ranges of N at a signal."""
        return n_epsilon * 0

    @property
    def _noise(self) -> "Noise":

        of = {
            "laplace": noises.laplace,
            "geometric": noises.geometric,
            "gaussian": noises.gaussian,
        }[self.kind]
        return of(lattice(self.population, self.mean_range))


@dataclass(frozen=True)
class FiniteGaussianFloor(GaussianFloor, FiniteFloor):
    """For Gaussian noise."""


def finite_floor(
    kind: "Kind",
    mechanism: "Mechanism",
    error: float,
    failure: float,
    mean_range: tuple[float, float],
    sample: Sample,
) -> FiniteFloor:
    """The floor of a sample from a population that is not too large to be summed.

    Raises:
        ValueError: the sample is another one, or no share of the population is in the range.
    """
    people = sample.population
    if people is None or sample != Sample(people):
        raise ValueError(
            "the exact analysis is for people drawn one by one; for clusters or a design effect "
            'give kind = "laplace-mean" or "randomized-response" with analysis = "hoeffding"'
        )
    if people > LARGEST:
        raise ValueError(
            f"population = {people!r} is too large for the exact analysis, which takes at most "
            f'{LARGEST!r}; give analysis = "hoeffding", or leave the population out, which is '
            "safe where few of it are drawn"
        )
    lattice(people, mean_range)
    floor = FiniteGaussianFloor if kind == "gaussian" else FiniteFloor
    return floor(mechanism, error, failure, kind, mean_range, people)


def _each(function: Callable[..., float], *values: Number) -> Number:
    """A function of floats at numbers or arrays, which broadcast."""
    results = np.vectorize(function, otypes=[float])(*values)
    return float(results) if np.ndim(results) == 0 else results
