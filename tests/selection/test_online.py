import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from scipy.optimize import brentq

from planner import Mwem, MwemApproximate
from planner.selection import online_bound
from planner.selection.online import PrivateWeights
from planner.simulation.simulate import interval

ERROR, FAILURE, QUERIES = 0.25, 0.1, 40
DATA = np.array([4000, 0, 0, 2000, 0, 1000, 0, 0])
N = int(DATA.sum())


def wrong(epsilon: float, delta: float, rng: np.random.Generator) -> tuple[bool, PrivateWeights]:
    """Whether any answer is off, where each query is the worst that is known."""
    weights = PrivateWeights(DATA, epsilon, delta, QUERIES, ERROR, rng)
    off = 0.0
    for i in range(QUERIES):
        # adaptive: what the hypothesis has too little of, and every other time a random query
        query = weights.hypothesis < DATA / N if i % 2 else rng.integers(0, 2, DATA.size)
        off = max(off, abs(weights.answer(query) - query @ DATA / N))
    return off >= ERROR, weights


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_the_bound_holds(delta: float) -> None:
    def over(epsilon: float) -> float:
        bound = online_bound.failure_probability(epsilon, delta, N, ERROR, DATA.size, QUERIES)
        return bound - FAILURE

    epsilon = brentq(over, 1e-3, 1e6, rtol=1e-12)
    rng, runs = np.random.default_rng(0), 150
    found = [wrong(epsilon, delta, rng) for _ in range(runs)]
    assert interval(sum(off for off, _ in found), runs)[1] <= FAILURE
    assert found[0][1].failure == pytest.approx(FAILURE)
    assert all(0 < weights.updates <= weights.most_updates for _, weights in found)
    starved = sum(wrong(epsilon / 50, delta, rng)[0] for _ in range(40))
    assert interval(starved, 40)[0] > FAILURE


def test_without_noise_updates_stay_within_their_bound_and_gain_what_is_derived() -> None:
    rng = np.random.default_rng(1)
    x = DATA / N

    def divergence(weights: PrivateWeights) -> float:
        return float(np.sum(x[x > 0] * np.log(x[x > 0] / weights.hypothesis[x > 0])))

    for error in (0.3, 0.1, 0.05):
        weights = PrivateWeights(DATA, 1e9, 0.0, 10**6, error, rng)
        left, updates = divergence(weights), 0
        for _ in range(500):
            query = rng.integers(0, 2, DATA.size)
            assert abs(weights.answer(query) - query @ x) <= 0.76 * error
            gained = left - divergence(weights)
            assert gained >= error**2 / 2 * (weights.updates - updates) - 1e-12
            left, updates = divergence(weights), weights.updates
        assert updates <= online_bound.most_updates(DATA.size, error)


def test_after_the_last_update_the_data_are_not_read() -> None:
    weights = PrivateWeights(DATA, 1e-6, 0.0, 100, 1.0, np.random.default_rng(0))
    while weights.updates < weights.most_updates:
        weights.answer(np.arange(8) % 2)
    weights._truth = np.full(8, math.nan)
    assert 0 <= weights.answer([1, 1, 0, 0, 0, 0, 0, 0]) <= 1


class Recorder:
    """Noise of a settled multiple of its scale, and the scales it was asked for."""

    def __init__(self, multiple: float = 0.0) -> None:
        self.scales: list[float] = []
        self.multiple = multiple

    def laplace(self, scale: float) -> float:
        self.scales.append(scale)
        return self.multiple * scale


def test_each_epoch_has_a_new_threshold_and_each_test_new_noise() -> None:
    noise = Recorder()
    weights = PrivateWeights(DATA, 1.0, 1e-6, 10, 0.5, noise)
    share = online_bound.epoch_share(1.0, 1e-6, weights.most_updates)
    rho, nu = 2 / (N * share), 4 / (N * share)
    weights.answer(np.ones(8))  # lazy
    assert noise.scales == pytest.approx([rho, nu])
    query = [1, 0, 0, 1, 0, 1, 0, 0]  # q(x) = 1 and q(D) = 3/8 at first
    weights.answer(query)
    assert weights.updates == 2
    assert noise.scales == pytest.approx([rho, nu, nu, rho, nu, rho, nu])


def test_the_noise_counts() -> None:
    share = online_bound.epoch_share(1.0, 0.0, online_bound.most_updates(8, 0.5))
    for true_gap, updates in ((0.4, 0), (0.6, 1)):
        multiple = -N * share / 16  # ρ = −1/8 and ν = −1/4: an update where the gap is over 1/2
        weights = PrivateWeights(DATA, 1.0, 0.0, 10, 0.5, Recorder(multiple))
        weights.hypothesis = np.array([0, 0, 0, 0, 0, 0, 0, 1.0])
        weights.answer(true_gap * (DATA > 0))
        assert min(weights.updates, 1) == updates


