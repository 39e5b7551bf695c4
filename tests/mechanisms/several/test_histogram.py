"""How often any share of a histogram is off, by a linear program and by draws."""

import numpy as np
import pytest
import scipy.stats
from scipy.optimize import linprog

from planner.mechanisms.count_floor import RateFloor
from planner.mechanisms.laplace_mean import LaplaceMean
from planner.mechanisms.noise import GAUSSIAN, LAPLACE, NOISES
from planner.mechanisms.sampled import HoeffdingFloor
from planner.mechanisms.several.histogram import Shares, WorstShares, per_count


def failure_at(kind: str, rate: float, n: int, error: float, means: np.ndarray) -> np.ndarray:
    """How often one noisy share is off, at each mean."""
    law = scipy.stats.laplace if kind == "laplace" else scipy.stats.norm
    counts, means = np.arange(n + 1), np.atleast_1d(means)[:, None]
    chance = scipy.stats.binom.pmf(counts, n, means)
    over = law.sf(n * (means + error) - counts, scale=1 / rate)
    under = law.sf(counts - n * (means - error), scale=1 / rate)
    return np.asarray(np.sum(chance * (over + under), axis=1))


def by_linear_program(shares: Shares, rate: float, n: int, error: float) -> float:
    """The largest Σ f(μⱼ) over k means that sum to 1 and lie on a grid, mixtures allowed."""
    means = np.unique(np.append(np.linspace(0, 1, 2001), 1 / shares.groups))
    values = failure_at(shares.noise.kind, rate, n, error, means)
    equal = [np.ones(len(means)), means]
    total = linprog(-values, A_eq=equal, b_eq=[shares.groups, 1.0])
    return float(-total.fun)


def failure(shares: Shares, rate: float, n: int, error: float) -> float:
    """The same by the program, at the rate of the noise on one count."""
    whole = rate / per_count(shares.noise)
    return float(shares.failure(np.array(whole), np.array(float(n)), np.array(error)))


@pytest.mark.slow
def test_the_line_is_the_envelope() -> None:
    for shares, error, rate, n in [
        (Shares(LAPLACE, 8), 0.03, 0.5, 4000),
        (Shares(LAPLACE, 8), 0.03, 0.05, 4000),
        (Shares(LAPLACE, 20), 0.05, 0.1, 1000),
        (Shares(LAPLACE, 3), 0.05, 0.2, 900),
        (Shares(GAUSSIAN, 8), 0.03, 0.05, 3000),
        (Shares(LAPLACE, 8), 0.1, 0.26, 200),
        (Shares(LAPLACE, 3), 0.2, 0.35, 60),
        (Shares(GAUSSIAN, 5), 0.3, 0.4, 41),
    ]:
        expected = by_linear_program(shares, rate, n, error)
        line = shares.line(rate / per_count(shares.noise), float(n), error)[1]
        assert line == pytest.approx(expected, rel=4e-5)
        assert failure(shares, rate, n, error) == pytest.approx(expected, rel=4e-4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_the_quick_reading_is_about_the_envelope(kind: str) -> None:
    """With all kinds of noise, from far more to far less than the sample's own error."""
    rng = np.random.default_rng(18)
    for _ in range(40):
        n = int(np.rint(np.exp(rng.uniform(np.log(250), np.log(9000)))))
        error = rng.uniform(0.9, 2.2) / np.sqrt(n)
        shares = Shares(NOISES[kind], int(rng.integers(3, 40)))
        rate = float(np.exp(rng.uniform(0, 3.5)) / (n * error))
        line = shares.line(rate / per_count(shares.noise), float(n), error)[1]
        found = failure(shares, rate, n, error)
        assert min(line, 1.0) * (1 - 4e-3) <= found <= line * (1 + 1e-4)


def test_few_groups_can_vary_much_at_once() -> None:
    """The held value: .00032 where k worst cases give .00125 and Hoeffding .0642."""
    assert failure(Shares(LAPLACE, 8), 0.5, 4000, 0.03) == pytest.approx(0.00032, abs=5e-6)
    one = RateFloor(LaplaceMean(), 0.03, 0.05, Shares(LAPLACE, 8).one)
    worst = WorstShares(one, 8, 0.05, 0.5)
    assert worst.achieved(1.0, 4000.0, 0.0) == pytest.approx(0.00125, abs=5e-6)
    bound = WorstShares(HoeffdingFloor(0.03, 0.05), 8, 0.05, 0.5)
    assert bound.achieved(1.0, 4000.0, 0.0) == pytest.approx(0.0642, abs=5e-5)


@pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN])
@pytest.mark.parametrize(("n", "error"), [(150, 0.15), (2500, 0.04)])
def test_the_least_rate_is_the_inverse(noise, n: int, error: float) -> None:
    floor = RateFloor(LaplaceMean(), error, 0.05, Shares(noise, 4))
    least = float(floor.epsilon(float(n), 0.0))
    assert floor.achieved(least, float(n), 0.0) <= 0.05
    assert floor.achieved(least * 0.999, float(n), 0.0) > 0.05
    assert float(floor.noise_alone(float(n), 0.0)) < least


def test_the_failure_probability_by_draws() -> None:
    """Histograms drawn at the worst means fail about as often as computed, and no more."""
    rate, n = 0.1, 900
    line, value = Shares(LAPLACE, 6).line(2 * rate, float(n), 0.04)
    upper = np.linspace(1 / 6, 0.5, 200)
    at = failure_at("laplace", rate, n, 0.04, upper)
    tangent_point = upper[np.argmin(line.a + line.b * upper - at)]
    rng = np.random.default_rng(3)
    few = int(1 / tangent_point)
    shares = np.zeros(6)
    shares[:few] = tangent_point
    shares[few] = 1 - few * tangent_point
    runs = 20_000
    seen = rng.multinomial(n, shares, runs) + rng.laplace(scale=1 / rate, size=(runs, 6))
    failed = np.mean(np.any(np.abs(seen / n - shares) >= 0.04, axis=1))
    assert 0.5 * value < failed < value * (1 + 3 / np.sqrt(runs * value))


@pytest.mark.parametrize(
    ("groups", "error", "n"),
    [(8, 0.1, 200), (8, 0.1, 201), (3, 0.2, 60), (5, 0.3, 40), (4, 0.4, 9)],
)
def test_of_few_people_few_groups_vary_much_at_once_too(groups: int, error: float, n: int) -> None:
    """Eight worst shares of 200 people asked for 0.80, and of 201 people for 0.52."""
    shares = Shares(LAPLACE, groups)
    epsilon = float(RateFloor(LaplaceMean(), error, 0.1, shares).epsilon(float(n), 0.0))
    assert by_linear_program(shares, epsilon / 2, n, error) == pytest.approx(0.1, rel=1e-3)
