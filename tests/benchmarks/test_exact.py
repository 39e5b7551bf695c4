"""Speed of the exact analysis against what a user would otherwise do; a table row is a group.

Run with `python -m pytest tests/benchmarks`; in each group the number in brackets beside a median
is its ratio to the fastest.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import betainc
from scipy.stats import binom

import planner
from planner import scenarios
from planner.mechanisms.exact.laplace_noise import failure_at, worst_mean

POINTS = 100_000
SMOKERS = planner.read_study(scenarios.WORKED_STUDIES / "mean-smoking.toml")
EXACT = replace(SMOKERS, mechanism=planner.LaplaceMean())
CAPPED = replace(EXACT, conditions=(*EXACT.conditions, planner.MaxParticipants(1000)))


def monte_carlo(n: int = 10_000, epsilon: float = 0.0061, runs: int = 1_000_000) -> float:
    """One point, right to 2 %."""
    rng = np.random.default_rng(0)
    off = rng.binomial(n, 0.5, runs) - n / 2 + rng.laplace(scale=1 / epsilon, size=runs)
    return float(np.mean(np.abs(off) >= 0.05 * n))


def six_tails(n: float) -> None:
    """Six incomplete beta functions on an array."""
    mean = np.linspace(0.4, 0.6, POINTS)
    for step in range(6):
        betainc(n * 0.55 + step, n * 0.45 + 1 - step, mean)


@pytest.mark.benchmark(group="one failure probability in an array: at most 3 x six betainc")
@pytest.mark.parametrize("what", ["six betainc", "exact"])
def test_array(benchmark, what: str) -> None:
    mean = np.linspace(0.4, 0.6, POINTS)
    if what == "exact":
        benchmark(failure_at, np.float64(0.05), 1500.0, 0.05, mean)
    else:
        benchmark(six_tails, 1500.0)


@pytest.mark.benchmark(group="N = 10^9: at most 8 x N = 10^3")
@pytest.mark.parametrize("n", [1e3, 1e9])
def test_size(benchmark, n: float) -> None:
    mean = np.linspace(0.4, 0.6, POINTS)
    benchmark(failure_at, np.float64(2 / n**0.5), n, 1 / n**0.5, mean)


def summed(n: int, epsilon: float, error: float) -> float:
    """Direct summation over all counts."""
    counts = np.arange(n + 1)
    off = counts - n / 2
    carried = np.exp(-epsilon * np.abs(n * error - np.abs(off))) / 2
    over = np.where(np.abs(off) < n * error, carried, 1 - carried)
    under = np.exp(-epsilon * (n * error + np.abs(off))) / 2
    return float(np.sum(binom.pmf(counts, n, 0.5) * (over + under)))


@pytest.mark.benchmark(group="N = 10^6, for each of 10^5 points: at most 1/10,000 of a direct sum")
@pytest.mark.parametrize("what", ["one direct sum", "10^5 points"])
def test_direct_sum(benchmark, what: str) -> None:
    if what == "one direct sum":
        benchmark(summed, 10**6, 0.002, 0.001)
    else:
        mean = np.linspace(0.4, 0.6, POINTS)
        benchmark(failure_at, np.float64(0.002), 1e6, 0.001, mean)


GROUP = "against 10^6 Monte Carlo runs of one point: worst mean 1 x, plan 2 x, proved plan 30 x"


@pytest.mark.benchmark(group=GROUP)
def test_monte_carlo(benchmark) -> None:
    benchmark(monte_carlo)


@pytest.mark.benchmark(group=GROUP)
def test_worst_mean(benchmark) -> None:
    benchmark(worst_mean, 0.0061, 10_000.0, 0.05, (0.0, 1.0), 1e-3)


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
