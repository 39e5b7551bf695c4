import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize_scalar

from planner import GaussianMean, LaplaceMean
from planner.mechanisms import hoeffding, kinds

PAPER, HOEFFDING = LaplaceMean("paper"), LaplaceMean("hoeffding")
people = st.integers(1, 10**7)
epsilons = st.floats(1e-5, 20)
errors = st.floats(0.005, 1)
failures = st.floats(1e-6, 0.9)


def test_eq_5_at_hsu14s_point() -> None:
    # §5.1: ε = T/6 and N at equality in eq. 7 make both terms α/3 each, the sample's counted twice
    n = 12 / 0.05**2 * math.log(3 / 0.05)
    assert PAPER.failure_probability(0.05 / 6, n, 0.05) == pytest.approx(0.05, rel=1e-12)


def test_eq_5_may_pass_one() -> None:
    assert PAPER.failure_probability(0.3, 1000, 0.05) == pytest.approx(1.6244, abs=1e-4)


@given(people, errors, failures)
def test_floor_is_the_inverse(n: int, error: float, failure: float) -> None:
    for mechanism in (PAPER, HOEFFDING):
        floor = mechanism.epsilon_floor(n, error, failure)
        if floor == math.inf:
            # the sample alone fails: no ε helps
            assert mechanism.failure_probability(1e6, n, error) >= failure * (1 - 1e-9)
        else:
            reached = mechanism.failure_probability(floor, n, error)
            assert reached == pytest.approx(failure, rel=1e-6)
            assert mechanism.failure_probability(floor * 1.01, n, error) < failure


@given(epsilons, people, errors)
def test_hoeffding_is_never_worse_than_eq_5(epsilon: float, n: int, error: float) -> None:
    better = HOEFFDING.failure_probability(epsilon, n, error)
    assert better <= PAPER.failure_probability(epsilon, n, error) * (1 + 1e-12)


@given(epsilons, people, errors)
def test_hoeffding_takes_the_best_split(epsilon: float, n: int, error: float) -> None:
    splits = np.linspace(1e-3, 1 - 1e-3, 999)
    tried = hoeffding.bound(splits, n, error, epsilon).min()
    assert HOEFFDING.failure_probability(epsilon, n, error) <= tried * (1 + 1e-9)


def test_hoeffdings_floor_against_a_general_minimiser() -> None:
    def floor(split: float, n: int = 3000) -> float:
        left = 0.05 - 2 * math.exp(-2 * n * (split * 0.05) ** 2)
        return math.log(1 / left) / ((1 - split) * 0.05 * n) if left > 0 else 1e9

    best = minimize_scalar(floor, bounds=(0.5, 0.9), method="bounded", options={"xatol": 1e-10})
    assert HOEFFDING.epsilon_floor(3000, 0.05, 0.05) == pytest.approx(best.fun, rel=1e-9)


@given(st.lists(st.tuples(epsilons, people, errors, failures), min_size=1, max_size=20))
def test_arrays_agree_with_numbers(points: list[tuple[float, int, float, float]]) -> None:
    epsilon, n, error, failure = (np.array(column) for column in zip(*points, strict=True))
    for mechanism in (PAPER, HOEFFDING):
        at_once = mechanism.failure_probability(epsilon, n, error)
        floors = mechanism.epsilon_floor(n, error, failure)
        for i, (e, people_, t, a) in enumerate(points):
            one = mechanism.failure_probability(e, people_, t)
            assert at_once[i] == pytest.approx(one, rel=1e-9, abs=1e-290)
            assert floors[i] == pytest.approx(mechanism.epsilon_floor(people_, t, a), rel=1e-9)


@given(people, errors, failures)
def test_the_n_epsilon_never_falls_below_its_floor(n: int, error: float, failure: float) -> None:
    for mechanism in (PAPER, HOEFFDING):
        least = mechanism.n_epsilon_floor(error, failure)
        assert n * mechanism.epsilon_floor(n, error, failure) >= least * (1 - 1e-12)


