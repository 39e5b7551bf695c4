"""Speed of the exact analysis against what a user would otherwise do; a table row is a group.

Run with `python -m pytest tests/benchmarks`; in each group the number in brackets beside a median
is its ratio to the fastest.
"""

from dataclasses import replace

import numpy as np
import pytest

import planner
from planner import scenarios
from planner.mechanisms.counts import Share

SMOKERS = planner.read_study(scenarios.WORKED_STUDIES / "mean-smoking.toml")
EXACT = replace(SMOKERS, mechanism=planner.LaplaceMean())
CAPPED = replace(EXACT, conditions=(*EXACT.conditions, planner.MaxParticipants(1000)))


def monte_carlo(n: int = 10_000, epsilon: float = 0.0061, runs: int = 1_000_000) -> float:
    """One point, right to 2 %."""
    rng = np.random.default_rng(0)
    off = rng.binomial(n, 0.5, runs) - n / 2 + rng.laplace(scale=1 / epsilon, size=runs)
    return float(np.mean(np.abs(off) >= 0.05 * n))


GROUP = "against 10^6 Monte Carlo runs of one point: worst mean 1 x, plan 2 x, proved plan 30 x"


@pytest.mark.benchmark(group=GROUP)
def test_monte_carlo(benchmark) -> None:
    benchmark(monte_carlo)


@pytest.mark.benchmark(group=GROUP)
def test_worst_mean(benchmark) -> None:
    benchmark(Share().failure, np.array(0.0061), np.array(10_000.0), np.array(0.05))


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("prove", [False, True], ids=["unproved", "proved"])
@pytest.mark.parametrize("study", [EXACT, CAPPED], ids=["budget", "at most 1000 people"])
def test_plan(benchmark, study, prove: bool) -> None:
    benchmark(planner.solve, study, prove=prove)


GAUSSIAN = replace(
    CAPPED, mechanism=planner.GaussianMean(), conditions=(*CAPPED.conditions, planner.Delta(1e-6))
)


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("prove", [False, True], ids=["unproved", "proved"])
def test_gaussian_plan(benchmark, prove: bool) -> None:
    benchmark(planner.solve, GAUSSIAN, prove=prove)