@pytest.mark.parametrize("error", [0.01, 0.2, 0.5, 1.0])
def test_an_update_at_the_least_gap_gains_what_is_derived(error: float) -> None:
    # KL(x‖D) falls by ηq(x) − ln(1 − p + pe^η), where q(D) = p and q(x) = p + T/2
    p, step = np.linspace(0, 1 - error / 2, 201), online_bound.STEP * error
    gained = step * (p + error / 2) - np.log1p(p * np.expm1(step))
    assert gained.min() >= error**2 / 2 - 1e-12
    assert gained.min() == pytest.approx(error**2 / 2, rel=0.15)


def epoch(gaps: list[float], sign: int, unit: float) -> float:
    """The probability of lazy rounds at all gaps but the last, then an update of this sign."""
    rho_scale, nu_scale = online_bound.THRESHOLD_NOISE * unit, online_bound.TEST_NOISE * unit
    rho = np.linspace(-40 * rho_scale, 40 * rho_scale, 40_001)
    threshold = 0.3 + rho
    nu = stats.laplace(scale=nu_scale)
    density = stats.laplace(scale=rho_scale).pdf(rho)
    for gap in gaps[:-1]:
        density *= np.where(threshold > 0, nu.cdf(threshold - gap) - nu.cdf(-threshold - gap), 0.0)
    least = np.maximum(threshold, 0)
    density *= nu.sf(least - gaps[-1]) if sign > 0 else nu.cdf(-least - gaps[-1])
    return float(np.sum(density) * (rho[1] - rho[0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "gaps", [[0.2, 0.25, 0.31], [0.0, 0.0, 0.0, 0.4], [-0.3, 0.3, -0.2], [0.29] * 9]
)
def test_an_epoch_is_private(gaps: list[float]) -> None:
    n, share = 50, 0.9
    for signs in ([1] * 9, [-1] * 9, [1, -1] * 5, [-1, -1, 1] * 3):
        moved = [gap + sign / n for gap, sign in zip(gaps, signs, strict=False)]
        for sign in (1, -1):
            ratio = epoch(moved, sign, 1 / (n * share)) / epoch(gaps, sign, 1 / (n * share))
            assert abs(math.log(ratio)) <= share * (1 + 1e-6)


@given(epsilon=st.floats(0.01, 20), delta=st.floats(1e-12, 0.5), updates=st.integers(1, 10**6))
def test_shares_compose(epsilon: float, delta: float, updates: int) -> None:
    share = online_bound.epoch_share(epsilon, delta, updates)
    rho, bits = updates * share**2 / 2, math.log(1 / delta)
    total = min(updates * share, rho + 2 * math.sqrt(rho * bits))
    assert total == pytest.approx(epsilon)


@given(
    delta=st.floats(1e-12, 0.1),
    share=st.floats(0.001, 16 / 9),
    n=st.integers(10, 10**9),
    error=st.floats(0.01, 1),
    size=st.integers(2, 2**40),
    queries=st.integers(1, 10**9),
)
def test_hsu14s_bounds_are_confirmed(
    delta: float, share: float, n: int, error: float, size: int, queries: int
) -> None:
    epsilon = share * math.log(1 / delta)
    own = online_bound.failure_probability(epsilon, delta, n, error, size, queries)
    theirs = MwemApproximate(size, queries).failure_probability(epsilon, n, error, delta)
    assert own <= theirs * (1 + 1e-9)
    pure = online_bound.failure_probability(epsilon, 0.0, n, error, size, queries)
    assert pure <= Mwem(size, queries).failure_probability(epsilon, n, error) * (1 + 1e-9)


def test_the_printed_8_is_not_confirmed() -> None:
    point = (1.35, 9.1e5, 0.05)
    printed = MwemApproximate(2**15, 200_000, constant="printed").failure_probability(*point, 1e-8)
    own = online_bound.failure_probability(1.35, 1e-8, 910_000, 0.05, 2**15, 200_000)
    assert own > 1 > printed


GOOD = {"histogram": DATA, "epsilon": 1.0, "delta": 0.0, "queries": 5, "error": 0.2}


def test_refusals() -> None:
    for field, value, words in [
        ("epsilon", -1.0, "epsilon = -1.0 is not allowed; give a finite number above 0"),
        ("delta", 1.0, "delta = 1.0 is not allowed; give a probability of at least 0 and below 1"),
        ("delta", -0.1, "delta = -0.1"),
        ("queries", 0, "queries = 0 is not allowed; give a whole number of at least 1"),
        ("error", 1.5, "error = 1.5 is not allowed; give a fraction of 1, above 0 and at most 1"),
        ("histogram", [5], "histogram must be a list of whole numbers"),
        ("histogram", [0.5, 0.5], "histogram must be a list of whole numbers"),
    ]:
        with pytest.raises(ValueError, match=words):
            PrivateWeights(**(GOOD | {field: value}), rng=np.random.default_rng(0))


def test_refusals_of_queries() -> None:
    weights = PrivateWeights(**(GOOD | {"queries": 1}), rng=np.random.default_rng(0))
    for query in ([1, 0], np.full(8, 2), "abc"):
        with pytest.raises(ValueError, match="query must hold values from 0 to 1"):
            weights.answer(query)
    weights.answer(np.ones(8))
    with pytest.raises(ValueError, match="queries = 1 are all answered"):
        weights.answer(np.ones(8))
