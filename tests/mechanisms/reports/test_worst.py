"""Failure probabilities and least cards, compared with sums over all reports at every λ."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from planner import numbers
from planner.mechanisms.reports import card, least, worst
from planner.mechanisms.reports.card import Asked
from planner.mechanisms.reports.proof import certify_at_most, certify_over, certify_sizes_over

WHOLE = (0.0, 1.0)


def largest_failure(
    n: int, truth: Fraction, error: float, mean_range: tuple[float, float]
) -> float:
    """The largest of Pr[|Y/N − λ| ≥ τ] over the λ at which it can be: tips and ends."""
    strength = 2 * truth - 1
    tau = Fraction(repr(error)) * strength
    low, high = (
        Fraction(1, 2) + (Fraction(repr(m)) - Fraction(1, 2)) * strength for m in mean_range
    )
    shares = {low, high}
    for k in range(n + 1):
        shares |= {s for s in (Fraction(k, n) - tau, Fraction(k, n) + tau) if low <= s <= high}
    return max(
        binom.sf(math.ceil(n * (s + tau)) - 1, n, float(s))
        + binom.cdf(math.floor(n * (s - tau)), n, float(s))
        for s in shares
    )


def test_certain_reports_keep_their_digits():
    # with T = 1 and five people all reports must be the same: the worst λ is 2q, close to 0
    truth = card.truthful(19.47739298118669)
    said = worst.failure_at(5, truth, 1.0, WHOLE)
    assert said == pytest.approx(float((2 * (1 - truth)) ** 5), rel=1e-13)


def in_balls(asked: Asked) -> Asked:
    number = numbers.balls().number
    return asked._replace(error=number(asked.error), failure=number(asked.failure))


CASES = [
    # a window that only an end of the range closes, and one that opens between two edges
    (14, 0.25, 0.01, (0.0, 0.0)),
    (6, 0.2, 0.1, (0.0, 0.0)),
    (20, 0.1, 0.2, (0.9, 1.0)),
    (21, 0.2, 0.4, (0.4, 0.4)),
    *[
        (
            n := random.Random(seed).randint(1, 60),
            random.Random(seed + 1).choice([0.05, 0.1, 0.2, 0.37, 0.5, 1.0]),
            random.Random(seed + 2).choice([0.01, 0.05, 0.2, 0.4]),
            random.Random(seed + 3).choice([WHOLE, WHOLE, (0.2, 0.9), (0.0, 0.3), (0.4, 0.4)]),
        )
        for seed in range(0, 120, 4)
    ],
]


@pytest.mark.parametrize("beyond", [1e-3, 1e-6, 1e-8])
def test_a_card_just_beyond_where_an_end_of_the_range_tips(beyond: float) -> None:
    """Its p − q differs from that of the break by a part in 1e10, which floats do not tell."""
    mean_range = (0.4, 0.5)
    asked = Asked(round(0.6 + beyond, 12), 0.0323, mean_range)
    epsilon = least.least_epsilon(3, asked)
    truth = card.truthful(epsilon)
    assert worst.failure_at(3, truth, asked.error, mean_range) < 1e-6
    assert largest_failure(3, truth, asked.error, mean_range) < 1e-6
    fewer = Fraction(1, 2) / (Fraction(repr(asked.error)) - Fraction(1, 10))
    assert truth > (1 + fewer) / 2
    assert largest_failure(3, (1 + fewer) / 2, asked.error, mean_range) > 0.06


def test_a_card_that_fails_as_often_as_may_be_hardly_raises_the_least_epsilon() -> None:
    # with p = 0.9999 all three are untrue with probability 1e-12, in floats a little more
    epsilon = least.least_epsilon(3, Asked(0.999999, 1e-12, (1.0, 1.0)))
    assert epsilon == pytest.approx(math.log(9999), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "error", "failure", "mean_range"), CASES[::3])
def test_the_least_card_by_trying_all(
    n: int, error: float, failure: float, mean_range: tuple[float, float]
) -> None:
    asked = Asked(error, failure, mean_range)
    epsilon = least.least_epsilon(n, asked)
    tried = sorted(
        {Fraction(w, 2 * n) / Fraction(repr(error)) + Fraction(1, 10**6) for w in range(2 * n + 1)}
        | {Fraction(i, 100) for i in range(1, 100)}
    )
    good = (
        s for s in tried if s < 1 and largest_failure(n, (1 + s) / 2, error, mean_range) <= failure
    )
    lowest = next(good, None)
    if math.isinf(epsilon):
        assert lowest is None
        return
    truth = card.truthful(epsilon)
    assert largest_failure(n, truth, error, mean_range) <= failure * (1 + 1e-9)
    assert lowest is None or 2 * truth - 1 <= lowest * (1 + Fraction(1, 10**5))
    assert least.quick_floors(np.array([n]), asked)[0] == pytest.approx(epsilon, rel=1e-6)
    assert worst.failure_at(n, truth, error, mean_range) == pytest.approx(
        largest_failure(n, truth, error, mean_range), rel=1e-9
    )
    assert certify_at_most(n, truth, in_balls(asked))
    assert not certify_over(n, truth, in_balls(asked))


def test_ties_bite() -> None:
    assert worst.failure_at(1000, Fraction("0.81"), 0.05, WHOLE) == pytest.approx(0.05368, abs=5e-6)
    assert worst.failure_at(1000, Fraction("0.81000005"), 0.05, WHOLE) == pytest.approx(
        0.04998, abs=5e-6
    )


def test_proofs_hold_up_to_the_edge() -> None:
    asked = in_balls(Asked(0.05, 0.05, WHOLE))
    truth = card.truthful(least.least_epsilon(1503, Asked(0.05, 0.05, WHOLE)))
    assert certify_at_most(1503, truth, asked)
    assert certify_over(1503, truth - Fraction(1, 10**6), asked)
    assert not certify_at_most(1503, truth - Fraction(1, 10**6), asked)


@pytest.mark.parametrize(("n", "error", "failure", "mean_range"), CASES)
@pytest.mark.parametrize("truth", [Fraction("0.62"), Fraction("0.9")])
def test_proofs_hold_up_to_the_worst_share(n, error, failure, mean_range, truth) -> None:
    worst_of_all = float(largest_failure(n, truth, error, mean_range))
    for factor, holds in ((1 + 1e-9, True), (1 - 1e-9, False)):
        asked = in_balls(Asked(error, worst_of_all * factor, mean_range))
        assert certify_at_most(n, truth, asked) == (holds and worst_of_all > 0)


def test_large_studies_are_proved_in_few_cells(monkeypatch) -> None:
    monkeypatch.setattr("planner.mechanisms.exact.branch._MOST_CELLS", 40)
    given = Asked(0.02, 0.05, (0.1, 1.0))
    truth = card.truthful(least.least_epsilon(20_000, given))
    assert certify_at_most(20_000, truth, in_balls(given))
    assert not certify_at_most(20_000, truth - Fraction(1, 10**6), in_balls(given))


@pytest.mark.parametrize(("least", "most"), [(40, 41), (300, 304), (10_000, 10_060)])
def test_ranges_of_sizes_are_refuted_soundly(least: int, most: int) -> None:
    number = numbers.balls().number
    worst_of_all = min(
        2 * binom.sf(math.ceil(n / 2 + n * 0.02) - 1, n, 0.5) for n in range(least, most + 1)
    )
    assert certify_sizes_over(least, most, number(0.02), number(float(0.1 * worst_of_all)))
    assert not certify_sizes_over(least, most, number(0.02), number(float(1.001 * worst_of_all)))
