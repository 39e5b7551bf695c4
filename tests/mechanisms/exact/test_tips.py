"""Two teeth bound those between them, and proofs that use it against sums at every tip."""

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, strategies as st
from scipy.stats import binom

from planner.mechanisms.exact import curvature
from planner.mechanisms.exact.failure import SHARES
from planner.mechanisms.exact.with_replacement import Binomial
from planner.numbers import rational
from tests.mechanisms.exact.shares import asked_in_balls, at_fractions, ball

GEOMETRIC = SHARES["geometric"]


def most_between(seen, left: Fraction, right: Fraction, n: int, failure: float):
    """The bound on a cell of tips."""
    bent, rest = curvature.of_tips(ball(n), rational(left), rational(right), failure)
    return curvature.by_log_chord(seen, rational(n * (right - left)), bent) + rest


@pytest.mark.slow
@given(
    n=st.integers(60, 5_000),
    start=st.floats(0.2, 0.7),
    phase=st.floats(0.0, 0.999),
    people=st.integers(2, 300),
    deviates=st.lists(st.floats(-4.0, 4.0), min_size=1, max_size=5),
)
def test_no_tooth_between_two_is_higher(n, start, phase, people, deviates) -> None:
    first = math.floor(n * start)
    assume(first + people + phase < 0.9 * n)
    offsets = {round(x * math.sqrt(n) / 2) for x in deviates}

    def value(k: int) -> float:
        """The chance of the counts that lie so far from Nμ, at the mean (k + phase)/N."""
        mean = (k + phase) / n
        return sum(float(binom.pmf(k + i, n, mean)) for i in offsets)

    left, right = ((first + k + Fraction(phase)) / n for k in (0, people))
    seen = ball(max(value(first), value(first + people)))
    bound = most_between(seen, left, right, n, 0.05)
    assert max(value(first + k) for k in range(people)) <= float(bound.upper()) * (1 + 1e-9)


def test_the_bound_is_close_where_counts_are_as_far_as_any() -> None:
    n, alpha = 10_000, 0.05
    far = round(math.sqrt(n * math.log(2 * n**2 / alpha) / 2)) - 1
    first, middle, last = (float(binom.pmf(k + far, n, k / n)) for k in (4900, 5000, 5100))
    bound = most_between(ball(0.02), Fraction(49, 100), Fraction(51, 100), n, alpha)
    grown = math.log(middle / math.sqrt(first * last))
    assert 0.8 * math.log(bound / 0.02) < grown < math.log(bound / 0.02)


def test_where_nothing_is_known_the_bound_is_infinite() -> None:
    seen = ball(0.01)
    assert not most_between(seen, Fraction(1, 100), Fraction(2, 100), 400, 0.05).is_finite()
    assert not most_between(seen, Fraction(1, 2), Fraction(99, 100), 400, 0.05).is_finite()


def test_every_tip_of_a_range_lies_on_a_line() -> None:
    n, error = 10, Fraction(3, 25)
    for low, high in ((Fraction(41, 100), Fraction(7, 10)), (Fraction(2, 10), Fraction(8, 10))):
        tips = {Fraction(k, n) - off for k in range(-5, 16) for off in (error, -error)}
        inside = {tip for tip in tips if low <= tip <= high} | {low, high}
        lines = Binomial().lines(n, error, True, (low, high))
        found = {line.mean(k) for line in lines for k in range(line.low, line.high + 1)}
        assert found | {1 - mean for mean in found if low + high == 1} == inside


CASES = [
    (447, "0.04679", 1.3, (0.0, 1.0)),
    (447, "0.04679", 0.12, (0.0, 1.0)),
    (300, "0.05", 2.0, (0.1, 0.8)),
    (300, "0.05", 0.4, (0.7, 1.0)),
    (60, "0.3", 9.0, (0.0, 1.0)),
    (40, "0.62", 0.3, (0.3, 1.0)),
    (25, "0.04", 30.0, (0.0, 0.4)),
    (3, "0.5", 1.5, (0.0, 1.0)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "error", "epsilon", "mean_range"), CASES)
def test_proofs_hold_up_to_the_highest_tooth(n, error, epsilon, mean_range) -> None:
    t, ends = Fraction(error), [Fraction(str(end)) for end in mean_range]
    tips = {Fraction(k, n) - off for k in range(-n, 2 * n + 1) for off in (t, -t)}
    between = [ends[0] + (ends[1] - ends[0]) * Fraction(k, 6 * n) for k in range(6 * n + 1)]
    means = sorted({mean for mean in tips if ends[0] <= mean <= ends[1]} | set(between))
    worst = float(at_fractions(epsilon, n, float(t), means).max())
    for factor, holds in ((1 + 1e-6, True), (1 - 1e-6, False)):
        asked = asked_in_balls(float(t), worst * factor, mean_range)
        assert GEOMETRIC.certify_at_most(ball(epsilon), ball(n), asked) == holds


def test_a_mean_that_fails_is_seen_before_the_others_are_proved(monkeypatch) -> None:
    means, ball_of = [], Binomial.failure_ball

    def counted(*given):
        means.append(given[3])
        return ball_of(*given)

    monkeypatch.setattr(Binomial, "failure_ball", counted)
    asked = asked_in_balls(0.424579, 0.0143, (0.5, 1.0))  # at mean 1/2 it is over 0.0143
    assert not GEOMETRIC.certify_at_most(ball(0.001), ball(10_000), asked)
    assert len(means) < 20


@pytest.mark.slow
def test_large_studies_are_proved_in_few_cells(monkeypatch) -> None:
    asked = asked_in_balls(0.003795, 0.05)
    monkeypatch.setattr("planner.mechanisms.exact.branch._MOST_CELLS", 800)
    assert GEOMETRIC.certify_at_most(ball(0.012939), ball(100_000), asked)
    assert not GEOMETRIC.certify_at_most(ball(0.012937), ball(100_000), asked)
