import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import laplace, norm

import planner
from planner import numbers
from planner.privacy.gaussian import scale
from planner.privacy.trade_off import GaussianTradeOff, LaplaceTradeOff, TradeOff

CHANCE = st.floats(1e-6, 1 - 1e-6)
EPSILON = st.floats(1e-6, 12.0)
PURE = [TradeOff(), LaplaceTradeOff()]


@given(CHANCE, EPSILON)
def test_laplace_is_as_dong_roth_and_su_print_it(p: float, epsilon: float) -> None:
    if p <= math.exp(-epsilon) / 2:
        printed = math.exp(epsilon) * p
    elif p <= 1 / 2:
        printed = 1 - math.exp(-epsilon) / (4 * p)
    else:
        printed = 1 - math.exp(-epsilon) * (1 - p)
    risk = planner.LaplaceMean().largest_risk(p, epsilon)
    assert risk == pytest.approx(printed, rel=1e-12)
    assert risk == pytest.approx(laplace.sf(laplace.isf(p) - epsilon), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_no_test_of_laplace_noise_is_more_powerful(epsilon: float) -> None:
    """Neyman and Pearson: cells of the line are rejected in order of their likelihood ratio."""
    edges = np.concatenate([[-np.inf], np.linspace(-40, 41, 40_001), [np.inf]])
    out = np.diff(laplace.cdf(edges, 0.0, 1 / epsilon))
    taking_part = np.diff(laplace.cdf(edges, 1.0, 1 / epsilon))
    kept = out > 0
    order = np.argsort(-taking_part[kept] / out[kept])
    first = np.cumsum(out[kept][order])
    power = np.cumsum(taking_part[kept][order])
    for p in (0.01, 0.2, 0.45, 0.5, 0.8):
        risk = planner.LaplaceMean().largest_risk(p, epsilon)
        assert np.interp(p, first, power) == pytest.approx(risk, abs=2e-3)


@given(CHANCE, st.floats(0.05, 6.0), st.floats(1e-8, 0.2))
def test_gaussian_is_the_test_of_its_own_noise(p: float, epsilon: float, delta: float) -> None:
    mu = 1 / scale(epsilon, delta)
    risk = planner.GaussianMean().largest_risk(p, epsilon, delta)
    assert risk == pytest.approx(norm.sf(norm.isf(p) - mu), rel=1e-9)
    assert risk <= planner.GeometricMean().largest_risk(p, epsilon, delta) * (1 + 1e-9)


def test_the_gaussian_curve_touches_its_guarantee() -> None:
    """The largest of 1 − f(p) − e^ε·p over p is δ: Balle and Wang's profile, another way."""
    epsilon, delta = 0.7, 1e-4
    p = np.geomspace(1e-8, 1, 100_001)[:-1]
    risk = np.array(planner.GaussianMean().largest_risk(p, epsilon, delta))
    assert (risk - math.exp(epsilon) * p).max() == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize("at_least", [-3, 0, 1, 4])
def test_geometric_noise_reaches_the_guarantee_at_its_atoms(at_least: int) -> None:
    """So it can have no sharper curve: here the event is that the noisy count is over a number."""
    epsilon = 0.8
    z = np.arange(-200, 201)
    chances = np.exp(-epsilon * abs(z)) * (1 - math.exp(-epsilon)) / (1 + math.exp(-epsilon))
    before, after = chances[z >= at_least].sum(), chances[z >= at_least - 1].sum()
    risk = planner.GeometricMean().largest_risk(before, epsilon)
    assert after == pytest.approx(risk, rel=1e-12)


def test_footnote_21() -> None:
    """At ε = 20 a chance of 1/2 is bounded by 10⁹, so by 1; its absence is at least 10⁻⁹."""
    assert math.exp(20) / 2 > 1e8
    for mechanism in (planner.LaplaceMean(), planner.GeometricMean()):
        left = -TradeOff().rise(0.5, 20.0, 0.0) + 0.5
        assert 1 - mechanism.largest_risk(0.5, 20.0) == pytest.approx(left, abs=1e-15)
        assert left == pytest.approx(math.exp(-20) / 2, rel=1e-6)


@pytest.mark.parametrize("curve", PURE)
@given(p=CHANCE, epsilon=EPSILON)
def test_the_strength_is_the_inverse_of_the_rise(curve: TradeOff, p: float, epsilon: float) -> None:
    rise = curve.rise(p, epsilon, 0.0)
    if rise < (1 - p) * (1 - 1e-4):  # else digits are lost
        assert curve.strength_at(p, rise, 0.0) == pytest.approx(epsilon, rel=1e-7)
    assert curve.strength_at(p, 1.001 * (1 - p), 0.0) == math.inf


@given(CHANCE, EPSILON, st.floats(1e-9, 0.3))
def test_the_inverse_with_delta(p: float, epsilon: float, delta: float) -> None:
    curve = TradeOff()
    rise = curve.rise(p, epsilon, delta)
    found = curve.strength_at(p, rise, delta)
    assert found >= epsilon * (1 - 1e-6) - 1e-9
    assert curve.rise(p, min(found, 800.0), delta) == pytest.approx(rise, rel=1e-6, abs=1e-12)
    assert curve.strength_at(p, delta * 0.99, delta) <= 0 or 1 - p <= delta


def test_the_gaussian_inverse_gives_back_epsilon() -> None:
    curve = GaussianTradeOff()
    for p, epsilon in ((0.001, 0.5), (0.4, 2.0), (0.9, 0.05)):
        rise = curve.rise(p, curve.strength(epsilon, 1e-6), 1e-6)
        assert curve.epsilon(curve.strength_at(p, rise, 1e-6), 1e-6) == pytest.approx(epsilon)
    assert curve.epsilon(1e-9, 1e-3) == -math.inf  # δ alone allows more


@pytest.mark.parametrize("curve", PURE)
@given(p=CHANCE, epsilon=EPSILON)
def test_up_to_its_first_growth_it_is_the_papers(curve: TradeOff, p: float, epsilon: float) -> None:
    growth = curve.first_growth(Fraction(repr(p)), Fraction(0))
    rise, papers = curve.rise(p, epsilon, 0.0), math.expm1(epsilon) * p
    assert rise <= papers * (1 + 1e-12)
    assert (rise > papers * (1 - 1e-12)) or math.exp(epsilon) > growth * (1 - 1e-9)
    assert rise < papers * (1 - 1e-9) or math.exp(epsilon) < growth * (1 + 1e-3)


@pytest.mark.parametrize("curve", PURE)
@given(p=CHANCE, low=EPSILON, high=EPSILON, share=st.floats(0, 1))
def test_the_slope_is_least_at_an_end(
    curve: TradeOff, p: float, low: float, high: float, share: float
) -> None:
    def slope(epsilon: float) -> float:
        return curve.rise(p, epsilon, 0.0) / epsilon

    middle = low + share * (high - low)
    assert slope(middle) >= min(slope(low), slope(high)) * (1 - 1e-9)
    assert slope(high) >= min(curve.first_slope(p), slope(2 * high)) * (1 - 1e-9)


@pytest.mark.parametrize("curve", [*PURE, GaussianTradeOff()])
@given(p=CHANCE, epsilon=st.floats(0.01, 6.0))
def test_balls_hold_the_floats(curve: TradeOff, p: float, epsilon: float) -> None:
    number = numbers.balls().number
    at = curve.strength(number(epsilon), number(1e-3))
    ball = curve.rise(p, at, number(1e-3))
    rise = curve.rise(p, curve.strength(epsilon, 1e-3), 1e-3)
    assert float(ball.mid()) == pytest.approx(rise, rel=1e-9, abs=1e-13)
    assert float(ball.rad()) < 1e-12


@pytest.mark.parametrize("curve", [*PURE, GaussianTradeOff()])
def test_arrays_pass(curve: TradeOff) -> None:
    at = np.array([0.1, 1.0, 5.0])
    rises = curve.rise(0.3, at, 0.01)
    assert list(rises) == pytest.approx([curve.rise(0.3, float(s), 0.01) for s in at])
    assert list(curve.strength_at(0.3, rises, 0.01)) == pytest.approx(list(at))


def test_symbols_pass() -> None:
    import sympy

    epsilon = sympy.Symbol("epsilon", positive=True)
    for curve in PURE:
        shown = curve.rise(sympy.Rational(1, 5), epsilon, 0).subs(epsilon, 2)
        assert float(shown) == pytest.approx(curve.rise(0.2, 2.0, 0.0))
