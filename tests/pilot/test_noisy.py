"""What noisy counts of a pilot show."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats

from planner.pilot import Answers, Pilot, Release, estimate, fit, release, worth
from planner.pilot.noisy import noisy_band, noisy_curve, noisy_fit
from planner.pilot.release import counts_of, groups_of
from tests.pilot.pilots import FACTOR, LEVELS, MEDIAN, NOBODY, base_costs, yes_or_no

BRACKETS = (2.0, 5.0, 10.0, 20.0, 50.0)


def asks(seed: int, people: int = 400) -> Answers:
    costs = base_costs(seed, people)
    return Answers(costs, costs, np.full(people, np.nan), NOBODY)


def some_never(seed: int) -> Answers:
    answers = yes_or_no(seed, 400, LEVELS)
    out = np.random.default_rng(seed).random(400) < 0.1
    kept = (one[~out] for one in (answers.low, answers.high, answers.offers))
    return Answers(*kept, answers.offers[out])


def exact(answers: Answers, epsilon: float = 1.0) -> Release:
    """A release whose noise happens to be nothing."""
    groups = groups_of(answers, ())
    counts = tuple(counts_of(answers, groups))
    return Release("x", groups, counts, epsilon, 2 / epsilon, 0)


def noises(scale: float, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """The law of a sum of geometric noises, by convolution."""
    z = np.arange(-300, 301)
    one = law = np.exp(-np.abs(z) / scale) * np.tanh(1 / (2 * scale))
    for _ in range(draws - 1):
        law = np.convolve(law, one)
    end = (law.size - 1) // 2
    return np.arange(-end, end + 1), law


def by_sums(n: int, count: int, scale: float, draws: int) -> float:
    """The lower 95 % end of a share, with the probabilities summed one by one."""
    z, law = noises(scale, draws)

    def reached(share: float) -> float:
        return float(law @ stats.binom.sf(count - z - 1, n, share)) - 0.025

    return 0.0 if reached(0.0) > 0 else float(optimize.brentq(reached, 0, 1, xtol=1e-13))


def test_intervals_are_those_of_a_binomial_number_with_noise() -> None:
    published = exact(yes_or_no(3, 400, LEVELS))
    curve = noisy_curve(published)
    for at, point in enumerate(published.points):
        n, count = point.people, point.accepting
        assert curve.low[at] == pytest.approx(by_sums(n, count, 2.0, 1), abs=1e-9)
        assert curve.high[at] == pytest.approx(1 - by_sums(n, n - count, 2.0, 1), abs=1e-9)


def test_the_noise_of_brackets_adds_up() -> None:
    groups = groups_of(asks(1), BRACKETS)
    counts = tuple(counts_of(asks(1), groups))
    published = Release("x", groups, counts, 1.0, 2.0, 0)
    assert [point.draws for point in published.points] == [1, 2, 3, 4, 5]
    third = published.points[2]
    assert third.accepting == np.sum(base_costs(1, 400) <= 10)
    low, _ = noisy_band(published, np.array([10.0]), 0.95)
    assert low[0] == pytest.approx(by_sums(400, third.accepting, 2.0, 3), abs=1e-9)


def test_the_curve_ascends_and_nearly_without_noise_it_is_the_observed_one() -> None:
    published = exact(yes_or_no(3, 400, LEVELS), 60.0)
    observed = estimate(Pilot(yes_or_no(3, 400, LEVELS), None, "x")).observed
    assert noisy_curve(published).shares == pytest.approx(observed.shares, abs=1e-9)
    noisy = replace(published, noisy=(9, 2, 60, 20, 45, 99, 12, -3, 0))
    shares = noisy_curve(noisy).shares
    assert np.all(np.diff(shares) >= 0)
    assert 0 <= shares.min() <= shares.max() <= 1


@pytest.mark.parametrize("make", [lambda seed: yes_or_no(seed, 400, LEVELS), some_never])
def test_nearly_without_noise_the_spread_is_that_of_the_answers(make) -> None:
    answers = make(4)
    with_noise, without = noisy_fit(exact(answers, 60.0)), fit(answers)
    assert with_noise.never == without.never
    assert with_noise.median == pytest.approx(without.median, rel=0.03)
    assert with_noise.spread == pytest.approx(without.spread, rel=0.1)
    for end in ("low", "high"):
        assert getattr(with_noise, end) == pytest.approx(getattr(without, end), rel=0.05)


def test_more_noise_makes_wider_intervals() -> None:
    answers = yes_or_no(4, 400, LEVELS)
    fitted = [noisy_fit(exact(answers, epsilon)) for epsilon in (10.0, 1.0, 0.5)]
    widths = [one.high / one.low for one in fitted]
    assert widths == sorted(widths)
    curves = [noisy_curve(exact(answers, epsilon)) for epsilon in (10.0, 1.0)]
    assert np.all(curves[0].high - curves[0].low <= curves[1].high - curves[1].low)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "brackets"), [(yes_or_no, ()), (asks, BRACKETS)])
def test_each_interval_holds_the_proportion(make, brackets) -> None:
    """All but 5 % of the intervals, of many pilots: the noise has no seed."""
    missed = []
    for seed in range(800):
        curve = noisy_curve(release(Pilot(make(seed), None, "x"), 1.0, brackets))
        true = stats.lognorm.cdf(curve.costs, np.log(FACTOR), scale=MEDIAN)
        missed.append(np.mean((true < curve.low) | (true > curve.high)))
    assert np.mean(missed) < 0.05


def test_counts_that_show_nothing_are_refused() -> None:
    published = replace(exact(yes_or_no(3, 400, LEVELS)), noisy=(40, 35, 30, 25, 20, 15, 10, 5, 0))
    with pytest.raises(ValueError, match="the noise was drawn, so this run counts"):
        noisy_fit(published)


def test_an_estimate_of_noisy_counts_says_what_each_person_is_owed() -> None:
    shown = estimate(exact(yes_or_no(3, 400, LEVELS), 0.7), "EUR")
    assert shown.owed == pytest.approx(math.expm1(0.7) * shown.log_normal.median)
    assert shown.disagreement is None
    words = " ".join(str(shown).split())
    assert "each answer is exposed to ε = 0.7," in words
    assert "to each person of the pilot" in words
    assert "all runs adds up" in words
    assert "Computed from noisy counts alone" in shown.text()
    assert "Nothing here is private" not in shown.text()
    with pytest.raises(ValueError, match="follows from the answers"):
        worth(shown, None, 1.0)


def test_no_answers_are_left_in_an_estimate() -> None:
    published = release(Pilot(yes_or_no(3, 400, LEVELS), yes_or_no(4), "x"), 1.0)
    shown = estimate(published)
    assert not any(isinstance(value, Answers | Pilot) for value in vars(shown).values())
    assert not any(isinstance(value, Answers | Pilot) for value in vars(published).values())
    assert "of what 400 people answered about certain publication" in " ".join(str(shown).split())
