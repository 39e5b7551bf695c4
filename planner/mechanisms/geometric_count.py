"""A count of the participants themselves, with two-sided geometric noise (Ghosh09)."""

import math
from typing import ClassVar

from planner import numbers
from planner.checked import dataclass
from planner.checks import in_range
from planner.libraries import find_root, np
from planner.mechanisms.floor import SAW_TOOTHED, QuestionFloor, Ripple
from planner.mechanisms.geometric_mean import least_n_epsilon
from planner.mechanisms.mechanism import Mechanism, MechanismFloor
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import Number, decimal


@dataclass
class GeometricCount(Mechanism):
    """How many of the N participants have a property, plus noise Pr[Z = z] ∝ e^(−ε|z|).

    The error is relative to the participants themselves, not to a population. This release is
    optimal for every reader of a count (Ghosh09, Gupte10).
    """

    kind: ClassVar[str] = "geometric-count"

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """2e^(−εm)/(1 + e^(−ε)) with m = ⌈NT⌉, the least whole error that counts."""
        system = numbers.of(epsilon, participants, error)
        exp, least = system.exp, _least_error(participants, error)
        return 2 * exp(-epsilon * least) / (1 + exp(-epsilon))

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """The root in ε of 2e^(−εm) = α(1 + e^(−ε)), of floats or arrays."""
        m, a = np.broadcast_arrays(_least_error(participants, error), failure)

        def excess(epsilon: Number, m: Number, a: Number) -> Number:
            return np.log(2 / a) - epsilon * m - np.log1p(np.exp(-epsilon))

        ends = (-np.log(a) / m * (1 - 1e-12), np.log(2 / a) / m)
        root = find_root(excess, ends, args=(m, a), tolerances={"xrtol": 1e-15}).x
        # the last digits go to the promise
        root = root * (1 + 4e-16)
        return float(root) if np.ndim(root) == 0 else root

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        return least_n_epsilon(participants, error, failure)

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        return (
            _CountFloor(self, error, failure)
            if sample.simple
            else super().floor(error, failure, sample)
        )


class _CountFloor(MechanismFloor):
    """A floor of a count, whose failure probability falls with ε, and in steps with N."""

    regularity = SAW_TOOTHED

    def ripple(self, participants: int) -> Ripple:
        """By steps of a part 1/(NT) of ε, 1/T people apart.

        The cost rises with the square of the distance from its smooth minimum, to as much at
        some √(N/T) people; where NT is about 1 the minimum itself is a few steps away.
        """
        steps = 2 * math.sqrt(participants * float(self.error)) + 4
        return Ripple(reach=24 + math.ceil(steps / float(self.error)))


def _least_error(participants: Number, error: Number) -> Number:
    """⌈NT⌉, decided in fractions of the decimals; of floats or arrays."""

    def ceiling(n: float, t: float) -> float:
        return float(math.ceil(decimal(float(n)) * decimal(float(t))))

    least = np.vectorize(ceiling, otypes=[float])(participants, error)
    return float(least) if np.ndim(least) == 0 else least
