"""The worst mean, its certificate in floats and in balls, and the least ε."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import planner
from planner import numbers
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.least_rate import frontier, least_rate
from tests.mechanisms.exact.shares import (
    ALL,
    asked_in_balls,
    ball,
    enclosed,
    failure_at,
    worst_mean,
)

LAPLACE = SHARES["laplace"]


@given(
    n=st.integers(1, 3000),
    epsilon=st.floats(1e-3, 8.0),
    error=st.floats(0.01, 0.6),
    ends=st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)),
)
def test_no_mean_passes_the_bracket(n, epsilon, error, ends) -> None:
    low, high = sorted(ends)
    found = worst_mean("laplace", epsilon, n, error, (low, high), tolerance=1e-3)
    assert found.least <= found.most <= max(found.least * 1.0011, 1e-300)
    means = np.linspace(low, high, 2001)
    values = failure_at("laplace", epsilon, float(n), error, means)
    assert values.max() <= found.most * (1 + 1e-9)


@pytest.mark.parametrize(
    ("n", "floor"),
    [
        (386, math.inf),
        (387, 2.187779),
        (389, 1.2959),
        (534, 0.19908),
        (1000, 0.07327),
    ],
)
def test_floors_at_a_twentieth(n: int, floor: float) -> None:
    found = least_rate(LAPLACE, n, Asked(0.05, 0.05, ALL))
    assert found == pytest.approx(floor, rel=2e-4)
    if math.isfinite(floor):
        assert planner.LaplaceMean().failure_probability(found, n, 0.05) <= 0.05
        assert planner.LaplaceMean().failure_probability(found * 0.99, n, 0.05) > 0.05


@pytest.mark.slow
def test_noise_can_help_and_hurt() -> None:
    failure = planner.LaplaceMean().failure_probability
    assert failure(1.30, 389, 0.05) <= 0.05
    assert failure(7.79, 389, 0.05) <= 0.05
    assert failure(20.0, 389, 0.05) > 0.05
    assert failure(2.4, 387, 0.05) <= 0.05
    assert all(failure(300.0, n, 0.05) > 0.05 for n in (387, 388, 389))


def test_a_rare_property_is_cheaper() -> None:
    rare = planner.LaplaceMean(mean_range=(0.0, 0.1))
    assert rare.epsilon_floor(1000, 0.05, 0.05) < 0.0636
    assert planner.LaplaceMean().epsilon_floor(1000, 0.05, 0.05) > 0.0732


@given(n=st.integers(2, 10**9), failure=st.floats(1e-9, 0.5), error=st.floats(0.003, 0.9))
def test_no_floor_is_under_what_the_noise_alone_asks(n, failure, error) -> None:
    floor = least_rate(LAPLACE, n, Asked(error, failure, ALL))
    assert n * floor >= -math.log(failure) / error * (1 - 1e-9)


def test_quick_rates_are_the_floors() -> None:
    n = np.array([380, 387, 389, 534, 1000, 10**5, 10**9])
    slow = [least_rate(LAPLACE, size, Asked(0.05, 0.05, ALL)) for size in n]
    assert frontier(LAPLACE, Asked(0.05, 0.05, ALL)).floors(n) == pytest.approx(slow, rel=1e-5)


@given(
    n=st.integers(1, 1500),
    epsilon=st.floats(1e-3, 9.0),
    error=st.floats(0.01, 0.9),
    mean=st.floats(0.0, 1.0),
)
def test_balls_hold_the_floats(n, epsilon, error, mean) -> None:
    held = enclosed("laplace", (epsilon, epsilon), n, error, mean)
    value = float(failure_at("laplace", epsilon, float(n), error, mean))
    assert abs(float(held.mid()) - value) <= 1e-9 * value + 2 * float(held.rad())


@pytest.mark.parametrize(
    ("n", "error"), [(23, 0.21), (534, 0.05), (1000, 0.05), (20_000, 0.05), (10**6, 0.05)]
)
def test_floors_are_proved_and_less_is_not(n: int, error: float) -> None:
    floor = least_rate(LAPLACE, n, Asked(error, 0.05, ALL))
    target = asked_in_balls(error, 0.05)
    assert LAPLACE.certify_at_most(ball(floor * (1 + 1e-6)), ball(n), target)
    assert not LAPLACE.certify_at_most(ball(floor * 0.99), ball(n), target)


@pytest.mark.parametrize("over", [1e-5, 1e-4, 1e-3])
def test_strong_noise_on_one_person_is_proved_close_to_its_floor(over: float) -> None:
    floor = least_rate(LAPLACE, 1, Asked(1.0, 0.0249, ALL))
    assert LAPLACE.certify_at_most(ball(floor * (1 + over)), ball(1), asked_in_balls(1.0, 0.0249))


def test_strong_noise_is_proved_with_few_cells() -> None:
    # at the least α of 23 people the failure probability hardly moves with ε
    asked = asked_in_balls(0.2, 0.05739477633541299)
    assert LAPLACE.certify_at_most(ball(5.9723), ball(23), asked)


@given(n=st.integers(3000, 10**6), share=st.floats(0.5, 1.0))
def test_a_range_of_sizes_is_proved_to_fail_only_where_it_does(n: int, share: float) -> None:
    n_epsilon = (
        share * n * float(frontier(LAPLACE, Asked(0.05, 0.05, ALL)).floors(np.array([n]))[0])
    )
    proved = LAPLACE.certify_sizes_over(ball(n_epsilon) / n, n, n, asked_in_balls(0.05, 0.05))
    truth = failure_at("laplace", n_epsilon / n, float(n), 0.05, 0.5) > 0.05
    assert truth or not proved
    if share < 0.99:
        assert proved


@pytest.mark.parametrize("noise", [LAPLACE, SHARES["geometric"]])
@pytest.mark.parametrize("seed", range(20))
def test_ranges_near_the_wall_are_proved_to_fail_only_where_they_do(noise, seed: int) -> None:
    rng = np.random.default_rng(seed)
    least = int(400 * 10 ** rng.uniform(0, 1.5))
    most = least + int(rng.uniform(0, 0.03) * least)
    asked = Asked(0.05, 0.05, ALL)
    floor = min(float(frontier(noise, asked).floors(np.array([n]))[0]) for n in (least, most))
    highest = rng.uniform(0.8, 1.05) * floor
    range_ = ball(highest), least, most, asked_in_balls(0.05, 0.05)
    sizes = np.repeat(np.arange(least, most + 1), 6)
    rates = highest * np.tile([1, 0.999, 0.97, 0.9, 0.5, 0.1], most - least + 1)
    truth = noise.likely_worst(rates, sizes.astype(float), 0.05, ALL).min() > 0.05
    assert truth or not noise.certify_sizes_over(*range_)
    if highest < 0.85 * floor and most < 1.005 * least:
        assert noise.certify_sizes_over(*range_)


def test_a_mean_for_a_proof_is_searched_no_further_than_it_needs(monkeypatch) -> None:
    # with this little noise the failure probability has a ripple for every count
    searched, parts = [], type(LAPLACE.noise).parts
    monkeypatch.setattr(
        type(LAPLACE.noise),
        "parts",
        lambda noise, *given: searched.append(np.size(given[2])) or parts(noise, *given),
    )
    target = asked_in_balls(0.05, 0.05)
    assert LAPLACE.certify_over(ball(0.15), numbers.balls().infinity, 383, target)
    assert 0 < sum(searched) < 20_000


def test_one_person_with_hardly_any_noise() -> None:
    # with T = 1 off only where the one counted has the rare property: μe^(−εμ)/2, μ = 1/ε
    for epsilon in (100.0, 1e3):
        failure = 1 / (2 * math.e * epsilon)
        found = planner.LaplaceMean().failure_probability(epsilon, 1, 1.0)
        assert found == pytest.approx(failure, rel=1e-5)


@pytest.mark.parametrize("kind", ["laplace", "geometric", "gaussian"])
@pytest.mark.parametrize("n", [8, 9, 12, 400])
def test_a_single_mean_that_is_no_binary_fraction_is_proved(kind, n) -> None:
    noise, asked = SHARES[kind], Asked(0.3746600450333797, 0.08451514044445149, (0.3, 0.3))
    rate = least_rate(noise, float(n), asked) * (1 + 1e-7)
    in_balls = asked_in_balls(*asked)
    assert noise.certify_at_most(ball(rate), ball(n), in_balls)
