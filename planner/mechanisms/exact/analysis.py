"""The failure probability at the worst mean and the least rate, of each kind of noise."""

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.exact import frontier, gaussian_noise, geometric_noise, laplace_noise
from planner.mechanisms.exact.noise import Asked
from planner.numbers import Number

if TYPE_CHECKING:
    from planner.mechanisms.exact.noise import Noise

Kind = Literal["laplace", "geometric", "gaussian"]


def failure_probability(
    kind: Kind,
    rate: Number,
    participants: Number,
    error: Number,
    mean_range: tuple[float, float],
) -> Number:
    """The failure probability at the worst mean; numbers or arrays, which broadcast."""
    if numbers.of(rate, participants, error) is numbers.FRACTIONS:
        raise numbers.Inexact
    refuse_parts_of_people(participants)

    low, high = mean_range
    if kind == "laplace" and low == high:
        r, n, t = (np.asarray(x, dtype=float) for x in (rate, participants, error))
        failures = np.minimum(laplace_noise.failure_at(r, n, t, np.float64(low)), 1.0)
    else:

        def worst(r: float, n: float, t: float) -> float:
            return _worst(kind, float(r), float(n), float(t), mean_range)

        failures = np.vectorize(worst, otypes=[float])(rate, participants, error)
    return float(failures) if np.ndim(failures) == 0 else failures


@lru_cache(maxsize=4096)
def _worst(
    kind: Kind, rate: float, n: float, error: float, mean_range: tuple[float, float]
) -> float:

    of = noise_of(kind)
    most = of.worst_mean(rate, n, Asked(error, 0.0, mean_range)).most
    return min(1.0, most, of.bound(rate, n, error))


def least_rate(
    kind: Kind,
    participants: Number,
    error: Number,
    failure: Number,
    mean_range: tuple[float, float],
) -> Number:
    """The least allowed rate, ∞ where none is; numbers or arrays, which broadcast."""
    refuse_parts_of_people(participants)

    def least(n: float, t: float, a: float) -> float:
        return frontier.least_rate(noise_of(kind), float(n), Asked(float(t), float(a), mean_range))

    rates = np.vectorize(least, otypes=[float])(participants, error, failure)
    return float(rates) if np.ndim(rates) == 0 else rates


def refuse_parts_of_people(participants: Number) -> None:
    """Refuse parts of people: counts are whole, and that is what an exact analysis is about.

    Raises:
        ValueError: some N is not whole.
    """
    if not np.all(np.mod(participants, 1) == 0):
        raise ValueError(f"participants must be whole for an exact analysis, not {participants!r}")


def noise_of(kind: Kind) -> "Noise":
    """What a search needs of a kind of noise."""
    return {
        "laplace": laplace_noise.LAPLACE,
        "geometric": geometric_noise.GEOMETRIC,
        "gaussian": gaussian_noise.GAUSSIAN,
    }[kind]


def formula(law: str) -> "sympy.Expr":
    """The failure probability, as what it is."""
    return sympy.Symbol(f"max over μ of Pr[|K/N + Z/N − μ| ≥ T], {law}")
