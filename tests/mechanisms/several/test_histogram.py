import numpy as np
import pytest
from scipy.optimize import linprog

from planner.mechanisms.several.histogram import Counts
from planner.mechanisms.several.histogram_floor import HistogramFloor
from planner.numbers import balls
from tests.mechanisms.exact.shares import failure_at, worst_mean

NUMBER = balls().number


def by_linear_program(counts: Counts, rate: float, n: float) -> float:
    """The largest Σ f(μⱼ) over k means that sum to 1 and lie on a grid, mixtures allowed."""
    means = np.unique(np.append(np.linspace(0, 1, 4001), 1 / counts.groups))
    shape = np.ones(len(means))
    values = failure_at(counts.kind, rate * shape, n * shape, counts.error, means)
    total = linprog(-values, A_eq=[shape, means], b_eq=[counts.groups, 1.0])
    return float(-total.fun)


@pytest.mark.parametrize(
    ("counts", "rate", "n"),
    [
        (Counts(8, 0.03, "laplace"), 0.5, 4000.0),
        (Counts(8, 0.03, "laplace"), 0.05, 4000.0),
        (Counts(20, 0.05, "laplace"), 0.1, 1000.0),
        (Counts(3, 0.05, "laplace"), 0.2, 900.0),
        (Counts(8, 0.03, "gaussian"), 0.05, 3000.0),
        (Counts(8, 0.1, "laplace"), 0.26, 200.0),
        (Counts(3, 0.2, "laplace"), 0.35, 60.0),
        (Counts(5, 0.3, "gaussian"), 0.4, 41.0),
    ],
)
def test_the_line_is_the_envelope(counts: Counts, rate: float, n: float) -> None:
    expected = by_linear_program(counts, rate, n)
    assert counts.line(rate, n)[1] == pytest.approx(expected, rel=2e-5)
    assert counts.failure(np.array([rate]), np.array([n]))[0] == pytest.approx(expected, rel=3e-4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_the_quick_reading_is_the_highest_chord(kind: str) -> None:
    """With all kinds of noise, from far more to far less than the sample's own error."""
    rng = np.random.default_rng(18)
    for _ in range(40):
        n = float(np.rint(np.exp(rng.uniform(np.log(250), np.log(9000)))))
        error = rng.uniform(0.9, 2.2) / np.sqrt(n)
        counts = Counts(int(rng.integers(3, 40)), error, kind)  # type: ignore[arg-type]
        rate = np.array([np.exp(rng.uniform(0, 3.5)) / (n * error)])
        end = np.linspace(1 / counts.groups, 0.5, 500)
        tiled = np.tile(rate, 500), np.tile(n, 500)
        chords = counts.by_chord(*tiled, end)
        assert counts.failure(rate, np.array([n]))[0] == pytest.approx(max(chords), rel=4e-3)
        assert counts.failure(rate, np.array([n]))[0] <= counts.line(float(rate[0]), n)[1] * (
            1 + 1e-4
        )


def test_few_groups_can_vary_much_at_once() -> None:
    """The held value: .00032 where k worst cases give .00125 and Hoeffding .0642."""
    counts = Counts(8, 0.03, "laplace")
    assert counts.line(0.5, 4000.0)[1] == pytest.approx(0.00032, abs=5e-6)
    worst = 8 * worst_mean("laplace", 0.5, 4000, 0.03).most
    assert worst == pytest.approx(0.00125, abs=5e-6)
    hoeffding = HistogramFloor(8, 0.03, 0.05, "laplace", "hoeffding")
    assert hoeffding.achieved(1.0, 4000.0, 0.0) == pytest.approx(0.0642, abs=5e-5)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_a_little_less_is_not_proved(kind: str) -> None:
    counts, rate = Counts(8, 0.05, kind), 0.08  # type: ignore[arg-type]
    value = counts.line(rate, 1500.0)[1]
    proved = [
        counts.certify_at_most(NUMBER(rate), NUMBER(1500), NUMBER(value * factor))
        for factor in (1 + 1e-3, 1 - 1e-5)
    ]
    assert proved == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["laplace", "geometric", "gaussian"])
@pytest.mark.parametrize("n", [150.0, 2500.0])
def test_floors_are_proved_and_a_bit_less_is_not_accurate(noise: str, n: float) -> None:
    floor = HistogramFloor(4, 0.15 if n < 1000 else 0.04, 0.05, noise, "exact")  # type: ignore[arg-type]
    least = float(floor.epsilon(n, 0.0))
    ball = NUMBER(0.0)
    assert floor.certify_reached(NUMBER(least * (1 + 1e-6)), NUMBER(n), ball)
    assert floor.achieved(least * 0.999, n, 0.0) > 0.05
    quick = floor.likely(np.array([least]), np.array([n]), 0.0)[0]
    assert quick == pytest.approx(0.05, rel=1e-3)
    assert float(floor.noise_alone(n, 0.0)) < least


def test_the_failure_probability_by_draws() -> None:
    """Histograms drawn at the worst means fail about as often as computed, and no more."""
    counts, rate, n = Counts(6, 0.04, "laplace"), 0.1, 900
    line, value = counts.line(rate, float(n))
    upper = np.linspace(1 / 6, 0.5, 200)
    at = failure_at("laplace", rate, float(n), 0.04, upper)
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
    floor = HistogramFloor(groups, error, 0.1, "laplace", "exact")
    epsilon = floor.epsilon(n, 0.0)
    counts = Counts(groups, error, "laplace")
    assert by_linear_program(counts, epsilon / 2, n) == pytest.approx(0.1, rel=1e-3)
    assert floor.certify_reached(NUMBER(epsilon), NUMBER(n), NUMBER(0))