@given(st.integers(10, 10**6), errors, st.floats(1e-6, 0.6), st.floats(1.01, 3))
def test_the_n_epsilon_is_convex_in_n(n: int, error: float, failure: float, ratio: float) -> None:
    for mechanism in (PAPER, HOEFFDING):
        a, c = float(n), n * ratio**2
        n_epsilon = [m * mechanism.epsilon_floor(m, error, failure) for m in (a, (a + c) / 2, c)]
        if n_epsilon[0] < math.inf:
            assert n_epsilon[1] <= (n_epsilon[0] + n_epsilon[2]) / 2 * (1 + 1e-10)


def test_hoeffdings_convexity_proof() -> None:
    # the two terms of √(ln(2/β)/2N) + ln(1/γ)/y are jointly convex exactly where claimed
    import sympy

    n, y, beta, gamma = sympy.symbols("n y beta gamma", positive=True)
    sample = sympy.sqrt(sympy.log(2 / beta) / (2 * n))
    noise = sympy.log(1 / gamma) / y
    det_sample = sympy.hessian(sample, (n, beta)).det()
    det_noise = sympy.hessian(noise, (y, gamma)).det()
    scaled_sample = sympy.simplify(det_sample * n**3 * beta**2 * sympy.log(2 / beta))
    scaled_noise = sympy.simplify(det_noise * y**4 * gamma**2)
    assert sympy.simplify(scaled_noise - (-2 * sympy.log(gamma) - 1)) == 0
    zero = {beta: 2 * sympy.exp(-sympy.Rational(2, 3))}
    assert sympy.simplify(scaled_sample.subs(zero)) == 0
    assert scaled_sample.subs(beta, sympy.exp(-1)).evalf() > 0
    assert float(sympy.exp(-sympy.Rational(1, 2))) >= hoeffding.CONVEX_UP_TO


@pytest.mark.parametrize(
    "arguments",
    [(0.0, 10, 0.1), (1.0, 0, 0.1), (1.0, 10, 1.5), (math.nan, 10, 0.1), (1.0, [10, 0], 0.1)],
)
def test_quantities_out_of_range_are_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="must be"):
        PAPER.failure_probability(*arguments)


def test_construction_refuses_unknown_analyses_and_empty_ranges() -> None:
    with pytest.raises(ValueError, match="'exact', 'hoeffding' or 'paper'"):
        LaplaceMean(analysis="guess")
    with pytest.raises(ValueError, match="lower end first"):
        LaplaceMean(analysis="paper", mean_range=(0.5, 0.1))


def test_where_rounding_hides_the_best_split_no_epsilon_is_promised() -> None:
    # the sample alone leaves no more than rounding for the noise
    n, error = 31, 0.13012538150287623
    assert HOEFFDING.epsilon_floor(n, error, 0.7) > 1e6
    assert HOEFFDING.epsilon_floor(np.array([n]), error, 0.7)[0] > 1e6


def test_values_that_are_not_known_are_refused() -> None:
    for kind, values in product(
        [LaplaceMean, GaussianMean], ["", "both", 1, True, ["any"], "ANY", math.nan]
    ):
        with pytest.raises(
            ValueError, match=r"values = .* is not allowed; give 'zero-one' or 'any'"
        ):
            kind(values=values)


def test_the_paper_s_bound_is_not_for_any_values() -> None:
    with pytest.raises(ValueError, match="values = 'any' is not allowed with analysis = 'paper'"):
        LaplaceMean("paper", values="any")
    assert kinds.is_for_shares(LaplaceMean("paper", values="zero-one"))


@pytest.mark.parametrize("analysis", ["exact", "hoeffding"])
def test_what_is_for_shares(analysis) -> None:
    assert kinds.is_for_shares(LaplaceMean(analysis, values="zero-one"))
    assert not kinds.is_for_shares(LaplaceMean(analysis, values="any"))
    assert kinds.is_for_shares(LaplaceMean(analysis)) == (analysis == "exact")
    assert kinds.is_for_shares(GaussianMean())
    assert not kinds.is_for_shares(GaussianMean(values="any"))
