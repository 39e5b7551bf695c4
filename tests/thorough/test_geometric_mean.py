"""Geometric noise on a count: lattice questions, the worst mean, plans and proofs."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import planner
from planner.checked import Refused


def summed(epsilon: float, n: int, error: str, mean: str) -> float:
    """The failure probability, count by count."""
    decay, t, m = math.exp(-epsilon), Fraction(error), Fraction(mean)
    high, low = math.ceil(n * (m + t)), math.floor(n * (m - t))

    def at_least(z: int) -> float:
        return decay**z / (1 + decay) if z > 0 else 1 - decay ** (1 - z) / (1 + decay)

    counts = binom.pmf(np.arange(n + 1), n, float(m))
    return sum(p * (at_least(high - k) + at_least(k - low)) for k, p in enumerate(counts))


@pytest.mark.parametrize(
    ("epsilon", "n", "error", "mean"),
    [
        (0.3, 100, "0.05", "0.5"),  # both edges whole
        (0.3, 100, "0.055", "0.5"),  # neither
        (0.3, 100, "0.1", "0.3"),  # 0.3 + 0.1 is not 0.4 in floats
        (2.0, 10, "0.7", "0.1"),
        (0.01, 300, "0.2", "0.05"),
    ],
)
def test_at_one_mean(epsilon: float, n: int, error: str, mean: str) -> None:
    mechanism = planner.GeometricMean(mean_range=(float(mean), float(mean)))
    found = mechanism.failure_probability(epsilon, n, float(error))
    assert found == pytest.approx(summed(epsilon, n, error, mean), rel=1e-10)


@pytest.mark.parametrize(("n", "epsilon", "error"), [(9, 1.3, "0.3"), (40, 0.5, "0.17")])
def test_no_mean_fails_more_often(n: int, epsilon: float, error: str) -> None:
    found = planner.GeometricMean().failure_probability(epsilon, n, float(error))
    # just under a tipping mean its edge is whole
    tipping = [Fraction(h, n) - Fraction(error) for h in range(n + 1)]
    means = [f"{float(m) - 1e-12:.15f}" for m in tipping if 0 < m <= 1]
    means += [f"{k / 40:.3f}" for k in range(41)]
    worst = max(summed(epsilon, n, error, mean) for mean in means)
    assert worst * (1 - 1e-9) <= found <= worst * (1 + 1e-3)


def test_it_can_lose_to_laplace_and_win() -> None:
    laplace, geometric = planner.LaplaceMean(), planner.GeometricMean()
    target = (1000, 0.05, 0.05)
    assert 1.01 < geometric.epsilon_floor(*target) / laplace.epsilon_floor(*target) < 1.02
    # at one mean whose edges are not whole it has room to spare
    at = {"mean_range": (0.5, 0.5)}
    off = (0.2, 99, 0.05)
    assert planner.GeometricMean(**at).failure_probability(*off) < planner.LaplaceMean(
        **at
    ).failure_probability(*off)


def test_plans(mean_study) -> None:
    def study(*conditions, base_cost=254.8, budget=10_000.0):
        coarse = planner.Accuracy(error=0.23, failure=0.05)
        plain = mean_study(base_cost, *conditions, budget=budget, target=coarse)
        return planner.Study(
            mechanism=planner.GeometricMean(),
            target=plain.target,
            individual=plain.individual,
            conditions=plain.conditions,
        )

    cheapest = planner.solve(study())
    assert cheapest.proof.checked
    assert cheapest.least_cost == pytest.approx(254.8 * math.log(20) / 0.23)
    fewest = planner.solve(study(), minimise="participants")
    assert (fewest.participants, fewest.always_from) == (27, 29)
    assert "every study of 29 people or more suffices" in fewest.notes[-1]
    for n in (26, 28):  # at all that the budget pays for, some mean is just under a whole edge
        most = math.log1p(10_000 / (n * 254.8))
        tipping = [Fraction(h, n) - Fraction("0.23") for h in range(n // 2, n + 1)]
        just_under = [f"{float(m) - 1e-9:.12f}" for m in tipping]
        assert max(summed(most, n, "0.23", mean) for mean in just_under) > 0.05
    assert planner.solve(study(base_cost=900.0)).verdict == "infeasible"
    assert planner.solve(study(planner.MaxParticipants(19), budget=None)).verdict == "infeasible"


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(Refused, match="give the lower end first"):
        planner.GeometricMean(mean_range=(0.5, 0.1))
